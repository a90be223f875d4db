"""Compiled differential blending: the tree of a pose, the plan of a mesh, and the blend itself."""

import math
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.kernels import inlined, kernel, record
from inbetweener.maths.quaternion_kernels import (
    UNMOVED,
    Dual,
    chained,
    dual,
    from_screw,
    hamilton,
    mixed,
    move,
    put_dual,
    quaternion_of,
    undone,
)
from inbetweener.maths.vector_kernels import (
    Matrix,
    Vector,
    carried,
    cofactors,
    cross,
    divided,
    dot,
    length,
    minus,
    plus,
    product,
    scaled,
    square,
    transposed,
    vector,
)
from inbetweener.skinning.kernels import doubles, put_moved
from inbetweener.skinning.mesh import Indices, Singles

SINGULAR = 1e-9
"""Columns shorter than this, or as nearly in one plane, have no orientation of their own."""


@inlined
def nearest_rotation(m: Matrix) -> tuple[Matrix, float]:
    """The rotation nearest to m once its columns have length one; and how far it was, −1 for lost.

    Newton's iteration for the polar factor, m ← (m + m⁻ᵀ)/2; mirrored matrices are turned by their first column.
    """
    x, y, z = transposed(m)
    a, b, c = length(x), length(y), length(z)
    if not min(a, b, c) > SINGULAR:
        return m, -1.0
    away = max(abs(a - 1.0), abs(b - 1.0), abs(c - 1.0))
    # Columns stand in rows until the end: the cofactors of a transpose are those transposed.
    x, y, z = divided(x, a), divided(y, b), divided(z, c)
    if dot(x, cross(y, z)) < 0.0:
        away, x = 2.0, scaled(-1.0, x)
    for _ in range(30):
        others = cofactors((x, y, z))
        size = dot(x, others[0])
        if abs(size) < SINGULAR:
            return m, -1.0
        p, q, r = newer(x, others[0], size), newer(y, others[1], size), newer(z, others[2], size)
        change = max(apart(x, p), apart(y, q), apart(z, r))
        x, y, z = p, q, r
        away = max(away, change)
        if change < 1e-14:
            break
    return transposed((x, y, z)), away


@inlined
def newer(a: Vector, b: Vector, size: float) -> Vector:
    """(a + b / size) / 2."""
    return scaled(0.5, plus(a, divided(b, size)))


@inlined
def apart(a: Vector, b: Vector) -> float:
    """The largest difference between numbers of a and b."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2]))


@kernel("f8(const(f8[:,:,::1]), const(f8[:,:,::1]), const(f8[:,::1]), f8[:,::1])")
def rigid_parts(world_from_joint: Floats, joint_from_mesh: Floats, starts: Floats, result: Floats) -> float:
    """result[j] = the rigid part of world · joint_from_mesh, each joint's own start going where its joint is.

    Answers how far any of them was from rigid; −1 when one has been flattened and has no orientation.
    """
    farthest = 0.0
    for j in range(len(result)):
        world = world_from_joint[j]
        m, away = nearest_rotation(product(square(world), square(joint_from_mesh[j])))
        if away < 0.0:
            return -1.0
        farthest = max(farthest, away)
        x, y, z = minus((world[0, 3], world[1, 3], world[2, 3]), carried(m, vector(starts[j])))
        turn = quaternion_of(m)
        put_dual(result[j], (turn, hamilton((0.0, 0.5 * x, 0.5 * y, 0.5 * z), turn)))
    return farthest


@inlined
def about(axis: Floats, centre: Floats, angle: float) -> Dual:
    """The turn about an axis (3,) through a centre (3,)."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    turn, moment = scaled(s, vector(axis)), scaled(s, cross(vector(centre), vector(axis)))
    return (c, turn[0], turn[1], turn[2]), (0.0, moment[0], moment[1], moment[2])


@record(
    "const(i8[::1]), const(i8[::1]), const(i8[::1]), const(i8[:,::1]), const(i8[:,::1]), const(f8[:,:,::1]),"
    "const(f8[:,::1])"
)
class Jointed(NamedTuple):
    """Of every joint: its parent and first node, whether that is an offset (J,), how many steps its turns take and
    their axes' numbers, outermost first (J, 3), its axes in mesh space (J, 3, 3) and where it starts (J, 3)."""

    parents: Ints
    firsts: Ints
    offsets: Ints
    turns: Ints
    orders: Ints
    axes: Floats
    starts: Floats


@kernel("void(Jointed, const(f8[::1]), const(f8[:,::1]), f8[:,::1])")
def differentiate(joints: Jointed, dofs: Floats, deformations: Floats, result: Floats) -> None:
    """Fill in every joint's offset and turns, for degrees of freedom (9J,) and deformations (J, 8) of one pose.

    The first node takes whatever the turns leave of q_parent* · q, so that the product over a path is exact in any
    pose, also one that turns or shifts a joint for which no step was foreseen.
    """
    parents, firsts, offsets, turns, orders, axes, starts = joints
    for j in range(len(parents)):
        turned, n = UNMOVED, firsts[j] + offsets[j]
        for place in range(3):
            count, axis = turns[j, place], orders[j, place]
            if count > 0:
                angle = dofs[9 * j + 3 + axis]
                step = about(axes[j, axis], starts[j], angle / count)
                for _ in range(count):
                    put_dual(result[n], step)
                    n += 1
                turned = chained(turned, about(axes[j, axis], starts[j], angle))
        left = chained(dual(deformations[j]), undone(turned))
        if parents[j] >= 0:
            left = chained(undone(dual(deformations[parents[j]])), left)
        if left[0][0] < 0.0:
            left = mixed(left[0], left[0], -1.0, 0.0), mixed(left[1], left[1], -1.0, 0.0)
        first = firsts[j]
        put_dual(result[first], left if offsets[j] else chained(left, dual(result[first])))


@kernel("void(const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def fill_bends(nodes: Ints, screws: Floats, result: Floats) -> None:
    """result[nodes[s]] = exp(screws[s])."""
    for s in range(len(nodes)):
        put_dual(result[nodes[s]], from_screw(vector(screws[s], 0), vector(screws[s], 3)))


@kernel("void(const(i8[::1]), const(f8[:,::1]), f8[:,::1])")
def compose(parents: Ints, differentials: Floats, result: Floats) -> None:
    """result[n] = result[parent] · differentials[n]; parents come first."""
    for n in range(len(parents)):
        q = dual(differentials[n])
        put_dual(result[n], q if parents[n] < 0 else chained(dual(result[parents[n]]), q))


@record("const(i8[::1]), const(i8[::1]), const(i4[::1]), const(f4[::1])")
class Plan(NamedTuple):
    """prefixes (V,) the deepest node that all influences of a vertex have passed, −1 for none; starts (V + 1,) of its
    entries; nodes (E,) and weights (E,), the fraction of a half-passed sample folded in, a negative one ends its step.
    """

    prefixes: Ints
    starts: Ints
    nodes: Indices
    weights: Singles


@inlined
def stepped(step: Dual, w: float, q: Dual) -> Dual:
    """step + w·(Δ − I): one influence more in a step that began as the identity."""
    a, b = q
    return mixed(step[0], (a[0] - 1.0, a[1], a[2], a[3]), 1.0, w), mixed(step[1], b, 1.0, w)


@inlined
def blended(plan: Plan, differentials: Floats, composed: Floats, v: int) -> Dual:
    """The blended transform of vertex v, not normalised: prefix · Π (I + Σ w(Δ − I)), [DB] Eq. 1.

    Its entries run from starts[v] to starts[v + 1]; a negative weight is the last of its step.
    """
    a = dual(composed[plan.prefixes[v]]) if plan.prefixes[v] >= 0 else UNMOVED
    step = UNMOVED
    for e in range(plan.starts[v], plan.starts[v + 1]):
        signed = np.float64(plan.weights[e])
        step = stepped(step, abs(signed), dual(differentials[plan.nodes[e]]))
        if signed < 0.0:
            a = chained(a, step)
            step = UNMOVED
    return a


@kernel("void(Plan, const(f8[:,::1]), const(f8[:,::1]), f8[:,::1])")
def blend(plan: Plan, differentials: Floats, composed: Floats, result: Floats) -> None:
    """result[v] = the blended transform (8,), not normalised."""
    for v in range(len(plan.prefixes)):
        put_dual(result[v], blended(plan, differentials, composed, v))


@kernel("void(Plan, const(f8[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(f4[:,::1]), f4[:,::1], f4[:,::1])")
def pose(
    plan: Plan,
    differentials: Floats,
    composed: Floats,
    vertices: Singles,
    normals: Singles,
    result: Singles,
    turned: Singles,
) -> None:
    """Vertices and normals (V, 3) blended and moved at once."""
    for v in range(len(plan.prefixes)):
        q = blended(plan, differentials, composed, v)
        put_moved(q, vertices[v], True, result[v])
        put_moved(q, normals[v], False, turned[v])


@kernel("void(Plan, const(f8[:,::1]), const(f8[:,::1]), const(f4[:,::1]), f4[:,::1])")
def pose_vertices(plan: Plan, differentials: Floats, composed: Floats, vertices: Singles, result: Singles) -> None:
    """The same for vertices alone: each is taken through its steps from the last to the first, then by its prefix.

    Moving a point costs half of multiplying two transforms.
    """
    prefixes, starts, nodes, weights = plan
    for v in range(len(prefixes)):
        at = doubles(vertices[v])
        e = starts[v + 1] - 1
        while e >= starts[v]:
            # From the last entry of a step back to its first, before which another step ends.
            step = stepped(UNMOVED, -np.float64(weights[e]), dual(differentials[nodes[e]]))
            e -= 1
            while e >= starts[v] and weights[e] > 0.0:
                step = stepped(step, np.float64(weights[e]), dual(differentials[nodes[e]]))
                e -= 1
            at = move(step, at)
        if prefixes[v] >= 0:
            at = move(dual(composed[prefixes[v]]), at)
        result[v, 0], result[v, 1], result[v, 2] = at
