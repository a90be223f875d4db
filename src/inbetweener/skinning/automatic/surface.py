"""A mesh as one surface: vertices in the same place are one, and bad triangles do no harm."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csc_array

WELD = 1e-6
"""Vertices nearer than this share of the mesh's size are one."""
THINNEST = 1e-3
"""By how much the triangle inequality must hold, in mean edge lengths: needles and slivers get that much fatter."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Welded places (n, 3), triangles (F, 3) of three different ones, and for every vertex (V,) its place."""

    places: Floats
    triangles: Ints
    place_of: Ints

    @classmethod
    def of(cls, vertices: Floats, triangles: Ints) -> Self:
        """Weld a mesh, dropping triangles that thereby vanish; neighbours' order stays that of the vertices."""
        size = float(np.ptp(vertices, axis=0).max()) or 1.0
        cell = np.round((vertices - vertices.min(axis=0)) / (WELD * size)).astype(np.int64)
        _, first, place_of = np.unique(cell, axis=0, return_index=True, return_inverse=True)
        welded = place_of.reshape(-1)[triangles]
        a, b, c = welded.T
        return cls(vertices[first], welded[(a != b) & (b != c) & (c != a)], place_of.reshape(-1))

    def normals(self) -> Floats:
        """Outward normals (n, 3), weighted by area; nothing where triangles cancel out or there are none."""
        corners = self.places[self.triangles]
        faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        # A part that is inside out has a negative volume, measured from its own middle.
        part = self.parts()[self.triangles[:, 0]] if len(self.triangles) else np.zeros(0, np.int64)
        count = int(part.max(initial=-1)) + 1
        members = np.maximum(np.bincount(part, minlength=count), 1)
        centres = corners.mean(axis=1)
        middle = np.stack([np.bincount(part, centres[:, i], count) for i in range(3)], axis=1) / members[:, None]
        volume = np.bincount(part, np.einsum("fi,fi->f", centres - middle[part], faces), count)
        faces = faces * np.where(volume < 0.0, -1.0, 1.0)[part][:, None]
        normals = np.zeros_like(self.places)
        for corner in range(3):
            np.add.at(normals, self.triangles[:, corner], faces)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        return np.divide(normals, length, out=np.zeros_like(normals), where=length > 0.0)

    def parts(self) -> Ints:
        """Which connected part (n,) each place belongs to."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        a, b = self.triangles.ravel(), np.roll(self.triangles, 1, axis=1).ravel()
        graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(self.places),) * 2)
        return np.asarray(connected_components(graph, directed=False)[1], np.int64)

    def laplacian(self) -> "tuple[csc_array, Floats]":
        """The stiffness matrix (n, n) of the cotangent Laplacian, semidefinite, and the area (n,) of every place.

        Triangles are made from edge lengths that all got a little longer, just enough that none is degenerate (Sharp
        and Crane 2020). Cotangents that are negative along an edge are left out: then heat never gets below nothing.
        """
        from scipy.sparse import coo_array, diags_array

        count = len(self.places)
        lengths = self._edge_lengths()
        a, b, c = lengths.T
        s = 0.5 * (a + b + c)
        area = np.sqrt(np.maximum(s * (s - a) * (s - b) * (s - c), 0.0))
        squares = lengths**2
        # The cotangent at a corner, from the edge across and the two beside it.
        cotangents = (squares.sum(axis=1, keepdims=True) - 2.0 * squares) / np.maximum(4.0 * area, 1e-300)[:, None]
        i, j = np.roll(self.triangles, -1, axis=1).ravel(), np.roll(self.triangles, -2, axis=1).ravel()
        low, high = np.minimum(i, j), np.maximum(i, j)
        edges = coo_array((0.5 * cotangents.ravel(), (low, high)), shape=(count, count)).tocsr()
        edges.data = np.maximum(edges.data, 0.0)
        both = edges + edges.T
        stiffness = diags_array(np.asarray(both.sum(axis=1)).ravel()) - both
        areas = np.bincount(self.triangles.ravel(), np.repeat(area / 3.0, 3), count)
        mean = float(areas.mean()) if count else 0.0
        # A place without triangles still weighs something, so that it gets the heat of its bone.
        return stiffness.tocsc(), np.maximum(areas, 1e-6 * mean if mean > 0.0 else 1.0)

    def _edge_lengths(self) -> Floats:
        """Lengths (F, 3) of the edges across each corner, with the triangle inequality to spare."""
        corners = self.places[self.triangles]
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - np.roll(corners, -2, axis=1), axis=2)
        if len(edges) == 0:
            return edges
        spare = THINNEST * float(edges.mean())
        missing = spare - (edges.sum(axis=1, keepdims=True) - 2.0 * edges)
        return edges + max(float(missing.max()), 0.0)
