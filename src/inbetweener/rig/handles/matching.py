"""Handles that make a pose which is there already: where target and pole have to be, and about what the chain bends."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import euler
from inbetweener.rig.handles.bending_kernels import ROOM
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
    beyond its tip, as far as `reach_for` holds it back; one that is bent against its hinge by more than its handle
    bends back cannot be made.
    """
    shape = rig.rest_shape(handle)
    chain = _Chain(rig, handle.joints, handle.tip.joint, np.asarray(handle.tip.offset, np.float64), dofs)
    places, hinge = chain.places, chain.frame @ shape.hinges[1]
    start, tip = places[:, 0], places[:, -1]
    bones = np.diff(places, axis=1)
    away = tip - start
    distance = np.linalg.norm(away, axis=1)
    sign = np.ones(len(dofs))
    if len(handle.joints) == 2:
        square, b, c = _two_bones(bones, hinge)
        swing = np.hypot(b, c)
        low, high = np.sqrt(np.maximum(square - swing, 0.0)), np.sqrt(square + swing)
        # Differences of squares that keep their digits where they are tiny.
        short = np.where(b > 0, c * c / np.maximum(swing + b, 1e-300), swing - b) / np.maximum(high + distance, 1e-300)
        over = np.where(b < 0, c * c / np.maximum(swing - b, 1e-300), swing + b) / np.maximum(low + distance, 1e-300)
        sign = np.where(c > 0.0, -1.0, 1.0)
    else:
        lengths = np.linalg.norm(bones, axis=2)
        high = lengths.sum(axis=1)
        low = np.maximum(2.0 * lengths.max(axis=1) - high, 0.0)
        short, over = high - distance, distance - low
    # What is scaled to nothing has no reach.
    high = np.maximum(high, 1e-300)
    soft, back = handle.soft, shape.lost(handle.back)
    root, over = sign * np.sqrt(np.maximum(short, 0.0) / high), np.maximum(over / high, FAINT)
    steep, edge = 0.5 / np.sqrt(soft), np.sqrt(back)
    room = ROOM * np.sqrt(soft) if back > 0.0 else np.sqrt(soft)
    left = np.maximum(root + edge, np.sqrt(FAINT)) / room
    far = 1.0 - soft + (np.sqrt(soft) - root) / steep
    far = np.where(left < 1.0, 1.0 - soft + (np.sqrt(soft) + edge - room - room * np.log(left)) / steep, far)
    near = np.maximum(low / high + soft - soft * np.log(soft / over), FAINT)
    reach = high * np.where(root < np.sqrt(soft), far, np.where(over < soft, near, distance / high))
    line = away / np.maximum(distance, 1e-300)[:, None]
    side = np.cross(line, hinge)
    side = side / np.maximum(np.linalg.norm(side, axis=1), 1e-300)[:, None]
    pole = 0.5 * (start + tip) + np.linalg.norm(bones, axis=2).sum(axis=1)[:, None] * side
    target = start + reach[:, None] * line
    return np.concatenate([chain.in_world(target), chain.in_world(pole)], axis=1)


def bent_back(rig: Rig, handle: Handle, dofs: Floats) -> Floats:
    """Radians (T,) by which two bones are bent against their hinge in poses (T, 9J); below nought if they are not."""
    chain = _Chain(rig, handle.joints, handle.tip.joint, np.asarray(handle.tip.offset, np.float64), dofs)
    _, b, c = _two_bones(np.diff(chain.places, axis=1), chain.frame @ rig.rest_shape(handle).hinges[1])
    return np.asarray(np.arctan2(c, b))


def _two_bones(bones: Floats, hinge: Floats) -> tuple[Floats, Floats, Floats]:
    """A, B, C (T,) of bones (T, 2, 3), as in the kernel: |tip|² = A + B cos δ + C sin δ; at hand δ is nought."""
    u, w = bones[:, 0], bones[:, 1]
    along = _dot(u, hinge) * _dot(w, hinge)
    return _dot(u, u) + _dot(w, w) + 2.0 * along, 2.0 * (_dot(u, w) - along), 2.0 * _dot(u, np.cross(hinge, w))


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray((one * other).sum(axis=-1), np.float64)
