"""Tangents as animators know them: smooth, flat, linear and stepped, for chosen keys or for all."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves.curve import Curve
from inbetweener.curves.edit import indices, slopes_agree, straight_as_bezier
from inbetweener.curves.key import BEZIER, CONSTANT

Preset = Literal["smooth", "flat", "linear", "stepped"]


def smooth(curve: Curve, keys: Iterable[int] | None = None) -> Curve:
    """One slope through each key that never overshoots: flat at extremes and at both ends of the curve.

    Elsewhere the slope is that of the line between the neighbours, but at most three times the gentler of the two
    adjoining lines: then the cubic rises or falls all the way between smooth keys (Fritsch and Carlson 1980).
    """
    slopes = smooth_slopes(curve.times, curve.values)
    return _with_slopes(curve, indices(curve, keys), slopes, slopes, tied=True)


def flat(curve: Curve, keys: Iterable[int] | None = None) -> Curve:
    """Level tangents on both sides."""
    level = np.zeros(len(curve))
    return _with_slopes(curve, indices(curve, keys), level, level, tied=True)


def linear(curve: Curve, keys: Iterable[int] | None = None) -> Curve:
    """Tangents that point straight at the neighbouring keys; broken, unless all three lie on a line."""
    secants = np.diff(curve.values) / np.diff(curve.times)
    left = np.concatenate([secants[:1], secants]) if len(secants) else np.zeros(1)
    right = np.concatenate([secants, secants[-1:]]) if len(secants) else np.zeros(1)
    return _with_slopes(curve, indices(curve, keys), left, right, tied=False)


def stepped(curve: Curve, keys: Iterable[int] | None = None) -> Curve:
    """The value of each key is held until the next one."""
    kinds = curve.interpolations.copy()
    kinds[indices(curve, keys)] = CONSTANT
    return replace(curve, interpolations=kinds)


PRESETS: Mapping[Preset, Callable[[Curve, Iterable[int] | None], Curve]] = {
    "smooth": smooth,
    "flat": flat,
    "linear": linear,
    "stepped": stepped,
}


def smooth_slopes(times: Floats, values: Floats) -> Floats:
    """Slopes (n,) through keys (n,) as `smooth` sets them."""
    slopes = np.zeros(len(times))
    if len(times) < 3:
        return slopes
    secants = np.diff(values) / np.diff(times)
    before, after = secants[:-1], secants[1:]
    across = (values[2:] - values[:-2]) / (times[2:] - times[:-2])
    steepest = 3.0 * np.minimum(np.abs(before), np.abs(after))
    slopes[1:-1] = np.where(before * after > 0, np.sign(across) * np.minimum(np.abs(across), steepest), 0.0)
    return slopes


def _with_slopes(curve: Curve, chosen: Ints, left: Floats, right: Floats, *, tied: bool) -> Curve:
    """Chosen keys get slopes (n,) with tangents a third of their segments wide.

    A stepped segment before a chosen key stays stepped: it belongs to the key that starts it. A straight one on
    either side becomes Bezier, straight as before at a far key that is not chosen.
    """
    curve = straight_as_bezier(curve, np.union1d(chosen, np.maximum(chosen - 1, 0)))
    # A third agrees with any admissible width at the other end of the segment, so time keeps running forward.
    lengths = np.diff(curve.times)
    # The outermost tangents have no segment; they borrow the width of the one inside, ready for a key beyond.
    around = np.concatenate([lengths[:1], lengths, lengths[-1:]]) if len(lengths) else np.zeros(2)
    ins, outs, both = curve.ins.copy(), curve.outs.copy(), curve.tied.copy()
    for tangents, slopes, widths in ((ins, left, around[:-1] / 3.0), (outs, right, around[1:] / 3.0)):
        tangents[chosen] = np.stack([widths, widths * slopes], axis=-1)[chosen]
    kinds = curve.interpolations.copy()
    kinds[chosen] = BEZIER
    both[chosen] = tied | slopes_agree(ins, outs)[chosen]
    return replace(curve, ins=ins, outs=outs, interpolations=kinds, tied=both)
