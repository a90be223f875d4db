"""What holds a body up: the zero-moment point, and how contacts share what the world must exert."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.dynamics.loads import Wrench

FRICTION = 0.8
"""Rubber soles on a dry floor."""

_SIDES = 8
"""Edges of the pyramid that stands for a cone of friction."""


def zero_moment_point(residual: Wrench, *, height: float = 0.0) -> Floats:
    """Where on the level floor at `height` a single foot would have to be (T, 3); NaN where nothing presses on it.

    There the moment that the floor must exert is upright: x = M_z / F_y, z = −M_x / F_y with moments about its origin.
    """
    about = residual.about((0.0, height, 0.0))
    up = about.forces[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        x, z = about.moments[:, 2] / up, -about.moments[:, 0] / up
    result = np.stack([x, np.full_like(x, height), z], axis=1)
    result[~(up > 0.0)] = np.nan
    return result


@dataclass(frozen=True, slots=True, eq=False)
class ContactForces:
    """How contacts share the load: forces (T, K, 3) on them, and the residual that is left."""

    forces: Floats
    left: Wrench


def contact_forces(
    residual: Wrench, places: npt.ArrayLike, *, friction: float = FRICTION, up: npt.ArrayLike = (0.0, 1.0, 0.0)
) -> ContactForces:
    """Share a residual among contacts at places (T, K, 3) or (K, 3), which can push but not pull.

    The forces stay within cones of friction about `up` and leave as little as possible, a newton metre counting as
    much as a newton at one metre; of all that do, those with the smallest sum of squares, or nearly.
    """
    from scipy.optimize import nnls

    frames = len(residual.forces)
    at = np.asarray(places, np.float64)
    at = np.broadcast_to(at, (frames, *at.shape[-2:]))
    edges = _edges(np.asarray(up, np.float64), friction)
    count = at.shape[1]
    forces = np.zeros((frames, count, 3))
    for f in range(frames):
        arms = at[f] - residual.places[f]
        if not count:
            break
        pushes = np.tile(edges, (count, 1))
        rows = np.concatenate([pushes, np.cross(np.repeat(arms, _SIDES, axis=0), pushes)], axis=1).T
        wanted = np.concatenate([residual.forces[f], residual.moments[f]])
        # Ever so little weight on the sizes themselves, so that the answer is one and moves smoothly.
        small = 1e-6 * np.eye(rows.shape[1])
        shares, _ = nnls(np.concatenate([rows, small]), np.concatenate([wanted, np.zeros(len(small))]))
        forces[f] = (shares[:, None] * pushes).reshape(count, _SIDES, 3).sum(axis=1)
    moments = residual.moments - np.cross(at - residual.places[:, None], forces).sum(axis=1)
    return ContactForces(forces, Wrench(residual.places, moments, residual.forces - forces.sum(axis=1)))


def _edges(up: Floats, friction: float) -> Floats:
    """Directions (n, 3) at the edge of the cone of friction."""
    up = up / np.linalg.norm(up)
    beside = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
    beside /= np.linalg.norm(beside)
    around = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    sideways = np.outer(np.cos(around), beside) + np.outer(np.sin(around), np.cross(up, beside))
    return up + friction * sideways
