"""Which bones warm which places of a skin, and how strongly."""

import numpy as np

from inbetweener.arrays import Floats, Ints

TIE = 0.05
"""Bones that are farther than the nearest by less than this share warm a place together."""
OUTSIDE = 20.0
"""How many times farther than it is a bone counts that lies wholly in front of the skin rather than behind it."""
BEHIND, BEFORE = 0.5, 0.0
"""Cosines between the inward normal and the way to a bone at which it is surely behind, and surely in front."""
NEAREST = 1e-3
"""A bone counts as no nearer than this share of the mesh's size: some lie in the skin itself."""


def sources(places: Floats, normals: Floats, starts: Floats, ends: Floats, owners: Ints) -> tuple[Floats, Floats]:
    """How strongly each place (n, 3) is warmed (n,), one over a distance squared, and by which bones (n, B), shares.

    Segments from starts to ends (S, 3) belong to bones: owners (S,), 0 to B − 1. A skin is warmed from within: the
    inner side of one thigh sees the other leg's bone, but only in front of it.
    """
    size = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0
    facing = np.linalg.norm(normals, axis=1) > 0.5
    distances = np.empty((len(places), int(owners.max()) + 1))
    counted = np.full_like(distances, np.inf)
    for start, end, bone in zip(starts, ends, owners, strict=True):
        way = end - start
        square = float(way @ way)
        along = np.clip((places - start) @ way / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(places))
        to_bone = start + along[:, None] * way - places
        distance = np.linalg.norm(to_bone, axis=1)
        inward = -np.einsum("ni,ni->n", normals, to_bone) / np.maximum(distance, 1e-12 * size)
        before = np.where(facing, np.clip((BEHIND - inward) / (BEHIND - BEFORE), 0.0, 1.0), 0.0)
        distance = np.maximum(distance, NEAREST * size)
        farther = distance * (1.0 + (OUTSIDE - 1.0) * before)
        distances[:, bone] = np.where(farther < counted[:, bone], distance, distances[:, bone])
        counted[:, bone] = np.minimum(farther, counted[:, bone])
    nearest = counted.argmin(axis=1)[:, None]
    shares = np.maximum(0.0, 1.0 - (counted / np.take_along_axis(counted, nearest, axis=1) - 1.0) / TIE)
    strength = 1.0 / np.take_along_axis(distances, nearest, axis=1)[:, 0] ** 2
    return strength, shares / shares.sum(axis=1, keepdims=True)
