"""Compiled algebra on vectors (x, y, z) and matrices of three row vectors."""

import math

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]


@inlined
def dot(a: Vector, b: Vector) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def scaled(k: float, a: Vector) -> Vector:
    """k a."""
    return k * a[0], k * a[1], k * a[2]


@inlined
def moved(a: Vector, k: float, b: Vector) -> Vector:
    """a + k b."""
    return a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]


@inlined
def carried(m: Matrix, v: Vector) -> Vector:
    """M v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@inlined
def combined(m: Matrix, v: Vector) -> Vector:
    """Mᵀ v: the rows of M, weighted."""
    return moved(moved(scaled(v[0], m[0]), v[1], m[1]), v[2], m[2])


@inlined
def product(a: Matrix, b: Matrix) -> Matrix:
    """A B."""
    return combined(b, a[0]), combined(b, a[1]), combined(b, a[2])


@inlined
def vector(row: Floats, at: int) -> Vector:
    """Three numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@inlined
def matrix(row: Floats, at: int) -> Matrix:
    """Nine numbers of a row."""
    return vector(row, at), vector(row, at + 3), vector(row, at + 6)


@inlined
def square(m: Floats) -> Matrix:
    """A 3×3 array."""
    return vector(m[0], 0), vector(m[1], 0), vector(m[2], 0)


@inlined
def put(row: Floats, at: int, v: Vector) -> None:
    """Three numbers into a row."""
    row[at], row[at + 1], row[at + 2] = v[0], v[1], v[2]


@inlined
def put_matrix(row: Floats, at: int, m: Matrix) -> None:
    """Nine numbers into a row."""
    put(row, at, m[0])
    put(row, at + 3, m[1])
    put(row, at + 6, m[2])


@inlined
def column(m: Matrix, axis: int) -> Vector:
    """One column of M."""
    if axis == 0:
        return m[0][0], m[1][0], m[2][0]
    if axis == 1:
        return m[0][1], m[1][1], m[2][1]
    return m[0][2], m[1][2], m[2][2]


@inlined
def row_turned(v: Vector, axis: int, c: float, s: float) -> Vector:
    """vᵀ R_axis for the turn with this cosine and sine."""
    if axis == 0:
        return v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]
    if axis == 1:
        return c * v[0] - s * v[2], v[1], c * v[2] + s * v[0]
    return c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]


@inlined
def turned(m: Matrix, axis: int, angle: float) -> Matrix:
    """M R_axis(angle)."""
    if angle == 0.0:
        return m
    c, s = math.cos(angle), math.sin(angle)
    return row_turned(m[0], axis, c, s), row_turned(m[1], axis, c, s), row_turned(m[2], axis, c, s)
