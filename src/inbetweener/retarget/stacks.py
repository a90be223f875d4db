"""Joints of several axes as robots have them: a stack of hinges, one on the other, that turns as one joint does."""

from collections.abc import Mapping

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import euler
from inbetweener.retarget.figure import Figure
from inbetweener.rig import ROOT
from inbetweener.rig.chains import above

SQUARE = 0.3
"""A cosine: axes that meet at more than this are no angles of a joint, but hinges of their own."""

Plain = Mapping[int, tuple[int, float]]
"""By degree of freedom, the channel that drives it and nothing else, and by what factor."""


def stacks(figure: Figure, plain: Plain) -> dict[int, list[int]]:
    """By a joint that moves, the hinges that turn it, from the trunk outwards, where they are two or three.

    Thighs and upper arms begin with their first hinge, as limbs hang there; all others end with their last.
    """
    body, rig, found, claimed = figure.body, figure.body.rig, dict[int, list[int]](), set[int]()
    hinge = {j for j in range(len(rig.joints)) if sum(9 * j + axis in plain for axis in (3, 4, 5)) == 1}
    begins = [j for (role, *_), j in body.slots.items() if role in ("thigh", "upper_arm") and j in figure.index]
    for first in begins:
        below = [j for j in figure.joints if first in above(rig, j)]
        nearest = min(below, default=-1)
        between = [j for j in above(rig, nearest) if first in above(rig, j)][::-1] if nearest >= 0 else []
        if first in hinge and between and hinge.issuperset(between):
            found[first] = [first, *between]
            claimed.update(between)
    for last in figure.joints:
        between = []
        for j in above(rig, last):
            if j in figure.index or j in claimed or j not in hinge:
                break
            between.insert(0, j)
        if last in hinge and between:
            found[last] = [*between, last]
    return {joint: row for joint, row in found.items() if len(row) in (2, 3)}


def angles(figure: Figure, row: list[int], joint: int, plain: Plain) -> Floats | None:
    """Angles (T, n) of a stack that turn a joint as the figure has it; None where its axes are not square."""
    body, rig = figure.body, figure.body.rig
    orientation = rig.skeleton.forward(rig.rest_dofs[None])[1][0]
    if np.abs(orientation - body.turns).max() > 1e-6:
        return None
    parent = rig.joints[row[0]].parent
    still = np.eye(3) if parent == ROOT else body.turns[parent]
    carried = still[None]
    carrier = next((j for j in (parent, *above(rig, parent)) if j in figure.index), -1) if parent != ROOT else -1
    if carrier >= 0:
        carried = figure.turn(carrier) @ (body.turns[carrier].T @ still)
    axes = []
    for j in row:
        axis = next(axis for axis in range(3) if 9 * j + 3 + axis in plain)
        axes.append(still.T @ body.turns[j][:, axis])
    if len(axes) == 2:
        axes.append(np.cross(axes[0], axes[1]))
    frame = np.stack(axes, axis=1)
    if np.abs(frame.T @ frame - np.eye(3)).max() > SQUARE:
        return None
    # The nearest square frame; a left-handed one has its last axis turned round.
    u, _, v = np.linalg.svd(frame)
    square = u @ v
    sign = np.sign(np.linalg.det(square))
    square[:, 2] *= sign
    # A turn of the whole is one about each axis in turn, as these stand in the neutral pose.
    whole = np.swapaxes(carried, 1, 2) @ figure.turn(joint) @ (still.T @ body.turns[joint]).T
    made = euler.continuous(euler.from_matrix(square.T @ whole @ square, "XYZ"), "XYZ") * [1.0, 1.0, sign]
    return np.asarray(made[:, : len(row)])
