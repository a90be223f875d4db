"""A grid of cubes around a surface, in which an elastic solid is simulated and by which its vertices are carried."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.int64)
"""(8, 3): the corners of a cube in the order in which cells name them."""

CLEARANCE = 0.25
"""Cubes by which the grid reaches beyond the surface at least, so that no vertex lies on its border."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cubes with `size` metres a side that a surface touches or encloses.

    places (n, 3)  where the nodes are; cells (m, 8) nodes of each cube; numbers (m, 3) which cube of the box it is
    """

    low: Floats
    size: float
    places: Floats
    cells: Ints
    numbers: Ints

    @classmethod
    def around(cls, vertices: Floats, triangles: Ints, cells: int) -> Self:
        """The grid about triangles (F, 3), with `cells` cubes along its longest side."""
        from scipy.ndimage import binary_fill_holes

        used = vertices[np.unique(triangles)]
        extent = np.ptp(used, axis=0)
        size = float(extent.max()) / (cells - 2 * CLEARANCE)
        counts = np.ceil(extent / size + 2 * CLEARANCE - 1e-9).astype(np.int64)
        # As far beyond one side as beyond the other: what is even stays even.
        low = used.min(axis=0) + (extent - counts * size) / 2
        touched = np.floor((_samples(vertices[triangles], size / 2) - low) / size).astype(np.int64)
        full = np.zeros(counts, np.bool_)
        full[tuple(touched.T)] = True
        return cls.filling(binary_fill_holes(full), low, size)

    @classmethod
    def filling(cls, full: Bools, low: Floats, size: float) -> Self:
        """The cubes of a box (X, Y, Z) that are marked; the box begins at `low`."""
        numbers = np.argwhere(full)
        counts = np.array(full.shape) + 1
        corners = numbers[:, None] + CORNERS
        flat = (corners[..., 0] * counts[1] + corners[..., 1]) * counts[2] + corners[..., 2]
        used, cells = np.unique(flat, return_inverse=True)
        where = np.stack(np.unravel_index(used, counts), axis=1)
        return cls(low, size, low + size * where, cells.reshape(flat.shape), numbers)

    def hanging_on(self, held: Bools) -> Self:
        """Only the cubes that a chain of others, face to face, joins to one with a face of nodes (n,) that are held."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        owners = np.repeat(np.arange(len(self.cells)), 8)
        sharing = coo_array((np.ones(self.cells.size), (owners, self.cells.ravel()))).tocsr()
        # Two cubes that share four corners share a face; an edge alone would be a hinge, and a corner a ball joint.
        beside = (sharing @ sharing.T).tocoo()
        joined = beside.data >= 4
        neighbours = coo_array((beside.data[joined], (beside.row[joined], beside.col[joined])), beside.shape)
        count, part = connected_components(neighbours)
        is_held = np.zeros(count, np.bool_)
        is_held[part[held[self.cells].sum(axis=1) >= 4]] = True
        kept = is_held[part]
        used, cells = np.unique(self.cells[kept], return_inverse=True)
        return replace(self, places=self.places[used], cells=cells.reshape(-1, 8), numbers=self.numbers[kept])

    def carried(self, fields: Floats, places: Floats) -> Floats:
        """What fields (m, n, 3) over the nodes are at places (v, 3), each in the nearest cube: (m, v, 3)."""
        from scipy.sparse import csr_array
        from scipy.spatial import cKDTree

        inner = (places - self.low) / self.size
        _, cell = cKDTree(self.numbers + 0.5).query(inner)
        # A place beyond all cubes moves with the border of the nearest.
        share = np.clip(inner - self.numbers[cell], 0.0, 1.0)
        weights = np.prod(np.where(CORNERS[None] == 1, share[:, None], 1 - share[:, None]), axis=2)
        starts = np.arange(0, weights.size + 1, 8)
        carrying = csr_array((weights.ravel(), self.cells[cell].ravel(), starts), (len(places), len(self.places)))
        flat = np.ascontiguousarray(fields.transpose(1, 0, 2)).reshape(len(self.places), -1)
        return np.asarray((carrying @ flat).reshape(len(places), -1, 3).transpose(1, 0, 2), np.float64)


def _samples(corners: Floats, spacing: float) -> Floats:
    """Places (n, 3) all over triangles (F, 3, 3), no farther apart than `spacing`."""
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    steps = np.maximum(np.ceil(longest / spacing).astype(np.int64), 1)
    found = []
    for count in np.unique(steps):
        i, j = np.nonzero(np.tri(count + 1, dtype=np.bool_)[::-1])
        shares = np.stack([i, j, count - i - j], axis=1) / count
        found.append((shares @ corners[steps == count]).reshape(-1, 3))
    return np.concatenate(found)
