"""The shapes in which an elastic solid on a grid of cubes swings, slowest first: linear finite elements."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.kinodynamics.soft.grid import CORNERS, Grid
from inbetweener.maths.cores import one_core

if TYPE_CHECKING:
    from scipy.sparse import csc_array

_GAUSS = (np.array([-1.0, 1.0]) / np.sqrt(3.0) + 1.0) / 2.0
"""Two Gauss nodes on (0, 1): exact for what a cube's stiffness needs."""


@dataclass(frozen=True, slots=True, eq=False)
class Modes:
    """Shapes (m, n, 3) over the nodes, of unit mass, and the squares of their angular frequencies (m,) in 1/s².

    For a Young's modulus and a density of one; masses (n,) of the nodes.
    """

    shapes: Floats
    squares: Floats
    masses: Floats


def modes_of(grid: Grid, held: Bools, poisson: float, count: int) -> Modes:
    """The slowest `count` modes of a grid some of whose nodes (n,) are held; fewer where it cannot have so many."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    masses = np.bincount(grid.cells.ravel(), minlength=len(grid.places)).astype(np.float64) * (grid.size**3 / 8)
    free = np.flatnonzero(np.repeat(~held, 3))
    root = np.sqrt(np.repeat(masses, 3)[free])
    stiffness = stiffness_matrix(grid, poisson)[free][:, free]
    count = min(count, len(free))
    # Scaled by the masses the problem is a plain symmetric one.
    scaled = stiffness.multiply(1 / root[:, None]).multiply(1 / root[None]).tocsc()
    if count + 2 > len(free) // 2:
        squares, vectors = eigh(scaled.toarray(), subset_by_index=(0, count - 1))
    else:
        # A start that leans no way in particular, and the same every time.
        start = 1.0 + np.sin(np.arange(len(free)) * 12.9898)
        with one_core():
            squares, vectors = eigsh(scaled, k=count, sigma=0.0, which="LM", v0=start)
        order = np.argsort(squares)
        squares, vectors = squares[order], vectors[:, order]
    shapes = np.zeros((count, 3 * len(masses)))
    shapes[:, free] = (vectors / root[:, None]).T
    # Of a mode and its opposite, which are the same, take the one whose largest part is positive.
    signs = np.sign(shapes[np.arange(count), np.abs(shapes).argmax(axis=1)])
    return Modes((signs[:, None] * shapes).reshape(count, -1, 3), squares, masses)


def turns_of(grid: Grid, shapes: Floats) -> Floats:
    """(m, n, 3): by how much shapes (m, n, 3) turn the cubes about each node, as small rotation vectors."""
    from scipy.sparse import coo_array

    slopes, count = _slopes(np.full(3, 0.5)) / grid.size, len(grid.cells)
    half_curls = 0.5 * np.cross(slopes, shapes[:, grid.cells]).sum(axis=2)
    owners = np.repeat(np.arange(count), 8)
    about = coo_array((np.ones(8 * count), (grid.cells.ravel(), owners)), (len(grid.places), count)).tocsr()
    summed = (about @ half_curls.transpose(1, 0, 2).reshape(count, -1)).reshape(len(grid.places), -1, 3)
    return np.asarray((summed / about.sum(axis=1)[:, None, None]).transpose(1, 0, 2), np.float64)


def stiffness_matrix(grid: Grid, poisson: float) -> "csc_array":
    """(3n, 3n) for a Young's modulus of one."""
    from scipy.sparse import coo_array

    element = cube_stiffness(poisson) * grid.size
    rows = (3 * grid.cells[:, :, None] + np.arange(3)).reshape(len(grid.cells), 24)
    i, j = np.repeat(rows, 24, axis=1).ravel(), np.tile(rows, (1, 24)).ravel()
    total = 3 * len(grid.places)
    return coo_array((np.tile(element.ravel(), len(grid.cells)), (i, j)), (total, total)).tocsc()


@lru_cache(maxsize=16)
def cube_stiffness(poisson: float) -> Floats:
    """(24, 24) stiffness of a unit cube with a Young's modulus of one.

    Three bubbles inside, taken out again, let it bend without shearing: plain cubes are far too stiff in bending, and
    a hat is few of them thick (Wilson's incompatible modes; on cubes they pass the patch test).
    """
    law = _law(poisson)
    whole = np.zeros((33, 33))
    for x in _GAUSS:
        for y in _GAUSS:
            for z in _GAUSS:
                slopes = np.concatenate([_slopes(np.array([x, y, z])), np.diag(4.0 - 8.0 * np.array([x, y, z]))])
                strains = _strains(slopes)
                whole += strains.T @ law @ strains / 8.0
    outer, across, inner = whole[:24, :24], whole[:24, 24:], whole[24:, 24:]
    result = outer - across @ np.linalg.solve(inner, across.T)
    return np.asarray((result + result.T) / 2)


def _law(poisson: float) -> Floats:
    """(6, 6): stresses of strains xx, yy, zz, xy, yz, zx."""
    shear = 0.5 / (1 + poisson)
    law = np.zeros((6, 6))
    law[:3, :3] = poisson / ((1 + poisson) * (1 - 2 * poisson))
    law[np.arange(3), np.arange(3)] += 2 * shear
    law[np.arange(3, 6), np.arange(3, 6)] = shear
    return law


def _slopes(at: Floats) -> Floats:
    """(8, 3) gradients of the corners' shape functions at a place in the unit cube."""
    lines = np.where(CORNERS == 1, at, 1 - at)
    signs = np.where(CORNERS == 1, 1.0, -1.0)
    return np.stack([signs[:, a] * np.prod(np.delete(lines, a, axis=1), axis=1) for a in range(3)], axis=1)


def _strains(slopes: Floats) -> Floats:
    """(6, 3k): the strains that k functions with gradients (k, 3) make along each axis."""
    result = np.zeros((6, len(slopes), 3))
    for axis in range(3):
        result[axis, :, axis] = slopes[:, axis]
    for row, (a, b) in enumerate(((0, 1), (1, 2), (2, 0)), start=3):
        result[row, :, a], result[row, :, b] = slopes[:, b], slopes[:, a]
    return result.reshape(6, -1)
