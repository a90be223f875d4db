"""Curves of FBX as ours, tangents and all.

A key of FBX says how the segment after it goes and, for both ends of that segment, slopes and widths as shares of it.
Slopes are single precision, widths whole ten-thousandths of the segment; a third where they are not given.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve, widths
from inbetweener.formats.fbx.scene import TICKS, Thing
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.notes import Source

CONSTANT_KEY, LINEAR_KEY, CUBIC_KEY = 0x2, 0x4, 0x8
_NEXT = 0x100
"""Of a constant key: the next key's value is held, not its own."""
_AUTO, _TCB, USER, BROKEN = 0x100, 0x200, 0x400, 0x800
_CLAMP, _TIMELESS, _PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_RIGHT, WEIGHTED_LEFT = 0x1000000, 0x2000000
_VELOCITY = 0x30000000
WIDTH_STEPS = 10_000
"""Widths are whole numbers of this part of a segment."""
_LEVEL = 1e-4
"""A clamped tangent is level where a neighbour is as near as this: what Autodesk's programs take."""
_BENT, _STRAIGHT = 100, 18
"""Bytes that a key takes in memory, with tangents and without."""
_MANY = 32
"""Equal keys from which on one is enough."""
_HAIR = 1e-7
"""Seconds between a key and the leap to the value that the next one has."""


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """times, values (n,), flags (n,), attributes (n, 4) of the segment after each key."""

    times: Floats
    values: Floats
    flags: Ints
    attributes: npt.NDArray[np.float32]


def read_curve(thing: Thing, place: str, source: Source) -> Curve | None:
    """A curve in FBX's units; None where it has no key. `place` is what it moves."""
    record = thing.record
    ticks, values = record.array("KeyTime", np.int64), record.array("KeyValueFloat", np.float64)
    if ticks is None or values is None or not len(ticks):
        return None
    if len(ticks) != len(values):
        source.fail(place, f"{len(ticks)} key times for {len(values)} values", "export the file anew")
    flags = record.array("KeyAttrFlags", np.int64)
    bent = flags is not None and bool((flags & CUBIC_KEY).any())
    if len(ticks) >= _MANY and not bent and (values == values[0]).all():
        # A key on every frame of what never moves, as exporters bake it.
        return Curve.sampled(ticks[:1] / TICKS, values[:1])
    source.spend((_BENT if bent else _STRAIGHT) * len(ticks), place)
    keys = _Keys(ticks / TICKS, values, *_attributes(record, len(ticks), place, source))
    keys = _sound(keys, place, source)
    if (keys.flags & _VELOCITY).any():
        source.leave_out(place, "the velocities of its tangents are left out; programs disagree on them")
    return _curve(keys, place, source) if len(keys.times) else None


def _attributes(record: Record, count: int, place: str, source: Source) -> tuple[Ints, npt.NDArray[np.float32]]:
    flags, data = record.array("KeyAttrFlags", np.int64), record.array("KeyAttrDataFloat", np.float32)
    uses = record.array("KeyAttrRefCount", np.int64)
    if flags is None or data is None or uses is None:
        source.note(place, "says nothing of its tangents; its keys are straight")
        return np.full(count, LINEAR_KEY), np.zeros((count, 4), np.float32)
    if len(data) != 4 * len(flags) or len(uses) != len(flags) or (uses < 0).any() or uses.sum() != count:
        source.fail(place, f"the attributes of its keys are not those of {count} keys", "export the file anew")
    return np.repeat(flags, uses), np.repeat(data.reshape(-1, 4), uses, axis=0)


def _sound(keys: _Keys, place: str, source: Source) -> _Keys:
    """Keys of finite values at times that increase."""
    latest = np.maximum.accumulate(np.concatenate([[-np.inf], keys.times[:-1]]))
    kept = (keys.times > latest) & np.isfinite(keys.values) & (np.abs(keys.values) < 1e30)
    if kept.all():
        return keys
    source.note(place, f"{int((~kept).sum())} of {len(kept)} keys are out of order or no numbers; dropped")
    return _Keys(keys.times[kept], keys.values[kept], keys.flags[kept], keys.attributes[kept])


def _curve(keys: _Keys, place: str, source: Source) -> Curve:
    flags = keys.flags
    cubic = (flags & CUBIC_KEY != 0) & (flags & CONSTANT_KEY == 0)
    kinds = np.where(flags & CONSTANT_KEY, CONSTANT, np.where(cubic, BEZIER, LINEAR)).astype(np.uint8)
    if not cubic[:-1].any():
        return _leaping(Curve.sampled(keys.times, keys.values), kinds, flags)
    steps = np.diff(keys.times)
    rights, lefts = _slopes(keys, kinds)
    outs, ins = _widths(keys, cubic)
    a, b = outs[:-1], ins[1:]
    scale = np.where(widths.are_monotone(a, b), 1.0, widths.admissible_scale(a, b))
    if (scale[cubic[:-1]] < 1).any():
        source.note(place, f"{int((scale[cubic[:-1]] < 1).sum())} tangents so wide that time runs back; shortened")
    bent = np.where(cubic[:-1], scale * steps, 0.0)
    out_widths, in_widths = np.append(a * bent, 0.0), np.append(0.0, b * bent)
    before, after = (np.stack([x, x * slope], axis=1) for x, slope in ((in_widths, lefts), (out_widths, rights)))
    inner = (in_widths > 0) & (out_widths > 0)
    alone = (in_widths > 0) != (out_widths > 0)
    alone[[0, -1]] = False
    smooth = (np.abs(lefts - rights) <= 1e-4 * (1 + np.abs(lefts) + np.abs(rights))) & (flags & BROKEN == 0)
    made = Curve(keys.times, keys.values, before, after, kinds, np.where(inner, smooth, ~alone))
    return _leaping(made, kinds, flags)


def _leaping(curve: Curve, kinds: npt.NDArray[np.uint8], flags: Ints) -> Curve:
    """The curve with its kinds; a key that holds the next one's value is followed by one that has it."""
    leaps = np.flatnonzero((kinds[:-1] == CONSTANT) & (flags[:-1] & _NEXT != 0))
    if not len(leaps):
        return curve if (curve.interpolations == kinds).all() else _with_kinds(curve, kinds)
    at = leaps + 1
    hair = np.minimum(_HAIR, np.diff(curve.times)[leaps] / 2)
    flat = np.zeros((len(at), 2))
    return Curve(
        np.insert(curve.times, at, curve.times[leaps] + hair),
        np.insert(curve.values, at, curve.values[leaps + 1]),
        np.insert(curve.ins, at, flat, axis=0),
        np.insert(curve.outs, at, flat, axis=0),
        np.insert(kinds, at, CONSTANT),
        np.insert(curve.tied, at, True),
    )


def _with_kinds(curve: Curve, kinds: npt.NDArray[np.uint8]) -> Curve:
    return Curve(curve.times, curve.values, curve.ins, curve.outs, kinds, curve.tied)


def _widths(keys: _Keys, cubic: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The widths (n,) of out and in tangents as shares of the segments that they lie in."""
    packed = np.ascontiguousarray(keys.attributes[:, 2]).view(np.uint32).astype(np.int64)
    given = cubic & (keys.flags & _TCB == 0)
    right = np.where(given & (keys.flags & WEIGHTED_RIGHT != 0), (packed & 0xFFFF) / WIDTH_STEPS, 1 / 3)
    left = np.where(given & (keys.flags & WEIGHTED_LEFT != 0), (packed >> 16) / WIDTH_STEPS, 1 / 3)
    return right, np.append(1 / 3, left[:-1])


def _slopes(keys: _Keys, kinds: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Slopes (n,) on the right and the left of every key.

    Those that the file does not give follow from the keys around, as Autodesk's programs make them.
    """
    times, values, flags = keys.times, keys.values, keys.flags
    count = len(times)
    data = np.where(np.isfinite(keys.attributes), keys.attributes, 0.0).astype(np.float64)
    right, next_left = data[:, 0].copy(), data[:, 1].copy()
    lines = np.diff(values) / np.diff(times)
    after, before = np.append(lines, 0.0), np.append(0.0, lines)
    cubic = kinds == BEZIER
    tcb = cubic & (flags & _TCB != 0)
    straight = np.where(kinds == LINEAR, after, 0.0)
    right, next_left = np.where(cubic, right, straight), np.where(cubic & ~tcb, next_left, straight)
    left = np.append(0.0, next_left[:-1])
    if tcb.any():
        tension, continuity, bias = (data[:, n] for n in range(3))
        factor = np.where(np.arange(count) % (count - 1) == 0, 1.0, 0.5) * (1 - tension)
        left = np.where(
            tcb, factor * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * after), left
        )
        right = np.where(
            tcb, factor * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * after), right
        )
    auto = cubic & ~tcb & (flags & USER == 0)
    if auto.any():
        outs, ins = _widths(keys, cubic)
        # What is written for such keys is a bias, in hundredths, toward the line after or before.
        one = np.abs(left + right) <= 1e-4
        made_right = _auto(keys, right, before, after, outs, ins)
        made_left = np.where(one, made_right, _auto(keys, -left, before, after, outs, ins))
        right, left = np.where(auto, made_right, right), np.where(auto, made_left, left)
        for end in (0, count - 1):
            if auto[end]:
                right[end] = left[end] = right[end] if end == 0 else left[end]
    return right, left


def _auto(keys: _Keys, bias: Floats, before: Floats, after: Floats, outs: Floats, ins: Floats) -> Floats:
    """Slopes (n,) through keys by their neighbours."""
    times, values, flags = keys.times, keys.values, keys.flags
    slope = np.zeros(len(times))
    steps = np.diff(times)
    timeless = flags[1:-1] & _TIMELESS != 0
    whole = times[2:] - times[:-2]
    across = (values[2:] - values[:-2]) / whole
    share = steps[:-1] / whole
    mean = 0.5 * across + 0.5 * (before[1:-1] * (1 - share) + after[1:-1] * share)
    pull = np.abs(bias[1:-1]) / 100.0
    aim = np.where(bias[1:-1] > 0, after[1:-1], before[1:-1])
    beyond = np.maximum(pull - 5.0, 0.0)
    toward = np.where(np.abs(aim - mean) > 1e-5, aim - mean, bias[1:-1])
    pulled = mean * (1 - pull) + aim * pull + beyond**2 * np.where(toward > 0, 40.0, -40.0)
    slope[1:-1] = np.where(timeless, across, np.where(pull > 1e-4, pulled, mean))
    slope[0], slope[-1] = after[0], before[-1]
    ends = np.array([0, -1])
    extra = np.maximum(np.abs(bias[ends]) / 100.0 - 5.0, 0.0)
    slope[ends] += np.where(flags[ends] & _TIMELESS, 0.0, extra**2 * np.where(bias[ends] > 0, 40.0, -40.0))
    nearest = np.minimum(np.append(np.inf, np.abs(np.diff(values))), np.append(np.abs(np.diff(values)), np.inf))
    slope[(flags & _CLAMP != 0) & (nearest <= _LEVEL)] = 0.0
    # No handle beyond a neighbour.
    sign = np.where(slope >= 0, 1.0, -1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        most = np.minimum(
            np.append(0.0, sign[1:] * before[1:] / ins[1:]), np.append(sign[:-1] * after[:-1] / outs[:-1], 0.0)
        )
    most = np.where(most > 0, most, 0.0)
    return np.where(flags & _PROGRESSIVE, sign * np.minimum(np.abs(slope), most), slope)
