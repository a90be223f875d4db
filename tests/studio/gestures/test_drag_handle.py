"""A handle follows the hand, keeps ties, and never lets time run backwards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, widths
from inbetweener.studio.gestures.move_keys import admissible_widths
from tests.studio.documents import arm
from tests.studio.gestures.hands import hold

CHANNEL = "elbow.rz"


def drag(key: int, side: str, x: float, y: float, **options: bool):
    hand = hold(arm(), "drag-handle", key={"channel": CHANNEL, "key": key}, side=side, **options)
    outcome = hand.to([x, y])
    return outcome, outcome.document.clip().curves[CHANNEL]


def test_a_tied_key_shares_the_slope_and_keeps_the_other_width() -> None:
    before = arm().clip().curves[CHANNEL]
    _, after = drag(1, "out", 0.1, 0.4)
    assert after.outs[1] == pytest.approx([0.1, 0.4])
    assert after.ins[1] == pytest.approx([before.ins[1, 0], 4.0 * before.ins[1, 0]])
    assert after.tied[1]


def test_breaking_unties_and_leaves_the_other_side() -> None:
    before = arm().clip().curves[CHANNEL]
    _, after = drag(1, "out", 0.1, 0.4, breaks=True)
    assert after.outs[1] == pytest.approx([0.1, 0.4])
    assert np.array_equal(after.ins, before.ins)
    assert not after.tied[1]


def test_unweighted_keeps_the_width_and_follows_the_slope() -> None:
    before = arm().clip().curves[CHANNEL]
    outcome, after = drag(1, "out", 0.02, 0.1, weighted=False)
    assert outcome.reached
    assert after.outs[1, 0] == before.outs[1, 0]
    assert after.outs[1, 1] / after.outs[1, 0] == pytest.approx(5.0)


def test_too_long_a_handle_stops_with_its_slope_and_the_far_end_stays() -> None:
    before = arm().clip().curves[CHANNEL]
    outcome, after = drag(1, "out", 3.0, 6.0)
    assert not outcome.reached
    assert "time" in outcome.text
    assert after.outs[1, 1] / after.outs[1, 0] == pytest.approx(2.0)
    assert np.array_equal(after.ins[2], before.ins[2])
    assert after.outs[1, 0] > before.outs[1, 0]


@given(st.integers(0, 3), st.sampled_from(["in", "out"]), st.floats(-2, 2), st.floats(-2, 2), st.booleans())
def test_time_runs_forward_and_no_other_key_changes(key: int, side: str, x: float, y: float, weighted: bool) -> None:
    before = arm().clip().curves[CHANNEL]
    _, after = drag(key, side, x, y, weighted=weighted)
    length = np.diff(after.times)
    assert widths.are_monotone(after.outs[:-1, 0] / length, after.ins[1:, 0] / length).all()
    others = np.arange(4) != key
    assert np.array_equal(after.ins[others], before.ins[others])
    assert np.array_equal(after.outs[others], before.outs[others])
    assert np.array_equal(after.values, before.values)


@given(st.floats(0.01, 1.3))
def test_the_longest_width_is_nearly_the_longest_there_is(other: float) -> None:
    """Against the definition: a little longer, and time runs backwards."""
    # Beyond one, the near end needs a width too, or time would run backwards from the start.
    near = 0.0 if other <= 1.0 else ((np.sqrt(other) - np.sqrt(4 - 3 * other)) / 2) ** 2 + 1e-6
    ins, outs = np.array([[0.0, 0.0], [other, 0.0]]), np.array([[near, 0.0], [0.0, 0.0]])
    curve = Curve(np.array([0.0, 1.0]), np.zeros(2), ins, outs, np.full(2, 2), np.full(2, False))
    low, high = admissible_widths(curve, 0, "out")
    assert widths.are_monotone(low, other)
    assert widths.are_monotone(high, other)
    assert not widths.are_monotone(1.01 * high + 0.01, other)
