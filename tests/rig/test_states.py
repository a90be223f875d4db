"""States and their derivatives on a body with bends, handles and controls together, by central differences."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from inbetweener.maths import dual_quaternions, transforms
from inbetweener.maths.dual_quaternions import carried, exponential_by
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, BlendedPoint, Handle, Joint, Place, Point, Rig, bent
from inbetweener.rig.channel import Drive, bend_channel, control, joint_channels, shape_channels
from inbetweener.rig.part import part_of
from inbetweener.rig.posed import Posed


def curled() -> Rig:
    """A spine with an arm that hangs on its middle; bones bend, and one bend turns its joint too."""
    joints = (
        Joint("hips", rest=Transform((0.0, 1.0, 0.0))),
        Joint("chest", 0, Transform((0.0, 0.4, 0.0))),
        Joint("arm", 0, Transform((0.1, 0.2, 0.0), (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5)))),
        Joint("elbow", 2, Transform((0.0, 0.3, 0.02)), order="XYZ"),
        Joint("hand", 3, Transform((0.0, 0.3, 0.0)), order="XZY"),
    )
    rng = np.random.default_rng(3)
    screws = {
        name: rng.normal(size=(steps, 6)) * [0.2, 0.2, 0.2, 0.01, 0.01, 0.01]
        for name, steps in (("hips", 10), ("arm", 12), ("hand", 5))
    }
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"),
        *(channel for joint in joints[1:] for channel in joint_channels(joint, "tx rx ry rz sx sy")),
        control("curl all", {"elbow.rx": 0.5, "hand.rx": 0.3, "chest.sz": 0.2}),
        *shape_channels(["smile"]),
        replace(bend_channel("curl"), drives=(Drive("arm.ry", 0.3),)),
        bend_channel("droop"),
    )
    bends = (
        Bend("curl", "curl", screws),
        Bend("droop", "droop", {"arm": rng.normal(size=(7, 6)) * 0.05, "elbow": rng.normal(size=(4, 6)) * 0.2}),
        Bend("more of the same dial", "droop", {"hips": rng.normal(size=(3, 6)) * 0.1}),
    )
    return Rig(joints, channels, bends=bends)


def handled() -> Rig:
    """The same, with a handle on its arm."""
    rig = curled()
    unscaled = tuple(c for c in rig.channels if c.name not in ("arm.sx", "arm.sy"))
    return replace(rig, channels=unscaled).with_handle(Handle("arm", ("arm", "elbow"), Point("hand")))


PLACES: list[Place] = [
    Point("hand"),
    Point("hand", (0.0, 0.12, 0.03)),
    Point("arm", (0.05, 0.2, 0.0)),
    Point("chest", (0.1, 0.0, 0.0)),
    Point("hips", (0.1, 0.11, 0.0)),
    BlendedPoint(((Point("elbow", (0.0, 0.12, 0.03)), 0.25), (Point("arm", (0.05, 0.2, 0.0)), 0.75))),
]


def poses(rig: Rig, count: int, seed: int) -> np.ndarray:
    """Random poses, bends and handles half dialled in, scales near one."""
    rng = np.random.default_rng(seed)
    found = rig.defaults + 0.4 * rng.normal(size=(count, len(rig.channels)))
    for c, channel in enumerate(rig.channels):
        if channel.kind == "scale":
            found[:, c] = 1.0 + 0.2 * rng.normal(size=count)
        if channel.name.endswith("blend"):
            found[:, c] = rng.uniform(0.3, 0.9, count)
    return found


def differences(rig: Rig, pose: np.ndarray, place: Place, step: float) -> np.ndarray:
    """(6, C) by central differences; the rotation between the two sides as a vector."""
    sides = [rig.states(pose + sign * step * np.eye(len(pose)), place) for sign in (1.0, -1.0)]
    moved = sides[0][0] - sides[1][0]
    turned = Rotation.from_matrix(sides[0][1] @ np.swapaxes(sides[1][1], -1, -2)).as_rotvec()
    return np.concatenate([moved, turned], axis=1).T / (2 * step)


@pytest.mark.parametrize("make", [curled, handled])
@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_derivatives_agree_with_central_differences(make: object, place: Place, seed: int) -> None:
    rig = make()  # type: ignore[operator]
    pose = poses(rig, 1, seed)[0]
    exact = rig.state_jacobian(pose[None], place)[0]
    errors = []
    for step in (1e-3, 1e-4):
        coarse = differences(rig, pose, place, step)
        assert not np.array_equal(coarse, exact)
        errors.append(np.abs(coarse - exact).max())
    assert errors[0] < 2e-4
    assert errors[1] < 2e-2 * errors[0] + 1e-10
    for dial in ("curl", "droop"):
        column = exact[:, rig.channel_index(dial)]
        assert np.abs(column).max() > 1e-3, "bends have a column of their own"


def test_several_poses_are_each_by_itself() -> None:
    rig = handled()
    several = poses(rig, 4, 9)
    for place in PLACES:
        positions, turns = rig.states(several, place)
        moves = rig.state_jacobian(several, place)
        for n in range(4):
            one = rig.states(several[n : n + 1], place)
            np.testing.assert_array_equal(positions[n], one[0][0])
            np.testing.assert_array_equal(turns[n], one[1][0])
            np.testing.assert_array_equal(moves[n], rig.state_jacobian(several[n : n + 1], place)[0])


def by_hand(rig: Rig, pose: np.ndarray, place: Place) -> np.ndarray:
    """Where a place is, bend by bend: W = W_parent · X · (W_parent⁻¹ · W) as keyed, in plain products."""
    straight = rig.keyed.world_from_joint(pose[None])[0]
    steps = {name: each[0] for name, each in bent.screws(rig, pose[None]).items()}

    def shape(name: str, along: float) -> np.ndarray:
        made = np.eye(3, 4)
        for n, screw in enumerate(steps.get(name, np.zeros((0, 6)))):
            share = min(1.0, max(0.0, along - n))
            made = transforms.product(made, dual_quaternions.to_matrix(dual_quaternions.exponential(share * screw)))
        return made

    world = straight.copy()
    for j, joint in enumerate(rig.joints):
        if joint.parent >= 0:
            above = rig.joints[joint.parent].name
            passed = round(rig.bones.attachments[j] * len(steps.get(above, ())))
            local = transforms.product(transforms.inverse(straight[joint.parent]), straight[j])
            world[j] = transforms.product(transforms.product(world[joint.parent], shape(above, passed)), local)
    total = np.zeros(3)
    for point, weight in place.parts:
        j = rig.joint_index(point.joint)
        along = rig.bones.along(j, np.asarray(point.offset)) * len(steps.get(point.joint, ()))
        total += weight * (transforms.product(world[j], shape(point.joint, along)) @ [*point.offset, 1.0])
    return total


@pytest.mark.parametrize("make", [curled, handled])
@pytest.mark.parametrize("place", PLACES, ids=str)
def test_states_are_what_the_bends_say_one_by_one(make: object, place: Place) -> None:
    rig = make()  # type: ignore[operator]
    for pose in poses(rig, 3, 4):
        np.testing.assert_allclose(rig.states(pose[None], place)[0][0], by_hand(rig, pose, place), atol=1e-12)


@pytest.mark.parametrize("make", [curled, handled])
def test_a_part_of_the_rig_has_its_points_in_the_same_places(make: object) -> None:
    rig = make()  # type: ignore[operator]
    several = poses(rig, 3, 5)
    for place in PLACES:
        part = part_of(rig, [rig.joint_index(point.joint) for point, _ in place.parts])
        found = Posed(rig, several, part=part).states(place)
        for one, other in zip(found, rig.states(several, place), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-13)


def test_without_weight_bends_do_nothing() -> None:
    rig = curled()
    channels = poses(rig, 2, 1)
    channels[:, [rig.channel_index("curl"), rig.channel_index("droop")]] = 0.0
    for place in PLACES:
        for one, other in zip(rig.states(channels, place), rig.keyed.states(channels, place), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-14)


screw = st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6).map(np.array)


@given(screw, screw)
@settings(max_examples=50)
def test_the_derivative_of_an_exponential(at: np.ndarray, by: np.ndarray) -> None:
    def moved(step: float) -> np.ndarray:
        q = [dual_quaternions.exponential(at + sign * step * by) for sign in (1.0, -1.0)]
        between = dual_quaternions.product(q[0], dual_quaternions.inverse(q[1]))
        return dual_quaternions.logarithm(between if between[0] >= 0 else -between) / (2 * step)

    exact = exponential_by(at, by)
    scale = 1.0 + np.abs(at).max() ** 2 + np.abs(by).max() ** 3 * (1.0 + np.abs(at).max())
    assert np.abs(moved(1e-4) - exact).max() < 1e-6 * scale


def test_screws_are_carried_by_transforms() -> None:
    rng = np.random.default_rng(1)
    frame = dual_quaternions.exponential(rng.normal(size=6))
    own = rng.normal(size=6)
    seen = carried(dual_quaternions.to_matrix(frame), own)
    left = dual_quaternions.product(dual_quaternions.exponential(seen), frame)
    right = dual_quaternions.product(frame, dual_quaternions.exponential(own))
    np.testing.assert_allclose(left, right, atol=1e-12)
