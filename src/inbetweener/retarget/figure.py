"""A body in motion: where its joints are and how they are turned, on all frames; limbs that reach for places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.maths import quaternions
from inbetweener.retarget.body import Body
from inbetweener.retarget.match import Pair
from inbetweener.rig.chains import above

REACH = 0.9995
"""Of its length: farther no limb reaches, for a straight one would not know where to bend."""
LEAN = 0.1
"""How much the way a limb bends by nature counts beside the way it is bent: enough to decide for a straight one."""


class Figure:
    """Joints that move, of a target: `turns` (T, J, 3, 3) and `places` (T, J, 3); others follow what carries them."""

    def __init__(self, body: Body, pairs: Sequence[Pair], source_turns: Floats) -> None:
        self.body, self.joints = body, tuple(pair.joint for pair in pairs)
        self.index = {joint: n for n, joint in enumerate(self.joints)}
        self.carrier = [self._carrier(joint) for joint in self.joints]
        self.turns = np.empty((len(source_turns), len(pairs), 3, 3))
        for n, pair in enumerate(pairs):
            self.turns[:, n] = source_turns[:, pair.source] @ pair.turn
            if pair.after is not None:
                other = source_turns[:, pair.second] @ pair.after
                a, b = quaternions.from_matrix(self.turns[:, n]), quaternions.from_matrix(other)
                self.turns[:, n] = quaternions.to_matrix(quaternions.slerp(a, b, pair.share))
        self.offsets = np.array([self._offset(n) for n in range(len(pairs))]).reshape(-1, 3)
        self.places = np.zeros((len(source_turns), len(pairs), 3))

    def _carrier(self, joint: int) -> int:
        """The moving joint that carries another; none for the first, and for feet that hang on no leg."""
        return next((self.index[each] for each in above(self.body.rig, joint) if each in self.index), -1)

    def _offset(self, n: int) -> Floats:
        carrier = self.carrier[n]
        if carrier < 0:
            return np.zeros(3)
        joint = self.joints[carrier]
        return np.asarray(self.body.turns[joint].T @ (self.body.places[self.joints[n]] - self.body.places[joint]))

    def put(self, hips: Floats) -> None:
        """Place everything, the hips at (T, 3)."""
        root = self.body.slots["hips", None, 0, 0]
        self.places[:, self.index[root]] = hips
        self.follow_below(root)

    def _follow(self, n: int) -> None:
        carrier = self.carrier[n]
        self.places[:, n] = self.places[:, carrier] + self.turns[:, carrier] @ self.offsets[n]

    def follow_below(self, joint: int) -> None:
        """Place what hangs on a joint anew."""
        moved = {self.index[joint]}
        for n, carrier in enumerate(self.carrier):
            if carrier in moved:
                self._follow(n)
                moved.add(n)

    def place(self, joint: int) -> Floats:
        """(T, 3)"""
        return self.places[:, self.index[joint]]

    def turn(self, joint: int) -> Floats:
        """(T, 3, 3)"""
        return self.turns[:, self.index[joint]]

    def at(self, joint: int, offset: Floats) -> Floats:
        """Where a place (3,) in a joint's frame is (T, 3)."""
        return self.place(joint) + self.turn(joint) @ offset


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """Two bones and an end: joints, and the direction (3,) in the first one's frame to which it bends by nature."""

    upper: int
    lower: int
    end: int
    bends: Floats

    @classmethod
    def of(cls, body: Body, joints: Sequence[int], flexes: float) -> "Limb":
        """A limb of a body that bends forward, or where `flexes` is −1 backward."""
        upper, lower, end = joints
        return cls(upper, lower, end, flexes * body.turns[upper].T @ body.frames[upper][:, 1])

    def length(self, body: Body) -> float:
        """Of both bones."""
        places = body.places[[self.upper, self.lower, self.end]]
        return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())

    def reach(self, figure: Figure, goal: Floats) -> Floats:
        """Turn both bones so that the end comes to places (T, 3), as little as can be; how far (T,) each is missed."""
        body = figure.body
        upper, lower = figure.turn(self.upper), figure.turn(self.lower)
        first = body.turns[self.upper].T @ (body.places[self.lower] - body.places[self.upper])
        second = body.turns[self.lower].T @ (body.places[self.end] - body.places[self.lower])
        one, other = float(np.linalg.norm(first)), float(np.linalg.norm(second))
        u, v = upper @ first, lower @ second
        away = goal - figure.place(self.upper)
        far = np.linalg.norm(away, axis=1)
        near = np.clip(far, abs(one - other) + 1e-3 * (one + other), REACH * (one + other))
        # The bend that brings the end to that distance, about the axis about which it is bent or bends by nature.
        bend = np.arccos(np.clip((near**2 - one**2 - other**2) / (2.0 * one * other), -1.0, 1.0))
        along = u / one
        axis = np.cross(u, v) / (one * other) + LEAN * np.cross(along, upper @ self.bends)
        axis -= np.einsum("ti,ti->t", axis, along)[:, None] * along
        axis /= np.maximum(np.linalg.norm(axis, axis=1), 1e-12)[:, None]
        bent = other * (np.cos(bend)[:, None] * along + np.sin(bend)[:, None] * np.cross(axis, along))
        lower = least_turns(v, bent) @ lower
        aim = least_turns(u + bent, away)
        figure.turns[:, figure.index[self.upper]] = aim @ upper
        figure.turns[:, figure.index[self.lower]] = aim @ lower
        figure.follow_below(self.upper)
        if figure.carrier[figure.index[self.end]] != figure.index[self.lower]:
            # A foot that hangs on no shin goes with it all the same.
            figure.places[:, figure.index[self.end]] = figure.at(self.lower, second)
            figure.follow_below(self.end)
        return np.asarray(np.linalg.norm(figure.place(self.end) - goal, axis=1))


def least_turns(one: Floats, other: Floats) -> Floats:
    """The smallest rotations (T, 3, 3) that take directions (T, 3) to others."""
    a = one / np.maximum(np.linalg.norm(one, axis=1), 1e-12)[:, None]
    b = other / np.maximum(np.linalg.norm(other, axis=1), 1e-12)[:, None]
    cosine = np.einsum("ti,ti->t", a, b)
    axis = np.cross(a, b)
    skew = np.zeros((len(a), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    skew -= skew.transpose(0, 2, 1)
    return np.asarray(np.eye(3) + skew + skew @ skew / np.maximum(1.0 + cosine, 1e-6)[:, None, None])


def turned(axis: Floats, angle: Floats) -> Floats:
    """Rotations (T, 3, 3) about axes (T, 3) by angles (T,)."""
    return quaternions.to_matrix(quaternions.from_axis_angle(axis, angle))


def runs(yes: Ints | Floats | Bools) -> list[tuple[int, int]]:
    """First and last of each row of neighbours that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(yes, np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
