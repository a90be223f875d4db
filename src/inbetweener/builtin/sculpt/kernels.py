"""Compiled sculpting: the field of a body, and its surface on a grid that is finer where limbs ask for it.

A part's row: 0–11 the map (3, 4) from the world into its unscaled frame, 12–14 the first centre, 15–17 the axis,
18 its length, 19 the first radius, 20 and 21 sine and cosine of the cone's slope, 22 its blend, 23–25 its scale. A
limb's row of numbers: blend, then centre and radius of a ball around it; of integers: first part, last part, parent
limb, detail.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.vector_kernels import (
    NOTHING,
    Vector,
    combined,
    divided,
    dot,
    length,
    minus,
    moved,
    plus,
    put,
    scaled,
    vector,
)

FAR = 0.12
"""Limbs whose surrounding ball is farther than this are not looked into; larger than any blend."""


@record("const(f8[:,::1]), const(i8[:,::1]), const(f8[:,::1])")
class Body(NamedTuple):
    """parts (P, 26); spans (L, 4) and limbs (L, 5), a row a limb."""

    parts: Floats
    spans: Ints
    limbs: Floats


@inlined
def melted(a: float, b: float, blend: float) -> float:
    """The smaller of two distances, rounded off where they differ by less than `blend`; smooth to second order."""
    h = blend - abs(a - b)
    if h <= 0.0:
        return min(a, b)
    return min(a, b) - h * h * h / (6.0 * blend * blend)


@inlined
def part_distance(part: Floats, at: Vector) -> float:
    """Distance to one rounded cone, exact to first order where the part is stretched.

    The nearest of the balls strung along the axis sits where the line to the point leaves at the cone's slope.
    """
    x, y, z = vector(part, 0), vector(part, 4), vector(part, 8)
    own = minus((dot(x, at) + part[3], dot(y, at) + part[7], dot(z, at) + part[11]), vector(part, 12))
    axis = vector(part, 15)
    along = dot(own, axis)
    across = math.sqrt(max(dot(own, own) - along * along, 0.0))
    place = min(max(along - across * part[20] / part[21], 0.0), part[18])
    own = moved(own, -place, axis)
    away = length(own)
    distance = away - (part[19] - part[20] * place)
    if away < 1e-12:
        return distance * min(part[23], min(part[24], part[25]))
    # The stretch changes distances by the length of the gradient, carried back into the world.
    return distance / length(divided(combined((x, y, z), own), away))


@inlined
def body_distance(body: Body, at: Vector, own: Floats, whole: Floats) -> float:
    """The field of the whole body; leaves each limb's own distance in `own`."""
    parts, spans, limbs = body
    for g in range(len(spans)):
        bound = length(minus(at, vector(limbs[g], 1))) - limbs[g, 4]
        if bound > FAR:
            own[g] = bound
        else:
            d = part_distance(parts[spans[g, 0]], at)
            for i in range(spans[g, 0] + 1, spans[g, 1]):
                d = melted(d, part_distance(parts[i], at), parts[i, 22])
            own[g] = d
        whole[g] = own[g]
    result = math.inf
    # Children come after their parents, so going back every limb is complete before its parent needs it.
    for g in range(len(spans) - 1, -1, -1):
        up = spans[g, 2]
        if up < 0:
            result = min(result, whole[g])
        else:
            whole[up] = min(whole[up], melted(own[up], whole[g], limbs[g, 0]))
    return result


@kernel("void(Body, const(f8[:,::1]), f8[::1])")
def distances(body: Body, points: Floats, result: Floats) -> None:
    """result[p] = the field at each point, negative inside."""
    own, whole = np.empty(len(body.spans)), np.empty(len(body.spans))
    for n in range(len(points)):
        result[n] = body_distance(body, vector(points[n]), own, whole)


@kernel("void(const(f8[:,::1]), const(f8[:,::1]), f8[:,::1])")
def part_distances(parts: Floats, points: Floats, result: Floats) -> None:
    """result[p, i] = the distance of each point to each part."""
    for n in range(len(points)):
        for i in range(len(parts)):
            result[n, i] = part_distance(parts[i], vector(points[n]))


@kernel("void(Body, const(f8[:,::1]), const(f8[:,::1]), i8, f8[:,::1], f8[:,::1])")
def pull(body: Body, points: Floats, reach: Floats, steps: int, result: Floats, slopes: Floats) -> None:
    """Move points onto the surface along the gradient, no step longer than the reach; leaves the unit gradient.

    Value and gradient come from four samples at the corners of a tiny tetrahedron.
    """
    own, whole = np.empty(len(body.spans)), np.empty(len(body.spans))
    h = 1e-5
    for n in range(len(points)):
        at, slope, square = vector(points[n]), NOTHING, 1.0
        for turn in range(steps + 1):
            distance, slope = 0.0, NOTHING
            for corner in range(4):
                x = h if corner == 0 or corner == 1 else -h
                y = h if corner == 0 or corner == 2 else -h
                z = h if corner == 0 or corner == 3 else -h
                value = body_distance(body, plus(at, (x, y, z)), own, whole)
                distance += 0.25 * value
                slope = plus(slope, divided(scaled(0.25 * value, (x, y, z)), h * h))
            square = max(dot(slope, slope), 1e-4)
            if turn == steps:
                break
            limit = reach[n, 0] * math.sqrt(square)
            at = minus(at, divided(scaled(min(max(distance, -limit), limit), slope), square))
        put(result[n], 0, at)
        put(slopes[n], 0, divided(slope, math.sqrt(square)))


@kernel("void(Body, const(f8[::1]), f8, i8, i8[:,:,::1], i8[:,:,::1])")
def mark_blocks(body: Body, origin: Floats, size: float, finest: int, leaf: Ints, offsets: Ints) -> None:
    """leaf[b] = edge of the leaves of block b in finest cells, 0 away from the surface; offsets number the leaves."""
    spans = body.spans
    own, whole = np.empty(len(spans)), np.empty(len(spans))
    count = 0
    for i in range(leaf.shape[0]):
        for j in range(leaf.shape[1]):
            for k in range(leaf.shape[2]):
                at = moved(vector(origin), size, (i + 0.5, j + 0.5, k + 0.5))
                leaf[i, j, k] = 0
                offsets[i, j, k] = count
                if abs(body_distance(body, at, own, whole)) > 2.2 * size:
                    continue
                detail = 1
                for g in range(len(spans)):
                    if own[g] < 1.2 * size:
                        detail = max(detail, spans[g, 3])
                leaf[i, j, k] = finest // detail
                count += detail**3


@kernel("void(Body, const(f8[::1]), f8, i8, const(i8[:,:,::1]), f4[:,:,::1])")
def fill_grid(body: Body, origin: Floats, cell: float, finest: int, leaf: Ints, grid: Floats) -> None:
    """The field at the corners of all leaves near the surface; `grid` arrives full of NaN."""
    own, whole = np.empty(len(body.spans)), np.empty(len(body.spans))
    for bi in range(leaf.shape[0]):
        for bj in range(leaf.shape[1]):
            for bk in range(leaf.shape[2]):
                step = leaf[bi, bj, bk]
                if step == 0:
                    continue
                for i in range(bi * finest, (bi + 1) * finest + 1, step):
                    for j in range(bj * finest, (bj + 1) * finest + 1, step):
                        for k in range(bk * finest, (bk + 1) * finest + 1, step):
                            if math.isnan(grid[i, j, k]):
                                at = moved(vector(origin), cell, (1.0 * i, 1.0 * j, 1.0 * k))
                                grid[i, j, k] = body_distance(body, at, own, whole)


@kernel(
    "i8(const(i8[:,:,::1]), const(i8[:,:,::1]), const(f4[:,:,::1]), i8, const(f8[::1]), f8, f8[:,::1], f8[:,::1],"
    "i8[:,::1])"
)
def find_faces(
    leaf: Ints,
    offsets: Ints,
    grid: Floats,
    finest: int,
    origin: Floats,
    cell: float,
    sums: Floats,
    sizes: Floats,
    faces: Ints,
) -> int:
    """Surface nets on leaves of mixed sizes: a face around every smallest edge that crosses the surface.

    Each face joins the three or four leaves around its edge, so that faces close up between leaves of any sizes.
    Crossing points are summed per leaf, sums (n, 4) with their count, sizes (n, 1) the leaf's edge; faces (m, 4)
    counter-clockwise from outside, the last index −1 for a triangle. Returns m; stops early when faces are full.
    """
    count = 0
    corner, cells, ids = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(4, np.int64)
    place = np.empty(3)
    lengths = np.empty(4, np.int64)
    for bi in range(1, leaf.shape[0]):
        for bj in range(1, leaf.shape[1]):
            for bk in range(1, leaf.shape[2]):
                stride = finest
                for i in range(bi - 1, bi + 1):
                    for j in range(bj - 1, bj + 1):
                        for k in range(bk - 1, bk + 1):
                            if leaf[i, j, k] > 0:
                                stride = min(stride, leaf[i, j, k])
                for i in range(bi * finest, (bi + 1) * finest, stride):
                    for j in range(bj * finest, (bj + 1) * finest, stride):
                        for k in range(bk * finest, (bk + 1) * finest, stride):
                            start = grid[i, j, k]
                            if math.isnan(start):
                                continue
                            corner[0], corner[1], corner[2] = i, j, k
                            for axis in range(3):
                                second, third = (axis + 1) % 3, (axis + 2) % 3
                                # The four leaves around the edge, turning from `second` to `third`.
                                known = True
                                for n in range(4):
                                    cells[axis] = corner[axis]
                                    cells[second] = corner[second] - (1 if n == 1 or n == 2 else 0)
                                    cells[third] = corner[third] - (1 if n >= 2 else 0)
                                    a, b, c = cells[0] // finest, cells[1] // finest, cells[2] // finest
                                    size = leaf[a, b, c]
                                    if size == 0:
                                        known = False
                                        break
                                    per = finest // size
                                    inside = (cells[0] % finest) // size
                                    inside = inside * per + (cells[1] % finest) // size
                                    inside = inside * per + (cells[2] % finest) // size
                                    lengths[n] = size
                                    ids[n] = offsets[a, b, c] + inside
                                if not known:
                                    continue
                                length = min(min(lengths[0], lengths[1]), min(lengths[2], lengths[3]))
                                if corner[axis] % length != 0:
                                    continue
                                corner[axis] += length
                                end = grid[corner[0], corner[1], corner[2]]
                                corner[axis] -= length
                                if math.isnan(end) or (start < 0.0) == (end < 0.0):
                                    continue
                                distinct = 0
                                for n in range(4):
                                    if ids[n] != ids[(n + 3) % 4]:
                                        distinct += 1
                                if distinct < 3:
                                    continue
                                for n in range(3):
                                    place[n] = origin[n] + corner[n] * cell
                                place[axis] += length * cell * start / (start - end)
                                if count == len(faces):
                                    return count
                                filled = 0
                                for m in range(4):
                                    n = m if start < 0.0 else 3 - m
                                    before = n - 1 if start < 0.0 else n + 1
                                    if ids[n] == ids[before % 4]:
                                        continue
                                    faces[count, filled] = ids[n]
                                    filled += 1
                                    for r in range(3):
                                        sums[ids[n], r] += place[r]
                                    sums[ids[n], 3] += 1.0
                                    sizes[ids[n], 0] = lengths[n] * cell
                                if filled == 3:
                                    faces[count, 3] = -1
                                count += 1
    return count
