"""Compiled algebra on vectors (x, y, z) and matrices of three row vectors: tuples, which stay in registers.

Rows of arrays are read with `vector` and `matrix` and written with `put`. Sums go from left to right everywhere, so
that whoever works out the same thing in another kernel gets the same bits.
"""

import math

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

NOTHING = (0.0, 0.0, 0.0)
UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@inlined
def dot(a: Vector, b: Vector) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def length(a: Vector) -> float:
    """|a|."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def minus(a: Vector, b: Vector) -> Vector:
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def scaled(k: float, a: Vector) -> Vector:
    """k a."""
    return k * a[0], k * a[1], k * a[2]


@inlined
def divided(a: Vector, k: float) -> Vector:
    """a / k."""
    return a[0] / k, a[1] / k, a[2] / k


@inlined
def stretched(a: Vector, b: Vector) -> Vector:
    """Each number of a times that of b."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


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
def transposed(m: Matrix) -> Matrix:
    """Mᵀ."""
    x, y, z = m
    return (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])


@inlined
def cofactors(m: Matrix) -> Matrix:
    """det(M) M⁻ᵀ; its first row along that of M is the determinant."""
    return cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])


@inlined
def inverse(m: Matrix) -> Matrix:
    """M⁻¹; nothing where M is flat."""
    c = cofactors(m)
    size = dot(m[0], c[0])
    k = 0.0 if size == 0.0 else 1.0 / size
    return transposed((scaled(k, c[0]), scaled(k, c[1]), scaled(k, c[2])))


@inlined
def vector(row: Floats, at: int = 0) -> Vector:
    """Three numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@inlined
def matrix(row: Floats, at: int = 0) -> Matrix:
    """Nine numbers of a row."""
    return vector(row, at), vector(row, at + 3), vector(row, at + 6)


@inlined
def square(m: Floats) -> Matrix:
    """The first three columns of an array of three rows."""
    return (m[0, 0], m[0, 1], m[0, 2]), (m[1, 0], m[1, 1], m[1, 2]), (m[2, 0], m[2, 1], m[2, 2])


@inlined
def placed(m: Floats, v: Vector) -> Vector:
    """Where a transform, an array of three rows of four, takes a point."""
    return (
        m[0, 0] * v[0] + m[0, 1] * v[1] + m[0, 2] * v[2] + m[0, 3],
        m[1, 0] * v[0] + m[1, 1] * v[1] + m[1, 2] * v[2] + m[1, 3],
        m[2, 0] * v[0] + m[2, 1] * v[1] + m[2, 2] * v[2] + m[2, 3],
    )


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


@inlined
def turn_about(axis: Vector, angle: float) -> Matrix:
    """The turn about an axis of length one, by Rodrigues."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    a, b, d = scaled(1.0 - c, axis)
    return (
        (a * x + c, a * y - s * z, a * z + s * y),
        (b * x + s * z, b * y + c, b * z - s * x),
        (d * x - s * y, d * y + s * x, d * z + c),
    )
