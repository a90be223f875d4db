"""What ufbx, which shares no code with us, makes of files: those of others as we do, and ours as they were meant."""

import importlib.util
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.formats import read, write
from interop.fbx.judge import judged

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ufbx") is None, reason="ufbx is not installed: pip install ufbx"
)
OURS = 1e-5
"""Of a character's height, on frames and between."""


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("characters/polygonalmind_EggBoy", 1e-6),
        ("ufbx/blender_279_sausage_7400_binary", 1e-6),
        ("ufbx/maya_mixed_inherit_mode_7700_ascii", 1e-6),
        # Angles made anew from a rest pose that the file has in its curves: exact on frames.
        ("ufbx/maya_kenney_character_7700_binary", 2e-5),
    ],
)
def test_files_of_others(name: str, allowed: float, data: Path) -> None:
    path = data / "fbx" / f"{name}.fbx"
    verdict = judged(read(path).document, path, 6)
    assert max(verdict.on.joints, verdict.on.vertices) < 1e-6
    assert max(verdict.between.joints, verdict.between.vertices) < allowed


@pytest.mark.parametrize("name", ["flying-robot", "talking-face", "conductor"])
def test_scenes_of_ours(name: str, tmp_path: Path) -> None:
    document = ib.example(name)
    write(document, tmp_path / "a.fbx")
    verdict = judged(document, tmp_path / "a.fbx", 6)
    assert verdict.missing == ()
    for apart in (verdict.on, verdict.between):
        assert max(apart.joints, apart.vertices) < OURS
