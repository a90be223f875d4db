"""Crisp colours on a mesh: cut it along the lines where the colour changes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints

Function = Callable[[Floats], Floats]
"""A number for every point: (n, 3) to (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """Points (V, 3), whatever else belongs to each of them (V, K), and triangles (F, 3)."""

    points: Floats
    extra: Floats
    triangles: Ints


def with_border(skin: Skin, function: Function, width: float) -> Skin:
    """The mesh cut along function = 0 and again `width` beside it, on the negative side.

    A colour that ends on the first line and another that starts on the second look like a sharp edge.
    """
    values = function(skin.points)
    skin, values = _snapped(skin, function, values)
    skin, values = _cut(skin, function, values, 0.1 * width)
    return _cut(skin, lambda points: function(points) + width, values + width, 0.1 * width)[0]


def _edges(triangles: Ints) -> Ints:
    """All edges (E, 2), each once, the smaller vertex first."""
    both = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    count = int(both.max()) + 1
    keys = np.unique(both.min(axis=1) * count + both.max(axis=1))
    return np.stack([keys // count, keys % count], axis=1)


def _crossing(skin: Skin, function: Function, a: Ints, b: Ints) -> tuple[Floats, Floats]:
    """Where edges from a to b cross zero: fractions (n,) and points (n, 3), by a few steps of the secant method."""
    start, end = skin.points[a], skin.points[b]
    low, high = np.zeros(len(a)), np.ones(len(a))
    at_low, at_high = function(start), function(end)
    fraction = at_low / (at_low - at_high)
    for _ in range(4):
        value = function(start + fraction[:, None] * (end - start))
        below = (value < 0) == (at_low < 0)
        low, at_low = np.where(below, fraction, low), np.where(below, value, at_low)
        high, at_high = np.where(below, high, fraction), np.where(below, at_high, value)
        fraction = low + (high - low) * np.clip(at_low / (at_low - at_high + 1e-300), 0.05, 0.95)
    return fraction, start + fraction[:, None] * (end - start)


def _snapped(skin: Skin, function: Function, values: Floats) -> tuple[Skin, Floats]:
    """Vertices next to the line moved onto it along an edge, so that the cut leaves no slivers."""
    edges = _edges(skin.triangles)
    edges = edges[(values[edges] > 0).any(axis=1) & (values[edges] < 0).any(axis=1)]
    if len(edges) == 0:
        return skin, values
    a, b = edges[:, 0], edges[:, 1]
    fraction, places = _crossing(skin, function, a, b)
    vertices = np.concatenate([a, b])
    ways = np.concatenate([fraction, 1 - fraction])
    # The nearest crossing of each vertex comes first among its rows.
    order = np.lexsort((ways, vertices))
    order = order[np.unique(vertices[order], return_index=True)[1]]
    order = order[ways[order] < 0.35]
    points, values = skin.points.copy(), values.copy()
    points[vertices[order]] = np.concatenate([places, places])[order]
    values[vertices[order]] = 0.0
    return Skin(points, skin.extra, skin.triangles), values


def _cut(skin: Skin, function: Function, values: Floats, tolerance: float) -> tuple[Skin, Floats]:
    """Triangles that cross the line split along it; vertices within the tolerance count as lying on it.

    `values` are the function's at the vertices, before and after.
    """
    sign = np.where(np.abs(values) <= tolerance, 0, np.sign(values)).astype(np.int64)
    edges = _edges(skin.triangles)
    edges = edges[sign[edges[:, 0]] * sign[edges[:, 1]] < 0]
    if len(edges) == 0:
        return skin, values
    fraction, places = _crossing(skin, function, edges[:, 0], edges[:, 1])
    share = fraction[:, None]
    points = np.concatenate([skin.points, places])
    extra = np.concatenate([skin.extra, (1 - share) * skin.extra[edges[:, 0]] + share * skin.extra[edges[:, 1]]])
    keys = edges[:, 0] * len(points) + edges[:, 1]

    def middle(a: Ints, b: Ints) -> Ints:
        found = np.searchsorted(keys, np.minimum(a, b) * len(points) + np.maximum(a, b))
        return len(skin.points) + found

    signs = sign[skin.triangles]
    crossed = (signs > 0).any(axis=1) & (signs < 0).any(axis=1)
    kept, torn, signs = skin.triangles[~crossed], skin.triangles[crossed], signs[crossed]
    # Turn every torn triangle so that the corner unlike the others comes first: on the line, or alone on its side.
    through = (signs == 0).any(axis=1)
    alone = np.where(
        through, np.argmax(signs == 0, axis=1), np.argmax(signs == -np.sign(signs.sum(1))[:, None], axis=1)
    )
    turned = np.take_along_axis(torn, (alone[:, None] + np.arange(3)) % 3, axis=1)
    p, q, r = turned[through].T
    m = middle(q, r)
    halves = [np.stack([p, q, m], axis=1), np.stack([p, m, r], axis=1)]
    p, q, r = turned[~through].T
    m, n = middle(p, q), middle(r, p)
    thirds = [np.stack([p, m, n], axis=1), np.stack([m, q, r], axis=1), np.stack([m, r, n], axis=1)]
    values = np.concatenate([values, np.zeros(len(places))])
    return Skin(points, extra, np.concatenate([kept, *halves, *thirds])), values
