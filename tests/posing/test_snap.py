"""Bringing one point exactly to a state with one limb."""

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.posing import InvalidRequest, State, limb, snap, state_of
from tests.posing.figures import channels_of, human, random_pose


def test_a_foot_snaps_to_where_it_was_in_another_pose():
    rig, random = human(), np.random.default_rng(50)
    heel = rig.point("heel_l")
    leg = channels_of(rig, ("thigh_l", "shank_l", "foot_l"))
    for _ in range(20):
        pose = random_pose(rig, random, ("thigh_l", "shank_l", "spine_1"))
        pose[rig.channel_index("hips.ty")] += random.normal(scale=0.02)
        there = state_of(rig, random_pose(rig, random, ("thigh_l", "shank_l")), heel)
        solution = snap(rig, pose, heel, State(there.position))
        reached = np.linalg.norm(state_of(rig, solution.channels, heel).position - there.position)
        if solution.reached:
            assert reached <= 1e-6
        else:
            assert solution.distances[0] == pytest.approx(reached, abs=1e-9)
        changed = {c.name for c, a, b in zip(rig.channels, pose, solution.channels, strict=True) if a != b}
        assert changed <= leg
        near = State(state_of(rig, pose, heel).position + random.normal(scale=0.01, size=3))
        nearby = snap(rig, pose, heel, near)
        if nearby.reached:
            assert np.linalg.norm(state_of(rig, nearby.channels, heel).position - near.position) <= 1e-6


def test_small_disagreements_are_always_mended():
    rig, random = human(), np.random.default_rng(51)
    heel, bent = rig.point("heel_r"), rig.defaults.copy()
    bent[rig.channel_index("thigh_r.rx")], bent[rig.channel_index("shank_r.rx")] = -0.6, 1.0
    for _ in range(20):
        there = state_of(rig, bent, heel).position + random.normal(scale=0.02, size=3)
        solution = snap(rig, bent, heel, State(there))
        assert solution.reached
        assert np.linalg.norm(state_of(rig, solution.channels, heel).position - there) <= 1e-6


def test_a_whole_state_snaps_with_a_longer_chain():
    rig = human()
    hand = rig.point("palm_l")
    bent = rig.defaults.copy()
    for name, value in {"upper_arm_l.ry": -0.5, "forearm_l.ry": -0.9, "upper_arm_l.rz": 0.3}.items():
        bent[rig.channel_index(name)] = value
    goal = bent.copy()
    goal[rig.channel_index("forearm_l.rx")] += 0.2
    goal[rig.channel_index("upper_arm_l.ry")] -= 0.15
    wish = state_of(rig, goal, hand)
    solution = snap(rig, bent, hand, wish, joints=("clavicle_l", "upper_arm_l", "forearm_l", "hand_l"))
    reached = state_of(rig, solution.channels, hand)
    assert solution.reached
    assert np.linalg.norm(reached.position - wish.position) <= 1e-6
    assert np.abs(reached.turn - wish.turn).max() <= 1e-6


def test_a_limb_ends_where_the_body_branches():
    assert limb(human(), "foot_l") == ("thigh_l", "shank_l", "foot_l")
    assert limb(human(), "hand_r") == ("clavicle_r", "upper_arm_r", "forearm_r", "hand_r")
    assert limb(human(), "index_3_l") == ("index_1_l", "index_2_l", "index_3_l")


def test_snapping_to_nothing_or_with_unknown_joints_is_refused():
    rig = human()
    with pytest.raises(InvalidRequest, match="palm_l is to be snapped to nothing"):
        snap(rig, rig.defaults, rig.point("palm_l"), State())
    with pytest.raises(UnknownName, match="thigh_l"):
        snap(rig, rig.defaults, rig.point("heel_l"), State((0.0, 0.0, 0.0)), joints=("thigh_x",))
