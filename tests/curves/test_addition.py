"""Sums of curves against the sum of their values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, Key, Tangent, evaluate, weighted_sum
from inbetweener.curves.tangent_presets import smooth
from inbetweener.errors import InvalidCurve
from tests.curves import museum
from tests.curves.strategies import curves, number


def times_of(terms: list[tuple[float, Curve]]) -> np.ndarray:
    """Dense, and on every key; but not just before a step, where a sum may hold its breath for a millionth."""
    keys = np.unique(np.concatenate([curve.times for _, curve in terms]))
    at = np.concatenate([np.linspace(keys[0] - 0.1, keys[-1] + 0.1, 403), keys])
    gap = keys[np.minimum(np.searchsorted(keys, at), len(keys) - 1)] - at
    return np.sort(at[(gap <= 0) | (gap > 1e-4)])


def assert_sums(made: Curve, terms: list[tuple[float, Curve]], tolerance: float) -> None:
    at = times_of(terms)
    expected = sum(weight * evaluate(curve, at) for weight, curve in terms)
    np.testing.assert_allclose(evaluate(made, at), expected, rtol=0, atol=tolerance)


@given(st.lists(st.tuples(number(-2, 2), curves(reach=0.9)), min_size=1, max_size=3))
def test_any_sum_is_within_its_tolerance(terms):
    assert_sums(weighted_sum(terms, 1e-3), terms, 1e-3 + 1e-9)


@given(st.lists(st.tuples(number(-2, 2), curves().map(smooth)), min_size=1, max_size=3))
def test_tangents_a_third_wide_add_exactly_with_no_key_more(terms):
    made = weighted_sum(terms)
    assert_sums(made, terms, 1e-12)
    np.testing.assert_array_equal(made.times, np.unique(np.concatenate([curve.times for _, curve in terms])))


@given(curves(only_bezier=True, least=2), number(-2, 2))
def test_any_curve_plus_lines_and_holds_is_exact(curve, weight):
    first, last = curve.times[[0, -1]]
    line = Curve.sampled([first - 0.5, 0.5 * (first + last), last + 0.5], [0, 3, -1])
    terms = [(weight, curve), (2.0, line), (1.0, Curve.constant(5.0))]
    made = weighted_sum(terms)
    assert_sums(made, terms, 1e-10)
    assert len(made) == len(np.unique(np.concatenate([line.times, curve.times, [0.0]])))


def test_steps_stay_steps():
    steps = Curve.from_keys([Key(0, 1, interpolation="constant"), Key(1, 4, interpolation="constant"), Key(2, 2)])
    made = weighted_sum([(1, steps), (0.5, steps)])
    assert {key.interpolation for key in made.keys[:-1]} == {"constant"}
    np.testing.assert_array_equal(evaluate(made, [0, 0.999999, 1, 1.5, 2]), [1.5, 1.5, 6, 6, 3])


def test_a_step_on_top_of_a_movement_jumps_at_the_same_time():
    steps = Curve.from_keys([Key(0, 0, interpolation="constant"), Key(1, 10, interpolation="constant"), Key(2, 20)])
    ramp = Curve.sampled([0, 2], [0, 2])
    made = weighted_sum([(1, steps), (1, ramp)])
    at = np.array([0, 0.5, 0.9999, 1, 1.5, 1.9999, 2, 3])
    np.testing.assert_allclose(evaluate(made, at), [0, 0.5, 0.9999, 11, 11.5, 11.9999, 22, 22], atol=1e-5)


def test_unequal_widths_need_a_few_more_keys_and_a_tighter_tolerance_more_of_them():
    a = Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.7, 0)), Key(1, 1, in_tangent=Tangent(0.2, 0))])
    b = Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.1, 1)), Key(1, 1, in_tangent=Tangent(0.6, 1))])
    terms = [(1.0, a), (1.0, b)]
    counts = []
    for tolerance in (1e-2, 1e-4, 1e-6):
        made = weighted_sum(terms, tolerance)
        assert_sums(made, terms, tolerance)
        counts.append(len(made))
        assert made.tied.all(), "a smooth sum has no kinks"
    assert 2 < counts[0] < counts[1] < counts[2] < 100


def test_equal_unusual_widths_add_exactly():
    wide = Tangent(0.6, 0.3)
    a = Curve.from_keys([Key(0, 0, out_tangent=wide), Key(1, 1, in_tangent=wide)])
    b = Curve.from_keys([Key(0, 5, out_tangent=wide), Key(1, -3, in_tangent=wide)])
    made = weighted_sum([(1, a), (-2, b)])
    assert len(made) == 2
    assert_sums(made, [(1, a), (-2, b)], 1e-13)


@pytest.mark.parametrize("name", ["full_width", "widest", "zero_width", "one_sided", "mixed", "cliff"])
def test_the_museum_plus_a_wave(name):
    curve = museum.EXHIBITS[name]()
    span = curve.times[-1]
    wave = smooth(Curve.sampled(np.linspace(0, span, 4), [0, 1, -1, 0.5]))
    terms = [(1.0, curve), (0.5, wave)]
    assert_sums(weighted_sum(terms, 1e-3), terms, 1e-3)


def test_nonsense_is_refused():
    with pytest.raises(InvalidCurve, match="at least one curve"):
        weighted_sum([])
    with pytest.raises(InvalidCurve, match="tolerance above zero"):
        weighted_sum([(1, museum.mixed())], 0)
