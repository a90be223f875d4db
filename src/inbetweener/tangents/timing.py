"""Timing by tangent widths: faster or slower at a place of the motion curve, or a frame tick moved along it.

Widths shape time, heights shape the path. Where the curves of a body share their key times and widths, changing only
the widths leaves every path exactly where it is. A tied key keeps its slopes equal by giving its other tangent the
width, not the height, that belongs to the new slope: the neighbouring segment keeps its path too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.errors import UnknownName
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Place
from inbetweener.tangents.problem import NothingToDrag, changed_motion, edited_curves
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.variables import can_change, segment_at, turns_along


@dataclass(frozen=True, slots=True, eq=False)
class Retimed:
    """New curves, and how much of the wished change all of them together allowed."""

    curves: Curves
    amount: float


def scale_timing(
    motion: Motion,
    time: float,
    amount: float,
    *,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
    settings: Settings | None = None,
) -> Retimed:
    """Make the motion around `time` faster (amount > 0, frames move apart) or slower; [TSO] Eq. 12.

    The out width at the left key grows by amount · (t − t_k)/h · h, the in width at the right key by the rest, h being
    the segment's length. All curves get the same amount, the largest that keeps every width within bounds.
    """

    def change(fraction: float) -> tuple[float, float]:
        return fraction, 1.0 - fraction

    return _retime(motion, time, amount, change, channels, layer, settings or Settings())


def shift_timing(
    motion: Motion,
    time: float,
    amount: float,
    *,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
    settings: Settings | None = None,
) -> Retimed:
    """Let the segment around `time` start slowly and end quickly (amount > 0), or the other way round."""

    def change(_: float) -> tuple[float, float]:
        return 1.0, -1.0

    return _retime(motion, time, amount, change, channels, layer, settings or Settings())


def move_tick(
    motion: Motion,
    place: Place,
    time: float,
    target: Floats,
    *,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
) -> Retimed:
    """Shift timing so that at `time` the place is where its path comes nearest to `target` (3,)."""
    chosen = None if channels is None else tuple(channels)

    def gap(amount: float) -> tuple[float, Retimed]:
        retimed = shift_timing(motion, time, amount, channels=chosen, layer=layer)
        moved = changed_motion(motion, layer, retimed.curves)
        return float(np.linalg.norm(moved.states([time], place)[0][0] - target)), retimed

    # Along the path the distance to the target falls and rises once: golden-section search.
    shrink = (np.sqrt(5.0) - 1.0) / 2.0
    low, high = -1.0, 1.0
    a, b = high - shrink * (high - low), low + shrink * (high - low)
    (gap_a, _), (gap_b, _) = gap(a), gap(b)
    while high - low > 1e-4:
        if gap_a < gap_b:
            high, b, gap_b = b, a, gap_a
            a = high - shrink * (high - low)
            gap_a = gap(a)[0]
        else:
            low, a, gap_a = a, b, gap_b
            b = low + shrink * (high - low)
            gap_b = gap(b)[0]
    return gap(0.5 * (low + high))[1]


@dataclass(frozen=True, slots=True)
class _Width:
    """One width that changes: which key and side, from what, by how much a unit of amount, within which bounds."""

    key: int
    side: str
    x: float
    change: float
    lower: float
    upper: float

    def most(self, amount: float) -> float:
        """The largest share of `amount`, 0 to 1, that stays within the bounds."""
        wished = self.change * amount
        room = (self.upper if wished > 0 else self.lower) - self.x
        return 1.0 if wished == 0.0 else float(np.clip(room / wished, 0.0, 1.0))


def _retime(
    motion: Motion,
    time: float,
    amount: float,
    change: Callable[[float], tuple[float, float]],
    channels: Iterable[str] | None,
    layer: str | None,
    settings: Settings,
) -> Retimed:
    curves = edited_curves(motion, layer)
    wanted = list(curves) if channels is None else list(channels)
    for name in wanted:
        if name not in curves:
            raise UnknownName("curve", name, curves)
    moving = {name: _widths(curves[name], time, change, settings) for name in wanted if can_change(curves[name], time)}
    if not moving:
        raise NothingToDrag(f"no Bezier segment is active at {time:g} s; scale timing between keys")
    share = min(width.most(amount) for widths in moving.values() for width in widths)
    applied = amount * share
    return Retimed(
        curves.replaced({name: _changed(curves[name], widths, applied) for name, widths in moving.items()}), applied
    )


def _widths(
    curve: Curve, time: float, change: Callable[[float], tuple[float, float]], settings: Settings
) -> list[_Width]:
    """The free segment's two widths, and those of the tied tangents beyond them."""
    k = segment_at(curve, time)
    length = float(curve.times[k + 1] - curve.times[k])
    by_out, by_in = change((time - float(curve.times[k])) / length)
    found = []
    for key, side, along, by, tied in (
        (k, "out", 1, by_out, turns_along(curve, k)[0]),
        (k + 1, "in", -1, by_in, turns_along(curve, k)[1]),
    ):
        x = float((curve.outs if side == "out" else curve.ins)[key, 0])
        if x <= 0.0:
            continue
        found.append(_Width(key, side, x, by * length, *_bounds(x, length, settings)))
        other = float((curve.ins if side == "out" else curve.outs)[key, 0])
        if tied and other > 0.0:
            beyond = float(abs(curve.times[key] - curve.times[key - along]))
            opposite = "in" if side == "out" else "out"
            found.append(_Width(key, opposite, other, by * length * other / x, *_bounds(other, beyond, settings)))
    return found


def _bounds(x: float, length: float, settings: Settings) -> tuple[float, float]:
    """Admissible widths; a width that is already outside may stay."""
    return min(x, settings.least_width * length), max(x, settings.most_width * length)


def _changed(curve: Curve, widths: list[_Width], amount: float) -> Curve:
    ins, outs = curve.ins.copy(), curve.outs.copy()
    for width in widths:
        (ins if width.side == "in" else outs)[width.key, 0] = width.x + width.change * amount
    return curve.with_tangents(ins, outs)
