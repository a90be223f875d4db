"""Independent handles ([TSO] §5): a channel dragged by its value, such as a blend shape or a prop's dial.

No joint is between the channel and what the animator sees, so the optimisation reduces to two heights of one curve,
in which the value is linear: the answer is a closed form, and within value limits a few half-planes.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.maths.steps import EQUAL, FAR, shortest
from inbetweener.motion import Curves, Motion
from inbetweener.tangents import kernels
from inbetweener.tangents.layered import weights_of, with_limits_left
from inbetweener.tangents.problem import NothingToDrag, edited_curves
from inbetweener.tangents.program import CUT_ROOM
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.value_limits import LimitCuts
from inbetweener.tangents.variables import Variables, can_change


@dataclass(frozen=True, slots=True, eq=False)
class DraggedValue:
    """New curves, the channel's value there now, and whether that is the one wished for; if not, a limit blocks."""

    curves: Curves
    value: float
    reached: bool


def drag_value(
    motion: Motion,
    channel: str,
    time: float,
    value: float,
    *,
    layer: str | None = None,
    settings: Settings | None = None,
) -> DraggedValue:
    """Bring a channel to `value`, or as near as its limits allow, at `time` by the heights of its tangents alone."""
    settings = settings or Settings()
    rig, curves = motion.rig, edited_curves(motion, layer)
    index = rig.channel_index(channel)
    if channel not in curves or not can_change(curves[channel], time):
        raise NothingToDrag(f"{channel} cannot be dragged at {time:g} s: it has no Bezier segment there; key it around")
    left = with_limits_left(motion, layer, rig.channels[index], curves[channel], time)
    variables = Variables.of([curves[channel]], [left], time, settings, height=1.0)
    if not (variables.upper > variables.lower)[1::2].any():
        raise NothingToDrag(f"{channel} cannot be dragged at {time:g} s: its tangents there have no width")
    weight = float(weights_of(motion, layer, [channel], [time])[0, 0])
    now = float(motion.channels([time])[0, index])
    z = _nearest(variables, time, (value - now) / weight if weight else 0.0)
    changed = curves.replaced({channel: variables.changed([curves[channel]], z)[0]})
    reached = now + weight * float(_by_heights(variables, time) @ z[1::2])
    return DraggedValue(changed, reached, abs(reached - value) <= settings.reached)


def _by_heights(variables: Variables, time: float) -> Floats:
    """How the value at `time` moves with the two scaled heights (2,); exact at any size."""
    window = variables.window
    moving = kernels.Moving(frozen([0], np.int64), np.empty((1, 1, 4)))
    kernels.shape_curves(
        window.keys, window.ins.copy(), window.outs.copy(), variables.free, np.zeros(4),
        np.array([time]), np.zeros((1, 1)), np.ones((1, 1)), np.empty((1, 1)), moving,
    )  # fmt: skip
    return moving.partials[0, 0, 1::2]


def _nearest(variables: Variables, time: float, change: float) -> Floats:
    """z (4,): the shortest heights that change the value by `change`, or by as much of it as the limits allow."""
    by = np.where((variables.upper > variables.lower)[1::2], _by_heights(variables, time), 0.0)
    z = np.zeros(4)
    z[1::2] = by * change / (by @ by)
    ins, outs = variables.window.ins.copy(), variables.window.outs.copy()
    limits = LimitCuts(variables, ins, outs)
    variables.write(z, ins, outs)
    for _ in range(CUT_ROOM):
        if not limits.add():
            break
        rows, bounds = limits.rows(z)
        z[1::2] = _shortest(by, change, rows[:, 1::2], bounds - rows[:, ::2] @ z[::2])
        variables.write(z, ins, outs)
    return z


def _shortest(by: Floats, change: float, rows: Floats, bounds: Floats) -> Floats:
    """The shortest heights (2,) within rows · heights ≤ bounds that come nearest to by · heights = change."""
    matrix = np.zeros((1 + len(rows), 3))
    matrix[0] = *by, -STRETCH
    matrix[1:, :2] = rows
    upper = np.concatenate([np.full(3, FAR), [change], bounds])
    lower = np.concatenate([np.full(3, -FAR), [change], np.full(len(rows), -FAR)])
    sense = np.zeros(len(upper), np.int32)
    sense[3] = EQUAL
    vector, _, _ = shortest(matrix, lower, upper, sense)
    # No change is always admissible, so there is an answer.
    return np.zeros(2) if vector is None else vector[:2]


STRETCH = 1e-4
"""Missing the value by this much costs as much as a scaled height of one."""
