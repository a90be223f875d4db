"""The curve against closed forms: lines, circles, Fresnel's integrals, and its own derivatives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import fresnel

from inbetweener.posing.strokes import StrokeCurve


def curve(knots: list[float], bends: list[float], turns: tuple[float, ...] = (), heading: float = 0.0) -> StrokeCurve:
    return StrokeCurve(np.array([1.0, -2.0]), heading, np.array(knots), np.array(bends), np.array(turns), 0.0)


def test_a_clothoid_is_fresnels() -> None:
    # Curvature π·s: heading π s²/2, so that positions are Fresnel's integrals themselves.
    whole = curve([0.0, 6.0], [0.0, 6.0 * math.pi])
    s = np.linspace(0.0, 6.0, 101)
    sine, cosine = fresnel(s)
    np.testing.assert_allclose(whole.positions(s), np.stack([1.0 + cosine, sine - 2.0], axis=1), rtol=0, atol=1e-13)
    np.testing.assert_allclose(whole.headings(s), 0.5 * math.pi * s**2, rtol=1e-14)
    np.testing.assert_allclose(whole.curvatures(s), math.pi * s, rtol=1e-13, atol=1e-13)


def test_circles_close_and_headings_count_turns() -> None:
    thrice = curve([0.0, 3.0, 6.0 * math.pi], [1.0, 1.0, 1.0], heading=0.3)
    np.testing.assert_allclose(thrice.positions([6.0 * math.pi])[0], [1.0, -2.0], rtol=0, atol=1e-13)
    assert thrice.headings(6.0 * math.pi)[0] == pytest.approx(0.3 + 6.0 * math.pi, abs=1e-13)


def test_corners_jump_and_positions_do_not() -> None:
    bent = curve([0.0, 1.0, 1.0, 2.5], [0.0, 0.0, 0.0, 0.0], (-math.pi / 2,))
    assert bent.corners.tolist() == [1.0]
    assert bent.length == 2.5
    np.testing.assert_allclose(bent.headings([0.0, 1.0 - 1e-12, 1.0, 2.5]), [0, 0, -math.pi / 2, -math.pi / 2])
    places = bent.positions([0.5, 1.0 - 1e-9, 1.0, 2.5])
    np.testing.assert_allclose(places, [[1.5, -2], [2, -2], [2, -2], [2, -3.5]], rtol=0, atol=2e-9)


def test_arc_lengths_beyond_the_ends_mean_the_ends() -> None:
    arc = curve([0.0, 2.0], [1.0, 0.5])
    np.testing.assert_array_equal(arc.positions([-1.0, 3.0]), arc.positions([0.0, 2.0]))
    np.testing.assert_array_equal(arc.headings([-1.0, 3.0]), arc.headings([0.0, 2.0]))


@given(st.lists(st.floats(-20.0, 20.0), min_size=2, max_size=6), st.floats(-4.0, 4.0), st.floats(0.0, 1.0))
def test_positions_are_the_integral_of_headings(bends: list[float], heading: float, at: float) -> None:
    made = curve(np.linspace(0.0, 1.5, len(bends)).tolist(), bends, heading=heading)
    end = at * made.length
    breaks = made.knots[1:-1].tolist()
    expected = [
        quad(lambda s, f=f: float(f(made.headings(s)[0])), 0.0, end, points=[b for b in breaks if b < end] or None,
             limit=200)[0]
        for f in (np.cos, np.sin)
    ]  # fmt: skip
    np.testing.assert_allclose(made.positions(end)[0] - made.start, expected, rtol=0, atol=1e-9)


@given(st.lists(st.floats(-20.0, 20.0), min_size=2, max_size=6))
def test_curvature_is_the_derivative_of_heading_and_continuous(bends: list[float]) -> None:
    made = curve(np.linspace(0.0, 1.5, len(bends)).tolist(), bends)
    s = np.linspace(0.01, 1.49, 60)
    slope = (made.headings(s + 1e-6) - made.headings(s - 1e-6)) / 2e-6
    np.testing.assert_allclose(slope, made.curvatures(s), rtol=0, atol=1e-3)
    np.testing.assert_allclose(made.curvatures(made.knots), bends, rtol=1e-12, atol=1e-12)


def test_a_curve_cannot_be_changed() -> None:
    made = curve([0.0, 1.0], [1.0, 1.0])
    with pytest.raises(ValueError, match="read-only"):
        made.bends[0] = 2.0
