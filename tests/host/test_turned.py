"""Joints that turn by quaternions: exact, whatever the length and the pose, and dragged on what the host evaluates."""

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRig
from inbetweener.host import Quaternion, TurnedRig
from inbetweener.motion import Clip, Curves, Motion, Pin
from inbetweener.rig import Channel, Joint, Point
from inbetweener.rig.part import part_around
from inbetweener.tangents import Drag, DragRequest
from tests.host import fakes

RIG = fakes.chain()
HAND = Point("hand", fakes.TIP)


def poses(count: int = 12) -> Floats:
    """Quaternions of any length, and places."""
    rng = np.random.default_rng(3)
    return np.concatenate([2.0 * rng.normal(size=(count, 12)), 0.3 * rng.normal(size=(count, 3))], axis=1)


def locked() -> Floats:
    """Poses in which any order of three angles is locked: right angles about one axis after another."""
    half = np.sqrt(0.5)
    rows = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            q = np.zeros(4)
            q[0], q[1 + axis] = half, sign * half
            rows.append(np.concatenate([np.tile(q, 3), np.zeros(3)]))
    return np.array(rows)


def tip(values: Floats) -> Floats:
    frames = fakes.chain_frames(values)[:, 2]
    return frames[..., :3] @ np.array(fakes.TIP) + frames[..., 3]


@pytest.mark.parametrize("values", [poses(), locked()], ids=["any", "locked"])
def test_states_are_the_hosts(values: Floats) -> None:
    position, turn = RIG.states(values, HAND)
    np.testing.assert_allclose(position, tip(values), atol=1e-12)
    np.testing.assert_allclose(turn, fakes.chain_frames(values)[:, 2, :, :3], atol=1e-12)


@pytest.mark.parametrize("values", [poses(), locked()], ids=["any", "locked"])
def test_derivatives_are_exact_at_any_pose(values: Floats) -> None:
    exact = RIG.state_jacobian(values, HAND)
    for step, within in ((1e-4, 1e-6), (1e-5, 1e-8)):
        for c in range(values.shape[1]):
            low, high = values.copy(), values.copy()
            low[:, c] -= step
            high[:, c] += step
            by = (tip(high) - tip(low)) / (2.0 * step)
            np.testing.assert_allclose(exact[:, :3, c], by, atol=within)
            turns = [fakes.chain_frames(each)[:, 2, :, :3] for each in (low, high)]
            spin = (turns[1] - turns[0]) / (2.0 * step) @ np.swapaxes(fakes.chain_frames(values)[:, 2, :, :3], 1, 2)
            about = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
            np.testing.assert_allclose(exact[:, 3:, c], about, atol=10 * within)
    assert np.abs(exact).max(axis=(0, 1)).min() > 1e-3  # every channel counts


def test_a_part_moves_as_the_whole() -> None:
    part = part_around(RIG, [Point("lower")])
    assert part.channels.tolist() == [*range(8), 12, 13, 14]
    values = poses()
    dofs = part.dof_map.dofs(np.ascontiguousarray(values[:, part.channels]))
    world = part.skeleton.world(dofs)[:, part.local_joint(RIG.joint_index("lower"))]
    np.testing.assert_allclose(world, fakes.chain_frames(values)[:, 1], atol=1e-12)


def swing() -> Motion:
    """Three keyed poses; at the middle one every bone is turned by a right angle about y, where ZYX angles lock."""
    half = np.sqrt(0.5)
    first, last = np.array([0.95, 0.1, 0.2, -0.1]), np.array([0.8, 0.3, -0.2, 0.2])
    curves = {}
    for n in range(12):
        curves[RIG.channels[n].name] = fakes.keyed(np.array([first[n % 4], (half, 0.0, half, 0.0)[n % 4], last[n % 4]]))
    for n, name in enumerate(("upper.x", "upper.y", "upper.z")):
        curves[name] = fakes.keyed(np.array([0.0, 0.1 * n, -0.05]))
    return Motion(RIG, Clip("swing", end=1.0, curves=Curves(curves)))


@pytest.mark.parametrize("time", [0.3, 0.45, 0.52])
def test_a_drag_reaches_its_target_and_keeps_its_pin_as_the_host_sees_it(time: float) -> None:
    motion = swing()
    elbow = Pin(Point("lower"), tolerance=5e-5)
    drag = Drag(motion, DragRequest(HAND, time, constraints=(elbow,)))
    wish = drag.start_position + np.array([0.03, -0.05, 0.04])
    solution = drag.to(wish)
    assert solution.reached
    after = fakes.evaluated(solution.curves, RIG.channels, np.array([time]))
    assert np.linalg.norm(tip(after)[0] - wish) < 1e-4
    times = np.linspace(0.0, 1.0, 97)
    was = fakes.chain_frames(fakes.evaluated(motion.clip.curves, RIG.channels, times))[:, 1, :, 3]
    now = fakes.chain_frames(fakes.evaluated(solution.curves, RIG.channels, times))[:, 1, :, 3]
    assert np.linalg.norm(now - was, axis=1).max() < 1e-4
    for name, curve in solution.curves.items():
        before = motion.clip.curves[name]
        assert np.array_equal(curve.times, before.times)
        assert np.array_equal(curve.values, before.values)


def test_a_quaternion_of_no_length_is_no_turn_and_moves_nothing() -> None:
    values = poses(1)
    values[0, 4:8] = 0.0
    assert np.isfinite(RIG.state_jacobian(values, HAND)).all()
    assert not RIG.state_jacobian(values, HAND)[..., 4:8].any()


def test_what_no_rig_can_be_is_refused() -> None:
    names = ("a.qw", "a.qx", "a.qy", "a.qz")
    channels = tuple(Channel(name, "rotation") for name in names)
    with pytest.raises(InvalidRig, match="'a' must follow its base"):
        TurnedRig((Joint("a"),), channels, quaternions=(Quaternion("a", names),))
