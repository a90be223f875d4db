"""Ranges of motion on the channels of rigs of all kinds: hinges that bend one way, whatever their axes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.anatomy import recognise
from inbetweener.curves import Curve
from inbetweener.motion import Clip, Curves
from inbetweener.posing import PoseRequest, Pull, State, build, solve
from inbetweener.posing.ranges import limited
from inbetweener.rig import Point, Rig
from tests.rig.specimens import person

ELBOW = ("upper_arm_l", "forearm_l", "hand_l")
KNEE = ("thigh_l", "shank_l", "foot_l")


def with_limits(rig: Rig, *clips: Clip, hard: bool = False) -> Rig:
    return replace(rig, channels=limited(rig, recognise(rig), clips, hard=hard))


def bend(rig: Rig, pose: np.ndarray, joints: tuple[str, str, str]) -> float:
    """Degrees by which an elbow goes forwards, or a knee backwards, in the pose; seen from the bone above."""
    world, rest = rig.world_from_joint(pose[None])[0], rig.rest_world()
    a, b, c = map(rig.joint_index, joints)
    forwards = [0.0, 0.0, 1.0 if joints == ELBOW else -1.0]
    hinge = np.cross(rest[b, :, 3] - rest[a, :, 3], forwards)
    turned = world[a, :, :3] @ np.linalg.inv(rest[a, :, :3]) @ (hinge / np.linalg.norm(hinge))
    upper, lower = world[b, :, 3] - world[a, :, 3], world[c, :, 3] - world[b, :, 3]
    return math.degrees(math.atan2(np.cross(upper, lower) @ turned, upper @ lower))


@pytest.mark.parametrize("axes", [None, 1, 3, 7])
@pytest.mark.parametrize("joints", [ELBOW, KNEE], ids=["elbow", "knee"])
def test_hinges_bend_one_way_whatever_the_axes_of_their_joints(axes: int | None, joints: tuple[str, str, str]) -> None:
    """Straight at rest and without a clip: forearms go forwards, shins backwards."""
    free, wild = person(axes), []
    rig, found = with_limits(free), []
    end = rig.rest_world()[rig.joint_index(joints[2]), :, 3]
    for away in np.random.default_rng(5).normal(size=(8, 3)):
        wish = State(tuple(end + 0.4 * away / np.linalg.norm(away)))
        for each, into in ((rig, found), (free, wild)):
            limb = frozenset(c.name for c in each.channels if any(d.joint in joints[:2] for d in c.drives))
            request = PoseRequest((Pull(Point(joints[2])),), channels=limb)
            solution = solve(build(each, each.defaults, request), wish)
            into.append(bend(each, solution.channels, joints))
    assert min(found) > -8.0
    assert max(found) > 20.0, "it bends the right way all the same"
    assert min(wild) < min(found)


def test_a_bent_rest_pose_shows_the_hinge_and_counts_as_bent() -> None:
    base = person()
    index = base.joint_index("forearm_l")
    joints = list(base.joints)
    # Thirty degrees upwards, which no elbow prior would say: the arms stretch out sideways.
    turn = (math.cos(math.radians(15)), 0.0, 0.0, math.sin(math.radians(15)))
    joints[index] = replace(joints[index], rest=replace(joints[index].rest, rotation=turn))
    rig = with_limits(replace(base, joints=tuple(joints)))
    channel = rig.channel("forearm_l.rz")
    np.testing.assert_allclose(np.degrees([channel.lower, channel.upper]), [-30.0, 120.0], atol=1.0)


def swinging(rig: Rig, **degrees: float) -> Clip:
    times = np.array([0.0, 1.0, 2.0])
    curves = {name.replace("__", "."): Curve.sampled(times, np.radians([0.0, to, 0.0])) for name, to in degrees.items()}
    return Clip("swing", 2.0, curves=Curves(curves))


def test_soft_limits_are_widened_to_the_clips_and_hard_ones_are_not() -> None:
    rig = person()
    clip = swinging(rig, shank_l__rx=-25.0, shank_r__rx=100.0)
    soft, hard = (with_limits(rig, clip, hard=hard).channel("shank_r.rx") for hard in (False, True))
    assert (soft.lower, soft.upper) == (hard.lower, hard.upper)
    wide = with_limits(rig, swinging(rig, shank_l__rx=170.0)).channel("shank_l.rx")
    strict = with_limits(rig, swinging(rig, shank_l__rx=170.0), hard=True).channel("shank_l.rx")
    assert math.degrees(wide.upper) == pytest.approx(170.0)
    assert math.degrees(strict.upper) == pytest.approx(140.0, abs=2.0)


def test_a_clip_shows_which_way_a_hinge_bends() -> None:
    rig = person()
    channel = with_limits(rig, swinging(rig, forearm_l__rz=60.0)).channel("forearm_l.rz")
    np.testing.assert_allclose(np.degrees([channel.lower, channel.upper]), [0.0, 150.0], atol=1.0)


def test_limits_that_are_there_stay_and_strangers_have_none() -> None:
    rig = person()
    index = rig.channel_index("shank_l.rx")
    own = replace(rig.channels[index], lower=-0.1, upper=0.2)
    kept = with_limits(replace(rig, channels=(*rig.channels[:index], own, *rig.channels[index + 1 :])))
    assert kept.channels[index] == own
    nobody = Rig(tuple(replace(j, name=f"x{n}") for n, j in enumerate(rig.joints[:3])))
    assert limited(nobody, recognise(nobody)) == nobody.channels


def test_every_published_range_holds_the_rest_pose_and_mirrors() -> None:
    rig = with_limits(person())
    for channel in rig.channels:
        assert channel.lower <= channel.default <= channel.upper
    left, right = (rig.channel(f"thigh_{side}.rz") for side in "lr")
    assert (left.lower, left.upper) == pytest.approx((-right.upper, -right.lower))
