"""One walk as other files would have it: rates, axes, units, sizes, names, repeated frames. Its feet stand."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.formats.bvh.read import read
from tests.captured import plain
from tests.captured.cleaned import Cleaned

WALK = {path.stem: path for path in plain.CLIPS}.get("02_01_walk")
pytestmark = pytest.mark.skipif(WALK is None, reason="the folder of real test files is absent")
UNIT = 0.056444
STEPS = 6
UPRIGHT = Rotation.identity()


@dataclass(frozen=True)
class Kind:
    """How the walk is written.

    rate    frames a second
    scale   of all lengths
    turned  what is before the root's own turn: other axes up, or another way to walk
    pose    whether its T-pose stays in front
    rename  joints get names that say nothing
    dropped every so-many-th frame repeats the one before
    """

    rate: float = 120.0
    scale: float = 1.0
    turned: Rotation = UPRIGHT
    pose: bool = True
    rename: bool = False
    dropped: int = 0

    def write(self, path: Path) -> Path:
        assert WALK is not None
        capture = plain.read(WALK)
        first = 0 if self.pose else 1
        count = int((capture.frames - 1 - first) * capture.frame_time * self.rate) + 1
        at = first + np.arange(count) / (self.rate * capture.frame_time)
        if self.pose:
            at = np.where(at < 1, np.floor(at), at)  # no frame lies between the T-pose and the motion
        if self.dropped:
            at[self.dropped :: self.dropped] = at[self.dropped - 1 : -1 : self.dropped]
        turns, moves = capture.locals(np.minimum(at, capture.frames - 1))
        turns[:, 0] = (self.turned * Rotation.from_quat(turns[:, 0])).as_quat()
        angles = [Rotation.from_quat(turns[:, j]).as_euler("ZYX", degrees=True) for j in range(len(capture.names))]
        rows = np.hstack([self.scale * self.turned.apply(moves[:, 0]), *angles])
        head = WALK.read_text(encoding="utf-8").split("MOTION")[0]
        head = re.sub(
            r"OFFSET\s+(\S+)\s+(\S+)\s+(\S+)",
            lambda found: "OFFSET " + " ".join(f"{self.scale * float(each):.6f}" for each in found.groups()),
            head,
        )
        if self.rename:
            numbers = iter(range(len(capture.names)))
            head = re.sub(r"(ROOT|JOINT)\s+\S+", lambda found: f"{found[1]} part{next(numbers)}", head)
        lines = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in rows)
        path.write_text(f"{head}MOTION\nFrames: {count}\nFrame Time: {1 / self.rate:.8f}\n{lines}\n", encoding="utf-8")
        return path


Z_UP = Rotation.from_euler("X", 90, degrees=True)
BACK = Rotation.from_euler("Z", 180, degrees=True)
KINDS = {
    "24 a second": Kind(rate=24.0),
    "25 a second, no pose in front": Kind(rate=25.0, pose=False),
    "29.97 a second": Kind(rate=30000 / 1001),
    "59.94 a second": Kind(rate=60000 / 1001),
    "200 a second": Kind(rate=200.0),
    "inches": Kind(scale=UNIT / 0.0254),
    "z up, the other way": Kind(turned=BACK * Z_UP),
    "names that say nothing": Kind(rename=True),
    "a frame in twelve repeated": Kind(dropped=12),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_walk_is_found_and_stands_whatever_wrote_it(name: str, tmp_path: Path) -> None:
    made = Cleaned.of(KINDS[name].write(tmp_path / "walk.bvh"))
    # It begins in the middle of a step, of which the T-pose leaves two frames at low rates.
    assert STEPS - (KINDS[name].rate < 40.0) <= len(made.after) <= STEPS
    assert made.standing == len(made.after)
    assert made.pops == 0
    assert made.sunk < 1e-3


def test_a_child_stands_too(tmp_path: Path) -> None:
    # Half as tall in metres: who says so is believed, and thresholds go by the height.
    path = Kind(scale=0.5).write(tmp_path / "walk.bvh")
    assert read(path, unit=UNIT).document.motion().joint_positions([1.0])[0, :, 1].max() < 0.9
    made = Cleaned.of(path)
    assert len(made.after) == STEPS == made.standing
