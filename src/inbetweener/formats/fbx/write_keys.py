"""Curves as FBX keeps them: user tangents, with widths where these are not a third."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, CONSTANT, Curve
from inbetweener.formats.fbx import keys
from inbetweener.formats.fbx.scene import TICKS
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.writing import node, numbers

_THIRD = 3333
"""What is written for a width of a third, which needs no flag."""
_SAME_WIDTH = 2e-6
"""Of a segment: how near to a third is a third."""


def curve_records(curve: Curve, default: float) -> list[Record]:
    """What an AnimationCurve holds."""
    flags, data = _attributes(curve)
    new = np.append(True, (flags[1:] != flags[:-1]) | (data[1:] != data[:-1]).any(axis=1))
    first = np.flatnonzero(new)
    uses = np.diff(np.append(first, len(flags)))
    return [
        node("Default", float(default)),
        node("KeyVer", 4008),
        node("KeyTime", numbers(np.round(curve.times * TICKS), "<i8")),
        node("KeyValueFloat", numbers(curve.values, "<f4")),
        node("KeyAttrFlags", numbers(flags[first], "<i4")),
        node("KeyAttrDataFloat", numbers(data[first].view(np.float32), "<f4")),
        node("KeyAttrRefCount", numbers(uses, "<i4")),
    ]


def _attributes(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """Flags (n,) and attributes (n, 4) as bits, of the segment after each key."""
    kinds, count = curve.interpolations, len(curve)
    bent = (kinds == BEZIER) & (np.arange(count) < count - 1)
    steps = np.append(np.diff(curve.times), 1.0)
    nothing = np.zeros((1, 2))
    right, left = curve.outs, np.concatenate([curve.ins[1:], nothing])
    wide_right, wide_left = (np.where(bent, side[:, 0] / steps, 1 / 3) for side in (right, left))
    flags = np.where(kinds == CONSTANT, keys.CONSTANT_KEY, keys.LINEAR_KEY).astype(np.int64)
    flags[kinds == BEZIER] = keys.CUBIC_KEY | keys.USER
    flags[(kinds == BEZIER) & ~curve.tied] |= keys.BROKEN
    data = np.zeros((count, 4), np.uint32)
    slopes = [np.where(bent, _slopes(side), 0.0).astype(np.float32) for side in (right, left)]
    data[:, 0], data[:, 1] = (each.view(np.uint32) for each in slopes)
    packed = []
    for wide, flag in ((wide_right, keys.WEIGHTED_RIGHT), (wide_left, keys.WEIGHTED_LEFT)):
        own = bent & (np.abs(wide - 1 / 3) > _SAME_WIDTH)
        flags[own] |= flag
        packed.append(np.where(own, np.round(wide * keys.WIDTH_STEPS), _THIRD).astype(np.uint32))
    data[:, 2] = packed[0] | packed[1] << 16
    return flags, data


def _slopes(tangents: Floats) -> Floats:
    wide = tangents[:, 0]
    return np.where(wide > 0, tangents[:, 1] / np.where(wide > 0, wide, 1.0), 0.0)
