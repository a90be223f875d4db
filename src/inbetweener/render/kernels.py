"""Compiled drawing: triangles into a depth buffer, light on what is seen, the floor, and the shadow's mask.

Depth is kept as its inverse, which is linear across a triangle on the screen: larger is nearer, zero is infinitely far.
"""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Bytes, Floats
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.vector_kernels import Vector, divided, dot, length, minus, placed, plus, scaled, vector
from inbetweener.skinning.mesh import Indices, Singles

DULL_METAL = 0.45
"""How much less of what falls on metal comes back from everywhere."""


@record("const(f4[:,::1]), const(f4[:,::1]), const(f4[:,::1]), const(i4[:,::1])")
class Surface(NamedTuple):
    """A batch of triangles: vertices and normals (V, 3), paint (V, 12), triangles (F, 3)."""

    vertices: Singles
    normals: Singles
    paint: Singles
    triangles: Indices


@record("const(f8[:,::1]), f4[:,::1], i4[:,::1]")
class Seen(NamedTuple):
    """Where the vertices (V, 3) of a batch are: column, row, depth; how near the nearest triangle is at every sample
    (H, W), and which one that is, or −1."""

    screen: Floats
    nearness: Singles
    numbers: Indices


@record("const(f8[::1]), const(f8[:,::1]), const(f8[:,::1]), const(f4[:,:,::1])")
class Lighting(NamedTuple):
    """eye (3,); lamps (5, 6); map_from_world (3, 4) and moments (N, N, 2) of what the key light sees."""

    eye: Floats
    lamps: Floats
    map_from_world: Floats
    moments: Singles


@record("const(f8[::1]), const(f8[:,::1]), f8")
class View(NamedTuple):
    """From where a picture is taken: eye (3,), axes (3, 3) in rows, focal length in pixels."""

    eye: Floats
    axes: Floats
    focal: float


@kernel("void(Seen, const(i4[:,::1]), f8)")
def rasterise(seen: Seen, triangles: Indices, near: float) -> None:
    """Draw triangles, by how near they are and by number; the nearest wins.

    A sample lies in the middle of its cell. Triangles that reach nearer than `near` are left out.
    """
    screen, nearness, numbers = seen
    height, width = nearness.shape
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if screen[a, 2] < near or screen[b, 2] < near or screen[c, 2] < near:
            continue
        ax, ay, bx, by, cx, cy = screen[a, 0], screen[a, 1], screen[b, 0], screen[b, 1], screen[c, 0], screen[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0.0:
            continue
        left = max(0, math.ceil(min(ax, bx, cx) - 0.5))
        right = min(width - 1, math.floor(max(ax, bx, cx) - 0.5))
        top = max(0, math.ceil(min(ay, by, cy) - 0.5))
        bottom = min(height - 1, math.floor(max(ay, by, cy) - 0.5))
        na, nb, nc = 1.0 / screen[a, 2], 1.0 / screen[b, 2], 1.0 / screen[c, 2]
        for row in range(top, bottom + 1):
            y = row + 0.5
            for column in range(left, right + 1):
                x = column + 0.5
                u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                w = 1.0 - u - v
                if u < 0.0 or v < 0.0 or w < 0.0:
                    continue
                n = np.float32(u * na + v * nb + w * nc)
                if n > nearness[row, column]:
                    nearness[row, column] = n
                    numbers[row, column] = t


@inlined
def encode(light: float) -> float:
    """Linear light to a display value in 0 … 1: a soft shoulder first, then sRGB."""
    x = max(light, 0.0)
    x = min(x * (1.0 + x / 6.25) / (1.0 + x), 1.0) * 1.12
    x = min(x, 1.0)
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1.0 / 2.4) - 0.055


@inlined
def plain(light: float) -> float:
    """Linear light to sRGB as it is."""
    x = min(max(light, 0.0), 1.0)
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1.0 / 2.4) - 0.055


@inlined
def wrapped(n: Vector, lamps: Floats, lamp: int) -> float:
    """Light that reaches around: (½ + ½ n·l)²."""
    half = 0.5 + 0.5 * dot(n, vector(lamps[lamp]))
    return half * half


@inlined
def passing(place: Vector, map_from_world: Floats, moments: Singles) -> float:
    """How much of the key light reaches a place: Chebyshev's bound on what the light sees there, never quite dark."""
    size = moments.shape[0]
    at = placed(map_from_world, place)
    x, y = at[0] * size - 0.5, at[1] * size - 0.5
    i, j = math.floor(x), math.floor(y)
    if i < 0 or j < 0 or i >= size - 1 or j >= size - 1:
        return 1.0
    x, y = x - i, y - j
    mean, square = 0.0, 0.0
    for a in range(2):
        for b in range(2):
            weight = (y if a == 1 else 1.0 - y) * (x if b == 1 else 1.0 - x)
            mean += weight * moments[j + a, i + b, 0]
            square += weight * moments[j + a, i + b, 1]
    beyond = at[2] - 0.012 - mean
    if beyond <= 0.0:
        return 1.0
    variance = max(square - mean * mean, 2e-5)
    share = variance / (variance + beyond * beyond)
    # The bound lets too much light bleed through: cut its foot off. Towards the border of the map the shadow fades.
    inside = min(8.0 * min(min(at[0], 1.0 - at[0]), min(at[1], 1.0 - at[1])), 1.0)
    return 1.0 - 0.7 * inside * (1.0 - max(share - 0.25, 0.0) / 0.75)


@inlined
def shared_one(rows: Singles, corners: tuple[int, int, int], shares: Vector, column: int) -> float:
    """One number of what the corners of a triangle have, in these shares."""
    i, j, k = corners
    u, v, w = shares
    return u * rows[i, column] + v * rows[j, column] + w * rows[k, column]


@inlined
def shared(rows: Singles, corners: tuple[int, int, int], shares: Vector, first: int) -> Vector:
    """Three of them."""
    return (
        shared_one(rows, corners, shares, first),
        shared_one(rows, corners, shares, first + 1),
        shared_one(rows, corners, shares, first + 2),
    )


@kernel("void(Seen, Surface, Lighting, const(f4[:,::1]), i8, f8, f4[:,:,::1])")
def light(
    seen: Seen, surface: Surface, lighting: Lighting, behind: Singles, mode: int, faint: float, picture: Singles
) -> None:
    """Shade every sample that shows a triangle and blend it over `picture` (H, W, 3), in display values.

    mode 0 is solid and lies in the shadow that the light's map tells of, 1 is glass (denser towards its edges), 2 is
    drawn through everything: where something nearer is in `behind`, only `faint` of it shows.
    """
    screen, paint, lamps = seen.screen, surface.paint, lighting.lamps
    height, width = seen.numbers.shape
    for row in range(height):
        for column in range(width):
            t = seen.numbers[row, column]
            if t < 0:
                continue
            i, j, k = surface.triangles[t, 0], surface.triangles[t, 1], surface.triangles[t, 2]
            ax, ay, bx, by = screen[i, 0], screen[i, 1], screen[j, 0], screen[j, 1]
            cx, cy = screen[k, 0], screen[k, 1]
            x, y = column + 0.5, row + 0.5
            area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            # Perspective: weights over depth, made to sum to one again.
            u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area / screen[i, 2]
            v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area / screen[j, 2]
            w = ((ax - x) * (by - y) - (ay - y) * (bx - x)) / area / screen[k, 2]
            total = u + v + w
            u, v, w = u / total, v / total, w / total
            corners, shares = (i, j, k), (u, v, w)
            n, place = shared(surface.normals, corners, shares, 0), shared(surface.vertices, corners, shares, 0)
            colour = shared(paint, corners, shares, 0)
            alpha, glow = shared_one(paint, corners, shares, 3), shared_one(paint, corners, shares, 4)
            sharp, shine = shared_one(paint, corners, shares, 5), shared_one(paint, corners, shares, 6)
            shade, metal = shared_one(paint, corners, shares, 7), shared_one(paint, corners, shares, 8)
            emission = shared(paint, corners, shares, 9)
            # Rows run down the picture, so a face seen from its front has negative area here.
            size = max(length(n), 1e-12)
            n = divided(n, -size if area > 0.0 else size)
            sight = minus(vector(lighting.eye), place)
            sight = divided(sight, length(sight))
            grazing = 1.0 - min(max(dot(n, sight), 0.0), 1.0)
            reached = passing(place, lighting.map_from_world, lighting.moments) if mode == 0 else 1.0
            key, fill = reached * wrapped(n, lamps, 0), wrapped(n, lamps, 1)
            edge = grazing * grazing * grazing * wrapped(n, lamps, 2)
            up = 0.5 + 0.5 * n[1]
            middle = plus(sight, vector(lamps[0]))
            gloss = reached * shine * max(dot(n, middle) / max(length(middle), 1e-12), 1e-4) ** sharp
            if mode == 1:
                alpha *= 0.3 + 0.7 * grazing
            elif mode == 2 and behind[row, column] > seen.nearness[row, column]:
                alpha *= faint
            for a in range(3):
                diffuse = key * lamps[0, 3 + a] + fill * lamps[1, 3 + a]
                diffuse += up * lamps[3, 3 + a] + (1.0 - up) * lamps[4, 3 + a]
                # What metal mirrors has its own colour.
                bare = colour[a] * (1.0 - DULL_METAL * metal)
                sheen = gloss * (1.0 + metal * (colour[a] - 1.0)) * lamps[0, 3 + a]
                lit = encode(bare * shade * diffuse + edge * lamps[2, 3 + a] * 0.5 + sheen + emission[a])
                shown = lit + glow * (plain(colour[a]) - lit) if glow > 0.0 else lit
                picture[row, column, a] += np.float32(alpha * (shown - picture[row, column, a]))


@inlined
def lines(x: float, spread: float, share: float) -> float:
    """How much of x ± spread/2 lies on lines at whole numbers, each `share` wide: exact, so no moiré far away."""
    a, b = x - 0.5 * spread + 0.5 * share, x + 0.5 * spread + 0.5 * share
    below = share * math.floor(a) + min(a - math.floor(a), share)
    above = share * math.floor(b) + min(b - math.floor(b), share)
    return (above - below) / spread


@inlined
def sampled(shadow: Singles, u: float, v: float) -> float:
    """Bilinear look-up in a square of texels whose first centre lies at half a texel; zero outside."""
    size = shadow.shape[0]
    x, y = u * size - 0.5, v * size - 0.5
    i, j = math.floor(x), math.floor(y)
    if i < 0 or j < 0 or i >= size - 1 or j >= size - 1:
        return 0.0
    x, y = x - i, y - j
    low = shadow[j, i] * (1 - x) + shadow[j, i + 1] * x
    return low * (1 - y) + (shadow[j + 1, i] * (1 - x) + shadow[j + 1, i + 1] * x) * y


@inlined
def sight_through(axes: Floats, x: float, y: float) -> Vector:
    """Where a place of the picture lies, one metre deep, along the world's axes."""
    right, up, back = vector(axes[0]), vector(axes[1]), vector(axes[2])
    return minus(plus(scaled(x, right), scaled(y, up)), back)


@kernel("void(View, const(f8[:,::1]), b1, const(f8[::1]), f4[:,:,::1])")
def backdrop(view: View, colours: Floats, ground: bool, floor: Floats, picture: Singles) -> None:
    """The background and the floor with its grid (H, W, 4): display values, and the floor's inverse depth or zero.

    colours: top, bottom, floor and line in display values. floor: height, centre x and z, fade radius, grid step.
    """
    eye, axes, focal = view
    height, width, _ = picture.shape
    for row in range(height):
        for column in range(width):
            x, y = (column + 0.5 - 0.5 * width) / focal, (0.5 * height - row - 0.5) / focal
            down = (row + 0.5) / height
            across = (column + 0.5) / width - 0.5
            # A soft pool of light behind the character, darker corners.
            pool = math.exp(-3.0 * (across * across + (down - 0.55) * (down - 0.55)))
            # An ordered pattern of less than one level, or the soft gradient would show bands.
            mixed = (column ^ row) & 3
            rank = ((mixed & 1) << 3) | ((row & 1) << 2) | (mixed & 2) | ((row & 2) >> 1)
            dither = ((rank + 0.5) / 16.0 - 0.5) / 255.0
            dx, dy, dz = sight_through(axes, x, y)
            nearness, fade, fine = 0.0, 0.0, 0.0
            if ground and dy < -1e-6 and eye[1] > floor[0]:
                depth = (floor[0] - eye[1]) / dy
                nearness = 1.0 / depth
                px, pz = eye[0] + depth * dx, eye[2] + depth * dz
                ex, ez = px - floor[1], pz - floor[2]
                fade = math.exp(-(ex * ex + ez * ez) / (floor[3] * floor[3]))
                # How much floor one pixel covers along x and z: longer along the line of sight.
                level = max(math.sqrt(dx * dx + dz * dz), 1e-9)
                hx, hz = abs(dx) / level, abs(dz) / level
                wide = depth / focal
                deep = wide * math.sqrt(dx * dx + dy * dy + dz * dz) / -dy
                spread_x = max((wide * hz + deep * hx) / floor[4], 1e-6)
                spread_z = max((wide * hx + deep * hz) / floor[4], 1e-6)
                share = max(0.012, 1.2 * wide / floor[4])
                fine = max(lines(px / floor[4], spread_x, share), lines(pz / floor[4], spread_z, share))
                fine *= 0.55 * fade * max(0.0, 1.0 - 2.5 * share)
            for a in range(3):
                value = (colours[0, a] + (colours[1, a] - colours[0, a]) * down) * (0.72 + 0.42 * pool)
                value += fade * (colours[2, a] - value)
                value += fine * (colours[3, a] - value)
                picture[row, column, a] = np.float32(value + dither)
            picture[row, column, 3] = np.float32(nearness)


@kernel("void(const(f4[:,:,::1]), View, const(f8[::1]), const(f8[::1]), const(f4[:,::1]), f4[:,:,::1], f4[:,::1])")
def shadow_floor(
    back: Singles,
    view: View,
    tint: Floats,
    square: Floats,
    shadow: Singles,
    samples: Singles,
    nearness: Singles,
) -> None:
    """Lay the shadow on a backdrop and copy each pixel to all of its samples.

    square: corner x and z of the shadow's texels and their width in metres.
    """
    eye, axes, focal = view
    height, width, _ = back.shape
    factor = samples.shape[0] // height
    for row in range(height):
        for column in range(width):
            dark = 0.0
            near = back[row, column, 3]
            if near > 0.0:
                x, y = (column + 0.5 - 0.5 * width) / focal, (0.5 * height - row - 0.5) / focal
                dx, _, dz = sight_through(axes, x, y)
                px, pz = eye[0] + dx / near, eye[2] + dz / near
                dark = sampled(shadow, (px - square[0]) / square[2], (pz - square[1]) / square[2])
            for a in range(3):
                value = back[row, column, a]
                value = np.float32(value + dark * (tint[a] - value))
                for i in range(factor * row, factor * row + factor):
                    for j in range(factor * column, factor * column + factor):
                        samples[i, j, a] = value
            for i in range(factor * row, factor * row + factor):
                for j in range(factor * column, factor * column + factor):
                    nearness[i, j] = near


@kernel("void(const(f8[:,::1]), const(i4[:,::1]), f4[:,::1])")
def lowest(places: Floats, triangles: Indices, heights: Singles) -> None:
    """Draw triangles of (column, row, height) into `heights`, where the lowest wins."""
    rows, columns = heights.shape
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ax, ay, bx, by, cx, cy = places[a, 0], places[a, 1], places[b, 0], places[b, 1], places[c, 0], places[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0.0:
            continue
        for row in range(max(0, math.ceil(min(ay, by, cy) - 0.5)), min(rows - 1, int(max(ay, by, cy) - 0.5)) + 1):
            for column in range(
                max(0, math.ceil(min(ax, bx, cx) - 0.5)), min(columns - 1, int(max(ax, bx, cx) - 0.5)) + 1
            ):
                x, y = column + 0.5, row + 0.5
                u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
                v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    h = np.float32(u * places[a, 2] + v * places[b, 2] + (1.0 - u - v) * places[c, 2])
                    heights[row, column] = min(heights[row, column], h)


@kernel("void(const(f4[:,:,::1]), i8, u1[:,:,::1])")
def resolve(samples: Singles, factor: int, picture: Bytes) -> None:
    """Average factor × factor samples into each pixel, in bytes."""
    height, width, _ = picture.shape
    for row in range(height):
        for column in range(width):
            for a in range(3):
                total = 0.0
                for i in range(factor):
                    for j in range(factor):
                        total += samples[row * factor + i, column * factor + j, a]
                value = 255.0 * total / (factor * factor)
                picture[row, column, a] = int(min(max(value, 0.0), 255.0) + 0.5)
