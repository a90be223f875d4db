"""Curves and what USD keeps of them: samples, and splines whose tangents are widths in time codes with slopes."""

from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve, widths
from inbetweener.formats import beyond
from inbetweener.formats.beyond import Rule
from inbetweener.formats.notes import Source

TIME, VALUE, BEFORE, IN_WIDTH, IN_SLOPE, OUT_WIDTH, OUT_SLOPE, KIND, BROKEN = range(9)
"""Columns of a knot."""
_RULES = {
    "held": beyond.HELD,
    "linear": beyond.STRAIGHT,
    "sloped": beyond.STRAIGHT,
    "relative": beyond.RELATIVE,
    "repeated": beyond.REPEATED,
    "mirrored": beyond.MIRRORED,
}
_HAIR = 1e-7
"""Seconds between the value before a knot and its own where they differ."""


def curve_of(told: dict[str, Any], rate: float, span: tuple[float, float], place: str, source: Source) -> Curve:
    """The curve of a spline; where it goes on beyond its knots, with the keys of that within `span` seconds."""
    made = _curve(_doubled(_sound(np.asarray(told["keys"]), place, source), rate), rate, place, source)
    rules = tuple(
        Rule(_RULES[kind], -1, slope * rate if kind == "sloped" else None)
        for kind, slope in (told["before"], told["after"])
    )
    return beyond.extended(made, (rules[0], rules[1]), *span, place, source)


def _sound(knots: Floats, place: str, source: Source) -> Floats:
    kept = np.isfinite(knots).all(axis=1) & (np.abs(knots[:, VALUE]) < 1e30)
    kept &= np.append(True, np.diff(knots[:, TIME]) > 0)
    if not kept.any():
        source.fail(place, "its spline has no knot that is made of numbers", "export the file anew")
    if not kept.all():
        source.note(place, f"{int((~kept).sum())} knots are no numbers; dropped")
    return knots[kept]


def _doubled(knots: Floats, rate: float) -> Floats:
    """One knot more, a hair before, wherever the value leaps."""
    leaps = np.flatnonzero(knots[:, BEFORE] != knots[:, VALUE])
    # A first knot has nothing before it that shows but its value.
    if not len(leaps):
        return knots
    early = knots[leaps].copy()
    gap = np.minimum(_HAIR * rate, 1e-3 * np.diff(knots[:, TIME], prepend=knots[0, TIME] - rate)[leaps])
    early[:, TIME] -= gap
    early[:, VALUE], early[:, KIND] = early[:, BEFORE], CONSTANT
    early[:, [OUT_WIDTH, OUT_SLOPE]] = 0.0
    return np.insert(knots, leaps, early, axis=0)


def _curve(knots: Floats, rate: float, place: str, source: Source) -> Curve:
    times, kinds = knots[:, TIME] / rate, knots[:, KIND].astype(np.uint8)
    if not (kinds == BEZIER).any() and (kinds == LINEAR).all() and not knots[:, [IN_WIDTH, OUT_WIDTH]].any():
        return Curve.sampled(times, knots[:, VALUE])
    steps = np.diff(times)
    ins, outs = knots[:, IN_WIDTH] / rate, knots[:, OUT_WIDTH] / rate
    if (ins < 0).any():
        # Hermite: all handles are a third of their segment wide.
        ins, outs = np.append(0.0, steps / 3), np.append(steps / 3, 0.0)
    bent = kinds[:-1] == BEZIER
    a, b = outs[:-1] / steps, ins[1:] / steps
    scale = np.where(widths.are_monotone(a, b) | ~bent, 1.0, widths.admissible_scale(a, b))
    if (scale < 1 - 1e-2).any():
        source.note(place, f"{int((scale < 1).sum())} tangents so wide that time runs back; shortened")
    outs[:-1] *= scale
    ins[1:] *= scale
    slopes = knots[:, [IN_SLOPE, OUT_SLOPE]] * rate
    tied = np.abs(slopes[:, 0] - slopes[:, 1]) <= 1e-6 * (1 + np.abs(slopes).max(axis=1))
    inner = np.append(False, bent) & np.append(bent, False)
    return Curve(
        times,
        knots[:, VALUE],
        np.stack([ins, ins * slopes[:, 0]], axis=1),
        np.stack([outs, outs * slopes[:, 1]], axis=1),
        kinds,
        np.where(inner, tied, True),
    )


def knots_of(curve: Curve, rate: float) -> Floats:
    """The knots of a curve: nothing of it is lost but rounding."""
    made = np.zeros((len(curve), BROKEN + 1))
    made[:, TIME], made[:, VALUE], made[:, BEFORE] = codes_of(curve.times, rate), curve.values, curve.values
    for tangents, width, slope in ((curve.ins, IN_WIDTH, IN_SLOPE), (curve.outs, OUT_WIDTH, OUT_SLOPE)):
        wide = tangents[:, 0] > 0
        made[wide, width] = tangents[wide, 0] * rate
        made[wide, slope] = tangents[wide, 1] / tangents[wide, 0] / rate
    made[:, KIND], made[:, BROKEN] = curve.interpolations, ~curve.tied
    return made


def curve_of_knots(knots: Floats, rate: float) -> Curve:
    """The curve whose knots `knots_of` told."""
    ins, outs = (
        np.stack([knots[:, width] / rate, knots[:, width] * knots[:, slope]], axis=1)
        for width, slope in ((IN_WIDTH, IN_SLOPE), (OUT_WIDTH, OUT_SLOPE))
    )
    return Curve(
        knots[:, TIME] / rate, knots[:, VALUE], ins, outs, knots[:, KIND].astype(np.uint8), knots[:, BROKEN] == 0
    )


def codes_of(times: Floats, rate: float) -> Floats:
    """Seconds as time codes; whole ones where only rounding keeps them from it."""
    codes = times * rate
    whole = np.round(codes)
    made = np.where(np.abs(codes - whole) < 1e-9 * (1 + np.abs(whole)), whole, codes)
    for n in np.flatnonzero(np.diff(made) <= 0):
        # Keys that lie next to no time apart stay two.
        made[n + 1] = made[n] + 8 * np.spacing(np.abs(made[n]) + 1)
    return made


def samples_of(times: Floats, values: Floats, held: bool) -> Curve:
    """A curve through samples (n,): straight from one to the next, or held until it."""
    made = Curve.sampled(times, values)
    if not held:
        return made
    return Curve(made.times, made.values, made.ins, made.outs, np.full(len(times), CONSTANT, np.uint8), made.tied)
