"""Ends that a rig's channels could not bring to where they shall be are led there: hinges, limits, shared channels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.retarget.channels import plain_channels
from inbetweener.retarget.figure import Figure
from inbetweener.rig import Point, Rig

CLOSE = 2e-4
"""Of the leg's length: an end this near is there."""
ROUNDS = 16
"""Steps at most, of all frames together."""
DAMPING = 1e-4
"""Beside squares of metres a radian, for a body of one metre."""
LONGEST = 0.3
"""Radians a step."""
SHORT = 0.02
"""Of the leg's length: how far beside a joint the places are that tell how it is turned."""

STAY = 0.02
"""Metres a radian, for a leg of one: how much it counts that hinges stay as they were."""
FAINTLY = 0.05
"""How much it counts, beside an end, where the middle of a limb of hinges is."""


class End(NamedTuple):
    """A joint, those that may turn to bring it there, and the middle of its limb; a place (3,) on the joint that has to
    be where it shall, if it shall be turned as well: where a foot rolls."""

    joint: int
    turning: Sequence[int]
    middle: int
    place: Floats | None = None


def settle(figure: Figure, values: Floats, ends: Sequence[End]) -> Floats:
    """Channel values (T, C) in which ends are where the figure has them, as near as limits allow."""
    rig, plain = figure.body.rig, plain_channels(figure.body.rig)
    made, posed = values, rig.posed(values)
    for end in ends:
        listed = [plain[9 * j + axis][0] for j in end.turning for axis in (3, 4, 5) if 9 * j + axis in plain]
        columns, leg = np.array(listed, np.int64), figure.body.leg
        points, goals = _seen(figure, end.joint, end.place)
        counts = np.ones(len(points))
        if any(j not in figure.index for j in end.turning):
            # Limbs of hinges have many ways to reach: they bend where those of the figure do.
            points.append(Point(rig.joints[end.middle].name))
            goals = np.concatenate([goals, figure.place(end.middle)[:, None]], axis=1)
            counts = np.append(counts, FAINTLY)
        off = np.abs(posed.positions(points) - goals).max(axis=(1, 2))
        rows = np.flatnonzero(off > CLOSE * leg)
        if not len(rows) or not listed:
            continue
        made = made.copy() if made is values else made
        made[rows] = _led(rig, made[rows], points, goals[rows], counts, columns, leg)
        posed = rig.posed(made)
    return made


def _seen(figure: Figure, joint: int, on: Floats | None) -> tuple[list[Point], Floats]:
    """Places on a joint, and where they shall be (T, P, 3)."""
    name, place, turn = figure.body.rig.joints[joint].name, figure.place(joint), figure.turn(joint)
    if on is None:
        return [Point(name)], place[:, None]
    world, orientation = figure.body.rig.skeleton.forward(figure.body.rig.rest_dofs[None])
    linear = orientation[0, joint].T @ world[0, joint, :, :3]
    beside = [on, *(on + SHORT * figure.body.leg * np.eye(3))]
    points = [Point(name, tuple(np.linalg.solve(linear, each).tolist())) for each in beside]
    return points, np.stack([place + turn @ each for each in beside], axis=1)


def _led(
    rig: Rig, poses: Floats, points: Sequence[Point], goals: Floats, counts: Floats, columns: Ints, leg: float
) -> Floats:
    """Damped Gauss–Newton steps on every row by itself, within limits; a row keeps the best that it had."""
    lower, upper = (np.array([getattr(rig.channels[c], side) for c in columns]) for side in ("lower", "upper"))
    # Who has many ways shall not go far for next to nothing.
    many = not (counts == 1.0).all()
    least_damping, begun = 1e-5 if many else 1e-9, poses[:, columns]
    # Frames are led by themselves: what they may choose freely stays as it was, or it would jump between them.
    holds = STAY * leg if many else 0.0
    best, least = poses.copy(), np.full(len(poses), np.inf)
    now, damping = poses.copy(), np.full(len(poses), DAMPING * leg**2)
    for _ in range(ROUNDS):
        posed = rig.posed(now)
        off = ((goals - posed.positions(points)) * counts[:, None]).reshape(len(now), -1)
        cost = (off**2).sum(axis=1) + holds**2 * ((now[:, columns] - begun) ** 2).sum(axis=1)
        better = cost < least
        best[better], least[better] = now[better], cost[better]
        damping = np.where(better, np.maximum(0.3 * damping, least_damping * leg**2), 4.0 * damping)
        now = best.copy()
        if (least < (0.1 * CLOSE * leg) ** 2).all():
            break
        posed = rig.posed(now)
        off = ((goals - posed.positions(points)) * counts[:, None]).reshape(len(now), -1)
        rows = (posed.jacobians(points)[:, :, :3] * counts[:, None, None])[..., columns].reshape(
            len(now), -1, len(columns)
        )
        if many:
            away = holds * (begun - now[:, columns])
            rows = np.concatenate([rows, np.tile(holds * np.eye(len(columns)), (len(now), 1, 1))], axis=1)
            off = np.concatenate([off, away], axis=1)
        pull = np.einsum("trc,tr->tc", rows, off)
        # Who stands at a limit and is pushed beyond it has no say.
        held = ((now[:, columns] >= upper) & (pull > 0)) | ((now[:, columns] <= lower) & (pull < 0))
        rows = rows * ~held[:, None, :]
        normal = np.swapaxes(rows, 1, 2) @ rows + damping[:, None, None] * np.eye(len(columns))
        step = np.linalg.solve(normal, np.einsum("trc,tr->tc", rows, off)[..., None])[..., 0]
        step *= np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1), 1e-12))[:, None]
        now[:, columns] = np.clip(now[:, columns] + step, lower, upper)
    return best
