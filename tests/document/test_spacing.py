"""Joints that follow each other, timing charts, keys on whole frames."""

import numpy as np
import pytest

from inbetweener.curves import evaluate
from inbetweener.document import edits
from inbetweener.errors import InvalidEdit
from tests.studio.documents import arm


def curves(document):
    return document.clip("swing").curves


def test_every_joint_of_a_chain_comes_later_than_the_one_above_it():
    document = edits.insert_keys(arm(), "swing", ["hand.rz"], 0.5)
    made = edits.stagger(document, ["hips"], 1.5, clip="swing")
    before, after, times = curves(document), curves(made.document), np.linspace(0.2, 0.9, 57)
    for name in before:
        late = {"hips": 0.0, "elbow": 1.5, "hand": 3.0}[name.split(".")[0]] / 24.0
        np.testing.assert_allclose(evaluate(after[name], times + late), evaluate(before[name], times), atol=1e-12)
    assert made.facts == {"clip": "swing", "keys": 8, "gone": 0}


def test_only_chosen_joints_and_keys_of_a_range_are_staggered():
    two = curves(edits.stagger(arm(), ["hips", "elbow"], -1, start="3f", end="7f", clip="swing").document)
    np.testing.assert_allclose(two["elbow.rz"].times * 24, [0, 5, 12, 24])
    assert two["elbow.ry"] == curves(arm())["elbow.ry"]
    assert two["hips.rz"] == curves(arm())["hips.rz"]
    with pytest.raises(InvalidEdit, match=r"elbow\.rz would pass others"):
        edits.stagger(arm(), ["hips"], 8, start="3f", end="7f", clip="swing")
    with pytest.raises(InvalidEdit, match="no joint below another one has keys"):
        edits.stagger(arm(), ["hand"], 2, clip="swing")
    with pytest.raises(InvalidEdit, match="an offset of 0 frames"):
        edits.stagger(arm(), ["hips"], 0, clip="swing")


@pytest.mark.parametrize(
    ("said", "shares"),
    [("halves-in", [0.5, 0.75, 0.875]), ("1/3, 2/3", [1 / 3, 2 / 3]), ([0.5], [0.5]), (["-1/10", 1.1], [-0.1, 1.1])],
)
def test_a_chart_keys_shares_of_the_way_on_whole_frames_at_even_steps(said, shares):
    made = curves(edits.chart(arm(), said, frame=18, channels=["elbow.rz"], clip="swing").document)
    curve, n = made["elbow.rz"], len(shares)
    np.testing.assert_allclose(curve.times[3 : 3 + n] * 24, np.round(12 + 12 * np.arange(1, n + 1) / (n + 1)))
    np.testing.assert_allclose(curve.values[3 : 3 + n], 0.4 + 0.6 * np.array(shares))
    assert made["hips.tx"] == curves(arm())["hips.tx"]
    for old, kept in ((0, 0), (1, 1), (2, 2), (3, 3 + n)):
        assert curve.values[kept] == curves(arm())["elbow.rz"].values[old]


@pytest.mark.parametrize(
    ("said", "where", "problem"),
    [
        ("1/0", 3, "such as 1/2 3/4 7/8"),
        ("many", 3, "halves-out"),
        ([0.1] * 8, 3, "need more frames"),
        ("half", 24, "nothing has keys before and after frame 24"),
    ],
)
def test_a_chart_that_cannot_be_is_refused(said, where, problem):
    with pytest.raises(InvalidEdit, match=problem):
        edits.chart(arm(), said, frame=where, clip="swing")


def test_keys_are_brought_onto_frames_and_the_nearest_of_several_stays():
    document = edits.insert_keys(arm(), "swing", ["elbow.ry"], 9.3 / 24)
    made = edits.snap_keys(document, clip="swing")
    # 8.88 and 9.3 are both nearest to 9.
    np.testing.assert_allclose(curves(made.document)["elbow.ry"].times * 24, [0, 9, 24])
    assert curves(made.document)["elbow.ry"].values[1] == 0.4
    assert (made.keys, made.gone) == (1, 1)
    assert edits.snap_keys(made.document, clip="swing").document is made.document


def test_a_pose_is_led_to_that_of_another_clip():
    document = edits.blend_pose(arm(), "swing", 0.25, "clip", 0.5, other="still")
    before, after = (each.motion("swing").channels([0.25])[0] for each in (arm(), document))
    there = arm().motion("still").channels([0.0])[0]
    np.testing.assert_allclose(after, 0.5 * (before + there), atol=1e-12)
    with pytest.raises(InvalidEdit, match="say which other clip"):
        edits.blend_pose(arm(), "swing", 0.25, "clip", 0.5)
