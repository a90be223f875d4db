"""Textured triangles cut into smaller ones, so that each corner takes its own colour of the picture.

Both ways of drawing know colours of vertices only; a triangle that spans many texels would be a smear of three.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.skinning.mesh import Indices, Singles

TEXELS = 6.0
"""Of a picture, at most, along the side of a small triangle."""
MOST = 16
"""Pieces that a side is cut into."""
ALL = 120_000
"""Small triangles of a mesh, about: more cost time and show nothing on a screen."""


@dataclass(frozen=True, slots=True)
class Finer:
    """Small corners as mixtures of large ones: which (n, 3), how much of each (n, 3); and the small triangles."""

    corners: Ints
    shares: Singles
    triangles: Indices

    @classmethod
    def of(cls, triangles: Indices, uvs: Singles, size: tuple[int, int]) -> "Finer | None":
        """As fine as a picture of so many texels asks for; None where the triangles are fine enough."""
        at = np.nan_to_num(uvs.astype(np.float64))[triangles] * np.array(size, np.float64)
        sides = np.linalg.norm(at - np.roll(at, 1, axis=1), axis=2).max(axis=1)
        pieces = np.clip(np.ceil(sides / TEXELS), 1, MOST)
        total = float((pieces**2).sum())
        if total > ALL:
            pieces = np.maximum(np.floor(pieces * np.sqrt(ALL / total)), 1)
        if (pieces <= 1).all():
            return None
        corners, shares, small, first = [], [], [], 0
        for count in np.unique(pieces.astype(int)):
            chosen = triangles[pieces == count]
            grid, cut = _cut(int(count))
            corners.append(np.repeat(chosen, len(grid), axis=0))
            shares.append(np.tile(grid, (len(chosen), 1)))
            starts = first + len(grid) * np.arange(len(chosen))
            small.append((cut[None] + starts[:, None, None]).reshape(-1, 3))
            first += len(grid) * len(chosen)
        return cls(
            np.concatenate(corners).astype(np.int64),
            np.concatenate(shares).astype(np.float32),
            np.concatenate(small).astype(np.int32),
        )

    def mixed(self, values: Singles | Floats) -> Singles:
        """Values (V, width) of vertices at the small corners."""
        found = np.asarray(values, np.float32)[self.corners]
        return np.ascontiguousarray(np.einsum("nk,nkw->nw", self.shares, found))


def _cut(count: int) -> tuple[Floats, Ints]:
    """Corners of a triangle whose sides are cut into `count` pieces, as shares of its three, and the triangles."""
    rows = [(i, j) for i in range(count + 1) for j in range(count + 1 - i)]
    number = {place: n for n, place in enumerate(rows)}
    grid = np.array([[count - i - j, i, j] for i, j in rows]) / count
    cut = []
    for i, j in rows:
        if i + j < count:
            cut.append([number[i, j], number[i + 1, j], number[i, j + 1]])
        if i + j < count - 1:
            cut.append([number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]])
    return grid, np.array(cut)
