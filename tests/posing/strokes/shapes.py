"""Strokes whose positions, headings and curvatures are known in closed form, and hands that draw them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inbetweener.posing.strokes import StrokeCurve

Formula = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Shape:
    """Positions (n, 2) for a parameter from 0 to 1, at which fractions of it corners are, and the turn in all."""

    name: str
    places: Formula
    corners: tuple[float, ...] = ()
    turn: float | None = None

    def headings(self, t: np.ndarray) -> np.ndarray:
        """From central differences, unwrapped; only where there is no corner near."""
        way = self.places(t + 1e-6) - self.places(t - 1e-6)
        return np.unwrap(np.arctan2(way[:, 1], way[:, 0]))


def _stack(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.stack([x, y], axis=-1)


def _zigzag(t: np.ndarray) -> np.ndarray:
    x = 4.0 * t
    return _stack(x, np.abs((x + 1.0) % 2.0 - 1.0))


def _heart(t: np.ndarray) -> np.ndarray:
    """Two lobes of radius 0.5, each going on in an arc of radius 2.5, with corners in the dip and at the tip.

    It begins on the right lobe, goes through the dip, over the left lobe to the tip and half the way up again.
    """
    side = np.arctan2(2.0, 1.5)
    lengths = np.cumsum([0.5 * np.pi / 2, 0.5 * np.pi, 2.5 * side, 2.5 * side])
    s = t * lengths[-1]
    lobe = 0.5 * np.pi / 2 - s
    turns = [
        _stack(0.5 + 0.5 * np.cos(np.pi - lobe / 0.5), 0.5 * np.sin(np.pi - lobe / 0.5)),
        _stack(-0.5 + 0.5 * np.cos((s - lengths[0]) / 0.5), 0.5 * np.sin((s - lengths[0]) / 0.5)),
        _stack(1.5 + 2.5 * np.cos(np.pi + (s - lengths[1]) / 2.5), 2.5 * np.sin(np.pi + (s - lengths[1]) / 2.5)),
        _stack(-1.5 + 2.5 * np.cos((s - lengths[3]) / 2.5), 2.5 * np.sin((s - lengths[3]) / 2.5)),
    ]
    return np.select([(s < end)[..., None] for end in lengths[:3]], turns[:3], turns[3])


HEART_CORNERS = tuple(
    float(x) for x in np.array([0.25 * np.pi, 0.75 * np.pi + 2.5 * np.arctan2(2.0, 1.5)])
    / (0.75 * np.pi + 2 * 2.5 * np.arctan2(2.0, 1.5))
)  # fmt: skip

LINE = Shape("line", lambda t: _stack(3.0 * t, 1.0 + t), (), 0.0)
ARC = Shape("arc", lambda t: 2.0 * _stack(np.cos(5.0 * t), np.sin(5.0 * t)), (), 5.0)
WAVE = Shape("S", lambda t: _stack(2.0 * t, 0.4 * np.sin(2.0 * np.pi * t)), (), 0.0)
SPIRAL = Shape(
    "spiral", lambda t: (0.3 + t)[..., None] * _stack(np.cos(6 * np.pi * t), np.sin(6 * np.pi * t)), (), None
)
LOOP = Shape("loop", lambda t: _stack(t + 0.6 * np.sin(2 * np.pi * t), -0.6 * np.cos(2 * np.pi * t)), (), 2.0 * np.pi)
HEART = Shape("heart", _heart, HEART_CORNERS)
ZIGZAG = Shape("zigzag", _zigzag, (0.25, 0.5, 0.75))
SMOOTH = (LINE, ARC, WAVE, SPIRAL, LOOP)
ALL = (*SMOOTH, HEART, ZIGZAG)


def size_of(points: np.ndarray) -> float:
    return 2.0 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def even_pace(count: int = 200) -> np.ndarray:
    return np.linspace(0.0, 1.0, count)


def hand_pace(count: int = 200) -> np.ndarray:
    """A hand that starts and ends slowly and hesitates on the way, read at even times."""
    time = np.linspace(0.0, 1.0, count)
    speed = 0.15 + np.sin(np.pi * time) ** 2 * (1.0 + 0.7 * np.sin(9.0 * time))
    way = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]))])
    return way / way[-1]


def tremor(count: int, amount: float, seed: int) -> np.ndarray:
    """Offsets (n, 2) of a hand that trembles at about nine hertz, read at sixty hertz, plus the noise of the pen."""
    random = np.random.default_rng(seed)
    time = np.arange(count) / 60.0
    sway = np.zeros((count, 2))
    for hertz in (7.5, 9.0, 11.0):
        sway += np.sin(2 * np.pi * (hertz * time[:, None] + random.random(2))) / 3.0
    return amount * (sway + 0.5 * random.normal(size=(count, 2)))


def distances(points: np.ndarray, curve: StrokeCurve) -> np.ndarray:
    """How far points (n, 2) are from a curve, by looking at very many places of it."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(curve.positions(np.linspace(0.0, curve.length, 20_001))).query(points)[0])
