"""Independent handles: one channel's value dragged at one time, [TSO] §5."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, Key, evaluate
from inbetweener.motion import Clip, Curves, Layer, Motion
from inbetweener.rig import Channel, Rig, shape_channels
from inbetweener.tangents import NothingToDrag, drag_value
from inbetweener.tangents.certificate import slope_error
from inbetweener.tangents.problem import changed_motion
from tests.tangents.figures import even_curve, staggered_curve, tangents_only

FACE = Rig((), (*shape_channels(["smile", "blink"]), Channel("dial", "control")))


def face(smile: Curve) -> Motion:
    return Motion(FACE, Clip("face", end=1.5, curves=Curves({"smile": smile, "dial": smile})))


@given(value=st.floats(-5.0, 5.0), time=st.floats(0.55, 0.95))
def test_reaches_any_value_by_the_shortest_heights(value: float, time: float) -> None:
    motion = face(even_curve([0.1, 0.5, 0.3, 0.2]))
    dragged = drag_value(motion, "dial", time, value)
    before, after = motion.clip.curves["dial"], dragged.curves["dial"]
    assert dragged.reached
    assert evaluate(after, [time])[0] == pytest.approx(value, abs=1e-9)
    assert tangents_only(before, after)
    assert slope_error(after) < 1e-9
    np.testing.assert_array_equal(before.ins[:, 0], after.ins[:, 0])
    # Closed form: heights along their own leverage 3λ(1−λ)², −3λ²(1−λ); widths of a third make λ the time itself.
    u = (time - 0.5) / 0.5
    by = np.array([3 * u * (1 - u) ** 2, -3 * u**2 * (1 - u)])
    change = value - evaluate(before, [time])[0]
    made = np.array([after.outs[1, 1] - before.outs[1, 1], after.ins[2, 1] - before.ins[2, 1]])
    np.testing.assert_allclose(made, by * change / (by @ by), rtol=0, atol=1e-8)


@given(value=st.floats(-0.5, 1.5), time=st.floats(0.6, 0.9))
def test_a_shape_stays_within_its_limits_and_gets_as_near_as_they_allow(value: float, time: float) -> None:
    motion = face(even_curve([0.1, 0.5, 0.3, 0.2]))
    dragged = drag_value(motion, "smile", time, value)
    after = dragged.curves["smile"]
    values = evaluate(after, np.linspace(0.0, 1.5, 3 * 64 + 1))
    assert values.max() <= 1.0 + 1e-9
    assert values.min() >= -1e-9
    assert evaluate(after, [time])[0] == pytest.approx(dragged.value, abs=1e-9)
    assert dragged.reached == (abs(dragged.value - value) <= 1e-4)
    # Beyond a limit the curve can touch it at the very time asked for, unless a neighbour's limit comes first.
    assert abs(dragged.value - value) <= abs(evaluate(motion.clip.curves["smile"], [time])[0] - value) + 1e-9
    if 0.3 <= value <= 0.6:
        assert dragged.reached


def test_a_peak_is_brought_up_to_the_limit_itself() -> None:
    motion = face(even_curve([0.5, 0.5]))
    dragged = drag_value(motion, "smile", 0.25, 3.0)
    assert not dragged.reached
    assert dragged.value == pytest.approx(1.0, abs=1e-4)


def test_a_value_through_a_layer_of_some_weight() -> None:
    rng = np.random.default_rng(0)
    base = face(even_curve([0.1, 0.5, 0.3, 0.2]))
    layer = Layer("mood", Curves({"dial": staggered_curve(rng, 0.0)}), weight=0.4)
    motion = Motion(FACE, replace(base.clip, layers=(layer,)))
    dragged = drag_value(motion, "dial", 0.8, 0.9, layer="mood")
    after = changed_motion(motion, "mood", dragged.curves)
    assert after.channels([0.8])[0, 2] == pytest.approx(0.9, abs=1e-9)
    assert after.clip.curves == motion.clip.curves


def test_what_cannot_be_dragged_says_why() -> None:
    motion = face(even_curve([0.1, 0.5]))
    with pytest.raises(NothingToDrag, match="no Bezier segment there"):
        drag_value(motion, "blink", 0.2, 1.0)
    with pytest.raises(NothingToDrag, match="no Bezier segment there"):
        drag_value(motion, "smile", 0.5, 1.0)
    with pytest.raises(NothingToDrag, match="no width"):
        drag_value(face(Curve.from_keys([Key(0.0, 0.0), Key(1.0, 1.0)])), "smile", 0.5, 0.2)
