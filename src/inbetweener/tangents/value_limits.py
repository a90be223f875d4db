"""Value limits during a drag: half-planes on the heights, added where a curve would leave its limits.

They are found as they are needed: solve, look for extremes beyond a limit, cut them off, solve again.
"""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves.value_limits import NOWHERE, Extremes, Shape, ValueLimits
from inbetweener.tangents.program import CUT_ROOM
from inbetweener.tangents.variables import Variables


class LimitCuts:
    """The cuts of one drag, `at` so many extremes of its free curves and of the segments that turn along.

    ins and outs (N, 2) are the window's tangents, looked at as they are at the time.
    """

    def __init__(self, variables: Variables, ins: Floats, outs: Floats) -> None:
        self.variables = variables
        self.shape = Shape(variables.window.values, ins, outs)
        turned = np.asarray(np.isfinite(variables.limits).any(axis=2), np.bool_)
        turned[:, [0, 2]] &= variables.ties
        curves, which = np.nonzero(turned)
        low, high = variables.limits[turned].T
        self.limits = ValueLimits.of(variables.window, variables.segments[curves] + which - 1, low, high)
        self.which = which - 1
        """(S,) −1 for segments before the free one, 0 for that one itself, 1 after it."""
        self.at = NOWHERE
        self._beyond = self.limits.followed(self.shape)

    def worst(self) -> float:
        """How far the worst curve leaves its limits, in its own unit."""
        found = self._beyond().by
        return float(np.abs(found).max()) if len(found) else 0.0

    def add(self) -> bool:
        """Cut off every extreme that is beyond its limit, at the cost of the oldest cuts; False where there is none."""
        found = self._beyond()
        if len(found.u):
            both = zip(self.at, found, strict=True)
            self.at = Extremes(*(np.concatenate([old, new])[-CUT_ROOM:] for old, new in both))
        return bool(len(found.u))

    def rows(self, z: Floats) -> tuple[Floats, Floats]:
        """The cuts as rows (n, 4F) and upper bounds (n,) around z, where the tangents are; exact for the free one."""
        cuts, (_, ins, outs) = self.limits.cuts(self.at, self.shape), self.shape
        k, curve, which = (each[self.at.segments] for each in (self.limits.keys, self.limits.curves, self.which))
        by_out, by_in = cuts.rows[:, 1], cuts.rows[:, 3]
        rows = np.zeros((len(k), len(z)))
        n = np.arange(len(k))
        free, before, after = which == 0, which < 0, which > 0
        rows[n[free], 4 * curve[free] + 1] = by_out[free]
        rows[n[free], 4 * curve[free] + 3] = by_in[free]
        # Beside the free segment only a slope y/x is passed on, times the width of the tied tangent.
        for chosen, first, lead, lever in (
            (before, 0, outs[k[before] + 1], by_in[before] * ins[k[before] + 1, 0]),
            (after, 2, ins[k[after]], by_out[after] * outs[k[after], 0]),
        ):
            x, y = lead[:, 0], lead[:, 1]
            rows[n[chosen], 4 * curve[chosen] + first] = -lever * y / x**2
            rows[n[chosen], 4 * curve[chosen] + first + 1] = lever / x
        rows *= self.variables.scale
        return rows, cuts.room + rows @ z
