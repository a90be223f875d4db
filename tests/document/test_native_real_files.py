"""Real characters survive the native file exactly."""

from pathlib import Path

import pytest

from inbetweener.document import read_native, write_native
from inbetweener.formats import load


@pytest.mark.filterwarnings("ignore::inbetweener.errors.RepairWarning")
def test_real_files_are_the_same_after_saving(data: Path, tmp_path: Path) -> None:
    # One file of every folder and kind, small enough to be quick.
    files = {}
    for path in sorted([*(data / "bvh").rglob("*.bvh"), *(data / "gltf").rglob("*.glb")]):
        if "malformed" not in path.parts and path.stat().st_size < 1_000_000:
            files.setdefault((path.parent, path.suffix), path)
    assert files
    for path in files.values():
        document = load(path)
        write_native(document, tmp_path / "copy.tween")
        assert read_native(tmp_path / "copy.tween") == document, path
