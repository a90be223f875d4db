"""What is read is written back: the same numbers, the same document."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inbetweener.document.native import read_native, write_native
from inbetweener.formats.bvh.hierarchy import parse
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from inbetweener.motion import Curves
from tests.formats.bvh.samples import CLIPS, FIXTURES, READABLE, SHORT_CLIPS, opened


@pytest.mark.sweep
@pytest.mark.parametrize("name", CLIPS + FIXTURES + READABLE)
def test_open_save_open_gives_an_equal_document(data: Path, tmp_path: Path, name: str) -> None:
    first = opened(data / "bvh" / name).document
    again = tmp_path / Path(name).name
    assert write(first, again) == ()
    second = read(again, unit=first.source.unit, up=first.source.up).document
    bare = [replace(document, clips=()) for document in (first, second)]
    assert bare[0] == bare[1]
    for before, after in zip(first.clips, second.clips, strict=True):
        assert replace(before, curves=Curves({})) == replace(after, curves=Curves({}))
        reordered = tuple(f"{joint}.r" for joint, _ in first.source.orders)
        for channel, curve in before.curves.items():
            made = after.curves[channel]
            if channel.startswith(reordered):  # angles of the file's own order stand in the file
                assert np.allclose(made.times, curve.times, rtol=0, atol=1e-12)
                assert np.allclose(made.values, curve.values, rtol=0, atol=1e-8)
            else:
                assert np.allclose(made.values, curve.values, rtol=0, atol=1e-10)
                assert len(made) == len(curve)


@pytest.mark.parametrize(
    "name", ["clips/fair1_dab.bvh", "fixtures/Geno_stance.bvh", "malformed/05_odd_zero_frames.bvh"]
)
def test_a_written_file_says_the_same_in_the_same_layout(data: Path, tmp_path: Path, name: str) -> None:
    """Offsets, channels, End Sites and frame time to the last digit; angles but for whole turns."""
    source, again = data / "bvh" / name, tmp_path / "again.bvh"
    write(opened(source).document, again)
    before, after = (parse(path, path.read_bytes()) for path in (source, again))
    assert [(n.name, n.parent, n.offset, n.channels, n.ends) for n in before.nodes] == [
        (n.name, n.parent, n.offset, n.channels, n.ends) for n in after.nodes
    ]
    if len(before.samples):
        assert after.frame_time == before.frame_time
    turning = np.array(["rotation" in channel for node in before.nodes for channel in node.channels])
    gap = after.samples - before.samples
    turns = np.round(gap / 360.0) * turning
    assert np.abs(gap - 360.0 * turns).max(initial=0.0) < 1e-9


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*SHORT_CLIPS[::6], "fixtures/pybvh_test1_zup.bvh", *READABLE])
def test_the_native_format_keeps_everything(data: Path, tmp_path: Path, name: str) -> None:
    document = opened(data / "bvh" / name).document
    write_native(document, tmp_path / "kept.tween")
    assert read_native(tmp_path / "kept.tween") == document


def test_every_digit_of_a_frame_time_survives(data: Path, tmp_path: Path) -> None:
    name = data / "bvh" / "fixtures" / "pybvh_full_precision_frame_time.bvh"
    write(opened(name).document, tmp_path / "again.bvh")
    assert "Frame Time: 0.0417083750417\n" in (tmp_path / "again.bvh").read_text()


def test_names_survive(data: Path, tmp_path: Path) -> None:
    document = opened(data / "bvh" / "malformed" / "06_odd_names_with_spaces_colon_unicode.bvh").document
    write(document, tmp_path / "again.bvh")
    again = read(tmp_path / "again.bvh").document
    assert [joint.name for joint in again.rig.joints] == ["Hips", "mixamorig:Spine 01", "Tête", "Left Leg"]
