"""Unit quaternions, wxyz, batched over leading axes."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats

IDENTITY: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


def normalised(q: npt.ArrayLike) -> Floats:
    """The unit quaternion along each `q` (..., 4); a zero quaternion becomes the identity."""
    q = np.asarray(q, dtype=np.float64)
    # Divide by the largest part first, so that neither tiny nor huge quaternions lose their direction.
    largest = np.max(np.abs(q), axis=-1, keepdims=True)
    scaled = np.divide(q, largest, out=np.zeros_like(q), where=largest > 0)
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    return np.where(largest > 0, scaled / np.where(length > 0, length, 1.0), np.array(IDENTITY))


def product(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """Hamilton product: the rotation b, then a."""
    aw, ax, ay, az = np.moveaxis(np.asarray(a, dtype=np.float64), -1, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b, dtype=np.float64), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def inverse(q: npt.ArrayLike) -> Floats:
    """The inverse of unit quaternions."""
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def from_axis_angle(axis: npt.ArrayLike, angle: npt.ArrayLike) -> Floats:
    """Rotation by `angle` radians about the unit `axis` (..., 3)."""
    half = np.asarray(angle, dtype=np.float64)[..., None] / 2
    vector = np.sin(half) * np.asarray(axis, dtype=np.float64)
    return np.concatenate([np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1)), vector], axis=-1)


def to_matrix(q: npt.ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=np.float64), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrix: npt.ArrayLike) -> Floats:
    """Unit quaternions of rotation matrices (..., 3, 3), w ≥ 0.

    Takes the largest of the four ways to write the quaternion, so no digit is lost near half turns.
    """
    m = np.asarray(matrix, dtype=np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    candidates = np.stack(
        [
            np.stack([1 + xx + yy + zz, a, b, c], axis=-1),
            np.stack([a, 1 + xx - yy - zz, d, e], axis=-1),
            np.stack([b, d, 1 - xx + yy - zz, f], axis=-1),
            np.stack([c, e, f, 1 - xx - yy + zz], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(np.diagonal(candidates, axis1=-2, axis2=-1), axis=-1)
    q = normalised(np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0, -q, q)


def rotation_vectors(matrices: npt.ArrayLike) -> Floats:
    """Axis times angle (..., 3) of rotation matrices (..., 3, 3), at most half a turn."""
    q = from_matrix(matrices)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return np.asarray(q[..., 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0), np.float64)


def continuous(q: npt.ArrayLike) -> Floats:
    """The same rotations along axis 0, with signs chosen so that neighbours are near each other."""
    q = np.asarray(q, dtype=np.float64)
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0
    signs = np.concatenate([np.ones((1, *q.shape[1:-1])), np.where(np.logical_xor.accumulate(flips), -1.0, 1.0)])
    return q * signs[..., None]


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, fraction: npt.ArrayLike) -> Floats:
    """Constant-speed rotation from `a` to `b` the shorter way, as glTF's LINEAR means it."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    fraction = np.asarray(fraction, dtype=np.float64)[..., None]
    # atan2 of half-chord lengths stays exact where acos(cosine) loses half its digits.
    angle = 2 * np.arctan2(np.linalg.norm(a - b, axis=-1, keepdims=True), np.linalg.norm(a + b, axis=-1, keepdims=True))
    sine = np.sin(angle)
    small = sine < 1e-9
    sine = np.where(small, 1.0, sine)
    wa = np.where(small, 1 - fraction, np.sin((1 - fraction) * angle) / sine)
    wb = np.where(small, fraction, np.sin(fraction * angle) / sine)
    return normalised(wa * a + wb * b)
