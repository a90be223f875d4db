"""Affine transforms: 3×4 matrices [linear | translation], batched, and their parts."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths import quaternions

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def as_vector(values: npt.ArrayLike) -> Vector:
    """Three numbers of an array (3,)."""
    x, y, z = np.asarray(values, np.float64).tolist()
    return x, y, z


def as_quaternion(values: npt.ArrayLike) -> Quaternion:
    """The numbers wxyz of an array (4,)."""
    w, x, y, z = np.asarray(values, np.float64).tolist()
    return w, x, y, z


@dataclass(frozen=True, slots=True)
class Transform:
    """Translation in metres, rotation as unit quaternion wxyz, scale; applied scale first."""

    translation: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = quaternions.IDENTITY
    scale: Vector = (1.0, 1.0, 1.0)

    def matrix(self) -> Floats:
        """As a (3, 4) matrix."""
        return compose(self.translation, self.rotation, self.scale)


def compose(translation: npt.ArrayLike, rotation: npt.ArrayLike, scale: npt.ArrayLike) -> Floats:
    """(..., 3, 4) matrices from translations (..., 3), quaternions (..., 4) and scales (..., 3)."""
    linear = quaternions.to_matrix(rotation) * np.asarray(scale, dtype=np.float64)[..., None, :]
    translation = np.asarray(translation, dtype=np.float64)
    return np.concatenate([linear, np.broadcast_to(translation[..., None], (*linear.shape[:-1], 1))], axis=-1)


def decompose(matrix: npt.ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """Translation, rotation, scale and shear of (..., 3, 4) or (..., 4, 4) matrices.

    Scale is the length of the columns, negative on x for a mirrored matrix. Shear (...,) is the largest element that
    translation, rotation and scale together miss, relative to the matrix: zero for a matrix that they can express.
    """
    m = np.asarray(matrix, dtype=np.float64)
    linear, translation = m[..., :3, :3], m[..., :3, 3]
    scale = np.linalg.norm(linear, axis=-2)
    mirrored = np.linalg.det(linear) < 0
    scale = np.concatenate([np.where(mirrored, -1.0, 1.0)[..., None] * scale[..., :1], scale[..., 1:]], axis=-1)
    unscaled = linear / np.where(scale == 0, 1.0, scale)[..., None, :]
    u, _, vt = np.linalg.svd(unscaled)
    u = (
        u
        * np.stack([np.ones(mirrored.shape), np.ones(mirrored.shape), np.sign(np.linalg.det(u @ vt))], -1)[..., None, :]
    )
    rotation = quaternions.from_matrix(u @ vt)
    missed = np.abs(quaternions.to_matrix(rotation) * scale[..., None, :] - linear).max(axis=(-2, -1))
    return translation, rotation, scale, missed / np.maximum(np.abs(linear).max(axis=(-2, -1)), 1e-300)


def product(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """a·b of (..., 3, 4) matrices: first b, then a."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    linear = a[..., :3] @ b[..., :3]
    return np.concatenate([linear, a[..., :3] @ b[..., 3:] + a[..., 3:]], axis=-1)


def inverse(matrix: npt.ArrayLike) -> Floats:
    """The inverse of (..., 3, 4) matrices."""
    m = np.asarray(matrix, dtype=np.float64)
    linear = np.linalg.inv(m[..., :3])
    return np.concatenate([linear, -(linear @ m[..., 3:])], axis=-1)


def apply(matrix: npt.ArrayLike, points: npt.ArrayLike) -> Floats:
    """Points (..., n, 3) moved by matrices (..., 3, 4)."""
    m, points = np.asarray(matrix, dtype=np.float64), np.asarray(points, dtype=np.float64)
    return points @ np.swapaxes(m[..., :3], -1, -2) + m[..., None, :, 3]
