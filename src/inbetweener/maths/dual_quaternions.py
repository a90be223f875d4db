"""Unit dual quaternions: rigid transforms as eight numbers, real part wxyz then dual part wxyz, batched.

q = r + ε·½·t·r moves a point by the rotation r, then the translation t. Like quaternions, q and −q move alike, and
that is where blending goes wrong: see `skinning`.
"""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths import quaternions

IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_SMALL = 1e-9
"""Half angles below which a screw is a mere shift, to all digits."""


def from_parts(rotation: npt.ArrayLike, translation: npt.ArrayLike) -> Floats:
    """(..., 8) from unit quaternions (..., 4) and translations (..., 3)."""
    rotation, translation = np.asarray(rotation, np.float64), np.asarray(translation, np.float64)
    shift = np.concatenate([np.zeros((*translation.shape[:-1], 1)), translation], axis=-1)
    real, dual = np.broadcast_arrays(rotation, 0.5 * quaternions.product(shift, rotation))
    return np.concatenate([real, dual], axis=-1)


def from_matrix(matrix: npt.ArrayLike) -> Floats:
    """(..., 8) from rigid matrices (..., 3, 4)."""
    matrix = np.asarray(matrix, np.float64)
    return from_parts(quaternions.from_matrix(matrix[..., :3]), matrix[..., 3])


def to_matrix(q: npt.ArrayLike) -> Floats:
    """Rigid matrices (..., 3, 4) of unit dual quaternions."""
    q = np.asarray(q, np.float64)
    return np.concatenate([quaternions.to_matrix(q[..., :4]), translation(q)[..., None]], axis=-1)


def translation(q: npt.ArrayLike) -> Floats:
    """The translation (..., 3) that comes after the rotation."""
    q = np.asarray(q, np.float64)
    return 2.0 * quaternions.product(q[..., 4:], quaternions.inverse(q[..., :4]))[..., 1:]


def product(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """First b, then a."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    dual = quaternions.product(a[..., :4], b[..., 4:]) + quaternions.product(a[..., 4:], b[..., :4])
    return np.concatenate([quaternions.product(a[..., :4], b[..., :4]), dual], axis=-1)


def inverse(q: npt.ArrayLike) -> Floats:
    """The inverse of unit dual quaternions: both parts conjugated."""
    return np.asarray(q, np.float64) * np.array([1.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0])


def normalised(q: npt.ArrayLike) -> Floats:
    """The nearest unit dual quaternion: real part of length one, dual part perpendicular to it."""
    q = np.asarray(q, np.float64)
    length = np.linalg.norm(q[..., :4], axis=-1, keepdims=True)
    real, dual = q[..., :4] / length, q[..., 4:] / length
    return np.concatenate([real, dual - np.sum(real * dual, axis=-1, keepdims=True) * real], axis=-1)


def apply(q: npt.ArrayLike, points: npt.ArrayLike) -> Floats:
    """Points (..., 3) moved by unit dual quaternions (..., 8)."""
    q, points = np.asarray(q, np.float64), np.asarray(points, np.float64)
    return np.einsum("...rc,...c->...r", quaternions.to_matrix(q[..., :4]), points) + translation(q)


def logarithm(q: npt.ArrayLike) -> Floats:
    """The screw (..., 6) of a unit dual quaternion: rotation vector, then the motion of the origin along it.

    Twice the vector parts of log q, so a pure rotation by θ about s is θ·s and a pure shift is its translation. Of the
    two turns, θ and θ − 2π, the one that the sign of q says: −π … π wherever w ≥ 0.
    """
    q = np.asarray(q, np.float64)
    w, v, dw, dv = q[..., :1], q[..., 1:4], q[..., 4:5], q[..., 5:]
    sine = np.linalg.norm(v, axis=-1, keepdims=True)
    half = np.arctan2(sine, w)
    small = sine < _SMALL
    safe = np.where(small, 1.0, sine)
    axis = v / safe
    shift = -dw / safe
    moment = (dv - axis * shift * w) / safe
    turn = np.where(small, 2.0 * v, 2.0 * half * axis)
    move = np.where(small, 2.0 * dv, 2.0 * (shift * axis + half * moment))
    return np.concatenate([turn, move], axis=-1)


def exponential(screw: npt.ArrayLike) -> Floats:
    """The unit dual quaternion (..., 8) of a screw (..., 6); turns of any size, though q knows only two of them."""
    screw = 0.5 * np.asarray(screw, np.float64)
    turn, move = screw[..., :3], screw[..., 3:]
    half = np.linalg.norm(turn, axis=-1, keepdims=True)
    small = half < _SMALL
    safe = np.where(small, 1.0, half)
    sinc = np.where(small, 1.0, np.sin(half) / safe)
    along = np.sum(turn * move, axis=-1, keepdims=True)
    cosine = np.cos(half)
    bend = np.where(small, 0.0, (cosine - sinc) / safe**2)
    parts = [cosine, sinc * turn, -sinc * along, sinc * move + bend * along * turn]
    return np.concatenate(parts, axis=-1)


def power(q: npt.ArrayLike, fraction: npt.ArrayLike) -> Floats:
    """q to the power of `fraction` (...): that share of its screw."""
    return exponential(np.asarray(fraction, np.float64)[..., None] * logarithm(q))


def blended(weights: npt.ArrayLike, q: npt.ArrayLike) -> Floats:
    """Dual quaternion linear blending of (..., n, 8) by weights (..., n): Σ w·q, normalised (Kavan et al. 2008).

    Signs are chosen by the heaviest, so that every other one comes the shorter way.
    """
    weights, q = np.asarray(weights, np.float64), np.asarray(q, np.float64)
    pivot = np.take_along_axis(q, np.argmax(weights, axis=-1)[..., None, None], axis=-2)
    sign = np.where(np.sum(pivot[..., :4] * q[..., :4], axis=-1) < 0, -1.0, 1.0)
    return normalised(np.sum((weights * sign)[..., None] * q, axis=-2))


def screw_mean(weights: npt.ArrayLike, q: npt.ArrayLike, *, tolerance: float = 1e-12, most: int = 50) -> Floats:
    """The intrinsic mean of (..., n, 8) by weights (..., n): where the weighted screws to all of them cancel."""
    weights, q = np.asarray(weights, np.float64), np.asarray(q, np.float64)
    mean = blended(weights, q)
    for _ in range(most):
        away = product(inverse(mean)[..., None, :], q)
        away = np.where(away[..., :1] < 0, -away, away)
        step = np.sum(weights[..., None] * logarithm(away), axis=-2)
        mean = normalised(product(mean, exponential(step)))
        if np.abs(step).max(initial=0.0) < tolerance:
            break
    return mean


_TERMS = 60
"""More than any screw of a few turns needs."""


def bracket(a: Floats, b: Floats) -> Floats:
    """How the screw b changes while the frame moves along a: ad_a b."""
    turn, move = a[..., :3], a[..., 3:]
    return np.concatenate(
        [np.cross(turn, b[..., :3]), np.cross(turn, b[..., 3:]) + np.cross(move, b[..., :3])], axis=-1
    )


def carried(transform: Floats, screws: Floats) -> Floats:
    """Screws (..., 6) of a frame as seen from outside it, where it stands at rigid transforms (..., 3, 4)."""
    turns = np.einsum("...rc,...c->...r", transform[..., :3], screws[..., :3])
    moves = np.einsum("...rc,...c->...r", transform[..., :3], screws[..., 3:])
    return np.concatenate([turns, moves + np.cross(transform[..., 3], turns)], axis=-1)


def exponential_by(screws: Floats, by: Floats) -> Floats:
    """The screw (..., 6) along which exp(screws) moves, seen from outside, while screws change by `by`.

    d exp(s) = (Σ adⁿ / (n + 1)! ds) · exp(s), summed until nothing is added.
    """
    total = term = np.array(np.broadcast_to(by, np.broadcast_shapes(screws.shape, by.shape)), np.float64)
    least = 1e-18 * float(np.abs(term).max(initial=0.0))
    for n in range(2, _TERMS):
        term = bracket(screws, term) / n
        total = total + term
        if float(np.abs(term).max(initial=0.0)) <= least:
            break
    return total
