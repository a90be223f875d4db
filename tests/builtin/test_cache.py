"""The sculpt cache saves time and never gets in the way."""

from pathlib import Path

import pytest

from inbetweener.builtin.rigging import Bone, build_rig
from inbetweener.builtin.sculpt import Limb, Part, Sculpt, sculpted
from inbetweener.builtin.sculpt.cache import sculpt_mesh
from inbetweener.rig import Rig

BALL = Sculpt((Limb("ball", (Part("root", (0.0, 0.0, 0.0), 0.2),)),), cell=0.05)


@pytest.fixture
def rig() -> Rig:
    return build_rig([Bone("root", None, (0.0, 1.0, 0.0))])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rig: Rig) -> Path:
    sculpt_mesh("ball", BALL, rig)  # so that compiled code is at hand before the folder of the cache moves
    monkeypatch.setenv("INBETWEENER_CACHE", str(tmp_path))
    return tmp_path / "sculpts"


def test_a_cached_mesh_equals_a_fresh_one(folder: Path, rig: Rig) -> None:
    first = sculpted("ball", BALL, rig)
    stored = list(folder.iterdir())
    assert len(stored) == 1
    before = stored[0].stat().st_mtime_ns
    assert sculpted("ball", BALL, rig) == first == sculpt_mesh("ball", BALL, rig)
    assert stored[0].stat().st_mtime_ns == before, "read, not written again"


def test_another_shape_is_another_file(folder: Path, rig: Rig) -> None:
    sculpted("ball", BALL, rig)
    sculpted("ball", Sculpt(BALL.limbs, cell=0.06), rig)
    sculpted("ball", BALL, build_rig([Bone("root", None, (0.0, 2.0, 0.0))]))
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("damage", [b"", b"not a zip at all", b"PK\x03\x04 cut short"])
def test_a_damaged_file_is_made_again(folder: Path, rig: Rig, damage: bytes) -> None:
    good = sculpted("ball", BALL, rig)
    path = next(folder.iterdir())
    path.write_bytes(damage)
    assert sculpted("ball", BALL, rig) == good
    assert path.stat().st_size > len(damage)


def test_a_folder_that_cannot_be_made_is_harmless(folder: Path, rig: Rig) -> None:
    folder.write_text("a file where the folder should be")
    assert sculpted("ball", BALL, rig) == sculpt_mesh("ball", BALL, rig)
