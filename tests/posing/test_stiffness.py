"""Stiffness says who moves; presets give people theirs."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.anatomy import Part, recognise
from inbetweener.errors import UnknownName
from inbetweener.posing import PRESETS, PoseRequest, Pull, State, build, solve, state_of, stiffened
from tests.posing.figures import flat_arm, human, planted
from tests.rig.specimens import person


def test_change_is_shared_by_the_inverse_square_of_stiffness():
    """Two hinges about the same place share a small turn by 1/stiffness²: least squares of D Δc."""
    rig, pose = flat_arm(2, bend=0.0)
    near = replace(rig, joints=(rig.joints[0], replace(rig.joints[1], rest=rig.joints[0].rest)))
    stiff = replace(near, channels=(replace(near.channels[0], stiffness=3.0), near.channels[1]))
    solution = solve(
        build(stiff, pose, PoseRequest((Pull(stiff.point("tip")),))), State((np.cos(0.1), np.sin(0.1), 0.0))
    )
    assert solution.reached
    assert solution.channels[1] / solution.channels[0] == pytest.approx(9.0, rel=0.02)
    assert solution.channels.sum() == pytest.approx(0.1, abs=1e-4)


def test_a_stiffer_spine_bends_less():
    turned = {}
    for preset in ("upright", "person", "supple"):
        rig = replace(human(), channels=stiffened(human(), preset))
        problem = build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), planted()))
        solution = solve(problem, State((0.45, 1.75, 0.35)))
        assert solution.reached
        change = solution.channels - rig.defaults
        trunk = {part.joint for part in recognise(rig) if part.role in ("spine", "chest")}
        spine = [i for i, c in enumerate(rig.channels) if any(d.joint in trunk for d in c.drives)]
        turned[preset] = np.linalg.norm(change[spine])
    assert turned["upright"] < 0.5 * turned["person"] < 0.5 * turned["supple"]


@pytest.mark.parametrize("rig", [human(), person()], ids=["ours", "plain"])
def test_parts_are_as_stiff_as_they_are_recognised_to_be(rig):
    stiff = {c.drives[0].joint: c.stiffness for c in stiffened(rig) if len(c.drives) == 1}
    person = PRESETS["person"]
    for joint, role in {
        "chest": "spine",
        "clavicle_l": "clavicle",
        "upper_arm_r": "upper_arm",
        "shank_l": "shin",
    }.items():
        assert stiff[joint] == person[role]
    said = recognise(rig).corrected([Part("clavicle_l", "upper_arm", "left")])
    stiff = {c.drives[0].joint: c.stiffness for c in stiffened(rig, anatomy=said) if len(c.drives) == 1}
    assert (stiff["clavicle_l"], stiff["clavicle_r"]) == (person["upper_arm"], person["clavicle"])


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_keep_the_order_that_bodies_have(preset):
    rig = human()
    stiffness = {c.name: c.stiffness for c in stiffened(rig, preset)}
    assert stiffness["clavicle_l.rz"] > stiffness["upper_arm_l.rz"]
    assert stiffness["spine_2.rx"] >= stiffness["upper_arm_l.rz"]
    assert stiffness["neck.rx"] >= stiffness["forearm_l.ry"]
    # A control is as stiff as what it drives.
    assert stiffness["spine_bend"] == pytest.approx(stiffness["spine_2.rx"])
    assert [c.name for c in stiffened(rig, preset)] == [c.name for c in rig.channels]


def test_names_that_say_nothing_keep_their_stiffness():
    rig, _ = flat_arm(3)
    stiff = replace(rig, channels=tuple(replace(c, stiffness=1.7) for c in rig.channels))
    assert stiffened(stiff) == stiff.channels


def test_an_unknown_preset_lists_those_there_are():
    with pytest.raises(UnknownName, match="person"):
        stiffened(human(), "persom")


def test_the_hand_leads_and_the_feet_stay():
    """What a natural reach looks like: the hand arrives, the arm moves most, pelvis and head follow a little."""
    rig = replace(human(), channels=stiffened(human()))
    solution = solve(
        build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), planted())), State((0.5, 1.8, 0.25))
    )
    assert solution.reached
    moved = {
        name: np.linalg.norm(
            state_of(rig, solution.channels, rig.point(name)).position
            - state_of(rig, rig.defaults, rig.point(name)).position
        )
        for name in ("palm_l", "forearm_l", "head_top", "hips", "palm_r", "heel_l")
    }
    assert moved["palm_l"] > moved["forearm_l"] > moved["head_top"] > moved["hips"] > moved["heel_l"]
    assert moved["hips"] < 0.15
    assert moved["heel_l"] <= 1.75e-4
