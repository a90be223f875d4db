"""Value limits during a drag: half-planes on the heights, added where a curve would leave its limits.

The heights that keep a segment within its limits form a convex set, the meeting of half-planes over the parameter u
(curves.limits). Few of them ever matter, so they are found as they are needed: solve, look for extremes beyond a
limit, cut them off, solve again.
"""

from dataclasses import dataclass, field

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.tangents import kernels
from inbetweener.tangents.program import CUT_ROOM
from inbetweener.tangents.variables import Variables

MARGIN = 1e-8
"""Cuts are kept this far inside the limit, in the curve's unit: the solver's own accuracy."""

TOLERANCE = 1e-9
"""A curve within this of its limit is inside it."""


@dataclass(eq=False)
class ValueLimits:
    """The cuts of one drag: where (n, 3) curve, segment, side; u (n,)."""

    variables: Variables
    where: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    u: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        self.active = bool(np.isfinite(self.variables.limits).any())
        self._where, self._how = np.empty((CUT_ROOM, 3), np.int64), np.empty((CUT_ROOM, 2))

    def worst(self, ins: Floats, outs: Floats) -> float:
        """How far the worst curve leaves its limits, in its own unit."""
        count = self._find(ins, outs)
        return float(self._how[:count, 1].max(initial=0.0))

    def add(self, ins: Floats, outs: Floats) -> bool:
        """Cut off every extreme that lies beyond its limit; False when there is none or no room."""
        count = min(self._find(ins, outs), CUT_ROOM - len(self.u))
        if count <= 0:
            return False
        self.where = np.concatenate([self.where, self._where[:count]])
        self.u = np.concatenate([self.u, self._how[:count, 0]])
        return True

    def rows(self, z: Floats, ins: Floats, outs: Floats) -> tuple[Floats, Floats]:
        """The cuts as rows (n, 4F) and upper bounds (n,) around z; exact for the free segment."""
        variables, window = self.variables, self.variables.window
        rows = np.zeros((len(self.u), len(variables)))
        curve, which, side = self.where.T
        k = variables.segments[curve] + which
        u, v = self.u, 1.0 - self.u
        by_out, by_in = 3.0 * u * v * v * side, -3.0 * u * u * v * side
        flat = window.values[k] + (window.values[k + 1] - window.values[k]) * u * u * (3.0 - 2.0 * u)
        at_z = side * flat + by_out * outs[k, 1] + by_in * ins[k + 1, 1]
        limit = variables.limits[curve, which + 1, (side + 1) // 2]
        n = np.arange(len(u))
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
        rows *= variables.scale
        return rows, side * limit - MARGIN - at_z + rows @ z

    def _find(self, ins: Floats, outs: Floats) -> int:
        variables = self.variables
        return kernels.find_breaches(
            variables.window.values, ins, outs, variables.segments, variables.ties, variables.limits, TOLERANCE,
            self._where, self._how,
        )  # fmt: skip
