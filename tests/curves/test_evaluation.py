"""Values of curves against an independent evaluator, scipy and closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline

from inbetweener.curves import Bundle, Curve, Key, Tangent, evaluate
from tests.curves import museum
from tests.curves.reference import value_at
from tests.curves.strategies import curves, times_within


@given(st.data())
def test_agrees_with_de_casteljau_and_bisection(data):
    curve = data.draw(curves())
    times = data.draw(times_within(curve))
    expected = [value_at(curve, t) for t in times]
    # Near an almost vertical place half a rounding of the time moves the value a little.
    np.testing.assert_allclose(evaluate(curve, times), expected, rtol=1e-12, atol=2e-12)


@pytest.mark.parametrize("name", museum.EXHIBITS)
def test_museum_agrees_with_the_reference(name):
    curve = museum.EXHIBITS[name]()
    times = np.linspace(curve.times[0] - 0.1, curve.times[-1] + 0.1, 101)
    times = np.concatenate([times, np.linspace(curve.times[0], curve.times[-1], 57), curve.times])
    expected = np.array([value_at(curve, t) for t in times])
    size = np.abs(curve.values).max()
    # Where time stands still, an error e in time is ∛e in u: 6e-6 for one rounding.
    loose = 2e-5 if name in ("full_width", "widest") else 1e-12
    np.testing.assert_allclose(evaluate(curve, times), expected, atol=loose * size, rtol=0)


def test_a_third_wide_is_the_cubic_of_hermite():
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.uniform(0.1, 1, 9))
    values, slopes = rng.normal(size=(2, 9))
    before = np.concatenate([[0], np.diff(times)]) / 3
    after = np.concatenate([np.diff(times), [0]]) / 3
    curve = Curve(
        times,
        values,
        np.stack([before, before * slopes], -1),
        np.stack([after, after * slopes], -1),
        np.full(9, 2),
        np.full(9, True),
    )
    spline = CubicHermiteSpline(times, values, slopes)
    at = np.linspace(times[0], times[-1], 333)
    motion = Bundle.of([curve]).evaluate_motion(at)[:, 0]
    inside = ~np.isin(at, times)
    for order in range(3):
        np.testing.assert_allclose(motion[inside, order], spline(at[inside], order), rtol=1e-9, atol=1e-9)


def test_handles_without_width_give_the_straight_line():
    at = np.linspace(0, 1, 41)
    np.testing.assert_allclose(evaluate(museum.zero_width(), at), at, atol=1e-15)


def test_full_width_is_the_cube_root():
    # T(u) = 3u − 6u² + 4u³ and V(u) = 3u² − 2u³ with w = 2u − 1: t = (1 + w³)/2, c = (2 + 3w − w³)/4.
    at = np.linspace(0, 1, 64)
    w = np.cbrt(2 * at - 1)
    np.testing.assert_allclose(evaluate(museum.full_width(), at), (2 + 3 * w - w**3) / 4, atol=1e-9)


def test_value_is_held_outside_the_keys():
    curve = Curve.from_keys([Key(1, 5, out_tangent=Tangent(0.3, 9)), Key(2, 7, Tangent(0.3, 9), Tangent(0.3, 9))])
    np.testing.assert_array_equal(evaluate(curve, [-10, 1, 2, 10]), [5, 5, 7, 7])
    outside = Bundle.of([curve]).evaluate_motion([0.5, 2.5])[:, 0]
    np.testing.assert_array_equal(outside, [[5, 0, 0], [7, 0, 0]])


def test_stepped_segment_jumps_on_the_next_key():
    curve = museum.mixed()
    np.testing.assert_array_equal(evaluate(curve, [0, 0.4999999, 0.5]), [1, 1, 2])


def test_a_bundle_of_staggered_curves_equals_each_alone():
    exhibits = museum.staggered()
    rng = np.random.default_rng(1)
    # Out of order on purpose: the kernel keeps a hint of the last segment.
    at = rng.permutation(np.concatenate([np.linspace(-1, 3, 97), 864000 + np.linspace(0, 0.05, 31)]))
    together = Bundle.of(exhibits).evaluate(at)
    for c, curve in enumerate(exhibits):
        np.testing.assert_array_equal(together[:, c], evaluate(curve, at))
        np.testing.assert_array_equal(together[:, c], [evaluate(curve, t)[0] for t in at])
    assert Bundle.of([]).evaluate(at).shape == (len(at), 0)


def test_motion_and_value_agree():
    bundle = Bundle.of(museum.staggered())
    at = np.concatenate([np.linspace(-1, 3, 97), 864000 + np.linspace(0, 0.05, 31)])
    np.testing.assert_allclose(bundle.evaluate_motion(at)[..., 0], bundle.evaluate(at), atol=1e-12)
