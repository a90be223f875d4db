"""Compiled distances between convex bodies: points grown by a radius, wherever they stand.

The difference of two convex bodies is convex, and how far the origin is from it is how far they are apart. Outside,
that is Gilbert, Johnson and Keerthi's walk over simplices; inside, the shallowest of many ways out, refined.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, merged, record
from inbetweener.maths.vector_kernels import (
    Vector,
    cross,
    divided,
    dot,
    length,
    minus,
    moved,
    placed,
    put,
    scaled,
    vector,
)

SAMPLED, HALVED = 96, 10
"""Ways out that are looked at, evenly all around, and how often the angle is halved by which the best is refined."""
SPACED = 0.3
"""Radians between neighbours of so many."""
SHALLOW = 0.25
"""Where a guess leads out within this share of a body's size, other ways are not looked at: it is only refined."""
WALKED = 40
"""Steps over simplices; a handful are usual."""
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
SPLIT = 8
CELLS = 6 * SPLIT * SPLIT
"""Ways all around lie on the faces of a cube, each split so many times along both of its edges."""
SIDES, TILTED = 5, 0.2
"""Places that speak for a pair: the nearest, and those nearest when it is tilted by so many radians four ways."""


@record(
    "const(i8[::1]), const(f8[:,::1]), const(i8[::1]), const(i8[::1]), const(f8[::1]), const(f8[:,::1]),"
    "const(f8[::1]), const(i8[::1]), const(f8[:,::1])"
)
class Bodies(NamedTuple):
    """B bodies: the frame each is in (B,), and its radius; points (N, 3) of all.

    Ways all around are sorted into CELLS; those points that may be furthest along a way of cell c of body b are
    listed in `candidates` from cells[b · CELLS + c] on. Balls around the points: centres (B, 3) and sizes (B,); ways
    (M, 3) that lead out of it well, from outs[b] on: the sides of a box.
    """

    frames: Ints
    points: Floats
    cells: Ints
    candidates: Ints
    radii: Floats
    centres: Floats
    sizes: Floats
    outs: Ints
    ways: Floats


@inlined
def cell_of(x: float, y: float, z: float) -> int:
    """The cell of a way."""
    a, b, c = abs(x), abs(y), abs(z)
    if a >= b and a >= c:
        face, u, v, w = 0 if x > 0.0 else 1, y, z, a
    elif b >= c:
        face, u, v, w = 2 if y > 0.0 else 3, z, x, b
    else:
        face, u, v, w = 4 if z > 0.0 else 5, x, y, c
    if w == 0.0:
        return 0
    i = min(int((u / w + 1.0) * 0.5 * SPLIT), SPLIT - 1)
    j = min(int((v / w + 1.0) * 0.5 * SPLIT), SPLIT - 1)
    return (face * SPLIT + i) * SPLIT + j


@merged
def furthest(bodies: Bodies, b: int, frame: Floats, way: Vector) -> int:
    """Which point of a body is furthest along a way in the world."""
    x = frame[0, 0] * way[0] + frame[1, 0] * way[1] + frame[2, 0] * way[2]
    y = frame[0, 1] * way[0] + frame[1, 1] * way[1] + frame[2, 1] * way[2]
    z = frame[0, 2] * way[0] + frame[1, 2] * way[1] + frame[2, 2] * way[2]
    best, most = 0, -math.inf
    cell = b * CELLS + cell_of(x, y, z)
    for i in range(bodies.cells[cell], bodies.cells[cell + 1]):
        n = bodies.candidates[i]
        along = x * bodies.points[n, 0] + y * bodies.points[n, 1] + z * bodies.points[n, 2]
        if along > most:
            best, most = n, along
    return best


@merged
def gap_along(bodies: Bodies, a: int, b: int, frame_a: Floats, frame_b: Floats, way: Vector) -> float:
    """How far points of a are beyond points of b along a way; radii left out."""
    near = placed(frame_a, vector(bodies.points[furthest(bodies, a, frame_a, scaled(-1.0, way))]))
    far = placed(frame_b, vector(bodies.points[furthest(bodies, b, frame_b, way)]))
    return dot(way, minus(near, far))


@inlined
def nearest_of(corners: Floats, count: int, shares: Floats) -> int:
    """The least vector in the hull of up to four corners (4, 3): its shares (4,), nought where not needed.

    Answers how many corners it needs: four where the origin is inside.
    """
    best, needed = math.inf, 0
    gram = np.empty((4, 4))
    for i in range(count):
        for j in range(count):
            gram[i, j] = dot(vector(corners[i]), vector(corners[j]))
    trial, order = np.zeros(4), np.zeros(4, np.int64)
    for chosen in range(1, 1 << count):
        size = 0
        for i in range(count):
            if chosen >> i & 1:
                order[size] = i
                size += 1
        # Σ shares = 1 and the combination is square to every edge: the last corner's share is what is left.
        m, r = np.zeros((3, 3)), np.zeros(3)
        last = order[size - 1]
        for i in range(size - 1):
            for j in range(size - 1):
                p, q = order[i], order[j]
                m[i, j] = gram[p, q] - gram[p, last] - gram[last, q] + gram[last, last]
            r[i] = gram[last, last] - gram[order[i], last]
        for i in range(size - 1, 3):
            m[i, i] = 1.0
        det = (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
        scale = m[0, 0] * m[1, 1] * m[2, 2]
        if not det > 1e-12 * scale:
            continue
        left, fits = 1.0, True
        for i in range(size - 1):
            j, k = (i + 1) % 3, (i + 2) % 3
            value = (
                r[i] * (m[j, j] * m[k, k] - m[j, k] * m[k, j])
                - r[j] * (m[i, j] * m[k, k] - m[i, k] * m[k, j])
                + r[k] * (m[i, j] * m[j, k] - m[i, k] * m[j, j])
            ) / det
            trial[i] = value
            left -= value
            fits = fits and value > 0.0
        if not fits or not left > 0.0:
            continue
        trial[size - 1] = left
        at = (0.0, 0.0, 0.0)
        for i in range(size):
            at = moved(at, trial[i], vector(corners[order[i]]))
        away = dot(at, at)
        if size == 4:
            away = -1.0
        if away < best:
            best, needed = away, size
            shares[:] = 0.0
            for i in range(size):
                shares[order[i]] = trial[i]
    return needed


@inlined
def apart(
    bodies: Bodies, a: int, b: int, frame_a: Floats, frame_b: Floats, guess: Vector, reach: float, found: Floats
) -> float:
    """How far b and a are apart, negative inside, or infinite where that is beyond reach.

    found (3, 3): the way from b to a, and the places of both, without radii, that are nearest.
    """
    radius = bodies.radii[a] * widest(frame_a) + bodies.radii[b] * widest(frame_b)
    if gap_along(bodies, a, b, frame_a, frame_b, guess) - radius > reach:
        return math.inf
    corners, own, other = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3))
    shares, count = np.zeros(4), 0
    v = guess
    inside, most = False, -math.inf
    for _ in range(WALKED):
        p = placed(frame_a, vector(bodies.points[furthest(bodies, a, frame_a, scaled(-1.0, v))]))
        q = placed(frame_b, vector(bodies.points[furthest(bodies, b, frame_b, v)]))
        w = minus(p, q)
        size = length(v)
        along = dot(v, w) / size
        most = max(most, along)
        if along - radius > reach:
            return math.inf
        if count and size - most <= 1e-13 + 1e-11 * size:
            break
        put(corners[count], 0, w)
        put(own[count], 0, p)
        put(other[count], 0, q)
        count += 1
        needed = nearest_of(corners, count, shares)
        if needed == 4:
            inside = True
            break
        if needed == 0:
            break
        kept = 0
        v = (0.0, 0.0, 0.0)
        for n in range(count):
            if shares[n] > 0.0:
                corners[kept], own[kept], other[kept] = corners[n], own[n], other[n]
                shares[kept] = shares[n]
                v = moved(v, shares[kept], vector(corners[kept]))
                kept += 1
        for n in range(kept, 4):
            shares[n] = 0.0
        count = kept
        if length(v) < 1e-9:
            inside = True
            break
    if not inside:
        put(found[0], 0, divided(v, length(v)))
        p, q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for n in range(count):
            p, q = moved(p, shares[n], vector(own[n])), moved(q, shares[n], vector(other[n]))
        put(found[1], 0, p)
        put(found[2], 0, q)
        return length(v) - radius
    # The shallowest way out.
    best, way = gap_along(bodies, a, b, frame_a, frame_b, guess), guess
    for n in range(SAMPLED if best < -SHALLOW * (bodies.sizes[a] + bodies.radii[a]) else 0):
        y = 1.0 - (2.0 * n + 1.0) / SAMPLED
        r = math.sqrt(1.0 - y * y)
        u = (r * math.cos(n * GOLDEN), y, r * math.sin(n * GOLDEN))
        gap = gap_along(bodies, a, b, frame_a, frame_b, u)
        if gap > best:
            best, way = gap, u
    for n in range(bodies.outs[b], bodies.outs[b + 1]):
        u = minus(placed(frame_b, vector(bodies.ways[n])), (frame_b[0, 3], frame_b[1, 3], frame_b[2, 3]))
        u = divided(u, length(u))
        gap = gap_along(bodies, a, b, frame_a, frame_b, u)
        if gap >= best:
            best, way = gap, u
    angle = SPACED
    for _ in range(HALVED):
        one, two = square_to(way)
        for n in range(6):
            turn = n * math.pi / 3.0
            u = moved(moved(way, angle * math.cos(turn), one), angle * math.sin(turn), two)
            u = divided(u, length(u))
            gap = gap_along(bodies, a, b, frame_a, frame_b, u)
            if gap > best:
                best, way = gap, u
        angle *= 0.5
    put(found[0], 0, way)
    put(found[1], 0, placed(frame_a, vector(bodies.points[furthest(bodies, a, frame_a, scaled(-1.0, way))])))
    put(found[2], 0, placed(frame_b, vector(bodies.points[furthest(bodies, b, frame_b, way)])))
    return best - radius


@inlined
def widest(frame: Floats) -> float:
    """How much a frame stretches what is in it; nought where it squeezes that to nothing."""
    most, least = 0.0, math.inf
    for c in range(3):
        size = math.sqrt(frame[0, c] ** 2 + frame[1, c] ** 2 + frame[2, c] ** 2)
        most, least = max(most, size), min(least, size)
    return most if least > 1e-9 else 0.0


@inlined
def square_to(way: Vector) -> tuple[Vector, Vector]:
    """Two ways square to one, and to each other."""
    side = (1.0, 0.0, 0.0) if abs(way[0]) < 0.7 else (0.0, 1.0, 0.0)
    one = cross(way, side)
    one = divided(one, length(one))
    return one, cross(way, one)


@kernel("void(Bodies, const(f8[:,:,:,::1]), const(i8[:,::1]), f8, f8[:,::1])")
def separations(bodies: Bodies, frames: Floats, pairs: Ints, reach: float, result: Floats) -> None:
    """result (P, T): how far the bodies of each pair (P, 2) are apart in frames (T, F, 3, 4), infinite beyond reach."""
    found, count = np.empty((3, 3)), len(bodies.frames)
    middles, sizes = np.empty((count, len(frames), 3)), np.empty((count, len(frames)))
    for b in range(count):
        for t in range(len(frames)):
            frame = frames[t, bodies.frames[b]]
            put(middles[b, t], 0, placed(frame, vector(bodies.centres[b])))
            stretch = widest(frame)
            # What is squeezed to nothing is not there.
            sizes[b, t] = (bodies.sizes[b] + bodies.radii[b]) * stretch if stretch > 0.0 else -math.inf
    for p in range(len(pairs)):
        a, b = pairs[p, 0], pairs[p, 1]
        guess = (0.0, 1.0, 0.0)
        for t in range(len(frames)):
            between = minus(vector(middles[a, t]), vector(middles[b, t]))
            within = sizes[a, t] + sizes[b, t] + reach
            result[p, t] = math.inf
            if within < 0.0 or dot(between, between) > within * within:
                continue
            frame_a, frame_b = frames[t, bodies.frames[a]], frames[t, bodies.frames[b]]
            result[p, t] = apart(bodies, a, b, frame_a, frame_b, guess, reach, found)
            if result[p, t] < math.inf:
                guess = vector(found[0])


@kernel("void(Bodies, const(f8[:,:,:,::1]), const(i8[:,::1]), const(i8[:,::1]), f8[:,::1], f8[:,:,:,::1])")
def touching(bodies: Bodies, frames: Floats, pairs: Ints, chosen: Ints, result: Floats, found: Floats) -> None:
    """Of chosen (K, 2), pair and time: gaps (K, SIDES) along the way from b to a, and that way and the places of both
    that are so far apart, (K, SIDES, 3, 3): the nearest first, then what would be if the bodies were tilted.
    """
    for k in range(len(chosen)):
        p, t = chosen[k]
        a, b = pairs[p, 0], pairs[p, 1]
        frame_a, frame_b = frames[t, bodies.frames[a]], frames[t, bodies.frames[b]]
        result[k, 0] = apart(bodies, a, b, frame_a, frame_b, (0.0, 1.0, 0.0), math.inf, found[k, 0])
        way = vector(found[k, 0, 0])
        radius = bodies.radii[a] * widest(frame_a) + bodies.radii[b] * widest(frame_b)
        one, two = square_to(way)
        for n in range(4):
            side, sign = one if n < 2 else two, 1.0 if n % 2 else -1.0
            tilted = moved(way, TILTED * sign, side)
            near = placed(frame_a, vector(bodies.points[furthest(bodies, a, frame_a, scaled(-1.0, tilted))]))
            far = placed(frame_b, vector(bodies.points[furthest(bodies, b, frame_b, tilted)]))
            put(found[k, 1 + n, 0], 0, way)
            put(found[k, 1 + n, 1], 0, near)
            put(found[k, 1 + n, 2], 0, far)
            result[k, 1 + n] = dot(way, minus(near, far)) - radius


@kernel(
    "void(Bodies, const(f8[:,:,:,::1]), const(i8[:,::1]), const(i8[:,::1]), const(f8[:,::1]), f8[:,::1], f8[:,:,:,::1])"
)
def gaps_along(
    bodies: Bodies, frames: Floats, pairs: Ints, chosen: Ints, ways: Floats, result: Floats, found: Floats
) -> None:
    """Of chosen (K, 2), pair and time: the gaps (K, W) along ways (W, 3), and the places of both bodies that are so far
    apart (K, W, 2, 3).
    """
    for k in range(len(chosen)):
        p, t = chosen[k]
        a, b = pairs[p, 0], pairs[p, 1]
        frame_a, frame_b = frames[t, bodies.frames[a]], frames[t, bodies.frames[b]]
        radius = bodies.radii[a] * widest(frame_a) + bodies.radii[b] * widest(frame_b)
        for n in range(result.shape[1]):
            way = vector(ways[n])
            near = placed(frame_a, vector(bodies.points[furthest(bodies, a, frame_a, scaled(-1.0, way))]))
            far = placed(frame_b, vector(bodies.points[furthest(bodies, b, frame_b, way)]))
            put(found[k, n, 0], 0, near)
            put(found[k, n, 1], 0, far)
            result[k, n] = dot(way, minus(near, far)) - radius
