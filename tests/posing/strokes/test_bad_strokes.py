"""Points that make no stroke get one clear line; odd ones get a sensible curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.errors import InbetweenerError
from inbetweener.posing.strokes import InvalidStroke, fit_stroke

BAD: dict[str, tuple[object, str]] = {
    "no points": ([], "without points"),
    "one point": ([[1.0, 2.0]], "one point"),
    "all in one place": ([[1.0, 2.0]] * 9, "one place"),
    "not a number": ([[0.0, 0.0], [1.0, np.nan], [2.0, 0.0]], "point 1"),
    "infinite": ([[0.0, 0.0], [1.0, 1.0], [np.inf, 0.0]], "point 2"),
    "beyond all bounds": ([[0.0, 0.0], [1e300, 1.0]], "point 1"),
    "in space": (np.zeros((4, 3)), r"shape \(4, 3\)"),
    "a row": ([1.0, 2.0, 3.0, 4.0], r"shape \(4,\)"),
    "ragged": ([[1.0, 2.0], [3.0]], "two numbers"),
    "words": ([["a", "b"], ["c", "d"]], "two numbers"),
    "nothing": (None, "list of points"),
}


@pytest.mark.parametrize(("points", "says"), BAD.values(), ids=BAD.keys())
def test_what_makes_no_stroke(points: object, says: str) -> None:
    with pytest.raises(InvalidStroke, match=says) as caught:
        fit_stroke(points)  # type: ignore[arg-type]
    assert isinstance(caught.value, InbetweenerError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("smoothing", [-1.0, np.nan, np.inf])
def test_smoothing_must_be_a_number_from_zero_up(smoothing: float) -> None:
    with pytest.raises(InvalidStroke, match="smoothing"):
        fit_stroke([[0, 0], [1, 1]], smoothing=smoothing)


@pytest.mark.parametrize(
    ("pressures", "says"),
    [
        ([0.5], "2 points needs 2 pressures"),
        ([0.5, -0.1], "point 1 of the stroke is pressed by -0.1"),
        ([np.nan, 0.5], "point 0 of the stroke is pressed by nan"),
        (["hard", "soft"], "are numbers"),
    ],
)
def test_pressures_are_numbers_one_for_each_point(pressures: list[float], says: str) -> None:
    with pytest.raises(InvalidStroke, match=says):
        fit_stroke([[0, 0], [1, 1]], pressures=pressures)


def test_two_points_are_a_line() -> None:
    line = fit_stroke([[1.0, 1.0], [4.0, 5.0]])
    assert line.length == 5.0
    assert line.error == 0.0
    np.testing.assert_allclose(line.positions([0.0, 2.5, 5.0]), [[1, 1], [2.5, 3], [4, 5]])


def test_a_scribble_is_answered_and_stays_near() -> None:
    points = np.random.default_rng(8).normal(size=(60, 2))
    curve = fit_stroke(points)
    assert np.isfinite(curve.positions(np.linspace(0, curve.length, 100))).all()
    assert np.abs(curve.positions(np.linspace(0, curve.length, 100))).max() < 3 * np.abs(points).max()


@given(arrays(np.float64, st.tuples(st.integers(2, 14), st.just(2)), elements=st.floats(-5, 5, width=16)))
def test_any_points_give_a_curve_from_the_first_to_the_last_or_a_clear_error(points: np.ndarray) -> None:
    try:
        curve = fit_stroke(points)
    except InvalidStroke:
        assert np.ptp(points, axis=0).max() <= 1e-6
        return
    s = np.linspace(0.0, curve.length, 50)
    assert np.isfinite(curve.positions(s)).all()
    assert np.isfinite(curve.headings(s)).all()
    assert curve.length > 0.0
    assert (np.diff(curve.knots) >= 0.0).all()
