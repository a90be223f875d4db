"""Sparse Bezier curves through dense samples within a tolerance, corners and holds kept."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Bytes, Floats, Ints
from inbetweener.curves.curve import Curve
from inbetweener.curves.fitting import kernels
from inbetweener.curves.fitting.slope_kernels import BROKEN, KEPT, LEVEL_LEFT, LEVEL_RIGHT
from inbetweener.curves.key import BEZIER
from inbetweener.errors import InvalidCurve

ROUNDS = 4
"""How often keys are thinned out, shifted in between; further rounds hardly find any more."""


def fit_curve(times: npt.ArrayLike, values: npt.ArrayLike, tolerance: npt.ArrayLike) -> Curve:
    """A curve with few keys that misses no sample by more than `tolerance`, one number or one a sample (n,).

    Keys sit on samples. Their tangents are a third of the segment wide and tied, except at corners, where the samples'
    slope jumps. A hold keeps a level key at both ends. Times (n,) must increase; values (n,).
    """
    values = np.asarray(values, np.float64)
    tolerances = np.broadcast_to(np.asarray(tolerance, np.float64), values.shape)
    return fit_aligned(times, values[:, None], tolerances[:, None])[0]


def fit_aligned(
    times: npt.ArrayLike,
    values: npt.ArrayLike,
    tolerances: npt.ArrayLike,
    kept: npt.ArrayLike | None = None,
    broken: npt.ArrayLike | None = None,
    *,
    straight: bool = False,
    rounds: int = ROUNDS,
) -> list[Curve]:
    """Curves for the columns of values (n, c) that share their key times; tolerances (c,) or (n, c).

    A column that keeps to one value within half its tolerance gets a single key and does not ask for others. With
    `kept`, the numbers of samples that are keys already, keys are only added to those; `broken` (n, c) tells samples
    that are corners for certain. With `straight` the way from sample to sample is known to be straight, and followed.
    Keys are thinned out in so many `rounds`.
    """
    times, values, tolerances = _checked(times, values, tolerances)
    still = (values.max(axis=0) - values.min(axis=0) <= tolerances.min(axis=0)) | (len(values) == 1)
    curves: list[Curve | None] = [None] * values.shape[1]
    for c in np.flatnonzero(still):
        curves[c] = Curve.constant(_middle_sample(values[:, c]), float(times[0]))
    moving = np.flatnonzero(~still)
    if len(moving):
        sharp = np.zeros(values.shape, np.bool_) if broken is None else np.asarray(broken, np.bool_)
        made = _fit_moving(times, values[:, moving], tolerances[:, moving], kept, sharp[:, moving], straight, rounds)
        for c, curve in zip(moving, made, strict=True):
            curves[c] = curve
    return [curve for curve in curves if curve is not None]


def _fit_moving(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    kept: npt.ArrayLike | None,
    broken: Bools,
    straight: bool,
    rounds: int,
) -> list[Curve]:
    rows, allowed = np.ascontiguousarray(values.T), np.ascontiguousarray(tolerances.T)
    marks = np.zeros(rows.shape, np.uint8)
    marks[broken.T] |= BROKEN | KEPT
    for row, tolerance, mark in zip(rows, allowed, marks, strict=True):
        _mark_features(times, row, tolerance, mark)
    if kept is not None:
        marks[:, np.asarray(kept, np.int64)] |= KEPT
    rounds = rounds if kept is None else 0
    keys = np.empty(len(times), np.int64)
    left, right = np.zeros((2, *rows.shape))
    count = kernels.fit_keys(times, rows, allowed, marks, straight, rounds, keys, left, right)
    at = keys[:count]
    return [
        _curve(times[at], row[at], before[at], after[at], (mark[at] & BROKEN) == 0)
        for row, before, after, mark in zip(rows, left, right, marks, strict=True)
    ]


def _mark_features(times: Floats, values: Floats, tolerances: Floats, marks: Bytes) -> None:
    """Set the marks (n,) of corners and holds; the values of a hold become one value."""
    broken = corners(times, values, tolerances)
    marks[broken] |= BROKEN | KEPT
    for first, last in holds(values, tolerances):
        values[first : last + 1] = values[first]
        marks[first] |= LEVEL_RIGHT | KEPT
        marks[last] |= LEVEL_LEFT | KEPT
        # A key that another channel asks for within the hold is level on both sides, as are ends without a corner.
        marks[first + 1 : last] |= LEVEL_LEFT | LEVEL_RIGHT
        marks[first] |= 0 if broken[first] else LEVEL_LEFT
        marks[last] |= 0 if broken[last] else LEVEL_RIGHT


def _curve(times: Floats, values: Floats, left: Floats, right: Floats, tied: Bools) -> Curve:
    thirds = np.diff(times) / 3.0
    before, after = np.concatenate([thirds[:1], thirds]), np.concatenate([thirds, thirds[-1:]])
    ins, outs = np.stack([before, before * left], axis=-1), np.stack([after, after * right], axis=-1)
    return Curve(times, values, ins, outs, np.full(len(times), BEZIER, np.uint8), tied)


def _middle_sample(values: Floats) -> float:
    middle = 0.5 * (values.min() + values.max())
    return float(values[np.argmin(np.abs(values - middle))])


def _checked(times: npt.ArrayLike, values: npt.ArrayLike, tolerances: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    times = np.ascontiguousarray(times, np.float64)
    values = np.array(values, np.float64)
    if times.ndim != 1 or len(times) == 0 or values.ndim != 2 or len(values) != len(times):
        raise InvalidCurve(f"cannot fit values of shape {values.shape} at times of shape {times.shape}")
    tolerances = np.array(np.broadcast_to(np.asarray(tolerances, np.float64), values.shape))
    for what, array in (("time", times), ("value", values)):
        if not np.isfinite(array).all():
            raise InvalidCurve(f"sample {int(np.argwhere(~np.isfinite(array))[0, 0])}: {what} is not a finite number")
    if len(times) > 1 and np.diff(times).min() <= 0:
        raise InvalidCurve(f"sample {int(np.argmax(np.diff(times) <= 0)) + 1}: time does not increase")
    if not (tolerances > 0).all():
        raise InvalidCurve(f"a fit needs a tolerance above zero, not {tolerances.min():g}")
    return times, values, tolerances


HOLD_SAMPLES = 5
"""The fewest samples that make a hold."""

HOLD_SHARE = 0.005
"""How much of the tolerance the values of a hold may differ by …"""

HOLD_RANGE = 2e-5
"""… and how much of the whole range of values: the rounding of a file, less than any living thing holds still."""


def corners(times: Floats, values: Floats, tolerances: Floats) -> Bools:
    """Samples (n,) where the slope jumps: a bend that is large, and alone among its neighbours.

    The bend is how far the next sample lies from the line through the last two. In smooth motion it changes little
    from sample to sample, at a corner it stands out however dense the samples are.
    """
    if len(times) < 3:
        return np.zeros(len(times), np.bool_)
    slopes = np.diff(values) / np.diff(times)
    bend = np.zeros(len(times) + 4)
    bend[3:-3] = np.abs(np.diff(slopes)) * np.minimum(np.diff(times)[:-1], np.diff(times)[1:])
    here = bend[2:-2]
    beside = np.maximum(bend[1:-3], bend[3:-1])
    beyond = np.maximum(bend[:-4], bend[4:])
    found = (here > 4.0 * tolerances) & (here >= 0.9 * beside) & (here > 4.0 * beyond)
    # Next to an end there are not enough neighbours to stand out from.
    found[:2] = found[-2:] = False
    return found


def holds(values: Floats, tolerances: Floats) -> Ints:
    """(h, 2) first and last samples of runs whose values are the same, up to rounding."""
    found: list[tuple[int, int]] = []
    allowed = np.minimum(HOLD_SHARE * tolerances, HOLD_RANGE * np.ptp(values))
    # Neighbours that already differ too much cannot share a hold: only look where a run may begin.
    near = np.abs(np.diff(values)) <= allowed[:-1]
    start, n = 0, len(values)
    for i in np.flatnonzero(near):
        if i < start:
            continue
        end, low, high = int(i), values[i], values[i]
        while end + 1 < n:
            low, high = min(low, values[end + 1]), max(high, values[end + 1])
            if high - low > allowed[end + 1]:
                break
            end += 1
        if end - i + 1 >= HOLD_SAMPLES:
            found.append((int(i), end))
            start = end
    return np.array(found, np.int64).reshape(-1, 2)
