"""Edits of a curve: each returns the new curve and says which tangents it had to shorten.

Time must keep running forward. Where an edit would break that, both tangents of the segment are shortened by the
same factor, heights with widths, so that every slope stays as the animator drew it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves import kernels, widths
from inbetweener.curves.curve import Curve
from inbetweener.curves.key import BEZIER, INTERPOLATIONS, LINEAR, Interpolation, Tangent
from inbetweener.errors import InvalidCurve, UnknownName

Side = Literal["in", "out"]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A tangent that was shortened so that time keeps running forward."""

    key: int
    side: Side
    width_before: float
    width_after: float

    def __str__(self) -> str:
        return f"key {self.key}: {self.side} tangent shortened from {self.width_before:g} to {self.width_after:g} s"


@dataclass(frozen=True, slots=True)
class Edit:
    """The edited curve, and what else had to give way."""

    curve: Curve
    adjusted: tuple[Adjustment, ...] = ()


def insert_key(curve: Curve, time: float) -> Edit:
    """A key at `time` that leaves the curve as it is, by exact subdivision (de Casteljau).

    Before the first and after the last key the curve is held, so the new segment there is a level line.
    """
    at = int(np.searchsorted(curve.times, time))
    if not np.isfinite(time):
        raise InvalidCurve(f"a key needs a finite time, not {time:g}")
    if at < len(curve) and curve.times[at] == time:
        raise InvalidCurve(f"key {at} is already at {time:g} s; move or delete it first")
    values, ins, outs = curve.values, curve.ins.copy(), curve.outs.copy()
    kinds = curve.interpolations.copy()
    new_in, new_out = np.zeros(2), np.zeros(2)
    if at == 0:
        value, kind = values[0], LINEAR
    elif at == len(curve):
        value, kind = values[-1], LINEAR
        kinds[-1] = LINEAR
    else:
        k, kind = at - 1, int(kinds[at - 1])
        fraction = (time - curve.times[k]) / (curve.times[at] - curve.times[k])
        value = values[k]
        if kind == LINEAR:
            value = values[k] + fraction * (values[at] - values[k])
        elif kind == BEZIER:
            value, outs[k], new_in, new_out, ins[at] = _subdivided(curve, k, time)
            # Together both widths are T′(u)/3: how fast time runs there.
            if new_in[0] + new_out[0] < 1e-9 * (curve.times[at] - curve.times[k]):
                raise InvalidCurve(f"the curve is vertical at {time:g} s; no key there can keep its shape")
    return Edit(
        Curve(
            np.insert(curve.times, at, time),
            np.insert(values, at, value),
            np.insert(ins, at, new_in, axis=0),
            np.insert(outs, at, new_out, axis=0),
            np.insert(kinds, at, kind),
            np.insert(curve.tied, at, True),
        )
    )


def delete_keys(curve: Curve, keys: Iterable[int]) -> Edit:
    """The curve without the given keys; at least one must remain."""
    gone = indices(curve, keys)
    if len(gone) == len(curve):
        raise InvalidCurve("a curve needs at least one key; remove the curve instead of its last key")
    kept = np.delete(np.arange(len(curve)), gone)
    return settled(curve, **{name: getattr(curve, name)[kept] for name in _ARRAYS})


def move_key(curve: Curve, key: int, *, time: float | None = None, value: float | None = None) -> Edit:
    """One key moved in time, value or both; its tangents come along. It may not pass its neighbours."""
    (key,) = indices(curve, [key])
    times, values = curve.times.copy(), curve.values.copy()
    times[key] = times[key] if time is None else time
    values[key] = values[key] if value is None else value
    _require_order(curve, times)
    return settled(curve, times=times, values=values)


def retime(
    curve: Curve,
    keys: Iterable[int] | None = None,
    *,
    shift: float = 0.0,
    scale: float = 1.0,
    pivot: float = 0.0,
) -> Edit:
    """Keys (all when None) moved to pivot + scale·(time − pivot) + shift; their widths stretch by `scale`.

    A stretched run of keys keeps its shape; they may not pass keys that stay.
    """
    if not (np.isfinite(scale) and scale > 0):
        raise InvalidCurve(f"time can be scaled by a positive number only, not {scale:g}")
    chosen = indices(curve, keys)
    times, ins, outs = curve.times.copy(), curve.ins.copy(), curve.outs.copy()
    times[chosen] = pivot + scale * (times[chosen] - pivot) + shift
    ins[chosen, 0] *= scale
    outs[chosen, 0] *= scale
    _require_order(curve, times)
    return settled(curve, times=times, ins=ins, outs=outs)


def run(curve: Curve, scale: float, shift: float) -> Curve:
    """The whole curve at times scale · t + shift; a scale of −1 runs it backward.

    Every segment runs as it was, but for steps, which hold what comes first.
    """
    if not (np.isfinite([scale, shift]).all() and scale != 0.0):
        raise InvalidCurve(f"time cannot be scaled by {scale:g} and shifted by {shift:g}")
    size = np.array([abs(scale), 1.0])
    if scale > 0.0:
        return replace(curve, times=scale * curve.times + shift, ins=curve.ins * size, outs=curve.outs * size)
    # What came to a key leaves it, and the other way round: widths stay, heights turn over.
    over, kinds = size * [1.0, -1.0], curve.interpolations
    return Curve(
        scale * curve.times[::-1] + shift,
        curve.values[::-1],
        curve.outs[::-1] * over,
        curve.ins[::-1] * over,
        np.concatenate([kinds[:-1][::-1], kinds[-1:]]),
        curve.tied[::-1],
    )


def set_tangent(curve: Curve, key: int, side: Side, tangent: Tangent) -> Edit:
    """One tangent of a key; a tied key's other tangent keeps its width and takes over the slope."""
    (key,) = indices(curve, [key])
    if tangent.x < 0 or (tangent.x == 0 and tangent.y != 0):
        raise InvalidCurve(f"key {key}: width {tangent.x:g} of the {side} tangent must be positive")
    ins, outs = curve.ins.copy(), curve.outs.copy()
    this, other = (ins, outs) if side == "in" else (outs, ins)
    this[key] = tangent.x, tangent.y
    if curve.tied[key] and tangent.x > 0:
        other[key, 1] = other[key, 0] * tangent.slope
    return settled(curve, ins=ins, outs=outs)


def break_tangents(curve: Curve, keys: Iterable[int] | None = None) -> Edit:
    """Keys whose two slopes may from now on differ."""
    tied = curve.tied.copy()
    tied[indices(curve, keys)] = False
    return Edit(replace(curve, tied=tied))


def tie_tangents(curve: Curve, keys: Iterable[int] | None = None) -> Edit:
    """Keys whose two slopes are one: the mean of both, the wider tangent counting more."""
    tied, ins, outs = curve.tied.copy(), curve.ins.copy(), curve.outs.copy()
    for k in indices(curve, keys):
        tied[k] = True
        across = ins[k] + outs[k]
        if ins[k, 0] > 0 and outs[k, 0] > 0:
            ins[k, 1], outs[k, 1] = np.array([ins[k, 0], outs[k, 0]]) * across[1] / across[0]
    return Edit(replace(curve, ins=ins, outs=outs, tied=tied))


def set_interpolation(curve: Curve, kind: Interpolation, keys: Iterable[int] | None = None) -> Edit:
    """How the segments after the given keys run. A linear one that becomes Bezier keeps its shape until edited."""
    if kind not in INTERPOLATIONS:
        raise UnknownName("interpolation", kind, INTERPOLATIONS)
    chosen = indices(curve, keys)
    if kind == "bezier":
        curve = straight_as_bezier(curve, chosen)
    kinds = curve.interpolations.copy()
    kinds[chosen] = INTERPOLATIONS.index(kind)
    return settled(curve, interpolations=kinds)


def straight_as_bezier(curve: Curve, segments: Iterable[int] | None = None) -> Curve:
    """The same curve with linear segments (of those after the given keys) written as Bezier ones.

    Their tangents lie along the line, a third of it wide; a key whose two slopes then differ is broken.
    """
    chosen = np.zeros(len(curve), np.bool_)
    chosen[indices(curve, segments)] = True
    straight = np.flatnonzero(chosen[:-1] & (curve.interpolations[:-1] == LINEAR))
    if len(straight) == 0:
        return curve
    ins, outs, kinds = curve.ins.copy(), curve.outs.copy(), curve.interpolations.copy()
    third = np.stack([np.diff(curve.times), np.diff(curve.values)], axis=-1)[straight] / 3.0
    outs[straight] = ins[straight + 1] = third
    kinds[straight] = BEZIER
    touched = np.unique(np.concatenate([straight, straight + 1]))
    tied = curve.tied.copy()
    tied[touched] &= slopes_agree(ins, outs)[touched]
    return replace(curve, ins=ins, outs=outs, interpolations=kinds, tied=tied)


def slopes_agree(ins: Floats, outs: Floats) -> Bools:
    """Where both tangents (n, 2) have one slope, up to rounding; a tangent without width agrees with any."""
    left, right = ins[:, 1] * outs[:, 0], outs[:, 1] * ins[:, 0]
    return np.abs(left - right) <= 1e-9 * np.maximum(np.abs(left), np.abs(right))


_ARRAYS = ("times", "values", "ins", "outs", "interpolations", "tied")


def settled(curve: Curve, **changes: npt.NDArray[Any]) -> Edit:
    """The changed curve, tangents shortened wherever time would otherwise run backwards."""
    arrays = {name: changes.get(name, getattr(curve, name)) for name in _ARRAYS}
    ins, outs = arrays["ins"].copy(), arrays["outs"].copy()
    length = np.diff(arrays["times"])
    a, b = outs[:-1, 0] / length, ins[1:, 0] / length
    bad = np.flatnonzero((arrays["interpolations"][:-1] == BEZIER) & ~widths.are_monotone(a, b))
    scale = widths.admissible_scale(a[bad], b[bad])[:, None]
    before = [(int(k), float(outs[k, 0]), float(ins[k + 1, 0])) for k in bad]
    outs[bad] *= scale
    ins[bad + 1] *= scale
    adjusted: list[Adjustment] = []
    for k, out_width, in_width in before:
        adjusted.append(Adjustment(k, "out", out_width, float(outs[k, 0])))
        adjusted.append(Adjustment(k + 1, "in", in_width, float(ins[k + 1, 0])))
    return Edit(Curve(**{**arrays, "ins": ins, "outs": outs}), tuple(each for each in adjusted if each.width_before))


def _subdivided(curve: Curve, k: int, time: float) -> tuple[float, Floats, Floats, Floats, Floats]:
    """Value of the new key; out tangent of key k, in and out of the new key, in of the key after it."""
    length = curve.times[k + 1] - curve.times[k]
    parameter = np.empty((1, 1))
    kernels.parameters(
        curve.outs[k : k + 1, 0] / length,
        curve.ins[k + 1 : k + 2, 0] / length,
        np.array([[(time - curve.times[k]) / length]]),
        parameter,
    )
    u = parameter[0, 0]
    ends = np.stack([curve.times[k : k + 2], curve.values[k : k + 2]], axis=-1)
    # Steps between control points; a level of de Casteljau mixes neighbouring steps.
    steps = np.stack([curve.outs[k], ends[1] - curve.ins[k + 1] - ends[0] - curve.outs[k], curve.ins[k + 1]])
    mixed = (1 - u) * steps[:-1] + u * steps[1:]
    slope = (1 - u) * mixed[0] + u * mixed[1]
    # From the nearer end, so that a key next to a key does not lose digits.
    from_start = ends[0, 1] + u * (steps[0, 1] + mixed[0, 1] + slope[1])
    from_end = ends[1, 1] - (1 - u) * (steps[2, 1] + mixed[1, 1] + slope[1])
    value = float(from_start if u < 0.5 else from_end)
    return value, u * steps[0], u * slope, (1 - u) * slope, (1 - u) * steps[2]


def indices(curve: Curve, keys: Iterable[int] | None) -> Ints:
    """Sorted, checked key numbers; all when None. Negative ones count from the end."""
    count = len(curve)
    listed = range(count) if keys is None else list(keys)
    for key in listed:
        if not -count <= key < count:
            raise InvalidCurve(f"there is no key {key}; the curve has keys 0 to {count - 1}")
    return np.unique(np.array([key % count for key in listed], np.int64))


def _require_order(curve: Curve, times: Floats) -> None:
    """Moved keys must stay between the same neighbours."""
    wrong = np.flatnonzero(~(np.diff(times) > 0))
    if len(wrong):
        k = int(wrong[0])
        mover = k if times[k] != curve.times[k] else k + 1
        other = k + 1 if mover == k else k
        raise InvalidCurve(
            f"key {mover} would move from {curve.times[mover]:g} to {times[mover]:g} s, "
            f"onto or past key {other} at {times[other]:g} s; move or delete that key first"
        )
