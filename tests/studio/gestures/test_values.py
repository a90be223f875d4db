"""Values, stiffness and ranges by hand."""

import math

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.errors import InvalidEdit
from inbetweener.rig import Point
from inbetweener.tangents import Contact, NothingToDrag, Pin
from tests.studio.documents import arm
from tests.studio.gestures.hands import hold, value


def set_value(document, wish: float, **fields):
    return hold(document, "set-value", **fields).to([wish])


def test_on_a_key_the_keys_value_changes() -> None:
    before = arm()
    after = set_value(before, 0.5, channel="elbow.rz", time=0.25 + 1e-3).document
    assert value(after, "elbow.rz", 0.25) == pytest.approx(0.5)
    assert after.clip().curves["elbow.rz"].values == pytest.approx([0.2, 0.5, 0.4, 1.0])


def test_between_keys_the_tangents_do_it() -> None:
    before = arm()
    outcome = set_value(before, 0.8, channel="elbow.rz", time=0.4)
    assert outcome.reached
    assert value(outcome.document, "elbow.rz", 0.4) == pytest.approx(0.8, abs=1e-4)
    assert np.array_equal(outcome.document.clip().curves["elbow.rz"].values, before.clip().curves["elbow.rz"].values)


def test_a_channel_without_keys_gets_its_value_for_all_times() -> None:
    after = set_value(arm(), 0.3, channel="hand.rz", time=0.4).document
    assert len(after.clip().curves["hand.rz"]) == 1
    assert [value(after, "hand.rz", time) for time in (0.0, 0.4, 1.0)] == pytest.approx([0.3] * 3)
    # From then on any time changes that one key.
    again = set_value(after, 0.7, channel="hand.rz", time=0.9).document
    assert [value(again, "hand.rz", time) for time in (0.0, 0.4, 1.0)] == pytest.approx([0.7] * 3)


def test_the_value_is_the_channels_with_all_layers() -> None:
    on_key = set_value(arm(), 0.5, channel="hips.rz", time=1.0).document
    assert value(on_key, "hips.rz", 1.0) == pytest.approx(0.5)
    in_layer = set_value(arm(), 0.5, channel="hips.rz", time=1.0, layer="lean").document
    assert value(in_layer, "hips.rz", 1.0) == pytest.approx(0.5)
    assert in_layer.clip().curves is not None
    assert np.array_equal(in_layer.clip().curves["hips.rz"].values, arm().clip().curves["hips.rz"].values)


def test_limits_are_kept_and_said() -> None:
    outcome = set_value(arm(), 9.0, channel="elbow.rz", time=0.25)
    assert not outcome.reached
    assert value(outcome.document, "elbow.rz", 0.25) == pytest.approx(2.0)
    assert "limits, -2 to 2" in outcome.text


def test_a_layer_that_weighs_nothing_cannot_be_edited() -> None:
    with pytest.raises(InvalidEdit, match="weightless"):
        set_value(edits.set_layer_weight(arm(), "swing", "lean", 0.0), 0.1, channel="hips.rz", time=0.0, layer="lean")


def test_beyond_the_keys_it_says_what_would_help() -> None:
    with pytest.raises(NothingToDrag, match="key it around"):
        set_value(arm(), 0.1, channel="elbow.rz", time=1.5)


def test_stiffness_of_several_channels_and_nothing_else() -> None:
    before = arm()
    after = hold(before, "set-stiffness", channels=["elbow.rz", "hand.rz"]).to([5.0]).document
    changed = {each.name: each.stiffness for each in after.rig.channels if each.stiffness != 1.0}
    assert changed == {"elbow.rz": 5.0, "hand.rz": 5.0}
    assert after.clips is before.clips
    assert not hold(before, "set-stiffness", channels=["elbow.rz"]).to([-3.0]).reached


@pytest.mark.parametrize(
    ("rule", "wish", "expected"),
    [
        (Contact(Point("hand"), 0.2, 0.4), (0.3, 0.6), (0.3, 0.6)),
        (Contact(Point("hand"), 0.2, 0.4), (0.6, 0.3), (0.3, 0.6)),
        (Contact(Point("hand"), 0.2, 0.4), (-3.0, 9.0), (0.0, 1.0)),
        (Contact(Point("hand"), 0.2, 0.4), (0.3, 0.3), (0.3, 0.3 + 0.1 / 24)),
        (Contact(Point("hand"), 0.2, 0.4), (2.0, 2.0), (1.0 - 0.1 / 24, 1.0)),
        (Pin(Point("hand"), start=0.5, end=0.5), (0.2, 0.9), (0.2, 0.2)),
        (Pin(Point("hand")), (0.2, 0.9), (0.2, 0.9)),
    ],
)
def test_ranges_stay_in_order_within_the_clip(rule, wish, expected) -> None:
    document = edits.add_constraint(arm(), "swing", rule)
    name = document.constraints[-1].name
    after = hold(document, "move-range", constraint=name).to(wish).document.constraint(name)
    assert (after.rule.start, after.rule.end) == pytest.approx(expected)
    assert after.kind == document.constraint(name).kind
    assert all(map(math.isfinite, (after.rule.start, after.rule.end)))
