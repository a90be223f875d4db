"""Distances of convex bodies: against closed forms, and against hulls as scipy has them."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from inbetweener.maths.solids import Box, Capsule, Solid, Sphere, corners
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clear, Clip, Motion, Obstacle
from inbetweener.motion.clear import Apart
from inbetweener.rig import Joint, Point, Rig, joint_channels

BODY = Joint("body")
RIG = Rig((BODY,), joint_channels(BODY, "tx ty tz rx ry rz"))
MOTION = Motion(RIG, Clip("still", 1.0))


def separation(points: np.ndarray, obstacle: Obstacle, pose: np.ndarray) -> float:
    """How far the hull of points, carried by a body in a pose of its six channels, is from an obstacle."""
    clear = Clear((obstacle,), tuple(Point("body", tuple(each)) for each in points.tolist()))
    apart = Apart.of(MOTION, clear, range(6), 1.0, (0.0, 1.0))
    found = apart.separations(apart.frames(RIG.posed(pose[None])), 1e3)
    assert found.shape == (1, 1)
    return float(found[0, 0])


def placed(points: np.ndarray, pose: np.ndarray) -> np.ndarray:
    return Rotation.from_euler("xyz", pose[3:]).apply(points) + pose[:3]


def between(a: np.ndarray, b: np.ndarray) -> float:
    """Of two hulls: the least |aᵀs − bᵀt| over shares, by scipy's own solver; nought where they overlap."""
    n = len(a)
    both = np.concatenate([a, -b])
    start = np.concatenate([np.full(n, 1 / n), np.full(len(b), 1 / len(b))])
    rules = [
        {"type": "eq", "fun": lambda s: s[:n].sum() - 1.0},
        {"type": "eq", "fun": lambda s: s[n:].sum() - 1.0},
    ]
    found = minimize(
        lambda s: float(((s @ both) ** 2).sum()), start, jac=lambda s: 2.0 * both @ (s @ both), method="SLSQP",
        bounds=[(0.0, 1.0)] * len(both), constraints=rules, options={"maxiter": 500, "ftol": 1e-14},
    )  # fmt: skip
    return float(np.linalg.norm(found.x @ both))


def depth(a: np.ndarray, b: np.ndarray) -> float:
    """How far one of two overlapping hulls has to go to be out: the nearest side of the hull of all differences."""
    sides = ConvexHull((a[:, None] - b).reshape(-1, 3)).equations
    return float(-sides[:, 3].max())


@pytest.mark.parametrize("solid", [Sphere(0.3), Capsule(0.2, 0.4), Box((0.2, 0.3, 0.4))])
def test_a_point_is_as_far_as_the_solid_says(solid: Solid) -> None:
    random = np.random.default_rng(1)
    for _ in range(40):
        pose = np.concatenate([random.normal(size=3) * 0.5, random.normal(size=3)])
        expected = float(solid.distance(pose[:3]))
        assert separation(np.zeros((1, 3)), Obstacle("solid", solid), pose) == pytest.approx(expected, abs=1e-4)


def test_hulls_are_as_far_apart_as_scipy_says() -> None:
    random = np.random.default_rng(2)
    outside = inside = 0
    for _ in range(24):
        points, pose = random.normal(size=(8, 3)) * 0.2, random.normal(size=6) * 0.4
        turn = Transform(tuple(random.normal(size=3) * 0.2), tuple(Rotation.random(random_state=7).as_quat()))
        box = Obstacle("box", Box((0.2, 0.25, 0.3)), turn)
        matrix = turn.matrix()
        other, own = corners(box.solid)[0] @ matrix[:, :3].T + matrix[:, 3], placed(points, pose)
        found = separation(points, box, pose)
        separable = linprog(
            np.zeros(4), A_ub=np.r_[np.c_[own, np.ones(8)], np.c_[-other, -np.ones(8)]], b_ub=-np.ones(16),
            bounds=(None, None),
        ).success  # fmt: skip
        if separable:
            outside += 1
            assert found == pytest.approx(between(own, other), abs=1e-5)
        else:
            inside += 1
            # Of many ways out, one that is nearly the shortest, and never said to be shorter than that.
            out = depth(own, other)
            assert -1.1 * out - 1e-4 < found <= -out + 1e-9
    assert outside > 3
    assert inside > 3


def test_a_squeezed_ball_is_an_ellipsoid() -> None:
    ball = Obstacle("ball", Sphere(1.0), Transform((0.0, 0.0, 0.0), scale=(0.1, 0.2, 0.4)))
    for axis, half in enumerate((0.1, 0.2, 0.4)):
        pose = np.zeros(6)
        pose[axis] = 0.5
        assert separation(np.zeros((1, 3)), ball, pose) == pytest.approx(0.5 - half, abs=2e-3)
