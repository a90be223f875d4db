"""Euler angles: three turns about the local axes, in one of six orders.

An order is read left to right as the matrix product: "ZYX" is R = Rz·Ry·Rx, as BVH lists its channels and as
scipy writes an intrinsic sequence. (Blender and Maya call this order XYZ.) Angles are always stored by axis, (x, y,
z), whatever the order, and may exceed a full turn.
"""

from collections.abc import Sequence
from typing import Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths import kernels

Order = Literal["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
ORDERS: tuple[Order, ...] = get_args(Order)


def axes(order: str) -> tuple[int, int, int]:
    """The axis numbers of an order, outermost first."""
    i, j, k = ("XYZ".index(letter) for letter in order)
    return i, j, k


def axis_matrix(axis: int, angle: npt.ArrayLike) -> Floats:
    """Rotation matrices (..., 3, 3) about coordinate axis 0, 1 or 2."""
    angle = np.asarray(angle, dtype=np.float64)
    matrix = np.zeros((*angle.shape, 3, 3))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    cosine, sine = np.cos(angle), np.sin(angle)
    matrix[..., axis, axis] = 1.0
    matrix[..., j, j] = matrix[..., k, k] = cosine
    matrix[..., j, k] = -sine
    matrix[..., k, j] = sine
    return matrix


def to_matrix(angles: npt.ArrayLike, order: str) -> Floats:
    """Rotation matrices of angles (..., 3) given by axis x, y, z."""
    angles = np.asarray(angles, dtype=np.float64)
    i, j, k = axes(order)
    return axis_matrix(i, angles[..., i]) @ axis_matrix(j, angles[..., j]) @ axis_matrix(k, angles[..., k])


def from_matrix(matrix: npt.ArrayLike, order: str) -> Floats:
    """Angles (..., 3) by axis; the middle one within ±π/2. At the gimbal pole the last turn is zero."""
    m = np.asarray(matrix, dtype=np.float64)
    i, j, k = axes(order)
    sign = 1.0 if order in ("XYZ", "YZX", "ZXY") else -1.0
    # R[i,k] = ±sin(middle); the first and last columns/rows carry the other two.
    across = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(sign * m[..., i, k], across)
    at_pole = across < 1e-12
    first = np.where(
        at_pole,
        np.arctan2(sign * m[..., k, j], m[..., j, j]),
        np.arctan2(-sign * m[..., j, k], m[..., k, k]),
    )
    last = np.where(at_pole, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    angles = np.empty((*m.shape[:-2], 3))
    angles[..., i], angles[..., j], angles[..., k] = first, middle, last
    return angles


def continuous(angles: npt.ArrayLike, order: str | Sequence[str]) -> Floats:
    """The same rotations along axis 0, each written nearest to the one before; the first row stays.

    Angles are (n, 3), or (n, J, 3) with one order for all or one for each of the J columns. A rotation has two
    families of angles, (a, b, c) and (a+π, π−b, c+π), each up to full turns. At the gimbal pole, where only the sum or
    difference of the outer angles counts, both move as little as they can.
    """
    made = np.array(angles, dtype=np.float64, order="C")
    columns = made[:, None] if made.ndim == 2 else made
    if columns.ndim != 3 or columns.shape[2] != 3:
        raise ValueError(f"angles of shape {made.shape} do not fit: expected (n, 3) or (n, J, 3)")
    orders = [order] * columns.shape[1] if isinstance(order, str) else list(order)
    if len(orders) != columns.shape[1]:
        raise ValueError(f"angles of shape {made.shape} do not fit {len(orders)} rotation orders")
    kernels.continue_angles(columns, np.array([axes(o) for o in orders], np.int64).reshape(-1, 3))
    return made


def best_order(matrices: npt.ArrayLike) -> Order:
    """The order whose middle angle stays farthest from the pole over rotations (n, 3, 3)."""
    m = np.asarray(matrices, dtype=np.float64).reshape(-1, 3, 3)
    if len(m) == 0:
        return "ZYX"
    # ZYX first: it wins ties, so rigs that never come near a pole keep the common order.
    candidates = ("ZYX", *(order for order in ORDERS if order != "ZYX"))
    worst = [np.abs(m[:, axes(order)[0], axes(order)[2]]).max().round(3) for order in candidates]
    return cast(Order, candidates[int(np.argmin(worst))])
