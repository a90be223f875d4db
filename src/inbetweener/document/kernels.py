"""Compiled distances of a skin from solids, and the choice of vertices to look at."""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.vector_kernels import NOTHING, Vector, dot, minus, moved, placed, vector


@inlined
def solid_distance(prop_from_world: Floats, half: Floats, radius: float, at: Vector) -> float:
    """Signed distance of a point in the world from a box of half extents `half` grown by `radius`."""
    outside, deepest, own = 0.0, -math.inf, placed(prop_from_world, at)
    for r in range(3):
        beyond = abs(own[r]) - half[r]
        deepest = max(deepest, beyond)
        if beyond > 0.0:
            outside += beyond * beyond
    return math.sqrt(outside) + min(deepest, 0.0) - radius


@kernel(
    "void(const(f8[:,:,::1]), const(i8[:,::1]), const(f8[:,::1]), const(f8[:,:,:,::1]),"
    " const(f8[:,:,:,::1]), const(f8[:,:,::1]), const(f8[::1]), const(f8[:,::1]), f8[:,::1])"
)
def least_distances(
    vertices: Floats,
    influences: Ints,
    weights: Floats,
    world_from_mesh: Floats,
    prop_from_world: Floats,
    halves: Floats,
    radii: Floats,
    lengths: Floats,
    result: Floats,
) -> None:
    """result[t, o] = least distance of any skinned vertex from solid o at time t, times lengths[t, o].

    vertices (T, V, 3), or (1, V, 3) where no shape moves them; a solid of length 0 is not there.
    """
    for t in range(len(result)):
        result[t] = math.inf
        shaped = vertices[t if len(vertices) > 1 else 0]
        for v in range(len(shaped)):
            at = NOTHING
            for n in range(influences.shape[1]):
                w = weights[v, n]
                if w == 0.0:
                    break
                at = moved(at, w, placed(world_from_mesh[t, influences[v, n]], vector(shaped[v])))
            for o in range(result.shape[1]):
                distance = solid_distance(prop_from_world[t, o], halves[t, o], radii[o], at)
                result[t, o] = min(result[t, o], distance)
        for o in range(result.shape[1]):
            result[t, o] = result[t, o] * lengths[t, o] if lengths[t, o] > 0.0 else math.inf


@kernel("i8(const(f8[:,::1]), i8[::1])")
def spread_out(points: Floats, chosen: Ints) -> int:
    """Fill `chosen` with points that lie far apart, each the farthest from all before; answers how many differ."""
    away = np.full(len(points), math.inf)
    last = 0
    for n in range(len(chosen)):
        chosen[n] = last
        here = vector(points[last])
        farthest, following = 0.0, -1
        for p in range(len(points)):
            apart = minus(vector(points[p]), here)
            away[p] = min(away[p], dot(apart, apart))
            if away[p] > farthest:
                farthest, following = away[p], p
        if following < 0:
            return n + 1
        last = following
    return len(chosen)
