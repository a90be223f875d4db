"""Attributes as they move: a number for good, samples, or a spline."""

from typing import Any

import numpy as np
from pxr import Gf, Ts, Usd

from inbetweener.formats.usd.inside.telling import Telling

KINDS = {Ts.InterpHeld: 0, Ts.InterpLinear: 1, Ts.InterpCurve: 2, Ts.InterpValueBlock: 0}
"""As our keys count them."""
CURVE = KINDS[Ts.InterpCurve]
BEYOND = {
    Ts.ExtrapHeld: "held", Ts.ExtrapLinear: "linear", Ts.ExtrapSloped: "sloped", Ts.ExtrapLoopRepeat: "relative",
    Ts.ExtrapLoopReset: "repeated", Ts.ExtrapLoopOscillate: "mirrored", Ts.ExtrapValueBlock: "held",
}  # fmt: skip


BROKEN = 8
"""The column of a knot that says whether its slopes may differ though they do not: only files of ours say so."""


def flat(value: Any) -> list[float]:
    """A value's numbers; quaternions wxyz, matrices as their columns act on ours: row by row of the transpose."""
    if isinstance(value, Gf.Quatf | Gf.Quatd | Gf.Quath):
        return [float(value.GetReal()), *map(float, value.GetImaginary())]
    if isinstance(value, int | float):
        return [float(value)]
    return [float(each) for each in np.asarray(value, np.float64).ravel()]


def moved(attribute: Any, telling: Telling) -> Any:
    """Numbers for good, {"times", "values"}, or {"keys", "before", "after"} of a spline."""
    if attribute.HasSpline():
        found = spline(attribute.GetSpline(), telling, str(attribute.GetPath()))
        if found is not None:
            return found
    times = attribute.GetTimeSamples()
    if len(times) > 1:
        rows = [(time, value) for time in times if (value := attribute.Get(time)) is not None]
        telling.spend(60 * len(rows), str(attribute.GetPath()))
        if rows:
            return {
                "times": telling.put([time for time, _ in rows]),
                "values": telling.put([flat(value) for _, value in rows]),
            }
    value = attribute.Get(times[0] if times else Usd.TimeCode.Default())
    return None if value is None else flat(value)


def spline(found: Any, telling: Telling, place: str, *, ours: bool = False) -> Any:
    """The knots (n, 9) of a spline: time, value, value before, widths and slopes before and after, kind after, broken.

    One of ours is told as it stands.
    """
    if found.IsEmpty():
        return None
    before, after = found.GetPreExtrapolation(), found.GetPostExtrapolation()
    if found.HasInnerLoops():
        telling.note(place, "inner loops of the spline are unrolled")
        knots = found.GetKnotsWithInnerLoopsBaked()
    else:
        knots = found.GetKnots()
    if not ours and found.HasRegressiveTangents():
        telling.note(place, "tangents of the spline so wide that time runs back; shortened")
        found.AdjustRegressiveTangents()
        knots = found.GetKnotsWithInnerLoopsBaked() if found.HasInnerLoops() else found.GetKnots()
    telling.spend(200 * len(knots), place)
    hermite = found.GetCurveType() == Ts.CurveTypeHermite
    rows = []
    for knot in knots.values():
        kept = knot.GetCustomData() if ours else {}
        tangents = [
            kept.get(side, (-1.0 if hermite else width, slope))
            for side, width, slope in (
                ("before", knot.GetPreTanWidth(), knot.GetPreTanSlope()),
                ("after", knot.GetPostTanWidth(), knot.GetPostTanSlope()),
            )
        ]
        value = knot.GetValue()
        rows.append(
            (
                knot.GetTime(), value, knot.GetPreValue() if knot.IsDualValued() else value, *tangents[0], *tangents[1],
                KINDS[knot.GetNextInterpolation()], float(kept.get("broken") is True),
            )
        )  # fmt: skip
    return {
        "keys": telling.put(rows, place=place),
        "before": [BEYOND[before.mode], float(before.slope) if before.mode == Ts.ExtrapSloped else 0.0],
        "after": [BEYOND[after.mode], float(after.slope) if after.mode == Ts.ExtrapSloped else 0.0],
    }
