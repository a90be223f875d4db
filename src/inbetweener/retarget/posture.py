"""One pose of a body in words that every body of the same roles understands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidEdit
from inbetweener.maths import quaternions
from inbetweener.retarget import channels
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import Figure
from inbetweener.retarget.match import match
from inbetweener.retarget.slots import Slot

HIPS: Slot = ("hips", None, 0, 0)
FARTHEST = 1e6
"""Metres, or lengths of a leg: no body is farther away."""


@dataclass(frozen=True, slots=True)
class PosedPart:
    """A joint by what it is in a body, and how it is turned.

    slots  what it is: role, side, number and digit
    rows   of trunk, fingers and tails, which row it is in and where
    turn   quaternion w, x, y, z of its anatomical frame in the world; of a hand whose palm is known, of that
    place  where it is in the neutral pose, in metres
    """

    joint: str
    slots: tuple[Slot, ...]
    rows: tuple[tuple[Slot, int], ...]
    turn: tuple[float, float, float, float]
    place: tuple[float, float, float]
    palm: bool = False

    def __post_init__(self) -> None:
        length, far = float(np.linalg.norm(self.turn)), float(np.abs(self.place).max())
        if not (abs(length - 1.0) < 1e-3 and far <= FARTHEST):
            raise InvalidEdit(f"{self.joint!r} is turned by no rotation, or is nowhere: {length:g}, {far:g} m")


@dataclass(frozen=True, slots=True)
class Posture:
    """The parts of a posed body; where its hips are above the ground on which it stands, in lengths of its legs."""

    parts: tuple[PosedPart, ...]
    hips: tuple[float, float, float]

    def __post_init__(self) -> None:
        if not float(np.abs(self.hips).max()) <= FARTHEST:
            raise InvalidEdit(f"hips cannot be {self.hips} lengths of a leg away")

    @classmethod
    def of(cls, body: Body, pose: Floats) -> "Posture":
        """How a body stands with the channel values (C,)."""
        world, turns = (each[0] for each in body.rig.posed(np.atleast_2d(pose)).forward)
        rows: dict[int, list[tuple[Slot, int]]] = {}
        for slot, row in body.chains.items():
            for n, joint in enumerate(row):
                rows.setdefault(joint, []).append((slot, n))
        slots: dict[int, list[Slot]] = {}
        for slot, joint in body.slots.items():
            slots.setdefault(joint, []).append(slot)
        parts = []
        for joint in sorted({*rows, *slots}):
            sides = [side for role, side, _, _ in slots.get(joint, ()) if role == "hand" and side is not None]
            palm = next((body.palms[side] for side in sides if side in body.palms), None)
            posed = turns[joint] @ body.turns[joint].T @ (body.frames[joint] if palm is None else palm)
            w, x, y, z = map(float, quaternions.from_matrix(posed))
            px, py, pz = map(float, body.places[joint])
            name, its, in_rows = body.rig.joints[joint].name, tuple(slots.get(joint, ())), tuple(rows.get(joint, ()))
            parts.append(PosedPart(name, its, in_rows, (w, x, y, z), (px, py, pz), palm is not None))
        hips = (world[body.slots[HIPS], :, 3] - [0.0, body.floor, 0.0]) / body.leg
        return cls(tuple(parts), (float(hips[0]), float(hips[1]), float(hips[2])))

    def on(self, body: Body) -> tuple[Floats, Mapping[int, frozenset[str]]]:
        """Channel values (C,) with which another body stands so; and by joint, whose part each of its joints takes."""
        source = self._stand_in(body)
        pairs = match(body, source)
        if HIPS not in source.slots or not any(pair.joint == body.slots[HIPS] for pair in pairs):
            raise InvalidEdit("the pose has no hips that were recognised; it applies to rigs of the same names only")
        turns = quaternions.to_matrix(np.array([part.turn for part in self.parts]))
        figure = Figure(body, pairs, turns[None])
        figure.put(body.leg * np.array([self.hips]) + [0.0, body.floor, 0.0])
        givers = {
            pair.joint: frozenset(self.parts[n].joint for n in (pair.source, pair.second) if n >= 0) for pair in pairs
        }
        return channels.values(figure)[0], givers

    def _stand_in(self, body: Body) -> Body:
        """A body whose joints are the parts, turned as they say: all that matching asks of one."""
        count = len(self.parts)
        rows: dict[Slot, dict[int, int]] = {}
        for n, part in enumerate(self.parts):
            for slot, place in part.rows:
                rows.setdefault(slot, {})[place] = n
        upright = np.tile(np.eye(3), (count, 1, 1))
        palms = [slot[1] for part in self.parts for slot in part.slots if part.palm and slot[0] == "hand"]
        return replace(
            body,
            slots={slot: n for n, part in enumerate(self.parts) for slot in part.slots},
            chains={slot: tuple(row[place] for place in sorted(row)) for slot, row in rows.items()},
            turns=upright,
            frames=upright,
            places=np.array([part.place for part in self.parts]),
            palms={side: np.eye(3) for side in palms if side is not None},
        )
