"""Sparse Bezier curves through dense samples within a tolerance, corners and holds kept."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Bytes, Floats, Ints
from inbetweener.curves.curve import Curve
from inbetweener.curves.fitting import kernels
from inbetweener.curves.fitting.segment_kernels import BROKEN, KEPT, LEFT, LEVEL_LEFT, LEVEL_RIGHT, PINNED, RIGHT, VALUE
from inbetweener.curves.key import BEZIER
from inbetweener.errors import InvalidCurve

ROUNDS = 4
"""How often keys are thinned out, shifted in between; further rounds hardly find any more."""


def fit_curve(times: npt.ArrayLike, values: npt.ArrayLike, tolerance: npt.ArrayLike) -> Curve:
    """A curve with few keys that misses no sample by more than `tolerance`, one number or one a sample (n,).

    Keys sit at times of samples, and near those. Their tangents are a third of the segment wide and tied, except at
    corners, where the samples' slope jumps. A hold keeps a level key at both ends. Times (n,) must increase; values
    (n,).
    """
    values = np.asarray(values, np.float64)
    tolerances = np.broadcast_to(np.asarray(tolerance, np.float64), values.shape)
    return fit_aligned(times, values[:, None], tolerances[:, None])[0]


@dataclass(frozen=True, slots=True, eq=False)
class Knots:
    """Keys on samples (k,); states (k, 3), their left slope, value and right slope; marks (k,), what they must keep.

    A single one is a curve that rests.
    """

    keys: Ints
    states: Floats
    marks: Bytes

    def curve(self, times: Floats) -> Curve:
        """The curve at samples' times (n,); tangents are a third of the segment wide."""
        if len(self.keys) == 1:
            return Curve.constant(float(self.states[0, VALUE]), float(times[0]))
        at = times[self.keys]
        thirds = np.diff(at) / 3.0
        before, after = np.concatenate([thirds[:1], thirds]), np.concatenate([thirds, thirds[-1:]])
        left, values, right = self.states.T
        ins, outs = np.stack([before, before * left], axis=-1), np.stack([after, after * right], axis=-1)
        return Curve(at, values, ins, outs, np.full(len(at), BEZIER, np.uint8), (self.marks & BROKEN) == 0)

    def with_keys(self, times: Floats, samples: Ints) -> "Knots":
        """The same curve with keys on these samples (m,) too, and on the first and the last."""
        if len(self.keys) == 1:
            ends = np.array([0, len(times) - 1])
            return Knots(ends, np.tile(self.states, (2, 1)), np.tile(self.marks, 2)).with_keys(times, samples)
        new = np.setdiff1d(samples, self.keys)
        new = new[(new > self.keys[0]) & (new < self.keys[-1])]
        left = np.searchsorted(self.keys, new) - 1
        start, end = self.states[left], self.states[left + 1]
        h = times[self.keys[left + 1]] - times[self.keys[left]]
        s = (times[new] - times[self.keys[left]]) / h
        rise = end[:, VALUE] - start[:, VALUE]
        a1, b1 = h * start[:, RIGHT], h * end[:, LEFT]
        a2, a3 = 3.0 * rise - 2.0 * a1 - b1, a1 + b1 - 2.0 * rise
        slopes = (a1 + s * (2.0 * a2 + 3.0 * s * a3)) / h
        made = np.stack([slopes, start[:, VALUE] + s * (a1 + s * (a2 + s * a3)), slopes], axis=-1)
        at = np.searchsorted(self.keys, new)
        return Knots(
            np.insert(self.keys, at, new),
            np.insert(self.states, at, made, axis=0),
            np.insert(self.marks, at, np.zeros(len(new), np.uint8)),
        )

    def freed(self) -> "Knots":
        """The same with keys between both ends that may leave the values of their samples."""
        marks = self.marks.copy()
        marks[1:-1] &= ~np.uint8(PINNED)
        return Knots(self.keys, self.states, marks)

    def with_straight(self, times: Floats, first: int) -> "Knots":
        """The curve with a straight way from the key on sample `first` to the one on the next."""
        n = int(np.searchsorted(self.keys, first))
        states, marks = self.states.copy(), self.marks.copy()
        slope = (states[n + 1, VALUE] - states[n, VALUE]) / (times[first + 1] - times[first])
        states[n, RIGHT] = states[n + 1, LEFT] = slope
        marks[n : n + 2] |= BROKEN
        marks[n] &= ~np.uint8(LEVEL_RIGHT)
        marks[n + 1] &= ~np.uint8(LEVEL_LEFT)
        return Knots(self.keys, states, marks)

    def with_samples(self, times: Floats, values: Floats, samples: Ints) -> "Knots":
        """The curve on the samples' values where it has keys on some of them (m,), straight between neighbours."""
        here = np.isin(self.keys, samples)
        states, marks = self.states.copy(), self.marks.copy()
        states[here, VALUE] = values[self.keys[here]]
        marks[here] |= PINNED
        made = Knots(self.keys, states, marks)
        for n in np.flatnonzero(here[:-1] & here[1:] & (np.diff(self.keys) == 1)):
            made = made.with_straight(times, int(self.keys[n]))
        return made


def fit_aligned(
    times: npt.ArrayLike, values: npt.ArrayLike, tolerances: npt.ArrayLike, kept: npt.ArrayLike | None = None
) -> list[Curve]:
    """Curves for the columns of values (n, c) that share their key times; tolerances (c,) or (n, c).

    A column that keeps to one value within half its tolerance gets a single key and does not ask for others. With
    `kept`, the numbers of samples that are keys already, keys are only added to those.
    """
    times, values, tolerances = _checked(times, values, tolerances)
    made = fit_knots(times, values, tolerances, kept, rounds=ROUNDS if kept is None else 0)
    return [each.curve(times) for each in made]


def fit_knots(
    times: Floats,
    values: Floats,
    tolerances: Floats,
    kept: npt.ArrayLike | None = None,
    *,
    between: Floats | None = None,
    loops: bool = False,
    rounds: int = ROUNDS,
) -> list[Knots]:
    """What makes the curves of `fit_aligned`.

    Where `between` tells the values (n − 1, c) in the middles between samples, they are followed. What `loops` keeps
    its values at both ends, where it begins again. Keys are thinned out in so many `rounds`; in none, only added.
    """
    rows = np.ascontiguousarray(values.T)
    allowed = np.ascontiguousarray(tolerances.T)
    made, moving, rows, allowed = _at_rest(times, rows, allowed)
    if not len(moving):
        return [each for each in made if each is not None]
    marks = _marked(times, rows, allowed, loops)
    begin = np.asarray((marks & KEPT).any(axis=0))
    begin[[0, -1]] = True
    begin[[] if kept is None else np.asarray(kept, np.int64)] = True
    keys = np.empty(len(times), np.int64)
    count = int(begin.sum())
    keys[:count] = np.flatnonzero(begin)
    states = np.zeros((*rows.shape, 3))
    states[..., VALUE] = rows
    fine, weights = _looked_at(rows, allowed, None if between is None else between[:, moving])
    count = kernels.fit_keys(in_steps(times, 2), fine, weights, marks, count, rounds, keys, states)
    at = keys[:count].copy()
    for c, state, mark in zip(moving, states, marks, strict=True):
        made[c] = Knots(at, state[at], mark[at])
    return [each for each in made if each is not None]


def fit_apart(
    times: Floats, values: Floats, tolerances: Floats, between: Floats, *, loops: bool = False, rounds: int = ROUNDS
) -> list[Knots]:
    """`fit_knots` for each column of values (n, c) by itself, of all in less time than one by one."""
    rows, allowed = np.ascontiguousarray(values.T), np.ascontiguousarray(tolerances.T)
    made, moving, rows, allowed = _at_rest(times, rows, allowed)
    if len(moving):
        marks = _marked(times, rows, allowed, loops)
        begin = (marks & KEPT) > 0
        begin[:, [0, -1]] = True
        counts = begin.sum(axis=1)
        keys = np.argsort(~begin, axis=1, kind="stable")
        states = np.zeros((*rows.shape, 3))
        states[..., VALUE] = rows
        fine, weights = _looked_at(rows, allowed, between[:, moving])
        kernels.fit_apart(in_steps(times, 2), fine, weights, marks, rounds, keys, counts, states)
        for n, c in enumerate(moving):
            at = keys[n, : counts[n]].copy()
            made[c] = Knots(at, states[n, at], marks[n, at])
    return [each for each in made if each is not None]


def _at_rest(times: Floats, rows: Floats, allowed: Floats) -> tuple[list[Knots | None], Ints, Floats, Floats]:
    """Knots of the channels (C, n) that rest, which others move, and the rows of those."""
    still = (np.ptp(rows, axis=1) <= allowed.min(axis=1)) | (len(times) == 1)
    made = [_resting(row) if rests else None for row, rests in zip(rows, still, strict=True)]
    moving = np.flatnonzero(~still)
    return made, moving, rows[moving], allowed[moving]


def _marked(times: Floats, rows: Floats, allowed: Floats, loops: bool) -> Bytes:
    """What keys of channels (C, n) must keep: corners and holds, whose values become one, and the ends of a loop."""
    marks = np.zeros(rows.shape, np.uint8)
    marks[:, [0, -1]] = PINNED if loops else 0
    broken = corners(times, rows, allowed)
    marks[broken] |= BROKEN | KEPT
    # Neighbours that already differ too much cannot share a hold: few channels have any to look for.
    still = np.abs(np.diff(rows)) <= HOLD_SHARE * allowed[:, :-1]
    for c in np.flatnonzero(still.any(axis=1)):
        _mark_holds(rows[c], allowed[c], broken[c], marks[c])
    return marks


def _resting(values: Floats) -> Knots:
    """A single key, on the sample nearest to the middle."""
    middle = values[np.argmin(np.abs(values - 0.5 * (values.min() + values.max())))]
    return Knots(np.zeros(1, np.int64), np.array([[0.0, middle, 0.0]]), np.zeros(1, np.uint8))


def in_steps(values: Floats, steps: int) -> Floats:
    """Values (…, n) and so many steps from one to the next, in straight lines."""
    shares = np.arange(steps) / steps
    between = values[..., :-1, None] + np.diff(values)[..., None] * shares
    return np.concatenate(
        [between.reshape(*values.shape[:-1], steps * (values.shape[-1] - 1)), values[..., -1:]], axis=-1
    )


def _looked_at(values: Floats, tolerances: Floats, between: Floats | None) -> tuple[Floats, Floats]:
    """Samples and the middles between them (C, 2n − 1), and one over how far off they may be.

    Where the way between samples is smooth and unknown, a parabola bows by an eighth of its second difference; twice
    the mean of the two nearest ones is allowed.
    """
    fine = in_steps(values, 2)
    made = np.empty(fine.shape)
    made[:, ::2] = tolerances
    made[:, 1::2] = np.maximum(tolerances[:, 1:], tolerances[:, :-1])
    if between is None:
        bows = np.abs(np.diff(np.pad(values, ((0, 0), (1, 1)), mode="edge"), 2, axis=1)) / 8.0
        made[:, 1::2] += bows[:, 1:] + bows[:, :-1]
    else:
        fine[:, 1::2] = between.T
    return fine, 1.0 / made


def _mark_holds(values: Floats, tolerances: Floats, broken: Bools, marks: Bytes) -> None:
    """Set the marks (n,) of holds; the values of each become one value."""
    for first, last in holds(values, tolerances):
        values[first : last + 1] = values[first]
        marks[first] |= LEVEL_RIGHT | KEPT
        marks[last] |= LEVEL_LEFT | KEPT
        # A key that another channel asks for within the hold is level on both sides, as are ends without a corner.
        marks[first + 1 : last] |= LEVEL_LEFT | LEVEL_RIGHT
        marks[first] |= 0 if broken[first] else LEVEL_LEFT
        marks[last] |= 0 if broken[last] else LEVEL_RIGHT


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
    """Samples (…, n) where the slope jumps: a bend that is large, and alone among its neighbours.

    The bend is how far the next sample lies from the line through the last two. In smooth motion it changes little
    from sample to sample, at a corner it stands out however dense the samples are.
    """
    n = len(times)
    if n < 3:
        return np.zeros(values.shape, np.bool_)
    steps = np.diff(times)
    bend = np.zeros((*values.shape[:-1], n + 4))
    bend[..., 3:-3] = np.abs(np.diff(np.diff(values) / steps)) * np.minimum(steps[:-1], steps[1:])
    here = bend[..., 2:-2]
    beside = np.maximum(bend[..., 1:-3], bend[..., 3:-1])
    beyond = np.maximum(bend[..., :-4], bend[..., 4:])
    found = (here > 4.0 * tolerances) & (here >= 0.9 * beside) & (here > 4.0 * beyond)
    # Next to an end there are not enough neighbours to stand out from.
    found[..., :2] = found[..., -2:] = False
    return np.asarray(found)


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
