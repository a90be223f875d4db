"""From samples to channels and curves: positions, orders, turns, units, axes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.errors import FormatError
from inbetweener.formats.bvh.mark import marked
from inbetweener.formats.bvh.read import read
from inbetweener.maths.euler import ORDERS
from tests.formats.bvh.samples import chain

File = Callable[[str | bytes], Path]


@pytest.mark.parametrize("order", ORDERS)
def test_any_order_of_rotations(file: File, order: str) -> None:
    angles = [10.0, 20.0, 30.0]
    channels = " ".join(f"{axis}rotation" for axis in order)
    document = read(file(chain([0.0] * 6 + angles, channels=channels)), unit=1.0).document
    world = document.motion().world_from_joint([0.0])[0, 1]
    assert np.allclose(world[:, :3], Rotation.from_euler(order, angles, degrees=True).as_matrix(), atol=1e-14)
    assert [c.name for c in document.rig.channels[6:]] == [f"Arm.r{axis.lower()}" for axis in order]


def test_positions_replace_the_offset_along_their_axis(file: File) -> None:
    """The joint's OFFSET is (0, 10, 0): its z comes from the channel, x and y stay; the root's is replaced whole."""
    row = [7.0, 8.0, 9.0, 0.0, 0.0, 0.0, 4.0]
    document = read(file(chain(row, channels="Zposition")), unit=0.01).document
    assert np.allclose(document.motion().joint_positions([0.0])[0], [[0.07, 0.08, 0.09], [0.07, 0.18, 0.13]])
    assert document.rig.joint("Base").rest.translation == (0.01, 0.02, 0.03)


def test_rotations_before_positions_still_turn_after_moving(file: File) -> None:
    root = "Zrotation Xrotation Yrotation Xposition Yposition Zposition"
    document = read(file(chain([90.0, 0, 0, 5.0, 6.0, 7.0, 0, 0, 0], root=root)), unit=1.0).document
    assert np.allclose(document.motion().joint_positions([0.0])[0], [[5, 6, 7], [-5, 6, 7]])


def test_end_sites_are_points(file: File) -> None:
    document = read(file(chain([0.0] * 9)), unit=0.01).document
    (point,) = document.rig.points
    assert (point.name, point.joint, point.offset) == ("Arm_end", "Arm", (0.0, 0.05, 0.0))


def test_an_end_site_never_takes_the_name_of_a_joint(file: File) -> None:
    text = (
        chain([0.0] * 9)
        .replace("JOINT Arm", "JOINT Base_end")
        .replace("CHANNELS 6", "End Site { OFFSET 0 1 0 }\nCHANNELS 6")
    )
    rig = read(file(text), unit=0.01).document.rig
    assert [point.name for point in rig.points] == ["Base_end2", "Base_end_end"]


def test_angles_go_on_over_whole_turns(file: File) -> None:
    turning = np.arange(0.0, 1000.0, 50.0)
    wrapped = (turning + 180.0) % 360.0 - 180.0
    rows = [[0.0] * 6 + [angle, 0.0, 0.0] for angle in wrapped]
    curve = read(file(chain(*rows)), unit=1.0).document.clip().curves["Arm.rz"]
    assert np.allclose(np.degrees(curve.values), turning, atol=1e-12)


def test_channels_that_never_change_have_one_key(file: File) -> None:
    rows = [[1.0, 2.0, 3.0, 0, 0, 0, angle, 5.0, 0.0] for angle in (1.0, 2.0, 4.0)]
    clip = read(file(chain(*rows)), unit=1.0).document.clip()
    assert {name: len(curve) for name, curve in clip.curves.items() if len(curve) > 1} == {"Arm.rz": 3}
    assert len(clip.curves) == 9
    assert clip.curves["Base.ty"].values.tolist() == [2.0]


def test_frames_fall_on_keys_exactly(file: File) -> None:
    rows = [[0.1 * n, 0, 0, 0, 0, 0, 0, 0, 0] for n in range(1000)]
    clip = read(file(chain(*rows, frame_time="0.0416667")), unit=1.0).document.clip()
    assert np.array_equal(clip.frame_times, clip.curves["Base.tx"].times)
    assert clip.rate == 1.0 / 0.0416667


def test_z_up_turns_the_whole_skeleton(file: File) -> None:
    rows = np.random.default_rng(1).uniform(-90, 90, (5, 9)).tolist()
    text = chain(*rows, channels="Xrotation Zrotation Yrotation")
    as_is = read(file(text), unit=1.0, up="y").document
    turned = read(file(text), unit=1.0, up="z").document
    times = as_is.clip().frame_times
    y_from_z = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    before, after = (d.motion().world_from_joint(times) for d in (as_is, turned))
    assert np.allclose(after[..., 3], before[..., 3] @ y_from_z.T, atol=1e-13)
    assert np.allclose(after[..., :3], y_from_z @ before[..., :3] @ y_from_z.T, atol=1e-13)
    assert turned.source is not None
    assert turned.source.up == "z"


def test_a_single_pose_needs_no_frame_time(file: File) -> None:
    reading = read(file(chain([1.0] * 9, frame_time="0")), unit=1.0)
    assert reading.document.clip().rate == 30.0
    assert "line 18: a frame time of 0 s cannot be; 30 frames a second" in reading.repairs[0]


@pytest.mark.parametrize("frame_time", ["0", "-0.04", "1e-300", "1e10"])
def test_a_frame_time_that_cannot_be_asks_for_a_rate(file: File, frame_time: str) -> None:
    path = file(chain([1.0] * 9, [0.0] * 9, frame_time=frame_time))
    with pytest.raises(FormatError, match=r"line 18: a frame time of .* cannot be; pass rate"):
        read(path)
    assert read(path, rate=50.0).document.clip().rate == 50.0


@pytest.mark.parametrize("option", [{"up": "w"}, {"unit": 0.0}, {"unit": float("nan")}, {"rate": -1.0}])
def test_options_that_make_no_sense(file: File, option: dict[str, float]) -> None:
    with pytest.raises(FormatError, match=next(iter(option))):
        read(file(chain([1.0] * 9)), **option)


def test_a_joint_without_a_name_gets_one(file: File) -> None:
    reading = read(file(chain([1.0] * 9, name="")), unit=1.0)
    assert [joint.name for joint in reading.document.rig.joints] == ["Base", "joint_2"]
    assert reading.repairs == ("line 6: a joint has no name; this one is renamed 'joint_2'",)


def test_positions_that_nobody_filled_are_shifts(file: File) -> None:
    """A root and a joint with position channels at nought stay where their OFFSETs put them."""
    moving = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    reading = read(file(chain([0.0] * 12, [0.0] * 12, channels=moving)), unit=1.0, up="y")
    document = reading.document
    assert document.motion().joint_positions([0.0])[0] == pytest.approx(np.array([[1, 2, 3], [1, 12, 3]]))
    (told,) = reading.repairs
    assert told == "line 2: positions of 'Base' and 1 more are nought throughout; taken as shifts from its OFFSET"
    ours = file(chain([0.0] * 12, channels=moving).replace("HIERARCHY", f"HIERARCHY{marked(1.0, 'y')}"))
    assert read(ours).document.motion().joint_positions([0.0])[0] == pytest.approx(np.zeros((2, 3)))
    filled = read(file(chain([0.0] * 6 + [0, 7, 0, 0, 0, 0], [0.0] * 12, channels=moving)), unit=1.0, up="y").document
    assert filled.motion().joint_positions([0.0])[0] == pytest.approx(np.array([[1, 2, 3], [1, 9, 3]]))


@pytest.mark.parametrize(
    ("name", "lowest"),
    [("clips/makehuman_walk1", -0.1), ("fixtures/makehuman_tpose", -0.9), ("fixtures/makehuman_face-poseunits", -0.9)],
)
def test_nobody_collapses_or_stands_in_the_floor(data: Path, name: str, lowest: float) -> None:
    """The last two have their origin amid the body, at rest too."""
    document = read(data / "bvh" / f"{name}.bvh").document
    heights = document.motion().joint_positions(document.clip().frame_times)[..., 1]
    assert heights.min() > lowest
    assert np.ptp(heights, axis=1).min() > 1.4
