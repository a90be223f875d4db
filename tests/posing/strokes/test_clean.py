"""What is taken away from the points of a stroke before it is fitted, and what is not."""

import numpy as np
import pytest

from inbetweener.posing.strokes import fit_stroke
from inbetweener.posing.strokes.clean import MOST_POINTS, cleaned, noise
from tests.posing.strokes.shapes import ALL, ARC, LINE, WAVE, Shape, even_pace, hand_pace, size_of


@pytest.mark.parametrize("shape", ALL, ids=[s.name for s in ALL])
def test_good_points_stay(shape: Shape) -> None:
    points = shape.places(even_pace(120))
    np.testing.assert_array_equal(cleaned(points)[0], points)


def test_a_pen_that_dwells_leaves_one_place() -> None:
    points = WAVE.places(even_pace(100))
    dwelling = np.concatenate(
        [np.repeat(points[:1], 30, axis=0), points[1:60], np.repeat(points[60:61], 25, axis=0), points[61:]]
    )
    np.testing.assert_allclose(cleaned(dwelling)[0], points, rtol=0, atol=1e-12)
    assert fit_stroke(dwelling).length == pytest.approx(fit_stroke(points).length, rel=1e-9)


def test_ends_stay_where_they_were() -> None:
    points = WAVE.places(hand_pace(3000))
    clean = cleaned(points)[0]
    assert len(clean) <= MOST_POINTS
    np.testing.assert_array_equal(clean[[0, -1]], points[[0, -1]])


@pytest.mark.parametrize("end", ["down", "up", "both"])
@pytest.mark.parametrize("turn", [1.6, 2.4, -2.0])
def test_hooks_are_cut_off(end: str, turn: float) -> None:
    points = ARC.places(even_pace(120))
    size = size_of(points)
    parts = [points]
    if end in ("down", "both"):
        away = (points[0] - points[1]) / np.linalg.norm(points[0] - points[1])
        rotated = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ away
        parts.insert(0, points[0] + 0.03 * size * np.linspace(1.0, 0.0, 5)[:-1, None] * rotated)
    if end in ("up", "both"):
        away = (points[-1] - points[-2]) / np.linalg.norm(points[-1] - points[-2])
        rotated = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ away
        parts.append(points[-1] + 0.03 * size * np.linspace(0.0, 1.0, 5)[1:, None] * rotated)
    np.testing.assert_array_equal(cleaned(np.concatenate(parts))[0], points)


def test_a_short_arm_is_no_hook() -> None:
    tick = np.concatenate([np.linspace([0.0, 0.0], [0.2, -0.2], 20), np.linspace([0.2, -0.2], [1.0, 1.0], 60)[1:]])
    np.testing.assert_array_equal(cleaned(tick)[0], tick)
    assert fit_stroke(tick).corners == pytest.approx([0.2 * np.sqrt(2.0)], abs=0.005)


@pytest.mark.parametrize("shape", [LINE, ARC, WAVE], ids=["line", "arc", "S"])
@pytest.mark.parametrize("amount", [0.002, 0.01])
def test_noise_is_measured(shape: Shape, amount: float) -> None:
    points = shape.places(even_pace(400))
    assert noise(points) < 1e-4
    shaken = points + np.random.default_rng(6).normal(0.0, amount, points.shape)
    assert noise(shaken) == pytest.approx(amount, rel=0.25)
