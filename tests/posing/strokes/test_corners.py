"""Corners are found where they are, through noise, and nowhere else."""

import math

import numpy as np
import pytest

from inbetweener.posing.strokes import fit_stroke
from tests.posing.strokes.shapes import ALL, SMOOTH, Shape, even_pace, hand_pace, size_of


def shaken(shape: Shape, amount: float, seed: int) -> np.ndarray:
    points = shape.places(hand_pace() if seed % 2 else even_pace())
    return points + np.random.default_rng(seed).normal(0.0, amount * size_of(points), points.shape)


@pytest.mark.parametrize("shape", SMOOTH, ids=[s.name for s in SMOOTH])
@pytest.mark.parametrize("amount", [0.0, 0.001, 0.004])
def test_smooth_strokes_have_none(shape: Shape, amount: float) -> None:
    assert [len(fit_stroke(shaken(shape, amount, seed)).corners) for seed in range(4)] == [0] * 4


@pytest.mark.parametrize("degrees", [50, 70, 90, 120, 150, 180, -60, -90, -135])
@pytest.mark.parametrize("amount", [0.0, 0.002])
def test_angles_of_corners(degrees: float, amount: float) -> None:
    angle = math.radians(degrees)
    away = np.array([math.cos(angle), math.sin(angle)])
    points = np.concatenate([np.linspace([-1.0, 0.0], [0.0, 0.0], 70), np.linspace([0.0, 0.0], away, 70)[1:]])
    points = points + np.random.default_rng(degrees % 7).normal(0.0, amount * size_of(points) + 1e-15, points.shape)
    curve = fit_stroke(points)
    assert curve.corners == pytest.approx([1.0], abs=0.002 + 8 * amount)
    assert math.cos(curve.turns[0] - angle) > math.cos(0.01 + 60 * amount)
    np.testing.assert_allclose(curve.positions(curve.corners)[0], [0.0, 0.0], rtol=0, atol=0.001 + 8 * amount)


@pytest.mark.parametrize("shape", [s for s in ALL if s.corners], ids=[s.name for s in ALL if s.corners])
@pytest.mark.parametrize("amount", [0.0, 0.001, 0.003])
def test_places_of_corners(shape: Shape, amount: float) -> None:
    for seed in range(4):
        points = shaken(shape, amount, seed)
        curve = fit_stroke(points)
        assert len(curve.corners) == len(shape.corners)
        off = np.linalg.norm(curve.positions(curve.corners) - shape.places(np.array(shape.corners)), axis=1)
        # The tip of a hairpin lies between points: no nearer than they are to each other.
        assert off.max() < (0.01 + 6 * amount) * size_of(points)


def test_a_few_points_that_turn_back() -> None:
    curve = fit_stroke([[0, 0], [1, 0], [0, 0]])
    assert curve.corners == pytest.approx([1.0], abs=1e-9)
    assert abs(curve.turns[0]) == pytest.approx(math.pi, abs=1e-9)


def test_a_bend_is_no_corner_until_it_is_tight() -> None:
    def bend(radius: float) -> np.ndarray:
        a = np.linspace(0.0, math.pi / 2, 24)
        arc = radius * np.stack([np.sin(a), 1.0 - np.cos(a)], axis=1)
        before = np.stack([np.linspace(-1.0, 0.0, 60), np.zeros(60)], axis=1)[:-1]
        return np.concatenate([before, arc, arc[-1] + np.linspace([0, 0], [0, 1], 60)[1:]])

    assert len(fit_stroke(bend(0.15)).corners) == 0
    assert len(fit_stroke(bend(0.002)).corners) == 1
