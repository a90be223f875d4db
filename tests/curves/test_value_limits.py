"""Limits of many segments at once: seen exactly, as half-planes, and kept whatever the variables are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Bundle, Curve, HeightSet, Key, Tangent, evaluate
from inbetweener.curves.value_limits import MARGIN, ROUNDING, Shape, ValueLimits

LOW, HIGH = -0.4, 0.5
heights = st.floats(-3.0, 3.0)


def curve(values: list[float], slopes: list[float]) -> Curve:
    return Curve.from_keys(
        [
            Key(float(t), v, Tangent(0.3, 0.3 * s), Tangent(0.3, 0.3 * s))
            for t, (v, s) in enumerate(zip(values, slopes, strict=True))
        ]
    )


def bounded(bundle: Bundle) -> tuple[ValueLimits, Shape]:
    keys = np.flatnonzero(np.diff(bundle.times) > 0)
    limits = ValueLimits.of(bundle, keys, np.full(len(keys), LOW), np.full(len(keys), HIGH))
    return limits, Shape(bundle.values, bundle.ins, bundle.outs)


@given(st.lists(st.floats(-0.4, 0.4), min_size=4, max_size=4), st.lists(heights, min_size=4, max_size=4))
def test_the_worst_is_what_dense_samples_show(values: list[float], slopes: list[float]) -> None:
    limits, _ = bounded(Bundle.of([curve(values, [0.0] * 4)]))
    bent = curve(values, slopes)
    seen = evaluate(bent, np.linspace(0.0, 3.0, 6001))
    worst = limits.worst(Shape(bent.values, bent.ins, bent.outs))
    assert worst == pytest.approx(max(0.0, seen.max() - HIGH, LOW - seen.min()), abs=1e-5)


@given(heights, heights)
def test_cuts_say_by_how_much_extremes_are_beyond(out: float, in_: float) -> None:
    flat = Bundle.of([curve([0.0, 0.2], [0.0, 0.0])])
    limits, _ = bounded(flat)
    shape = Shape(flat.values, np.array([[0.3, 0.0], [0.3, in_]]), np.array([[0.3, out], [0.3, 0.0]]))
    found = limits.beyond(shape)
    assert np.abs(found.by).max(initial=0.0) == pytest.approx(
        HeightSet(0.0, 0.2, LOW, HIGH).violation((out, in_)), abs=2 * ROUNDING
    )
    rows, room = limits.cuts(found, shape)
    np.testing.assert_allclose(room, -np.abs(found.by) - MARGIN, atol=1e-12)
    # Heights that go by the row as far as its room end on the limit at that very u.
    for row, far, u in zip(rows, room, found.u, strict=True):
        step = row[[1, 3]] * far / (row[[1, 3]] @ row[[1, 3]])
        value = HeightSet(0.0, 0.2).value((out + step[0], in_ + step[1]), float(u))
        assert min(abs(value - HIGH + MARGIN), abs(value - LOW - MARGIN)) < 1e-9


def test_what_is_outside_already_may_stay() -> None:
    limits, shape = bounded(Bundle.of([curve([0.0, 0.7, 0.1], [0.0, 0.0, 9.0])]))
    assert limits.high.max() >= 0.7
    assert limits.low.min() < LOW
    assert limits.worst(shape) == 0.0


@given(st.integers(0, 10_000))
def test_variables_are_brought_in_even_where_one_slope_is_fixed(seed: int) -> None:
    """A fixed steep tangent whose partner is flattened breaks out the more: then the partner goes back where it was."""
    start = curve([0.0, 0.2, 0.0], [0.0, 0.0, 0.0])
    steep = Bundle.of([start])
    outs = steep.outs.copy()
    outs[0, 1] = 2.0
    ins = steep.ins.copy()
    ins[1, 1] = 4.0
    limits = ValueLimits.of(
        Bundle(steep.starts, steep.times, steep.values, ins, outs, steep.kinds),
        np.arange(2),
        np.full(2, LOW),
        np.full(2, HIGH),
    )

    def shape(x: np.ndarray) -> Shape:
        made = ins.copy()
        made[1:, 1] = x
        return Shape(steep.values, made, outs)

    x = np.random.default_rng(seed).normal(0.0, 6.0, 2)
    slopes = np.array([[-1, 0], [-1, 1]])
    inside = limits.brought_in(x, shape, slopes, np.zeros(2), ins[1:, 1], np.zeros(2, np.int64))
    assert limits.worst(shape(inside)) == 0.0
    if limits.worst(shape(x)) == 0.0:
        assert np.array_equal(inside, x)
