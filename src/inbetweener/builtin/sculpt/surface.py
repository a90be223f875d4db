"""From a field to a closed mesh: polygonise, part what only touches, pull onto the surface, even out."""

from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.builtin.sculpt import kernels
from inbetweener.builtin.sculpt.field import Field
from inbetweener.errors import InvalidRig
from inbetweener.rig import Rig

if TYPE_CHECKING:
    from scipy import sparse

LARGEST_GRID = 80_000_000
"""Points of the finest grid; more would need a gigabyte."""


def polygonised(field: Field, block: float) -> tuple[Floats, Ints]:
    """Vertices (V, 3) on the surface and triangles (F, 3), closed; `block` is the coarsest cell."""
    finest = int(field.body.spans[:, 3].max())
    cell = block / finest
    low, high = field.bounds()
    origin = low - 2.5 * block
    blocks = np.ceil((high - low) / block).astype(int) + 5
    if np.prod(blocks * finest + 1) > LARGEST_GRID:
        raise InvalidRig(f"the sculpt needs {np.prod(blocks * finest + 1):,} grid points; use larger cells")
    leaf, offsets = np.empty(blocks, np.int64), np.empty(blocks, np.int64)
    kernels.mark_blocks(field.body, origin, block, finest, leaf, offsets)
    grid = np.full(blocks * finest + 1, np.nan, np.float32)
    kernels.fill_grid(field.body, origin, cell, finest, leaf, grid)
    leaves = int(offsets[-1, -1, -1]) + 1
    sums, sizes, faces = np.zeros((leaves, 4)), np.zeros((leaves, 1)), np.empty((3 * leaves, 4), np.int64)
    count = kernels.find_faces(leaf, offsets, grid, finest, origin, cell, sums, sizes, faces)
    used, numbers = np.unique(faces[:count], return_inverse=True)
    numbers = numbers.reshape(-1, 4) - int(used[0] == -1)
    used = used[used >= 0]
    points = sums[used, :3] / sums[used, 3:]
    points, sizes, triangles = _without_double_edges(*_parted(points, sizes[used], _split(points, numbers)))
    return _evened(field, points, triangles, sizes), triangles


def neighbour_means(count: int, triangles: Ints) -> "sparse.csr_array":
    """(V, V): the mean over each vertex's neighbours along edges."""
    # Slow to import, and a character that was sculpted before comes from the cache.
    from scipy import sparse

    a = np.concatenate([triangles, np.roll(triangles, 1, axis=1)]).ravel()
    b = np.concatenate([np.roll(triangles, 1, axis=1), triangles]).ravel()
    links = sparse.csr_array((np.ones(len(a)), (a, b)), shape=(count, count))
    links.data[:] = 1.0
    return sparse.csr_array(sparse.diags_array(1.0 / links.sum(axis=1)) @ links)


def _split(points: Floats, faces: Ints) -> Ints:
    """Triangles of faces (m, 4): quads along their shorter diagonal, triangles as they are."""
    quads, triangles = faces[faces[:, 3] >= 0], faces[faces[:, 3] < 0, :3]
    a, b, c, d = (points[quads[:, n]] for n in range(4))
    short = np.linalg.norm(a - c, axis=1) <= np.linalg.norm(b - d, axis=1)
    one, other = quads[short], quads[~short]
    return np.concatenate([triangles, one[:, [0, 1, 2]], one[:, [0, 2, 3]], other[:, [0, 1, 3]], other[:, [1, 2, 3]]])


def _parted(points: Floats, sizes: Floats, triangles: Ints) -> tuple[Floats, Floats, Ints]:
    """The same triangles where every edge has exactly two: sheets that share a vertex or an edge get their own.

    Triangles are paired across edges; corners that pairs hold together become one vertex.
    """
    from scipy import sparse
    from scipy.sparse import csgraph

    tails, heads = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    order = np.lexsort((tails > heads, high, low))
    starts = np.flatnonzero(np.concatenate([[True], np.diff(low[order] * len(points) + high[order]) != 0]))
    counts = np.diff(np.append(starts, len(order)))
    first = order[starts[counts == 2]]
    second = order[starts[counts == 2] + 1]
    for start, count in zip(starts[counts != 2], counts[counts != 2], strict=True):
        one, two = _pairs_around(points, triangles, order[start : start + count], tails, heads)
        first, second = np.append(first, one), np.append(second, two)
    # Half-edge n starts at corner n and ends at the next corner of its triangle; its partner runs the other way.
    after = np.arange(len(tails)).reshape(-1, 3)[:, [1, 2, 0]].ravel()
    a, b = np.concatenate([first, after[first]]), np.concatenate([after[second], second])
    graph = sparse.coo_array((np.ones(len(a)), (a, b)), shape=(len(tails), len(tails)))
    count, corners = csgraph.connected_components(graph, directed=False)
    source = np.empty(count, np.int64)
    source[corners] = tails
    return points[source], sizes[source], corners.reshape(-1, 3).astype(np.int64)


def _without_double_edges(points: Floats, sizes: Floats, triangles: Ints) -> tuple[Floats, Floats, Ints]:
    """The same surface where no two edges join the same two vertices: one of them gets a vertex in its middle.

    Happens where two sheets touch along an edge and are the same sheet farther away; rare, so one at a time.
    """
    while True:
        tails, heads = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
        keys, counts = np.unique(tails * len(points) + heads, return_counts=True)
        if counts.max() == 1:
            return points, sizes, triangles
        a, b = divmod(int(keys[np.argmax(counts > 1)]), len(points))
        around = np.flatnonzero(((tails == a) & (heads == b)) | ((tails == b) & (heads == a)))
        first, second = _pairs_around(points, triangles, around, tails, heads)
        middle = len(points)
        points = np.concatenate([points, (points[a] + points[b])[None] / 2])
        sizes = np.concatenate([sizes, sizes[a][None]])
        halves = []
        for edge in (first[0], second[0]):
            p, q, r = np.roll(triangles[edge // 3], -(edge % 3))
            halves += [(p, middle, r), (middle, q, r)]
        torn = np.array([first[0] // 3, second[0] // 3])
        triangles = np.concatenate([np.delete(triangles, torn, axis=0), np.array(halves, np.int64)])


def _pairs_around(points: Floats, triangles: Ints, edges: Ints, tails: Ints, heads: Ints) -> tuple[Ints, Ints]:
    """Pair the half-edges of an edge with more than two triangles: each forward one with the next around the edge.

    Turning counter-clockwise from a forward triangle leads through what lies outside of it, so every wedge of the
    body keeps its two sides together.
    """
    a, b = min(tails[edges[0]], heads[edges[0]]), max(tails[edges[0]], heads[edges[0]])
    axis = points[b] - points[a]
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    helper = np.eye(3)[np.argmin(np.abs(axis))]
    x = np.cross(axis, helper)
    x /= np.linalg.norm(x)
    y = np.cross(axis, x)
    apex = points[np.roll(triangles, 1, axis=1).ravel()[edges]] - points[a]
    angles = np.arctan2(apex @ y, apex @ x)
    forward = [n for n in range(len(edges)) if tails[edges[n]] == a]
    backward = [n for n in range(len(edges)) if tails[edges[n]] != a]
    first, second = [], []
    for n in forward:
        turns = [(angles[m] - angles[n]) % (2 * np.pi) for m in backward]
        chosen = backward.pop(int(np.argmax(turns)))
        first.append(edges[n])
        second.append(edges[chosen])
    return np.array(first, np.int64), np.array(second, np.int64)


def _evened(field: Field, points: Floats, triangles: Ints, sizes: Floats) -> Floats:
    """Vertices slid along the surface towards the middle of their neighbours, a few times."""
    means = neighbour_means(len(points), triangles)
    reach = np.ascontiguousarray(0.5 * sizes)
    points, normals = field.pulled(points, reach, 3)
    for _ in range(4):
        slide = means @ points - points
        slide -= (slide * normals).sum(axis=1, keepdims=True) * normals
        points, normals = field.pulled(points + 0.6 * slide, reach, 1)
    return points


INFLUENCES = 4
"""Most joints a vertex follows."""


def smooth_weights(rig: Rig, owners: Ints, triangles: Ints, softness: int) -> Floats:
    """Weights (V, J) from the joint (V,) that owns each vertex.

    Spreading happens along edges only, so that neither legs nor fingers pull at each other through the air; and never
    from one branch of the skeleton into another, so that they do not do so through the crotch either.
    """
    spread = neighbour_means(len(owners), triangles)
    weights = np.zeros((len(owners), len(rig.joints)))
    weights[np.arange(len(owners)), owners] = 1.0
    for step in range(softness):
        weights = 0.5 * (weights + spread @ weights)
        if step == softness - 3:
            weights *= _related(rig)[owners]
    return weights / weights.sum(axis=1, keepdims=True)


def strongest(weights: Floats) -> tuple[Ints, Floats]:
    """Joints and weights (V, 4) of the greatest of weights (V, J), each row summing to 1."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    kept = np.take_along_axis(weights, order, axis=1)
    kept[kept < 0.01 * kept[:, :1]] = 0.0
    return order, kept / kept.sum(axis=1, keepdims=True)


def _related(rig: Rig) -> Bools:
    """(J, J): whether one joint is the other, or hangs below it."""
    related = np.eye(len(rig.joints), dtype=np.bool_)
    for j, joint in enumerate(rig.joints):
        if joint.parent >= 0:
            related[j] |= related[joint.parent]
    return related | related.T
