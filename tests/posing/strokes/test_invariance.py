"""Where a stroke is drawn, how large, which way up and from which end must not matter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.posing.strokes import fit_stroke
from tests.posing.strokes.shapes import ALL, Shape, hand_pace, size_of, tremor

IDS = [shape.name for shape in ALL]


def drawn(shape: Shape) -> np.ndarray:
    points = shape.places(hand_pace(150))
    return points + tremor(150, 0.001 * size_of(points), 2)


@pytest.mark.parametrize("shape", ALL, ids=IDS)
@settings(max_examples=8)
@given(st.floats(-3.0, 3.0), st.floats(-2.0, 2.0), st.floats(-50.0, 50.0))
def test_moved_turned_and_scaled_strokes(shape: Shape, angle: float, magnitude: float, shift: float) -> None:
    points, scale = drawn(shape), 10.0**magnitude
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    one = fit_stroke(points)
    two = fit_stroke(scale * (points @ turn.T) + shift)
    assert two.length == pytest.approx(scale * one.length, rel=1e-6)
    assert two.error == pytest.approx(scale * one.error, rel=1e-4)
    s = np.linspace(0.0, 1.0, 40)
    np.testing.assert_allclose(
        two.positions(s * two.length),
        scale * one.positions(s * one.length) @ turn.T + shift,
        rtol=0,
        atol=1e-5 * scale * size_of(points),
    )
    off = two.headings(s * two.length) - one.headings(s * one.length) - angle
    np.testing.assert_allclose(off, 2 * np.pi * np.round(off[0] / (2 * np.pi)), rtol=0, atol=1e-3)


@pytest.mark.parametrize("shape", ALL, ids=IDS)
def test_a_stroke_drawn_from_the_other_end(shape: Shape) -> None:
    points = drawn(shape)
    size = size_of(points)
    there, back = fit_stroke(points), fit_stroke(points[::-1])
    assert back.length == pytest.approx(there.length, rel=2e-3)
    np.testing.assert_allclose(back.length - back.corners[::-1], there.corners, rtol=0, atol=0.004 * size)
    s = np.linspace(0.0, 1.0, 60)
    np.testing.assert_allclose(
        back.positions((1.0 - s) * back.length), there.positions(s * there.length), rtol=0, atol=0.004 * size
    )


@pytest.mark.parametrize("shape", ALL, ids=IDS)
def test_a_mirrored_stroke(shape: Shape) -> None:
    points = drawn(shape)
    one, two = fit_stroke(points), fit_stroke(points * [1.0, -1.0])
    s = np.linspace(0.0, 1.0, 40)
    np.testing.assert_allclose(
        two.positions(s * two.length), one.positions(s * one.length) * [1.0, -1.0], atol=1e-6 * size_of(points)
    )
    np.testing.assert_allclose(two.curvatures(s * two.length), -one.curvatures(s * one.length), atol=1e-3)
