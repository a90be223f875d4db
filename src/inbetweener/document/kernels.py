"""Compiled distances of a skin from solids, and the choice of vertices to look at."""

import math

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel


@inlined
def solid_distance(prop_from_world: Floats, half: Floats, radius: float, x: float, y: float, z: float) -> float:
    """Signed distance of a point in the world from a box of half extents `half` grown by `radius`."""
    outside, deepest = 0.0, -math.inf
    for r in range(3):
        m = prop_from_world[r]
        beyond = abs(m[0] * x + m[1] * y + m[2] * z + m[3]) - half[r]
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
            x, y, z = 0.0, 0.0, 0.0
            a, b, c = shaped[v, 0], shaped[v, 1], shaped[v, 2]
            for n in range(influences.shape[1]):
                w = weights[v, n]
                if w == 0.0:
                    break
                m = world_from_mesh[t, influences[v, n]]
                x += w * (m[0, 0] * a + m[0, 1] * b + m[0, 2] * c + m[0, 3])
                y += w * (m[1, 0] * a + m[1, 1] * b + m[1, 2] * c + m[1, 3])
                z += w * (m[2, 0] * a + m[2, 1] * b + m[2, 2] * c + m[2, 3])
            for o in range(result.shape[1]):
                distance = solid_distance(prop_from_world[t, o], halves[t, o], radii[o], x, y, z)
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
        x, y, z = points[last, 0], points[last, 1], points[last, 2]
        farthest, following = 0.0, -1
        for p in range(len(points)):
            square = (points[p, 0] - x) ** 2 + (points[p, 1] - y) ** 2 + (points[p, 2] - z) ** 2
            away[p] = min(away[p], square)
            if away[p] > farthest:
                farthest, following = away[p], p
        if following < 0:
            return n + 1
        last = following
    return len(chosen)
