"""Compiled skinning: blends of matrices, of dual quaternions the shortest way, and of the screws between these."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined, kernel
from inbetweener.maths.quaternion_kernels import (
    Dual,
    chained,
    dual,
    from_screw,
    inner,
    mixed,
    move,
    put_dual,
    quaternion,
    rigid,
    screw_of,
    undone,
)
from inbetweener.maths.vector_kernels import NOTHING, Vector, cross, length, minus, moved, plus, put, vector
from inbetweener.skinning.mesh import Indices, Singles

NONE = (0.0, 0.0, 0.0, 0.0)


@inlined
def doubles(single: Singles) -> Vector:
    """Three numbers in double precision."""
    return np.float64(single[0]), np.float64(single[1]), np.float64(single[2])


@kernel("void(const(f4[:,::1]), const(i4[:,::1]), const(f4[:,::1]), const(f8[:,:,::1]), b1, f4[:,::1])")
def blend_linear(
    vectors: Singles, influences: Indices, weights: Singles, matrices: Floats, with_translation: bool, result: Singles
) -> None:
    """result[v] = Σ w · matrix[joint] · vectors[v]; without translation for normals."""
    m = np.empty((3, 4))
    for v in range(len(vectors)):
        m[:] = 0.0
        for n in range(influences.shape[1]):
            w = weights[v, n]
            if w != 0.0:
                for r in range(3):
                    for c in range(4):
                        m[r, c] += w * matrices[influences[v, n], r, c]
        x, y, z = vectors[v, 0], vectors[v, 1], vectors[v, 2]
        for r in range(3):
            there = m[r, 0] * x + m[r, 1] * y + m[r, 2] * z
            result[v, r] = there + m[r, 3] if with_translation else there


@kernel("void(const(f4[:,::1]), const(i4[:,::1]), f4[:,::1])")
def gather_normals(vertices: Singles, triangles: Indices, result: Singles) -> None:
    """result[v] = unit sum of the cross products of the triangles at v, each as long as twice its area; +y for none."""
    sums = np.zeros((len(vertices), 3))
    for t in range(len(triangles)):
        corner = doubles(vertices[triangles[t, 0]])
        a = minus(doubles(vertices[triangles[t, 1]]), corner)
        b = minus(doubles(vertices[triangles[t, 2]]), corner)
        across = cross(a, b)
        for n in range(3):
            row = sums[triangles[t, n]]
            put(row, 0, plus(vector(row), across))
    for v in range(len(vertices)):
        size = length(vector(sums[v]))
        for r in range(3):
            up = 1.0 if r == 1 else 0.0
            result[v, r] = sums[v, r] / size if size > 0.0 else up


@inlined
def put_moved(q: Dual, single: Singles, shifts: bool, result: Singles) -> None:
    """result ← the vector moved by q; without the shift for directions."""
    x, y, z = move(q if shifts else (q[0], NONE), doubles(single))
    result[0], result[1], result[2] = x, y, z


@kernel("void(const(f4[:,::1]), const(f8[:,::1]), b1, f4[:,::1])")
def move_all(vectors: Singles, transforms: Floats, shifts: bool, result: Singles) -> None:
    """result[v] = vectors[v] moved by transforms[v]; directions without the shift."""
    for v in range(len(vectors)):
        put_moved(dual(transforms[v]), vectors[v], shifts, result[v])


@inlined
def mean(influences: Indices, weights: Singles, joints: Floats, v: int) -> Dual:
    """Σ ±w·q for vertex v, each q with the sign that brings it nearest to the heaviest one (Kavan et al. 2008)."""
    heaviest = 0
    for n in range(1, influences.shape[1]):
        if weights[v, n] > weights[v, heaviest]:
            heaviest = n
    pivot = quaternion(joints[influences[v, heaviest]])
    turn, shift = NONE, NONE
    for n in range(influences.shape[1]):
        w = np.float64(weights[v, n])
        if w != 0.0:
            q = dual(joints[influences[v, n]])
            if inner(pivot, q[0]) < 0.0:
                w = -w
            turn, shift = mixed(turn, q[0], 1.0, w), mixed(shift, q[1], 1.0, w)
    return turn, shift


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), f8[:,::1])")
def blend(influences: Indices, weights: Singles, joints: Floats, result: Floats) -> None:
    """result[v] = the unit dual quaternion linear blend (LB) of the joints' transforms (K, 8)."""
    for v in range(len(influences)):
        put_dual(result[v], rigid(mean(influences, weights, joints, v)))


@kernel(
    "void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), const(f4[:,::1]), const(f4[:,::1]), f4[:,::1],"
    " f4[:,::1])"
)
def pose(
    influences: Indices,
    weights: Singles,
    joints: Floats,
    vertices: Singles,
    normals: Singles,
    result: Singles,
    turned: Singles,
) -> None:
    """Vertices and normals (V or 0, 3) moved by the linear blend (LB) at once."""
    for v in range(len(influences)):
        # What the dual part has along the real one drops out of the move.
        q = mean(influences, weights, joints, v)
        put_moved(q, vertices[v], True, result[v])
        if len(normals):
            put_moved(q, normals[v], False, turned[v])


@kernel("void(const(i4[:,::1]), const(f4[:,::1]), const(f8[:,::1]), i8, f8[:,::1])")
def refine(influences: Indices, weights: Singles, joints: Floats, rounds: int, result: Floats) -> None:
    """result[v], a first guess, moves to where the weighted screws to all q cancel: SB (Govindu 2004)."""
    for v in range(len(influences)):
        a = rigid(dual(result[v]))
        for _ in range(rounds):
            turn, shift = NOTHING, NOTHING
            for n in range(influences.shape[1]):
                w = np.float64(weights[v, n])
                if w != 0.0:
                    by, along = screw_of(chained(undone(a), dual(joints[influences[v, n]])))
                    turn, shift = moved(turn, w, by), moved(shift, w, along)
            a = rigid(chained(a, from_screw(turn, shift)))
            size = abs(turn[0]) + abs(turn[1]) + abs(turn[2]) + abs(shift[0]) + abs(shift[1]) + abs(shift[2])
            if size < 1e-12:
                break
        put_dual(result[v], a)
