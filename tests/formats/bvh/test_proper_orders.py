"""Joints that turn about one axis twice, as in XYX: the rotations that scipy makes of the same angles."""

import importlib
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

read = importlib.import_module("inbetweener.formats.bvh.read").read
TEXT = """HIERARCHY
ROOT hips
{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition %s
 JOINT spine
 {
  OFFSET 0 1 0
  CHANNELS 3 Zrotation Yrotation Xrotation
  End Site
  {
   OFFSET 0 1 0
  }
 }
}
MOTION
Frames: %d
Frame Time: 0.1
%s
"""


@pytest.mark.parametrize("order", [f"{a}{b}{a}" for a, b in permutations("XYZ", 2)])
@pytest.mark.parametrize("up", ["y", "z"])
def test_every_frame_turns_as_the_file_says(order: str, up: str, tmp_path: Path) -> None:
    time = np.linspace(0.0, 1.0, 30)
    angles = np.stack([40 * np.sin(3 * time) + 20, 35 + 20 * time, -50 * time - 10], axis=1)
    rows = "\n".join(f"1 2 3 {a!r} {b!r} {c!r} 4 5 6" for a, b, c in angles.tolist())
    path = tmp_path / "proper.bvh"
    path.write_text(TEXT % (" ".join(f"{letter}rotation" for letter in order), len(time), rows))
    reading = read(path, unit=1.0, up=up)
    (line,) = (each for each in reading.repairs if order in each)
    assert "line 2" in line
    (clip,), joint = reading.document.clips, reading.document.rig.joints[0]
    assert len(set(joint.order)) == 3
    ours = np.stack([clip.curves[f"hips.{dof}"].values for dof in ("rx", "ry", "rz")], axis=1)
    # Keys may stand between frames, where angles do not lead straight from one to the next.
    frames = [int(np.argmin(abs(clip.curves["hips.rx"].times - n / clip.rate))) for n in range(len(time))]
    assert len(set(frames)) == len(time)
    by_turn = ours[frames][:, ["XYZ".index(letter) for letter in joint.order]]
    made = Rotation.from_euler(joint.order, by_turn).as_matrix()
    file = Rotation.from_euler(order, angles, degrees=True).as_matrix()
    ours_from_file = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]) if up == "z" else np.eye(3)
    np.testing.assert_allclose(made, ours_from_file @ file @ ours_from_file.T, rtol=0, atol=1e-12)
