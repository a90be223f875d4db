"""`load`, `read` and `save`: the suffix chooses, refusals are one line, nothing is left half-written."""

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, Prop
from inbetweener.errors import FormatError, LossWarning, RepairWarning, UnknownName
from inbetweener.formats import SUFFIXES, load, read, save
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, joint_channels


@pytest.fixture
def document() -> Document:
    joints = (Joint("hips"), Joint("arm", 0, Transform((0.0, 1.0, 0.0))))
    channels = joint_channels(joints[0], "tx ty tz rx ry rz") + joint_channels(joints[1])
    curves = Curves({"arm.rx": Curve.sampled([0.0, 0.5, 1.0], [0.0, 1.0, 0.5])})
    return Document("one arm", Rig(joints, channels), clips=(Clip("wave", 1.0, rate=2.0, curves=curves),))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_saved_and_loaded(document: Document, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        warnings.simplefilter("ignore", LossWarning)
        ib.save(document, path)
        again = ib.load(path)
    times = document.clip().frame_times
    placed = {joint.name: n for n, joint in enumerate(again.rig.joints)}
    after = again.motion().joint_positions(times)[:, [placed["hips"], placed["arm"]]]
    assert abs(after - document.motion().joint_positions(times)).max() < 1e-5


def test_a_native_file_is_the_document(document: Document, tmp_path: Path) -> None:
    save(document, tmp_path / "a.tween")
    assert load(str(tmp_path / "a.tween")) == document


def test_the_suffix_may_be_in_capitals(document: Document, tmp_path: Path) -> None:
    save(document, tmp_path / "A.BVH")
    assert read(tmp_path / "A.BVH").document.source.format == "bvh"


def test_repairs_are_warned_of_with_the_file(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    save(document, path)
    # Without our mark the unit is a guess.
    path.write_text(path.read_text().replace("\t", " "))
    (repair,) = read(path).repairs
    with pytest.warns(RepairWarning, match=re.escape(f"{path}: {repair}")) as caught:
        load(path)
    # The warning points at the caller.
    assert caught[0].filename == __file__


def test_options_reach_the_format(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    with pytest.warns(LossWarning, match=r"keys and tangents \(arm\.rx\)"):
        save(document, path, unit=1.0, rate=10.0)
    again = load(path, unit=1.0, up="y")
    assert (again.source.unit, len(again.clip().frame_times)) == (1.0, 11)


def test_losses_are_warned_of(document: Document, tmp_path: Path) -> None:
    with_prop = Document(document.name, document.rig, clips=document.clips, props=(Prop("ball", Sphere(1.0)),))
    with pytest.warns(LossWarning, match="1 prop: BVH holds joints only"):
        save(with_prop, tmp_path / "a.bvh")


@pytest.mark.parametrize(("name", "said"), [("a.obj", "unknown suffix '.obj'"), ("a", "no suffix tells the format")])
def test_an_unknown_suffix_lists_the_known(document: Document, tmp_path: Path, name: str, said: str) -> None:
    for attempt in (lambda: load(tmp_path / name), lambda: save(document, tmp_path / name)):
        with pytest.raises(FormatError, match=rf"{said}; known: \.tween \.bvh \.gltf \.glb \.fbx"):
            attempt()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_not_there_or_not_a_file_is_refused(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    for path in (tmp_path / f"absent{suffix}", tmp_path / "no" / f"a{suffix}", folder, tmp_path / f"a\0{suffix}"):
        with pytest.raises(FormatError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_folders_must_exist(document: Document, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(FormatError, match=r"there is no folder .*; make it first"):
        save(document, tmp_path / "no" / f"a{suffix}")
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_name_too_long_for_the_system_is_refused(document: Document, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / ("a" * 300 + suffix)
    for attempt in (lambda: load(path), lambda: save(document, path)):
        with pytest.raises(FormatError, match="too long"):
            attempt()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.filterwarnings("ignore::inbetweener.errors.LossWarning")
def test_a_failing_save_leaves_the_old_file_and_nothing_else(
    document: Document, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up at the very last step."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FormatError, match="No space left on device"):
        save(document, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_unknown_options_are_named(document: Document, tmp_path: Path, suffix: str) -> None:
    for attempt in (
        lambda: load(tmp_path / f"a{suffix}", colour=1),
        lambda: save(document, tmp_path / f"a{suffix}", colour=1),
    ):
        with pytest.raises(UnknownName, match=rf"no option of (read|write) for \{suffix} called 'colour'"):
            attempt()


def test_formats_are_imported_only_when_used() -> None:
    code = "import sys, inbetweener.formats as f; print([m for m in sys.modules if 'numba' in m or 'formats.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_two_threads_may_ask_for_the_same_format_at_once() -> None:
    """In a process of its own, where nothing of it is imported: a Studio's warming up and an export do just that."""
    script = """
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Barrier
from inbetweener import formats
import inbetweener.document
sys.setswitchinterval(1e-6)
begin = Barrier(2)
def ask(name):
    begin.wait()
    return import_module(name) if name else formats.function_for(Path("a.glb"), "write", {})
with ThreadPoolExecutor(2) as pool:
    print(len(list(pool.map(ask, ["", "inbetweener.formats.gltf"]))))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("2\n", "")
