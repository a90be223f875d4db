"""Bent bones: kinematics against closed forms, and against skins that follow them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.errors import InvalidRig
from inbetweener.maths import transforms
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Bend, Joint, Point, Rig, bend_channel, joint_channels
from inbetweener.rig.bend import resampled
from inbetweener.skinning import Mesh, Skin

LENGTH = 0.4


def bent_rig(screws: dict[str, np.ndarray]) -> Rig:
    """Three bones of 0.4 m along x; `rise` hangs halfway along the first."""
    names = ("a", "b", "c")
    joints = [Joint(name, i - 1, transforms.Transform((LENGTH * (i > 0), 0, 0))) for i, name in enumerate(names)]
    joints.append(Joint("rise", 0, transforms.Transform((LENGTH / 2, 0.1, 0))))
    channels = [
        c for joint in joints for c in joint_channels(joint, "tx ty tz rx ry rz" if joint.parent < 0 else "rx ry rz")
    ]
    return Rig(
        tuple(joints),
        (*channels, bend_channel("sketch")),
        (Point("c", (LENGTH, 0.0, 0.0), "tip"),),
        bends=(Bend("sketch", "sketch", screws),),
    )


def arc(turn: float, steps: int = 12) -> np.ndarray:
    """Steps that bend a bone of LENGTH into a circular arc: turns about z, each about its own place on the bone."""
    made = np.zeros((steps, 6))
    for i in range(steps):
        at = np.array([(i + 0.5) * LENGTH / steps, 0.0, 0.0])
        turn_vector = np.array([0.0, 0.0, turn / steps])
        made[i] = [*turn_vector, *np.cross(at, turn_vector)]
    return made


def pose(rig: Rig, weight: float, **values: float) -> np.ndarray:
    channels = rig.defaults.copy()
    channels[rig.channel_index("sketch")] = weight
    for name, value in values.items():
        channels[rig.channel_index(name.replace("__", "."))] = value
    return channels


def test_no_weight_is_the_rig_as_keyed():
    rig = bent_rig({"a": arc(1.0), "b": arc(-0.6)})
    channels = pose(rig, 0.0, a__rz=0.3, b__ry=-0.4)[None]
    np.testing.assert_allclose(rig.world_from_joint(channels), rig.keyed.world_from_joint(channels), atol=1e-14)


def test_a_bent_bone_is_a_circular_arc():
    turn, steps = math.radians(80), 400
    rig = bent_rig({"a": arc(turn, steps)})
    world = rig.world_from_joint(pose(rig, 1.0)[None])[0]
    radius = LENGTH / turn
    np.testing.assert_allclose(world[1, :, 3], [radius * math.sin(turn), radius * (1 - math.cos(turn)), 0], atol=2e-6)
    assert math.atan2(world[1, 1, 0], world[1, 0, 0]) == pytest.approx(turn)


def test_a_joint_halfway_hangs_halfway_along_the_arc():
    turn, steps = math.radians(80), 400
    rig = bent_rig({"a": arc(turn, steps)})
    world = rig.world_from_joint(pose(rig, 1.0)[None])[0]
    half, radius = turn / 2, LENGTH / turn
    middle = np.array([radius * math.sin(half), radius * (1 - math.cos(half)), 0])
    normal = np.array([-math.sin(half), math.cos(half), 0])
    np.testing.assert_allclose(world[3, :, 3], middle + 0.1 * normal, atol=2e-6)


@given(st.floats(-0.8, 0.8), st.floats(-0.8, 0.8), st.floats(0, 1.5))
def test_keyed_turns_carry_bends_along(first, second, weight):
    """Turning a bent rig's root turns everything rigidly."""
    rig = bent_rig({"a": arc(0.9), "b": arc(-1.4)})
    still = rig.world_from_joint(pose(rig, weight, b__rz=second)[None])[0]
    turned = rig.world_from_joint(pose(rig, weight, b__rz=second, a__ry=first)[None])[0]
    about = transforms.product(turned[0], transforms.inverse(still[0]))
    np.testing.assert_allclose(turned, transforms.product(about, still), atol=1e-12)


def test_three_turns_of_twist_fade_in_through_three_turns():
    twist = np.zeros((30, 6))
    twist[:, 0] = 3 * 2 * math.pi / 30
    rig = bent_rig({"a": twist})
    for weight in (0.25, 0.5, 1.0):
        world = rig.world_from_joint(pose(rig, weight)[None])[0]
        expected = weight * 3 * 2 * math.pi
        np.testing.assert_allclose(
            world[1, 1:, 1], [math.cos(expected), math.sin(expected)], atol=1e-9, err_msg=f"weight {weight}"
        )


def test_bends_add_up_step_by_step():
    rig = bent_rig({"a": arc(0.5)})
    twice = replace(
        rig,
        channels=(*rig.channels, bend_channel("more")),
        bends=(*rig.bends, Bend("more", "more", {"a": arc(0.3, 24)})),
    )
    channels = np.append(pose(rig, 1.0), 1.0)[None]
    whole = bent_rig({"a": arc(0.8, 24)})
    both, one = twice.world_from_joint(channels)[0], whole.world_from_joint(pose(whole, 1.0)[None])[0]
    np.testing.assert_allclose(both, one, atol=2e-4)  # twelve steps spread over twenty-four are not quite an arc


@pytest.mark.parametrize("count", [3, 10, 12, 25])
def test_resampling_keeps_the_whole_turn(count):
    steps = arc(1.1)
    assert resampled(steps, count)[:, 2].sum() == pytest.approx(1.1)


def test_states_follow_the_bone_at_the_place_of_the_point():
    turn, steps = math.radians(80), 400
    rig = bent_rig({"a": arc(turn, steps)})
    motion = Motion(rig, Clip("still", 1.0))
    channel = rig.channel_index("sketch")
    held = replace(rig, channels=(*rig.channels[:channel], replace(rig.channels[channel], default=1.0)))
    motion = Motion(held, motion.clip)
    half, radius = turn / 2, LENGTH / turn
    position, orientation = motion.states([0.0, 0.5], Point("a", (LENGTH / 2, 0.0, 0.0)))
    np.testing.assert_allclose(position[1], [radius * math.sin(half), radius * (1 - math.cos(half)), 0], atol=2e-6)
    assert math.atan2(orientation[0, 1, 0], orientation[0, 0, 0]) == pytest.approx(half)


def test_a_skin_of_single_influences_follows_the_bones_exactly():
    """A vertex on the axis at the far end of a bone is where the next joint is."""
    rig = bent_rig({"a": arc(1.2), "b": arc(-2.0)})
    ends = np.array([[LENGTH, 0, 0], [2 * LENGTH, 0, 0], [3 * LENGTH, 0, 0]], np.float32)
    mesh = Mesh(
        "ends", ends, np.array([[0, 1, 2]]), ("a", "b", "c"), transforms.inverse(rig.rest_world()[:3]),
        np.array([[0], [1], [2]]), np.ones((3, 1)),
    )  # fmt: skip
    channels = pose(rig, 0.8, b__rz=0.7, c__ry=-0.4)
    world = rig.world_from_joint(channels[None])[0]
    tip = world[2, :, :3] @ [LENGTH, 0, 0] + world[2, :, 3]
    for blending in ("linear", "dual-quaternion", "screw", "differential"):
        found = Skin(mesh, rig, blending, poses=channels).vertices(channels)
        np.testing.assert_allclose(found, [world[1, :, 3], world[2, :, 3], tip], atol=1e-5, err_msg=blending)


def test_a_bend_of_an_unknown_joint_or_channel_is_refused():
    with pytest.raises(InvalidRig, match="tail"):
        bent_rig({"tail": arc(1.0)})
    rig = bent_rig({"a": arc(1.0)})
    with pytest.raises(InvalidRig, match="nothing"):
        replace(rig, bends=(Bend("sketch", "nothing", {"a": arc(1.0)}),))
    with pytest.raises(InvalidRig, match=r"\(S, 6\)"):
        Bend("sketch", "sketch", {"a": np.zeros((3, 5))})
    with pytest.raises(InvalidRig, match="finite"):
        Bend("sketch", "sketch", {"a": np.full((3, 6), np.nan)})
