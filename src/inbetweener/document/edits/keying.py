"""Keys put where there were none, the curve staying as it is."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import LINEAR, Curve, insert_key, tangent_presets
from inbetweener.curves.edit import straight_as_bezier


def keyed(curve: Curve, time: float, within: float) -> tuple[Curve, int]:
    """The same curve with a key at a time, and which one; a key that is there already, within some seconds, is it.

    Beyond its ends a curve is level; the new segment there is a Bezier, so that it can be shaped like any other.
    """
    nearest = int(np.abs(curve.times - time).argmin())
    if abs(curve.times[nearest] - time) <= within:
        return curve, nearest
    at = int(np.searchsorted(curve.times, time))
    made = insert_key(curve, time).curve
    if at in (0, len(curve)):
        segment = min(at, len(made) - 2)
        if made.interpolations[segment] == LINEAR:
            made = straight_as_bezier(made, [segment])
    return made, at


def level(times: Floats, value: float) -> Curve:
    """A curve that keeps one value through keys at the times (n,), ready to be shaped."""
    n = len(times)
    bare = Curve(times, np.full(n, value), np.zeros((n, 2)), np.zeros((n, 2)), np.full(n, LINEAR), np.ones(n))  # type: ignore[arg-type]
    return tangent_presets.flat(bare)
