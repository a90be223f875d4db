"""A rig that can only be asked where it is: dragged by what its answers teach, checked by asking it again."""

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRig
from inbetweener.host import MeasuredRig, measured_rig
from inbetweener.host.measured import Learned, MeasuredMap
from inbetweener.motion import Clip, Curves, Motion, Pin
from inbetweener.rig import Point, chains
from inbetweener.tangents import Drag, DragRequest
from tests.host import fakes

KEYS = {
    "target.x": (0.5, 0.6, 0.4), "target.y": (0.1, -0.1, 0.2), "target.z": (1.2, 1.5, 1.3), "pole": (0.2, 0.9, -0.3),
    "wrist.x": (0.0, 0.4, 0.1), "wrist.y": (0.1, -0.3, 0.0), "wrist.z": (0.0, 0.2, 0.3), "ik": (1.0, 0.8, 1.0),
    "root.x": (0.0, 0.05, 0.1), "root.y": (0.0, 0.0, 0.02), "root.z": (0.0, 0.02, 0.0), "unused": (0.0, 1.0, 2.0),
}  # fmt: skip


class Counted:
    """Counts the poses that a host is asked for."""

    def __init__(self) -> None:
        self.poses = 0

    def __call__(self, values: Floats) -> Floats:
        self.poses += len(values)
        return fakes.ik_frames(values)


def motion(measure: Counted | None = None) -> Motion:
    curves = Curves({name: fakes.keyed(np.array(values)) for name, values in KEYS.items()})
    poses = fakes.evaluated(curves, fakes.IK_CHANNELS, np.linspace(0.0, 1.0, 5))
    rig = measured_rig(fakes.BODIES, fakes.IK_CHANNELS, measure or Counted(), 1.8, poses)
    return Motion(rig, Clip("reach", end=1.0, curves=curves))


def seen(curves: Curves, times: Floats) -> Floats:
    return fakes.ik_frames(fakes.evaluated(curves, fakes.IK_CHANNELS, times))


def test_states_are_what_the_host_says_and_the_size_is_the_one_given() -> None:
    before, times = motion(), np.linspace(0.0, 1.0, 9)
    host = seen(before.clip.curves, times)
    for body, name in enumerate(fakes.BODIES):
        position, turn = before.states(times, Point(name))
        np.testing.assert_allclose(position, host[:, body, :, 3], atol=1e-6)
        np.testing.assert_allclose(turn, host[:, body, :, :3], atol=1e-6)
    assert chains.size(before.rig) == 1.8


def test_only_what_moves_a_body_is_free() -> None:
    free = {channel.name for channel in motion().rig.channels if channel.free}
    assert free == set(KEYS) - {"unused", "ik"}


def test_derivatives_are_learned_about_as_well_as_single_precision_allows() -> None:
    before = motion()
    values = before.channels(np.array([0.2, 0.7]))
    place = Point("hand", (0.1, 0.02, 0.0))
    learned = before.rig.state_jacobian(values, place)

    def tip(at: Floats) -> Floats:
        frame = fakes.ik_frames(at)[:, 1]
        return frame[..., :3] @ np.array(place.offset) + frame[..., 3]

    for c in range(values.shape[1]):
        low, high = values.copy(), values.copy()
        low[:, c] -= 3e-3
        high[:, c] += 3e-3
        by = (tip(high) - tip(low)) / 6e-3
        np.testing.assert_allclose(learned[:, :3, c], by, atol=3e-3)


@pytest.mark.parametrize("time", [0.2, 0.5 + 0.21])
def test_the_hand_goes_where_it_is_dragged(time: float) -> None:
    before = motion()
    drag = Drag(before, DragRequest(Point("hand"), time))
    for step in (0.25, 0.5, 1.0):
        wish = drag.start_position + step * np.array([0.02, 0.06, -0.05])
        solution = drag.to(wish)
        assert solution.reached
        hand = seen(solution.curves, np.array([time]))[0, 1, :, 3]
        assert np.linalg.norm(hand - wish) < 1e-4


def test_pins_hold_on_frames_and_between_while_the_elbow_is_dragged() -> None:
    before = motion()
    hand = Pin(Point("hand"), tolerance=5e-5)
    drag = Drag(before, DragRequest(Point("elbow"), 0.25, constraints=(hand,)))
    # The elbow can only go round the line from shoulder to hand.
    frames = seen(before.clip.curves, np.array([0.25]))[0]
    around = np.cross(frames[1, :, 3] - frames[0, :, 3], np.array([0.0, 0.0, 1.0]))
    wish = drag.start_position + 0.02 * around / np.linalg.norm(around)
    solution = drag.to(wish)
    times = np.linspace(0.0, 1.0, 241)
    was, now = seen(before.clip.curves, times)[:, 1, :, 3], seen(solution.curves, times)[:, 1, :, 3]
    assert np.linalg.norm(now - was, axis=1).max() < 1e-4
    moved = seen(solution.curves, np.array([0.25]))[0, 0, :, 3]
    assert np.linalg.norm(moved - wish) < 1e-4


def test_a_hand_can_be_turned_where_it_is() -> None:
    before = motion()
    drag = Drag(before, DragRequest(Point("hand"), 0.3, wanted="both"))
    angle = 0.3
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    solution = drag.to(None, turn @ drag.start_turn)
    frame = seen(solution.curves, np.array([0.3]))[0, 1]
    assert np.linalg.norm(frame[:, 3] - drag.start_position) < 1e-4
    assert np.abs(frame[:, :3] - turn @ drag.start_turn).max() < 1e-3


def test_the_host_is_asked_for_few_poses_once_derivatives_are_learned() -> None:
    host = Counted()
    before = motion(host)
    host.poses = 0
    drag = Drag(before, DragRequest(Point("hand"), 0.3))
    grabbed, host.poses = host.poses, 0
    for n in range(1, 9):
        assert drag.to(drag.start_position + n * np.array([0.0, 0.001, 0.0])).reached
    assert grabbed < 40
    assert host.poses < 8 * 10


def test_a_derivative_is_learned_again_once_it_no_longer_predicts() -> None:
    rig = motion().rig
    mapping = rig.dof_map
    assert isinstance(mapping, MeasuredMap)
    pose = motion().channels(np.array([0.2, 0.2004]))
    learned = Learned(mapping, pose, None)
    assert learned.lessons == 1  # what holds for a pose holds for its neighbour
    near, far = pose.copy(), pose.copy()
    near[:, 3] += 1e-3
    learned.look(near)
    assert learned.lessons == 1
    far[:, 3] += 1.0
    learned.look(far)
    assert learned.lessons > 1
    np.testing.assert_allclose(learned.rates[0], mapping.learned(far[0], None), atol=1e-9)


def test_a_rig_that_nobody_measures_is_refused() -> None:
    with pytest.raises(InvalidRig, match="somebody who measures"):
        MeasuredRig()
    with pytest.raises(InvalidRig, match="must be positive"):
        MeasuredRig(measure=fakes.ik_frames, size=0.0)
