"""Each bent file behaves as the table of the test data says."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.errors import FormatError
from inbetweener.formats.bvh.read import read
from tests.formats.bvh.samples import CLIPS, FIXTURES, READABLE

REJECTED = {
    "09_odd_frame_time_zero.bvh": ("line 32", "frame time of 0 s", "rate"),
    "12_bad_missing_closing_brace.bvh": ("line 29", "'Hips'", "not closed"),
    "13_bad_not_a_number.bvh": ("line 34", "frame 2", "'-1.#IND'", "Hips Zrotation"),
    "14_bad_channel_count_mismatch.bvh": ("line 9", "'Spine'", "declares 3 channels and names 2"),
    "15_bad_unknown_channel.bvh": ("line 9", "'Spine'", "'Wrotation'", "Xrotation"),
}
REPAIRED = {
    "07_odd_position_channels_on_every_joint.bvh": "3 bones are moved along or scaled by the clips (Spine, Head, Leg)",
    "08_odd_duplicate_joint_names.bvh": "line 20: a second joint is called 'Head'; this one is renamed 'Head_2'",
    "10_bad_last_frame_truncated.bvh": "line 35: the last frame has 5 of 15 values",
    "11_bad_fewer_frames_than_declared.bvh": "10 frames are declared, 3 are there",
    "16_bad_no_motion_section.bvh": "no MOTION section",
}


@pytest.fixture
def malformed(data: Path) -> Path:
    return data / "bvh" / "malformed"


def test_no_file_is_forgotten(data: Path) -> None:
    known = {*CLIPS, *FIXTURES, *READABLE, *(f"malformed/{name}" for name in REJECTED)}
    assert {str(path.relative_to(data / "bvh")) for path in (data / "bvh").rglob("*.bvh")} == known


@pytest.mark.parametrize("name", REJECTED)
def test_broken_files_are_refused_naming_the_place(malformed: Path, name: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(malformed / name)
    message = str(caught.value)
    assert "\n" not in message
    for part in (name, *REJECTED[name]):
        assert part in message


@pytest.mark.parametrize("name", REPAIRED)
def test_mended_files_say_what_was_mended(malformed: Path, name: str) -> None:
    repairs = read(malformed / name, unit=0.01, up="y").repairs
    assert len(repairs) == 1
    assert REPAIRED[name] in repairs[0]


@pytest.mark.parametrize("name", [name for name in READABLE if Path(name).name not in REPAIRED])
def test_odd_files_need_no_mending(data: Path, name: str) -> None:
    assert read(data / "bvh" / name, unit=0.01, up="y").repairs == ()


@pytest.mark.parametrize("number", ["01", "02"])
def test_layout_and_letter_case_do_not_matter(malformed: Path, number: str) -> None:
    good = read(malformed / "00_control_good.bvh").document
    odd = read(next(malformed.glob(f"{number}_*"))).document
    assert odd.rig == good.rig
    assert odd.clip().curves == good.clip().curves


def test_no_channel_of_joints_with_one_name_is_lost(malformed: Path) -> None:
    good = read(malformed / "00_control_good.bvh", unit=1.0).document
    double = read(malformed / "08_odd_duplicate_joint_names.bvh", unit=1.0).document
    times = good.clip().frame_times
    assert np.array_equal(double.motion().channels(times), good.motion().channels(times))
    assert [joint.name for joint in double.rig.joints] == ["Hips", "Spine", "Head", "Head_2"]


def test_a_rate_rescues_a_frame_time_of_zero(malformed: Path) -> None:
    clip = read(malformed / "09_odd_frame_time_zero.bvh", rate=25.0).document.clip()
    assert clip.rate == 25.0
    assert len(clip.frame_times) == 3
