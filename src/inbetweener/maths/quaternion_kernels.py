"""Compiled algebra on quaternions (w, x, y, z), and on dual quaternions as pairs of these: tuples, as vectors are.

Sums go in pairs: one long sum would keep the processor waiting for itself.
"""

import math

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined
from inbetweener.maths.vector_kernels import Matrix, Vector, cross, divided, dot, length, moved, plus, scaled

Quaternion = tuple[float, float, float, float]
Dual = tuple[Quaternion, Quaternion]

UNMOVED = ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))


@inlined
def quaternion(row: Floats, at: int = 0) -> Quaternion:
    """Four numbers of a row."""
    return row[at], row[at + 1], row[at + 2], row[at + 3]


@inlined
def put_quaternion(row: Floats, at: int, q: Quaternion) -> None:
    """Four numbers into a row."""
    row[at], row[at + 1], row[at + 2], row[at + 3] = q[0], q[1], q[2], q[3]


@inlined
def inner(a: Quaternion, b: Quaternion) -> float:
    """a · b."""
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])


@inlined
def mixed(a: Quaternion, b: Quaternion, wa: float, wb: float) -> Quaternion:
    """wa·a + wb·b."""
    return wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2], wa * a[3] + wb * b[3]


@inlined
def hamilton(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton's product: first b, then a."""
    return (
        (a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]),
        (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
        (a[0] * b[2] - a[1] * b[3]) + (a[2] * b[0] + a[3] * b[1]),
        (a[0] * b[3] + a[1] * b[2]) - (a[2] * b[1] - a[3] * b[0]),
    )


@inlined
def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@inlined
def unit(q: Quaternion) -> Quaternion:
    """q at length 1; zero becomes the identity."""
    size = math.sqrt(inner(q, q))
    if not size > 0.0:
        return 1.0, 0.0, 0.0, 0.0
    return q[0] / size, q[1] / size, q[2] / size, q[3] / size


@inlined
def towards(q: Quaternion, like: Quaternion) -> Quaternion:
    """q or −q, the same turn, whichever is nearer to `like`."""
    return (-q[0], -q[1], -q[2], -q[3]) if inner(q, like) < 0.0 else q


@inlined
def angle_between(a: Quaternion, b: Quaternion) -> float:
    """The angle of the rotation from a to b, by half chords: exact for small ones."""
    near = towards(b, a)
    apart, along = mixed(a, near, 1.0, -1.0), mixed(a, near, 1.0, 1.0)
    return 4.0 * math.atan2(math.sqrt(inner(apart, apart)), math.sqrt(inner(along, along)))


@inlined
def matrix_of(q: Quaternion) -> Matrix:
    """The rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (z * z + x * x), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@inlined
def quaternion_of(m: Matrix) -> Quaternion:
    """The unit quaternion of a rotation matrix, w ≥ 0: from its largest number, which keeps all digits."""
    x, y, z = m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]
    a, b, c = m[0][0], m[1][1], m[2][2]
    xy, yz, zx = m[0][1] + m[1][0], m[1][2] + m[2][1], m[2][0] + m[0][2]
    if a + b + c > 0.0:
        q = 1.0 + a + b + c, x, y, z
    elif a >= b and a >= c:
        q = x, 1.0 + a - b - c, xy, zx
    elif b >= c:
        q = y, xy, 1.0 + b - c - a, yz
    else:
        q = z, zx, yz, 1.0 + c - a - b
    return unit(q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3]))


@inlined
def dual(row: Floats) -> Dual:
    """The dual quaternion that a row of eight holds."""
    return quaternion(row, 0), quaternion(row, 4)


@inlined
def put_dual(row: Floats, q: Dual) -> None:
    """A dual quaternion into a row of eight."""
    put_quaternion(row, 0, q[0])
    put_quaternion(row, 4, q[1])


@inlined
def chained(a: Dual, b: Dual) -> Dual:
    """First b, then a."""
    return hamilton(a[0], b[0]), mixed(hamilton(a[0], b[1]), hamilton(a[1], b[0]), 1.0, 1.0)


@inlined
def undone(q: Dual) -> Dual:
    """The inverse of a unit dual quaternion."""
    return conjugate(q[0]), conjugate(q[1])


@inlined
def rigid(q: Dual) -> Dual:
    """The nearest unit dual quaternion; what has no length stays as it is."""
    size = math.sqrt(inner(q[0], q[0]))
    if not size > 0.0:
        return q
    s = 1.0 / size
    return mixed(q[0], q[0], s, 0.0), mixed(q[1], q[0], s, -inner(q[0], q[1]) * s * s * s)


@inlined
def move(q: Dual, p: Vector) -> Vector:
    """A point p moved by q = (w, u) + ε(d, v), of any length: p + 2(w·m + u×m − d·u) / |q|² with m = u×p + v."""
    w, u, v = q[0][0], (q[0][1], q[0][2], q[0][3]), (q[1][1], q[1][2], q[1][3])
    m = plus(cross(u, p), v)
    return moved(p, 2.0 / inner(q[0], q[0]), plus(moved(scaled(w, m), -q[1][0], u), cross(u, m)))


@inlined
def screw_of(q: Dual) -> tuple[Vector, Vector]:
    """The screw of a unit dual quaternion, the shorter way: turn and shift."""
    sign = -1.0 if q[0][0] < 0.0 else 1.0
    w, dw = sign * q[0][0], sign * q[1][0]
    u = scaled(sign, (q[0][1], q[0][2], q[0][3]))
    v = scaled(sign, (q[1][1], q[1][2], q[1][3]))
    sine = length(u)
    if sine < 1e-9:
        return scaled(2.0, u), scaled(2.0, v)
    half, shift = math.atan2(sine, w), -dw / sine
    axis = divided(u, sine)
    moment = divided(moved(v, -shift * w, axis), sine)
    return scaled(2.0 * half, axis), scaled(2.0, moved(scaled(shift, axis), half, moment))


@inlined
def from_screw(turn: Vector, shift: Vector) -> Dual:
    """The unit dual quaternion of a screw."""
    half, along = 0.5 * length(turn), 0.25 * dot(turn, shift)
    cosine = math.cos(half)
    sinc = math.sin(half) / half if half > 1e-9 else 1.0
    bend = (cosine - sinc) / (half * half) * along if half > 1e-9 else 0.0
    u, v = scaled(0.5 * sinc, turn), scaled(0.5, moved(scaled(sinc, shift), bend, turn))
    return (cosine, u[0], u[1], u[2]), (-sinc * along, v[0], v[1], v[2])
