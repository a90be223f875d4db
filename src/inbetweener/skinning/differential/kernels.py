"""Compiled differential blending: the tree of a pose, the plan of a mesh, and the blend itself."""

import math

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel
from inbetweener.skinning.dual_kernels import Dual, back, doubles, from_screw, move, moved, put, row, times

Entries = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]

SINGULAR = 1e-9
"""Columns shorter than this, or as nearly in one plane, have no orientation of their own."""


@inlined
def nearest_rotation(m: Floats, work: Floats) -> float:
    """m (3, 3) ← the rotation nearest to it once its columns have length one; answers how far it was, −1 for lost.

    Newton's iteration for the polar factor, m ← (m + m⁻ᵀ)/2; mirrored matrices are turned by their first column.
    """
    away = 0.0
    for c in range(3):
        length = math.sqrt(m[0, c] ** 2 + m[1, c] ** 2 + m[2, c] ** 2)
        if not length > SINGULAR:
            return -1.0
        away = max(away, abs(length - 1.0))
        for r in range(3):
            m[r, c] /= length
    for turns in range(30):
        for r in range(3):
            s, u = (r + 1) % 3, (r + 2) % 3
            for c in range(3):
                d, e = (c + 1) % 3, (c + 2) % 3
                work[r, c] = m[s, d] * m[u, e] - m[s, e] * m[u, d]
        size = m[0, 0] * work[0, 0] + m[1, 0] * work[1, 0] + m[2, 0] * work[2, 0]
        if abs(size) < SINGULAR:
            return -1.0
        if turns == 0 and size < 0.0:
            away = 2.0
            for r in range(3):
                m[r, 0] = -m[r, 0]
                work[r, 1], work[r, 2] = -work[r, 1], -work[r, 2]
            size = -size
        change = 0.0
        for r in range(3):
            for c in range(3):
                better = 0.5 * (m[r, c] + work[r, c] / size)
                change = max(change, abs(better - m[r, c]))
                m[r, c] = better
        away = max(away, change)
        if change < 1e-14:
            break
    return away


@inlined
def turn_of(m: Floats) -> tuple[float, float, float, float]:
    """The unit quaternion of a rotation matrix (3, 3), w ≥ 0."""
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(1.0 + trace)
        return 0.25 * s, (m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s
    i = 0
    if m[1, 1] > m[0, 0]:
        i = 1
    if m[2, 2] > m[i, i]:
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    s = 2.0 * math.sqrt(max(1.0 + m[i, i] - m[j, j] - m[k, k], 0.0))
    sign = -1.0 if m[k, j] < m[j, k] else 1.0
    w, own = sign * (m[k, j] - m[j, k]) / s, sign * 0.25 * s
    second, third = sign * (m[j, i] + m[i, j]) / s, sign * (m[k, i] + m[i, k]) / s
    if i == 0:
        return w, own, second, third
    if i == 1:
        return w, third, own, second
    return w, second, third, own


@kernel("f8(const(f8[:,:,::1]), const(f8[:,:,::1]), const(f8[:,::1]), f8[:,::1])")
def rigid_parts(world_from_joint: Floats, joint_from_mesh: Floats, starts: Floats, result: Floats) -> float:
    """result[j] = the rigid part of world · joint_from_mesh, each joint's own start going where its joint is.

    Answers how far any of them was from rigid; −1 when one has been flattened and has no orientation.
    """
    m, work, farthest = np.empty((3, 3)), np.empty((3, 3)), 0.0
    for j in range(len(result)):
        world = world_from_joint[j]
        for r in range(3):
            for c in range(3):
                m[r, c] = 0.0
                for k in range(3):
                    m[r, c] += world[r, k] * joint_from_mesh[j, k, c]
        away = nearest_rotation(m, work)
        if away < 0.0:
            return -1.0
        farthest = max(farthest, away)
        w, a, b, c_ = turn_of(m)
        x = world[0, 3] - (m[0, 0] * starts[j, 0] + m[0, 1] * starts[j, 1] + m[0, 2] * starts[j, 2])
        y = world[1, 3] - (m[1, 0] * starts[j, 0] + m[1, 1] * starts[j, 1] + m[1, 2] * starts[j, 2])
        z = world[2, 3] - (m[2, 0] * starts[j, 0] + m[2, 1] * starts[j, 1] + m[2, 2] * starts[j, 2])
        turn = (w, a, b, c_, 0.0, 0.0, 0.0, 0.0)
        put(result, j, times((1.0, 0.0, 0.0, 0.0, 0.0, 0.5 * x, 0.5 * y, 0.5 * z), turn))
    return farthest


@inlined
def about(axis: Floats, centre: Floats, angle: float) -> Dual:
    """The turn about an axis (3,) through a centre (3,)."""
    x, y, z = axis[0], axis[1], axis[2]
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    moment = centre[1] * z - centre[2] * y, centre[2] * x - centre[0] * z, centre[0] * y - centre[1] * x
    return c, s * x, s * y, s * z, 0.0, s * moment[0], s * moment[1], s * moment[2]


@kernel(
    "void(const(i8[::1]), const(i8[::1]), const(i8[::1]), const(i8[:,::1]), const(i8[:,::1]), const(f8[:,:,::1]),"
    " const(f8[:,::1]), const(f8[::1]), const(f8[:,::1]), f8[:,::1])"
)
def differentiate(
    parents: Ints,
    firsts: Ints,
    offsets: Ints,
    turns: Ints,
    orders: Ints,
    axes: Floats,
    starts: Floats,
    dofs: Floats,
    deformations: Floats,
    result: Floats,
) -> None:
    """Fill in every joint's offset and turns, for degrees of freedom (9J,) and deformations (J, 8) of one pose.

    The first node takes whatever the turns leave of q_parent* · q, so that the product over a path is exact in any
    pose, also one that turns or shifts a joint for which no step was foreseen.
    """
    for j in range(len(parents)):
        turned = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        n = firsts[j] + offsets[j]
        for place in range(3):
            count, axis = turns[j, place], orders[j, place]
            if count > 0:
                angle = dofs[9 * j + 3 + axis]
                step = about(axes[j, axis], starts[j], angle / count)
                for _ in range(count):
                    put(result, n, step)
                    n += 1
                turned = times(turned, about(axes[j, axis], starts[j], angle))
        left = times(row(deformations, j), back(turned))
        if parents[j] >= 0:
            left = times(back(row(deformations, parents[j])), left)
        if left[0] < 0.0:
            left = (-left[0], -left[1], -left[2], -left[3], -left[4], -left[5], -left[6], -left[7])
        first = firsts[j]
        put(result, first, left if offsets[j] else times(left, row(result, first)))


@kernel("void(const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def fill_bends(nodes: Ints, screws: Floats, result: Floats) -> None:
    """result[nodes[s]] = exp(screws[s])."""
    for s in range(len(nodes)):
        put(result, nodes[s], from_screw(screws[s]))


@kernel("void(const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def compose(parents: Ints, differentials: Floats, result: Floats) -> None:
    """result[n] = result[parent] · differentials[n]; parents come first."""
    for n in range(len(parents)):
        q = row(differentials, n)
        put(result, n, q if parents[n] < 0 else times(row(result, parents[n]), q))


@inlined
def stepped(step: Dual, w: float, d: Dual) -> Dual:
    """step + w·(Δ − I): one influence more in a step that began as the identity."""
    return (
        step[0] + w * (d[0] - 1.0), step[1] + w * d[1], step[2] + w * d[2], step[3] + w * d[3],
        step[4] + w * d[4], step[5] + w * d[5], step[6] + w * d[6], step[7] + w * d[7],
    )  # fmt: skip


@inlined
def blended(
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    weights: Singles,
    differentials: Floats,
    composed: Floats,
    v: int,
) -> Dual:
    """The blended transform of vertex v, not normalised: prefix · Π (I + Σ w(Δ − I)), [DB] Eq. 1.

    Its entries run from starts[v] to starts[v + 1]; a negative weight is the last of its step.
    """
    a = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if prefixes[v] >= 0:
        a = row(composed, prefixes[v])
    step = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for e in range(starts[v], starts[v + 1]):
        signed = np.float64(weights[e])
        step = stepped(step, abs(signed), row(differentials, nodes[e]))
        if signed < 0.0:
            a = times(a, step)
            step = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return a


_PLAN = "const(i8[::1]), const(i8[::1]), const(i4[::1]), const(f4[::1]), const(f8[:,::1]), const(f8[:,::1])"


@kernel(f"void({_PLAN}, f8[:,::1])")
def blend(
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    weights: Singles,
    differentials: Floats,
    composed: Floats,
    result: Floats,
) -> None:
    """result[v] = the blended transform (8,), not normalised."""
    for v in range(len(prefixes)):
        put(result, v, blended(prefixes, starts, nodes, weights, differentials, composed, v))


@kernel(f"void({_PLAN}, const(f4[:,::1]), const(f4[:,::1]), f4[:,::1], f4[:,::1])")
def pose(
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    weights: Singles,
    differentials: Floats,
    composed: Floats,
    vertices: Singles,
    normals: Singles,
    result: Singles,
    turned: Singles,
) -> None:
    """Vertices and normals (V, 3) blended and moved at once."""
    for v in range(len(prefixes)):
        q = blended(prefixes, starts, nodes, weights, differentials, composed, v)
        move(q, vertices[v], True, result[v])
        move(q, normals[v], False, turned[v])


@kernel(f"void({_PLAN}, const(f4[:,::1]), f4[:,::1])")
def pose_vertices(
    prefixes: Ints,
    starts: Ints,
    nodes: Entries,
    weights: Singles,
    differentials: Floats,
    composed: Floats,
    vertices: Singles,
    result: Singles,
) -> None:
    """The same for vertices alone: each is taken through its steps from the last to the first, then by its prefix.

    Moving a point costs half of multiplying two transforms.
    """
    for v in range(len(prefixes)):
        x, y, z = doubles(vertices[v])
        e = starts[v + 1] - 1
        while e >= starts[v]:
            # From the last entry of a step back to its first, before which another step ends.
            unmoved = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            step = stepped(unmoved, -np.float64(weights[e]), row(differentials, nodes[e]))
            e -= 1
            while e >= starts[v] and weights[e] > 0.0:
                step = stepped(step, np.float64(weights[e]), row(differentials, nodes[e]))
                e -= 1
            x, y, z = moved(step, x, y, z)
        if prefixes[v] >= 0:
            x, y, z = moved(row(composed, prefixes[v]), x, y, z)
        result[v, 0], result[v, 1], result[v, 2] = x, y, z
