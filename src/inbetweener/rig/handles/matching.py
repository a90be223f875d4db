"""Handles that make a pose which is there already: where target and pole have to be, and about what the chain bends."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import euler
from inbetweener.rig.handles.handle import Handle
from inbetweener.rig.rig import Rig

FAINT = 1e-9
"""Of its reach: a chain that is nearer to straight than this counts as bent by as much."""
BENT = 0.02
"""The sine of a bend, on average, below which a chain does not show about which axis it bends."""


class _Chain:
    """A chain in many poses, given by degrees of freedom (T, 9J), as the joint above it sees it."""

    def __init__(self, rig: Rig, joints: tuple[str, ...], tip: str, offset: Floats, dofs: Floats) -> None:
        world, _ = rig.skeleton.forward(dofs)
        numbers = [rig.joint_index(name) for name in joints]
        first, above = numbers[0], rig.joints[numbers[0]].parent
        self.linear, self.origin = np.broadcast_to(np.eye(3), (len(dofs), 3, 3)), np.zeros((len(dofs), 3))
        if above >= 0:
            self.linear, self.origin = world[:, above, :, :3], world[:, above, :, 3]
        carrier = world[:, rig.joint_index(tip)]
        places = [*(world[:, j, :, 3] for j in numbers), carrier[..., :3] @ offset + carrier[..., 3]]
        away = np.stack(places, axis=1) - self.origin[:, None]
        self.places: Floats = away @ np.swapaxes(np.linalg.pinv(self.linear), 1, 2)
        """(T, n + 1, 3) joints and, last, the tip."""
        angles = dofs[:, 9 * first + 3 : 9 * first + 6]
        rest = rig.skeleton.rest
        self.frame: Floats = rest[first] @ euler.to_matrix(angles, rig.joints[first].order) @ rest[numbers[1]]
        """(T, 3, 3) of the second joint, before its own turns."""

    def in_world(self, places: Floats) -> Floats:
        return np.einsum("trc,tc->tr", self.linear, places) + self.origin


def bend_axis(rig: Rig, joints: tuple[str, ...], end: str, dofs: Floats) -> Floats | None:
    """About which axis (3,), in the frame of the second joint, a chain bends in poses (T, 9J); None where it does not.

    The mean over all of them, so that as many as can be are bent the right way round.
    """
    chain = _Chain(rig, joints, end, np.zeros(3), dofs)
    bones = np.diff(chain.places, axis=1)
    bones = bones / np.maximum(np.linalg.norm(bones, axis=2, keepdims=True), 1e-300)
    bends = np.cross(bones[:, :-1], bones[:, 1:]).sum(axis=1)
    axis = np.einsum("trc,tr->c", chain.frame, bends) / len(dofs)
    length = float(np.linalg.norm(axis))
    return axis / length if length > BENT else None


def matched(rig: Rig, handle: Handle, dofs: Floats) -> Floats:
    """Target and pole (T, 6) in the world with which a handle makes the poses of degrees of freedom (T, 9J).

    That is, where the joints' own channels make them too. A chain that is nearly straight, or folded, has its target
    beyond its tip, as far as `reach_for` holds it back; one that is bent against its hinge cannot be made.
    """
    shape = rig.rest_shape(handle)
    chain = _Chain(rig, handle.joints, handle.tip.joint, np.asarray(handle.tip.offset, np.float64), dofs)
    places, hinge = chain.places, chain.frame @ shape.hinges[1]
    start, tip = places[:, 0], places[:, -1]
    bones = np.diff(places, axis=1)
    away = tip - start
    distance = np.linalg.norm(away, axis=1)
    if len(handle.joints) == 2:
        # As in two_bones: |tip|² = A + B cos δ + C sin δ; at hand δ is nought.
        u, w = bones[:, 0], bones[:, 1]
        along = _dot(u, hinge) * _dot(w, hinge)
        square = _dot(u, u) + _dot(w, w) + 2.0 * along
        b, c = 2.0 * (_dot(u, w) - along), 2.0 * _dot(u, np.cross(hinge, w))
        swing = np.hypot(b, c)
        low, high = np.sqrt(np.maximum(square - swing, 0.0)), np.sqrt(square + swing)
        # Differences of squares that keep their digits where they are tiny.
        short = np.where(b > 0, c * c / np.maximum(swing + b, 1e-300), swing - b) / np.maximum(high + distance, 1e-300)
        over = np.where(b < 0, c * c / np.maximum(swing - b, 1e-300), swing + b) / np.maximum(low + distance, 1e-300)
    else:
        lengths = np.linalg.norm(bones, axis=2)
        high = lengths.sum(axis=1)
        low = np.maximum(2.0 * lengths.max(axis=1) - high, 0.0)
        short, over = high - distance, distance - low
    # What is scaled to nothing has no reach.
    high = np.maximum(high, 1e-300)
    soft = handle.soft * high
    short, over = np.maximum(short, FAINT * high), np.maximum(over, FAINT * high)
    far = high - soft + soft * np.log(soft / short)
    near = np.maximum(low + soft - soft * np.log(soft / over), FAINT * high)
    reach = np.where(short < soft, far, np.where(over < soft, near, distance))
    line = away / np.maximum(distance, 1e-300)[:, None]
    side = np.cross(line, hinge)
    side = side / np.maximum(np.linalg.norm(side, axis=1), 1e-300)[:, None]
    pole = 0.5 * (start + tip) + np.linalg.norm(bones, axis=2).sum(axis=1)[:, None] * side
    target = start + reach[:, None] * line
    return np.concatenate([chain.in_world(target), chain.in_world(pole)], axis=1)


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray((one * other).sum(axis=-1), np.float64)
