"""Fitted strokes against the shapes they were drawn from."""

import math

import numpy as np
import pytest

from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from tests.posing.strokes.shapes import (
    ALL,
    ARC,
    LINE,
    SMOOTH,
    SPIRAL,
    Shape,
    distances,
    even_pace,
    hand_pace,
    size_of,
    tremor,
)

IDS = [shape.name for shape in ALL]


def heading_errors(shape: Shape, curve: StrokeCurve, *, margin: float) -> np.ndarray:
    """Heading of the curve at the feet of places of a smooth shape, less the shape's own, a margin off the ends."""
    from scipy.spatial import cKDTree

    t = np.linspace(margin, 1.0 - margin, 300)
    s = np.linspace(0.0, curve.length, 20_001)
    # Loops cross themselves: look only near where the parameter says.
    fine = np.linspace(0.0, 1.0, 20_001)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(shape.places(fine), axis=0), axis=1))])
    share = np.interp(t, fine, way / way[-1])
    found = np.empty(len(t))
    places = shape.places(t)
    for i, each in enumerate(share):
        near = np.abs(s / curve.length - each) < 0.05
        foot = cKDTree(curve.positions(s[near])).query(places[i])[1]
        found[i] = curve.headings(s[near][foot])[0]
    return found - shape.headings(t)


@pytest.mark.parametrize("shape", ALL, ids=IDS)
@pytest.mark.parametrize("pace", [even_pace, hand_pace])
def test_clean_strokes_are_met(shape: Shape, pace: object) -> None:
    points = shape.places(pace())  # type: ignore[operator]
    curve = fit_stroke(points)
    size = size_of(points)
    assert distances(points, curve).max() < 0.005 * size
    assert curve.error < 0.001 * size
    assert len(curve.corners) == len(shape.corners)


@pytest.mark.parametrize("shape", SMOOTH, ids=[s.name for s in SMOOTH])
def test_headings_of_clean_strokes(shape: Shape) -> None:
    curve = fit_stroke(shape.places(even_pace()))
    off = heading_errors(shape, curve, margin=0.02)
    assert np.abs(off).max() < 0.06
    assert np.sqrt((off**2).mean()) < 0.02


@pytest.mark.parametrize("shape", ALL, ids=IDS)
@pytest.mark.parametrize("seed", range(3))
def test_trembling_hands_are_smoothed(shape: Shape, seed: int) -> None:
    truth = shape.places(hand_pace(240))
    size = size_of(truth)
    points = truth + tremor(240, 0.002 * size, seed)
    curve = fit_stroke(points)
    # Nearer to what was meant than what was drawn.
    assert np.sqrt((distances(truth, curve) ** 2).mean()) < 0.8 * np.sqrt(((points - truth) ** 2).sum(axis=1).mean())
    assert len(curve.corners) == len(shape.corners)
    if not shape.corners:
        assert np.sqrt((heading_errors(shape, curve, margin=0.05) ** 2).mean()) < 0.08


def test_lines_and_arcs_are_exact_and_need_no_knots() -> None:
    line = fit_stroke(LINE.places(hand_pace()))
    assert len(line.knots) == 2
    assert line.length == pytest.approx(math.hypot(3.0, 1.0), rel=1e-9)
    np.testing.assert_allclose(line.headings([0.0, 2.0]), math.atan2(1.0, 3.0), rtol=0, atol=1e-9)
    arc = fit_stroke(ARC.places(hand_pace()))
    assert len(arc.knots) == 2
    assert arc.length == pytest.approx(10.0, rel=1e-6)
    np.testing.assert_allclose(arc.curvatures(np.linspace(0, 10, 9)), 0.5, rtol=1e-4)
    np.testing.assert_allclose(arc.headings([0.0, 10.0]), [math.pi / 2, math.pi / 2 + 5.0], rtol=0, atol=1e-4)


def test_a_clothoid_chain_is_found_again() -> None:
    # Knots at quarters, where refining puts them.
    drawn = StrokeCurve(
        np.array([2.0, 1.0]), 0.4, np.linspace(0.0, 4.0, 5), np.array([0.2, 1.6, -1.0, -1.8, 0.3]), np.zeros(0), 0.0
    )
    curve = fit_stroke(drawn.positions(drawn.length * hand_pace()))
    assert curve.length == pytest.approx(4.0, rel=1e-4)
    s = np.linspace(0.0, 4.0, 50)
    np.testing.assert_allclose(curve.positions(s), drawn.positions(s), rtol=0, atol=2e-3)
    np.testing.assert_allclose(curve.headings(s), drawn.headings(s), rtol=0, atol=2e-2)
    np.testing.assert_allclose(curve.curvatures(s[5:-5]), drawn.curvatures(s[5:-5]), rtol=0, atol=0.25)


def test_loops_add_whole_turns() -> None:
    spiral = fit_stroke(SPIRAL.places(even_pace()))
    t = np.array([1e-3, 1.0 - 1e-3])
    turned = SPIRAL.headings(np.linspace(*t, 500))
    assert float(np.diff(spiral.headings([0.0, spiral.length]))[0]) == pytest.approx(turned[-1] - turned[0], abs=0.1)


def test_three_points_are_an_arc() -> None:
    half = fit_stroke([[0, 0], [1, 1], [2, 0]])
    assert half.length == pytest.approx(math.pi, rel=1e-6)
    np.testing.assert_allclose(half.curvatures([0.0, 1.0, 3.0]), -1.0, rtol=1e-5)


def test_more_smoothing_needs_fewer_knots_and_comes_less_near() -> None:
    points = ALL[2].places(hand_pace()) + tremor(200, 0.004, 5)
    fits = [fit_stroke(points, smoothing=amount) for amount in (0.0, 1.0, 8.0, 40.0)]
    knots = [len(each.knots) for each in fits]
    assert knots == sorted(knots, reverse=True)
    assert knots[0] > knots[-1]
    assert fits[0].error <= fits[-1].error


def test_ten_thousand_points_are_no_more_than_a_few() -> None:
    truth = SPIRAL.places(even_pace(10_000))
    points = truth + np.random.default_rng(4).normal(0.0, 0.01, truth.shape)
    curve = fit_stroke(points)
    assert distances(truth, curve).max() < 0.02
    assert len(curve.corners) == 0


def test_the_same_points_give_the_same_bits() -> None:
    points = SPIRAL.places(hand_pace()) + tremor(200, 0.004, 1)
    one, two = fit_stroke(points), fit_stroke(points)
    np.testing.assert_array_equal(one.bends, two.bends)
    np.testing.assert_array_equal(one.knots, two.knots)


@pytest.mark.parametrize(("count", "amount"), [(120, 0.01), (240, 0.003)])
@pytest.mark.parametrize("seed", range(3))
def test_where_a_pen_presses_harder_the_line_goes_nearer_to_its_points(count: int, amount: float, seed: int) -> None:
    """What lies on one side counts four times: as far aside as numpy's weighted least squares have it."""
    x, y = np.linspace(0.0, 1.0, count), np.random.default_rng(seed).normal(0.0, amount, count)
    at, sides = np.linspace(0.1, 0.9, 50), (y > 0.0, y < 0.0)
    above, below = (
        fit_stroke(np.stack([x, y], axis=1), pressures=np.where(hard, 0.8, 0.2)).positions(at)[:, 1].mean()
        for hard in sides
    )
    upper, lower = (np.polyval(np.polyfit(x, y, 1, w=np.where(hard, 2.0, 1.0)), 0.5) for hard in sides)
    assert above - below == pytest.approx(upper - lower, rel=0.2)


@pytest.mark.parametrize("shape", ALL, ids=IDS)
@pytest.mark.parametrize("pressure", [0.5, 0.3, 0.0, 977.0])
def test_a_pressure_that_never_changes_says_nothing(shape: Shape, pressure: float) -> None:
    points = shape.places(hand_pace(300)) + tremor(300, 0.004 * size_of(shape.places(hand_pace(300))), 1)
    plain, pressed = fit_stroke(points), fit_stroke(points, pressures=np.full(300, pressure))
    for name in ("start", "heading", "knots", "bends", "turns", "error"):
        np.testing.assert_array_equal(getattr(pressed, name), getattr(plain, name))


def test_a_pen_that_comes_down_and_lifts_lightly_keeps_its_ends() -> None:
    points = ARC.places(even_pace(200))
    light = np.minimum(1.0, np.minimum(np.arange(200), np.arange(200)[::-1]) / 20.0)
    curve = fit_stroke(points, pressures=light)
    ends = curve.positions([0.0, curve.length])
    assert np.linalg.norm(ends - points[[0, -1]], axis=1).max() < 0.001 * size_of(points)
