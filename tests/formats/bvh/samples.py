"""Small BVH files made on the spot, and the names of the real ones."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from inbetweener.formats.bvh.read import read
from inbetweener.formats.files import Reading
from tests.conftest import REAL_FILES


def _listed(*folders: str) -> tuple[str, ...]:
    """Files of some folders, by their paths under the folder of BVH files; where that is absent, tests skip by one."""
    found = sorted(f"{folder}/{path.name}" for folder in folders for path in (FOLDER / folder).glob("*.bvh"))
    return tuple(found) or (f"{folders[0]}/absent.bvh",)


FOLDER = REAL_FILES / "bvh"
CLIPS, FIXTURES = _listed("clips", "cmu"), _listed("fixtures")
LONG = 600_000
"""Bytes from which a clip is long: enough of them are shorter to try each kind of test on."""
SHORT_CLIPS = tuple(name for name in CLIPS if not (FOLDER / name).exists() or (FOLDER / name).stat().st_size < LONG)
READABLE = (
    "malformed/00_control_good.bvh",
    "malformed/01_odd_crlf_tabs_blank_lines_no_final_newline.bvh",
    "malformed/02_odd_lowercase_keywords.bvh",
    "malformed/03_odd_zero_one_two_channel_joints.bvh",
    "malformed/04_odd_leaf_without_end_site.bvh",
    "malformed/05_odd_zero_frames.bvh",
    "malformed/06_odd_names_with_spaces_colon_unicode.bvh",
    "malformed/07_odd_position_channels_on_every_joint.bvh",
    "malformed/08_odd_duplicate_joint_names.bvh",
    "malformed/10_bad_last_frame_truncated.bvh",
    "malformed/11_bad_fewer_frames_than_declared.bvh",
    "malformed/16_bad_no_motion_section.bvh",
)

ROOT_CHANNELS = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"


@cache
def opened(path: Path) -> Reading:
    """A real file as it is read without options, once for all tests: documents never change, and nor do these files."""
    return read(path)


def chain(
    *rows: Sequence[float] | str,
    channels: str = "Zrotation Xrotation Yrotation",
    root: str = ROOT_CHANNELS,
    name: str = "Arm",
    frames: int | str | None = None,
    frame_time: str = "0.04",
    end: str = "End Site\n{\nOFFSET 0 5 0\n}\n",
) -> str:
    """A root and one joint ten units above it."""
    lines = [row if isinstance(row, str) else " ".join(repr(float(value)) for value in row) for row in rows]
    return (
        f"HIERARCHY\nROOT Base\n{{\nOFFSET 1 2 3\nCHANNELS {len(root.split())} {root}\n"
        f"JOINT {name}\n{{\nOFFSET 0 10 0\nCHANNELS {len(channels.split())} {channels}\n{end}}}\n}}\n"
        f"MOTION\nFrames: {len(lines) if frames is None else frames}\nFrame Time: {frame_time}\n"
        + "".join(f"{line}\n" for line in lines)
    )
