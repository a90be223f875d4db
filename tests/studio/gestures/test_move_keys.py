"""Keys move as one block, pass others, and take the place of what they land on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import evaluate
from inbetweener.errors import InvalidCurve, UnknownName
from tests.studio.documents import RATE, arm
from tests.studio.gestures.hands import hold

GAP = 0.1 / RATE
KEYS = [{"channel": "elbow.rz", "key": 1}, {"channel": "hips.tx", "key": 2}]


def curve(document, channel: str):
    return document.clip().curves[channel]


def test_keys_of_several_channels_move_together() -> None:
    before = arm()
    outcome = hold(before, "move-keys", keys=KEYS).to([0.1, 0.3, 1, 1, 0, 0])
    assert outcome.reached
    assert curve(outcome.document, "elbow.rz").times == pytest.approx([0.0, 0.35, 0.5, 1.0])
    assert curve(outcome.document, "elbow.rz").values == pytest.approx([0.2, 1.2, 0.4, 1.0])
    assert curve(outcome.document, "hips.tx").times == pytest.approx([0.0, 0.25, 0.6, 1.0])
    assert curve(outcome.document, "hips.ty") is curve(before, "hips.ty")


def test_keys_pass_a_neighbour_and_land_where_the_hand_is() -> None:
    outcome = hold(arm(), "move-keys", keys=KEYS).to([12 / RATE, 0, 1, 1, 0, 0])
    assert outcome.reached
    # elbow.rz has its neighbour a quarter of a second on; hips.tx lands on its last key and takes its place.
    assert curve(outcome.document, "elbow.rz").times == pytest.approx([0.0, 0.5, 0.75, 1.0])
    assert curve(outcome.document, "elbow.rz").values == pytest.approx([0.2, 0.4, 0.9, 1.0])
    assert curve(outcome.document, "hips.tx").times == pytest.approx([0.0, 0.25, 1.0])
    assert curve(outcome.document, "hips.tx").values == pytest.approx([0.0, 0.1, 0.3])


def test_a_block_is_stretched_about_its_pivot_with_its_tangents() -> None:
    before = arm()
    keys = [{"channel": "elbow.rz", "key": key} for key in range(4)]
    after = hold(before, "move-keys", keys=keys).to([0, 0, 2.0, 0.5, 0.0, 0.0]).document
    times = np.linspace(0, 1, 50)
    assert evaluate(curve(after, "elbow.rz"), 2 * times) == pytest.approx(
        0.5 * evaluate(curve(before, "elbow.rz"), times)
    )


@given(
    st.sets(st.integers(0, 3), min_size=1),
    st.floats(-2, 2),
    st.floats(-3, 3),
    st.floats(-0.5, 1.5),
)
def test_no_two_keys_share_a_time(chosen: set[int], shift: float, scale: float, pivot: float) -> None:
    keys = [{"channel": "elbow.rz", "key": key} for key in chosen]
    before = curve(arm(), "elbow.rz")
    after = curve(hold(arm(), "move-keys", keys=keys).to([shift, 0, scale, 1, pivot, 0]).document, "elbow.rz")
    moved = max(scale, 0.0) * (before.times[sorted(chosen)] - pivot) + pivot + shift
    stayed = before.times[[key for key in range(4) if key not in chosen]]
    assert (np.diff(after.times) >= GAP * (1 - 1e-6)).all()
    assert len(after) >= len(chosen)
    if scale > 0.5:
        assert np.abs(after.times[:, None] - moved).min(axis=0).max() < 1e-9
        apart = np.abs(stayed[:, None] - moved).min(axis=1)
        assert set(stayed[apart > 1.001 * GAP].round(9)) <= set(after.times.round(9))


@given(st.floats(-0.2, 0.2), st.floats(0.7, 1.3))
def test_a_legal_wish_is_taken_as_it_is(shift: float, scale: float) -> None:
    keys = [{"channel": "elbow.rz", "key": 3}]
    outcome = hold(arm(), "move-keys", keys=keys).to([shift, 0, scale, 1, 1.0, 0])
    assert outcome.reached
    assert curve(outcome.document, "elbow.rz").times[3] == pytest.approx(1.0 + shift)


def test_copies_leave_the_originals_and_replace_what_they_land_on() -> None:
    before = curve(arm(), "elbow.rz")
    hand = hold(arm(), "move-keys", keys=[{"channel": "elbow.rz", "key": 1}], copies=True)
    assert hand.label == "Copy 1 key"
    between = curve(hand.to([0.5, 0, 1, 1, 0, 0]).document, "elbow.rz")
    assert between.times == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert between.values == pytest.approx([0.2, 0.9, 0.4, 0.9, 1.0])
    onto = curve(hand.to([0.25, 0, 1, 1, 0, 0]).document, "elbow.rz")
    assert onto.times == pytest.approx(before.times)
    assert onto.values == pytest.approx([0.2, 0.9, 0.9, 1.0])


def test_copies_may_pass_any_key() -> None:
    after = curve(
        hold(arm(), "move-keys", keys=[{"channel": "elbow.rz", "key": 0}], copies=True).to([3, 0, 1, 1, 0, 0]).document,
        "elbow.rz",
    )
    assert after.times == pytest.approx([0.0, 0.25, 0.5, 1.0, 3.0])


def test_keys_of_a_layer() -> None:
    before = arm()
    keys = [{"channel": "hips.rz", "key": 1, "layer": "lean"}]
    after = hold(before, "move-keys", keys=keys).to([0, 0.4, 1, 1, 0, 0]).document
    assert after.clip().layer("lean").curves["hips.rz"].values == pytest.approx([0.0, 0.5])
    assert after.clip().curves is before.clip().curves


def test_a_key_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidCurve, match=r"elbow.rz has no key 4; it has keys 0 to 3"):
        hold(arm(), "move-keys", keys=[{"channel": "elbow.rz", "key": 4}])
    with pytest.raises(InvalidCurve, match="no key -1"):
        hold(arm(), "move-keys", keys=[{"channel": "elbow.rz", "key": -1}])
    with pytest.raises(UnknownName, match="curve"):
        hold(arm(), "move-keys", keys=[{"channel": "hand.rz", "key": 0}])
