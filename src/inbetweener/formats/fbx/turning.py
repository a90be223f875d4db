"""Rotations between whose keys a node turns by quaternions, as Euler curves that follow them.

A node may say that its angles are only those of keys: between them it turns evenly along the shorter arc (slerp), or
smoothly through neighbouring keys (squad), whatever tangents its curves have; or, depending on these, holds where they
hold, turns evenly where they are straight and smoothly where they are curved.
"""

import numpy as np

from inbetweener.arrays import Bytes, Floats, frozen
from inbetweener.curves import BEZIER, CONSTANT, LINEAR
from inbetweener.formats.degrees import scaled
from inbetweener.formats.fbx.planes import Values
from inbetweener.formats.notes import Source
from inbetweener.formats.turn_kernels import Turns
from inbetweener.formats.turns import along_turns
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order

CUBIC, BY_TANGENTS = 3, 4
"""Ways that are not slerp for all segments."""
TOLERANCE = 2e-5
"""Radians within which curves follow."""
PIECES = 16
"""Into which a smooth segment is cut at most before angles are looked for."""
_NEAR = 1e-4
"""Of a piece: how near slopes are measured."""


def turned(values: Values, order: Order, mode: int, place: str, source: Source) -> Values:
    """The same keys with angles, in degrees, that follow quaternions between them."""
    keyed = [curve for curve in values.curves if curve is not None]
    times = np.unique(np.concatenate([np.empty(0), *(curve.times for curve in keyed)]))
    if len(times) < 2:
        return values
    first = values.at(times)
    at_keys = quaternions.continuous(quaternions.from_matrix(euler.to_matrix(np.radians(first), order)))
    kinds = np.full(len(times), BEZIER if mode == CUBIC else LINEAR, np.uint8)
    if mode == BY_TANGENTS:
        kinds = np.max([_kinds(curve.times, curve.interpolations, times) for curve in keyed], axis=0)
        held = np.all([_kinds(c.times, c.interpolations, times) == _RANKS[CONSTANT] for c in keyed], axis=0)
        kinds = np.where(held, CONSTANT, np.where(kinds == _RANKS[BEZIER], BEZIER, LINEAR)).astype(np.uint8)
    source.spend(100 * len(times) * (PIECES if (kinds == BEZIER).any() else 1), place)
    angles, _ = along_turns(_cut(times, at_keys, kinds), order, TOLERANCE)
    shift = 2 * np.pi * np.round((np.radians(first[0]) - angles.values[0]) / (2 * np.pi))
    degrees = [
        scaled(curve, 180.0 / np.pi, float(np.degrees(by))) for curve, by in zip(angles.curves(), shift, strict=True)
    ]
    source.note(place, "turns by quaternions between its keys; its angles follow them, with keys where that takes some")
    return Values(values.constants, tuple(degrees))


_RANKS = {CONSTANT: 0, LINEAR: 1, BEZIER: 2}


def _kinds(own: Floats, interpolations: Bytes, times: Floats) -> Bytes:
    """How a curve goes after each of some times, as a rank; what lies beyond its keys holds."""
    ranks = np.array([_RANKS[int(kind)] for kind in interpolations], np.uint8)
    at = np.searchsorted(own, times, side="right") - 1
    inside = (at >= 0) & (at < len(own) - 1)
    return np.where(inside, ranks[np.clip(at, 0, len(own) - 1)], np.uint8(0))


def _cut(times: Floats, keys: Floats, kinds: Bytes) -> Turns:
    """Quaternion keys, and where they turn smoothly as many between as cubics take to follow."""
    smooth = np.flatnonzero(kinds[:-1] == BEZIER)
    inner = _inner(keys)
    count = 1
    while count < PIECES and len(smooth):
        made = _pieces(times, keys, inner, kinds, count)
        if _farthest(made, times, keys, inner) < TOLERANCE / 4:
            return made
        count *= 2
    return _pieces(times, keys, inner, kinds, count)


def _pieces(times: Floats, keys: Floats, inner: Floats, kinds: Bytes, count: int) -> Turns:
    at, values, ins, outs, after = [times[:1]], [keys[:1]], [np.zeros((1, 4))], list[Floats](), list[Bytes]()
    for k in range(len(times) - 1):
        h = times[k + 1] - times[k]
        parts = count if kinds[k] == BEZIER else 1
        ends = np.arange(1, parts + 1) / parts
        at.append(times[k] + h * ends)
        at[-1][-1] = times[k + 1]
        after.append(np.full(parts, kinds[k], np.uint8))
        if kinds[k] != BEZIER:
            values.append(keys[k + 1 : k + 2])
            ins.append(np.zeros((1, 4)))
            outs.append(np.zeros((1, 4)))
            continue
        s = np.concatenate([[0.0], ends])
        slopes = (_squad(keys, inner, k, s + _NEAR) - _squad(keys, inner, k, s - _NEAR)) / (2 * _NEAR * h)
        values.append(_squad(keys, inner, k, ends))
        outs.append(slopes[:-1])
        ins.append(slopes[1:])
    outs.append(np.zeros((1, 4)))
    after.append(np.array([LINEAR], np.uint8))
    a, b, c, d = (frozen(np.concatenate(each)) for each in (at, values, ins, outs))
    return Turns(a, b, c, d, frozen(np.concatenate(after), np.uint8))


def _squad(keys: Floats, inner: Floats, k: int, s: Floats) -> Floats:
    """Smoothly from key k (s = 0) to the next (s = 1): slerps of slerps."""
    one, two = (quaternions.slerp(np.tile(q[k], (len(s), 1)), q[k + 1], s) for q in (keys, inner))
    made = quaternions.slerp(one, two, 2 * s * (1 - s))
    # On the side of the first key, so that differences are small.
    return np.where((made @ keys[k] < 0)[:, None], -made, made)


def _inner(keys: Floats) -> Floats:
    """What squad leans to at each key: q · exp(−(log(q⁻¹ next) + log(q⁻¹ last)) / 4)."""
    made = keys.copy()
    for k in range(1, len(keys) - 1):
        back = quaternions.inverse(keys[k])
        both = _log(quaternions.product(back, keys[k + 1])) + _log(quaternions.product(back, keys[k - 1]))
        made[k] = quaternions.product(keys[k], _exp(-both / 4))
    return made


def _log(q: Floats) -> Floats:
    w, v = (q[0], q[1:]) if q[0] >= 0 else (-q[0], -q[1:])
    size = float(np.linalg.norm(v))
    return v * (np.arctan2(size, w) / size) if size > 1e-12 else v


def _exp(v: Floats) -> Floats:
    size = float(np.linalg.norm(v))
    return np.concatenate([[np.cos(size)], v * np.sinc(size / np.pi)])


def _farthest(made: Turns, times: Floats, keys: Floats, inner: Floats) -> float:
    """How far cubics are off between their keys, in radians."""
    worst = 0.0
    for k in np.flatnonzero(made.kinds[:-1] == BEZIER):
        h = made.times[k + 1] - made.times[k]
        a, b = made.values[k], made.values[k + 1]
        middle = (a + b) / 2 + h * (made.outs[k] - made.ins[k + 1]) / 8
        segment = int(np.searchsorted(times, made.times[k] + h / 2)) - 1
        s = (made.times[k] + h / 2 - times[segment]) / (times[segment + 1] - times[segment])
        true = _squad(keys, inner, segment, np.array([s]))[0]
        cosine = abs(float(true @ middle)) / float(np.linalg.norm(middle))
        worst = max(worst, 2.0 * float(np.arccos(min(cosine, 1.0))))
    return worst
