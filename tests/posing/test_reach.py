"""Targets that can be reached are reached: made by forward kinematics from random poses within the limits."""

import numpy as np
import pytest

from inbetweener.posing import PoseRequest, Pull, State, build, certify, solve
from tests.posing.figures import ARM, BOTH_ARMS, channels_of, human, planted, random_pose, target, within_limits

COUNT = 100


@pytest.mark.parametrize(
    ("hands", "wanted", "only_arm", "feet"),
    [
        (("palm_l",), "position", False, False),
        (("palm_l",), "position", True, False),
        (("palm_l",), "position", False, True),
        (("palm_l", "palm_r"), "position", False, True),
        (("palm_l",), "both", True, False),
        (("palm_l", "palm_r"), "both", False, True),
        (("palm_l",), "orientation", True, False),
    ],
)
def test_reachable_targets_are_reached(hands, wanted, only_arm, feet):
    rig, random = human(), np.random.default_rng(20)
    request = PoseRequest(
        tuple(Pull(rig.point(hand), wanted) for hand in hands),
        planted() if feet else (),
        channels_of(rig, ARM) if only_arm else None,
    )
    problem = build(rig, rig.defaults, request)
    arrived = 0
    for _ in range(COUNT):
        pose = random_pose(rig, random, BOTH_ARMS)
        solution = solve(problem, *(target(rig, pose, hand, turned=wanted != "position") for hand in hands))
        proof = certify(solution)
        # Whether it arrives or not: pins hold, limits hold exactly, nothing else moves.
        assert all(pin.distance <= 1e-4 * problem.height for pin in proof.pins)
        assert within_limits(rig, rig.defaults, solution.channels)
        assert proof.limits == ()
        assert proof.others_kept
        off = max(held.distance for held in proof.targets), max(held.turn for held in proof.targets)
        assert solution.reached == (off[0] <= 5e-5 * problem.height * 1.0001 and off[1] <= 5.001e-5)
        arrived += off[0] <= 1e-4 and off[1] <= 1e-4
    assert arrived >= 0.98 * COUNT


def test_from_any_pose_within_limits():
    rig, random = human(), np.random.default_rng(21)
    joints = (*BOTH_ARMS, "spine_1", "spine_2", "chest", "thigh_l", "thigh_r", "shank_l", "shank_r")
    arrived = 0
    for _ in range(COUNT):
        start, goal = random_pose(rig, random, joints), random_pose(rig, random, joints)
        solution = solve(
            build(rig, start, PoseRequest((Pull(rig.point("palm_l")),), planted())), target(rig, goal, "palm_l")
        )
        assert within_limits(rig, start, solution.channels)
        assert solution.pin_error <= 1e-4
        arrived += solution.distances[0] <= 1e-4
    assert arrived >= 0.98 * COUNT


def test_a_straight_leg_bends_when_the_hips_are_pushed_down():
    rig = human()
    problem = build(rig, rig.defaults, PoseRequest((Pull(rig.point("hips")),), planted()))
    solution = solve(problem, State((0.0, 0.6, -0.05)))
    assert solution.reached
    bent = dict(zip([c.name for c in rig.channels], solution.channels, strict=True))
    assert bent["shank_l.rx"] > 0.8
    assert bent["shank_r.rx"] > 0.8
