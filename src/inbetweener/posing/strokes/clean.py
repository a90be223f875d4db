"""Points as a pen or mouse leaves them, made fit to be fitted: no dwelling, no hooks, not too many."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.posing.strokes import kernels

DWELL = 0.002
"""Points nearer than this share of the stroke's size are one place where the pen dwelt."""
NOISE_STEP = 3.0
"""And so are those nearer than this many standard deviations of their noise."""
MOST_POINTS = 400
"""More carry no more shape: they are averaged along the way."""
HOOK = 0.05
"""A hook, the flick of a pen that touches down or lifts, is at most this share of the stroke's size long."""
HOOK_TURN = np.pi / 3
"""And the stroke turns at least this much where it ends."""

LIGHTEST, HEAVIEST = 0.25, 4.0
"""What a point counts at least and at most for how hard it was pressed, against one pressed as most are."""

LARGEST = 1e100
"""Coordinates that can still be squared."""


class InvalidStroke(InbetweenerError, ValueError):
    """Points that make no stroke; the message says why."""


def cleaned(points: npt.ArrayLike, pressures: npt.ArrayLike | None = None) -> tuple[Floats, Floats]:
    """The points (n, 2) of a stroke that say where it goes, at least two, and what each counts (n,).

    No two neighbours are in one place. Without pressures, and where all are the same, every point counts one.
    """
    given = _checked(points)
    counts = _counts(pressures, len(given))
    size = stroke_size(given)
    if size <= max(1e-9 * float(np.abs(given).max()), 1.0 / LARGEST):
        raise InvalidStroke("a stroke needs length: all its points are in one place; draw a longer one")
    gathered, heavy = np.empty_like(given), np.empty_like(counts)
    # Where points are closer together than the noise, the way along them is longer than the stroke and goes nowhere.
    radius = float(np.clip(NOISE_STEP * noise(given), DWELL * size, HOOK * size))
    count = kernels.gather(given, counts, radius, gathered, heavy)
    kept, heavy = gathered[:count], heavy[:count]
    if len(kept) > MOST_POINTS:
        kept, heavy = _averaged(kept, heavy, MOST_POINTS)
    kept, heavy = kept[(hook := _hook(kept, size)) :], heavy[hook:]
    end = len(kept) - _hook(kept[::-1], size)
    return np.ascontiguousarray(kept[:end]), heavy[:end].copy()


def stroke_size(points: Floats) -> float:
    """Twice the largest distance from the middle: a size that does not change when the stroke is turned."""
    return 2.0 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def arc_lengths(points: Floats) -> Floats:
    """How far along the polygon each of the points (n, 2) is."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def noise(points: Floats) -> float:
    """Standard deviation of the points (n, 2) across the stroke, from third differences, which smooth strokes lack."""
    if len(points) < 8:
        return 0.0
    third = points[3:] - points[:-3] - 3.0 * (points[2:-1] - points[1:-2])
    chord = points[3:] - points[:-3]
    across = np.abs(chord[:, 0] * third[:, 1] - chord[:, 1] * third[:, 0])
    length = np.linalg.norm(chord, axis=1)
    off = np.divide(across, length, out=np.zeros_like(length), where=length > 0.0)
    # The median of a normal deviate's size is 0.6745; weights 1, 3, 3, 1 make a variance of 20.
    return float(np.median(off)) / 0.6745 / np.sqrt(20.0)


def _checked(points: npt.ArrayLike) -> Floats:
    try:
        given = np.ascontiguousarray(points, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidStroke("a stroke is a list of points [x, y], each two numbers") from error
    if given.ndim != 2 or given.shape[1] != 2:
        if given.size == 0:
            raise InvalidStroke("a stroke without points; draw at least two")
        raise InvalidStroke(f"a stroke is a list of points [x, y], not an array of shape {given.shape}")
    usable = np.isfinite(given).all(axis=1) & (np.abs(given) < LARGEST).all(axis=1)
    if not usable.all():
        first = int(np.flatnonzero(~usable)[0])
        raise InvalidStroke(f"point {first} of the stroke is no place on a page: {given[first].tolist()}")
    if len(given) < 2:
        raise InvalidStroke("a stroke of one point has no direction; draw at least two")
    return given


def _counts(pressures: npt.ArrayLike | None, count: int) -> Floats:
    """What points count (n,) that were pressed so hard: in proportion, within bounds, and as pressed most of them one.

    A pen that mostly says nothing of it says nothing.
    """
    if pressures is None:
        return np.ones(count)
    try:
        pressed = np.asarray(pressures, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidStroke("pressures of a stroke are numbers, one for each of its points") from error
    if pressed.shape != (count,):
        raise InvalidStroke(f"a stroke of {count} points needs {count} pressures, not those of shape {pressed.shape}")
    usable = np.isfinite(pressed) & (pressed >= 0.0)
    if not usable.all():
        first = int(np.flatnonzero(~usable)[0])
        raise InvalidStroke(f"point {first} of the stroke is pressed by {pressed[first]:g}; choose a number from 0 up")
    usual = float(np.median(pressed))
    return np.clip(pressed / usual, LIGHTEST, HEAVIEST) if usual > 0.0 else np.ones(count)


def _averaged(points: Floats, weights: Floats, count: int) -> tuple[Floats, Floats]:
    """Means of the polygon over even stretches, and the weights there; both ends stay."""
    s = arc_lengths(points)
    edges = np.linspace(0.0, s[-1], count - 1)
    at = np.unique(np.concatenate([s, edges]))
    path = np.stack([np.interp(at, s, points[:, i]) for i in (0, 1)], axis=1)
    area = np.concatenate([np.zeros((1, 2)), np.cumsum(0.5 * (path[1:] + path[:-1]) * np.diff(at)[:, None], axis=0)])
    place = np.searchsorted(at, edges)
    means = np.diff(area[place], axis=0) / np.diff(at[place])[:, None]
    middles = np.concatenate([[0.0], 0.5 * (edges[1:] + edges[:-1]), s[-1:]])
    return np.concatenate([points[:1], means, points[-1:]]), np.interp(middles, s, weights)


def _hook(points: Floats, size: float) -> int:
    """How many points come before a sharp turn right at the start."""
    s = arc_lengths(points)
    if s[-1] < 4.0 * HOOK * size:
        return 0
    inside = np.flatnonzero((s > 0.0) & (s <= HOOK * size))
    if len(inside) == 0:
        return 0
    before = points[inside] - points[0]
    # As far on as the hook is long, and at least far enough to see where the stroke goes.
    ahead = s[inside] + np.maximum(s[inside], 0.5 * HOOK * size)
    after = np.stack([np.interp(ahead, s, points[:, i]) for i in (0, 1)], axis=1) - points[inside]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turns = np.abs(np.arctan2(cross, (before * after).sum(axis=1)))
    sharpest = int(np.argmax(turns))
    return int(inside[sharpest]) if turns[sharpest] > HOOK_TURN else 0
