"""Signed distances against dense samples of the surface, and against what any distance must satisfy."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from inbetweener.maths.solids import Box, Capsule, Solid, Sphere

RANDOM = np.random.default_rng(4)


def on_sphere(radius: float, count: int = 60_000) -> np.ndarray:
    directions = RANDOM.normal(size=(count, 3))
    return radius * directions / np.linalg.norm(directions, axis=1, keepdims=True)


def on_box(half: tuple[float, float, float]) -> np.ndarray:
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 101), np.linspace(-1, 1, 101)), axis=-1).reshape(-1, 2)
    faces = [np.insert(grid, axis, side, axis=1) for axis in range(3) for side in (-1.0, 1.0)]
    return np.concatenate(faces) * half


def on_capsule(radius: float, half: float) -> np.ndarray:
    caps = on_sphere(radius, 40_000)
    caps[:, 1] += np.where(caps[:, 1] > 0, half, -half)
    around, along = np.meshgrid(np.linspace(0, 2 * np.pi, 300), np.linspace(-half, half, 120))
    side = np.stack([radius * np.cos(around), along, radius * np.sin(around)], axis=-1).reshape(-1, 3)
    return np.concatenate([caps, side])


CASES: dict[str, tuple[Solid, np.ndarray]] = {
    "sphere": (Sphere(0.7), on_sphere(0.7)),
    "box": (Box((0.5, 0.9, 0.2)), on_box((0.5, 0.9, 0.2))),
    "capsule": (Capsule(0.3, 0.6), on_capsule(0.3, 0.6)),
}


@pytest.mark.parametrize(("solid", "surface"), CASES.values(), ids=CASES.keys())
def test_distance_is_that_to_the_nearest_sample(solid: Solid, surface: np.ndarray) -> None:
    points = RANDOM.uniform(-1.5, 1.5, (2000, 3))
    nearest, _ = cKDTree(surface).query(points)
    found = solid.distance(points)
    np.testing.assert_allclose(np.abs(found), nearest, rtol=0, atol=0.02)
    assert (np.abs(found) <= nearest + 1e-12).all()  # samples can only be farther than the surface
    assert np.abs(solid.distance(surface)).max() < 1e-12


@pytest.mark.parametrize(("solid", "surface"), CASES.values(), ids=CASES.keys())
def test_distance_is_negative_inside_and_grows_no_faster_than_space(solid: Solid, surface: np.ndarray) -> None:
    assert (solid.distance(0.99 * surface) < 0).all()
    assert (solid.distance(1.01 * surface) > 0).all()
    a, b = RANDOM.uniform(-1.5, 1.5, (2, 3000, 3))
    assert (np.abs(solid.distance(a) - solid.distance(b)) <= np.linalg.norm(a - b, axis=1) + 1e-12).all()
    assert solid.distance([0.0, 0.0, 0.0]) < 0


def test_points_are_not_changed() -> None:
    points = np.array([[0.1, 5.0, 0.0]])
    Capsule(0.3, 0.6).distance(points)
    assert points.tolist() == [[0.1, 5.0, 0.0]]
