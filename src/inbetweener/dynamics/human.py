"""What the parts of a person weigh: segment data of P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
parameters", Journal of Biomechanics 29(9), 1996, table 4, laid on a rig by what its joints are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from inbetweener.anatomy import Anatomy, Role, recognise
from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRig
from inbetweener.rig import ROOT, Rig
from inbetweener.rig.chains import descendants, path_from_root
from inbetweener.rig.masses import MassModel, boxes, merged
from inbetweener.rig.mirror import Side

Sex = Literal["female", "male"]
BodyPart = Literal["head", "neck", "trunk", "upper_arm", "forearm", "hand", "thigh", "shank", "foot"]
_PARTS: dict[Role, BodyPart] = {
    "head": "head", "jaw": "head", "eye": "head", "ear": "head", "neck": "neck",
    "hips": "trunk", "spine": "trunk", "chest": "trunk", "clavicle": "trunk",
    "upper_arm": "upper_arm", "forearm": "forearm", "hand": "hand", "finger": "hand",
    "thigh": "thigh", "shin": "shank", "foot": "foot", "toe": "foot",
}  # fmt: skip
BODY_MASS_INDEX = 22.5
"""kg/m²: the middle of what the World Health Organization calls normal weight, 18.5 to 25."""
_TO_THE_HEAD = 0.847
"""The share of a mean man's 1.741 m that his legs and the way from the hips to where the head turns are long: thighs
and shanks of the table, 0.618 m of spine and neck."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Length in mm of a mean person, mass in % of the body, centre in % of the length from the first end, and radii of
    gyration in % of the length about the sagittal (front to back), transverse (side to side) and long axis.
    """

    length: float
    mass: float
    centre: float
    radii: tuple[float, float, float]


SEGMENTS: dict[Sex, dict[str, Segment]] = {
    "female": {
        "head": Segment(200.2, 6.68, 58.94, (33.0, 35.9, 31.8)),
        "upper_trunk": Segment(142.5, 15.45, 20.77, (74.6, 50.2, 71.8)),
        "mid_trunk": Segment(205.3, 14.65, 45.12, (43.3, 35.4, 41.5)),
        "lower_trunk": Segment(181.5, 12.47, 49.20, (43.3, 40.2, 44.4)),
        "upper_arm": Segment(275.1, 2.55, 57.54, (27.8, 26.0, 14.8)),
        "forearm": Segment(264.3, 1.38, 45.59, (26.1, 25.7, 9.4)),
        "hand": Segment(78.0, 0.56, 74.74, (53.1, 45.4, 33.5)),
        "thigh": Segment(368.5, 14.78, 36.12, (36.9, 36.4, 16.2)),
        "shank": Segment(432.3, 4.81, 44.16, (27.1, 26.7, 9.3)),
        "foot": Segment(228.3, 1.29, 40.14, (29.9, 27.9, 13.9)),
    },
    "male": {
        "head": Segment(203.3, 6.94, 59.76, (36.2, 37.6, 31.2)),
        "upper_trunk": Segment(170.7, 15.96, 29.99, (71.6, 45.4, 65.9)),
        "mid_trunk": Segment(215.5, 16.33, 45.02, (48.2, 38.3, 46.8)),
        "lower_trunk": Segment(145.7, 11.17, 61.15, (61.5, 55.1, 58.7)),
        "upper_arm": Segment(281.7, 2.71, 57.72, (28.5, 26.9, 15.8)),
        "forearm": Segment(268.9, 1.62, 45.74, (27.6, 26.5, 12.1)),
        "hand": Segment(86.2, 0.61, 79.00, (62.8, 51.3, 40.1)),
        "thigh": Segment(422.2, 14.16, 40.95, (32.9, 32.9, 14.9)),
        "shank": Segment(434.0, 4.33, 44.59, (25.5, 24.9, 10.3)),
        "foot": Segment(258.1, 1.37, 44.15, (25.7, 24.5, 12.4)),
    },
}
"""The head includes the neck; limbs are one side."""

_LIMBS: dict[BodyPart, BodyPart] = {
    "upper_arm": "forearm", "forearm": "hand", "thigh": "shank", "shank": "foot",
}  # fmt: skip
_SMALL_SHARE = 0.4
"""Fingers, toes, neck, eyes and such may take at most this much of their segment's mass."""


def human(rig: Rig, total: float | None = None, *, sex: Sex = "male", anatomy: Anatomy | None = None) -> MassModel:
    """A person of `total` kg; without one, of an ordinary weight for the height.

    Each segment's mass, centre and inertia lie on the joint that moves it; further joints of a segment (fingers, toes,
    neck) have boxes that are taken from its mass. Joints that are no part of a person get boxes too, and are listed as
    unmatched; twists and what has no flesh weigh nothing.
    """
    return _Body(rig, total, sex, recognise(rig) if anatomy is None else anatomy).model()


class _Body:
    """A rig being weighed, in metres in the world of its rest pose."""

    def __init__(self, rig: Rig, total: float | None, sex: Sex, anatomy: Anatomy) -> None:
        self.rig, self.data = rig, SEGMENTS[sex]
        self.sides: dict[str, Side | None] = {part.joint: part.side for part in anatomy}
        self.parts = {part.joint: _PARTS.get(part.role) for part in anatomy}
        for joint in rig.joints:
            # What helps between two parts, such as a hip joint of its own, is of the first.
            if anatomy[joint.name].role == "helper" and any(self.parts[n] for n in descendants(rig, joint.name)):
                self.parts[joint.name] = None if joint.parent == ROOT else self.parts[rig.joints[joint.parent].name]
        self.bare = anatomy.bare | {part.joint for part in anatomy.find("twist")}
        self.world, orientation = (a[0] for a in rig.skeleton.forward(rig.dof_map.dofs(rig.defaults[None])))
        self.orientation = orientation
        self.at = {joint.name: self.world[i, :, 3] for i, joint in enumerate(rig.joints)}
        # The first joint of each part and side moves the segment.
        self.movers: dict[tuple[BodyPart, Side | None], str] = {}
        for name, part in self.parts.items():
            if part is not None and part not in ("trunk", "neck"):
                self.movers.setdefault((part, None if part == "head" else self.sides[name]), name)
        trunk = [name for name, part in self.parts.items() if part == "trunk"]
        if not trunk or not any(part == "thigh" for part, _ in self.movers):
            raise InvalidRig("no hips or thighs were found among the joints; use box masses for this rig")
        self.hips = trunk[0]
        self.scale = self._metres_per_mm()
        self.total = BODY_MASS_INDEX * self._stature() ** 2 if total is None else total

    def model(self) -> MassModel:
        small = boxes(self.rig, bare=self.bare)
        pieces: dict[str, list[tuple[float, Floats, Floats]]] = {joint.name: [] for joint in self.rig.joints}
        for (part, side), mover in self.movers.items():
            first, second = self._ends(part, side, mover)
            owned = [n for n, p in self.parts.items() if (p == part or (p, part) == ("neck", "head")) and n != mover]
            owned = [n for n in owned if part == "head" or self.sides[n] == side]
            self._share(pieces, small, part, {mover: [(part, first, second)]}, owned)
        trunk = self._trunk()
        owned = [n for n, p in self.parts.items() if p == "trunk" and n not in trunk]
        self._share(pieces, small, "trunk", trunk, owned)
        unmatched = tuple(name for name, part in self.parts.items() if part is None and name not in self.bare)
        for name in unmatched:
            pieces[name].append(self._box(small, name, 1.0))
        together = [merged(pieces[joint.name]) for joint in self.rig.joints]
        masses, centres, inertias = [], [], []
        for index, (mass, centre, inertia) in enumerate(together):
            masses.append(mass)
            centres.append(np.linalg.pinv(self.world[index, :, :3]) @ (centre - self.world[index, :, 3]))
            inertias.append(self.orientation[index].T @ inertia @ self.orientation[index])
        model = MassModel(self.rig, np.array(masses), np.array(centres), np.array(inertias), unmatched)
        return model.scaled(self.total)

    def _share(
        self,
        pieces: dict[str, list[tuple[float, Floats, Floats]]],
        small: MassModel,
        part: str,
        movers: Mapping[str, list[tuple[str, Floats, Floats]]],
        owned: list[str],
    ) -> None:
        """Give a segment's mass to its small joints as boxes and the rest to the joints that move it."""
        weight = self.total / 100 * sum(self.data[name].mass for each in movers.values() for name, _, _ in each)
        extra = sum(float(small.masses[self.rig.joint_index(name)]) for name in owned)
        factor = min(1.0, _SMALL_SHARE * weight / extra) if extra > 0 else 1.0
        for name in owned:
            pieces[name].append(self._box(small, name, factor))
        remaining = 1.0 - factor * extra / weight
        for mover, segments in movers.items():
            for name, first, second in segments:
                pieces[mover].append(self._segment(name, first, second, remaining))

    def _segment(self, name: str, first: Floats, second: Floats, share: float) -> tuple[float, Floats, Floats]:
        """Mass, centre and inertia in the world of a segment between its two ends."""
        data = self.data[name]
        mass = self.total * data.mass / 100 * share
        length = float(np.linalg.norm(second - first))
        along = (second - first) / length
        # Front to back as seen by the segment; a foot points forward itself, so there it is up.
        ahead = np.cross(self._sideways(), [0.0, 1.0, 0.0])
        reference = np.array([0.0, 1.0, 0.0]) if abs(along @ ahead) > 0.8 else ahead
        front = reference - (reference @ along) * along
        front /= np.linalg.norm(front)
        axes = np.stack([front, np.cross(along, front), along])
        moments = mass * (length * np.array(data.radii) / 100) ** 2
        return mass, first + data.centre / 100 * (second - first), axes.T @ np.diag(moments) @ axes

    def _box(self, small: MassModel, name: str, factor: float) -> tuple[float, Floats, Floats]:
        index = self.rig.joint_index(name)
        centre = self.world[index, :, :3] @ small.centres[index] + self.world[index, :, 3]
        turned = self.orientation[index] @ small.inertias[index] @ self.orientation[index].T
        return float(small.masses[index]) * factor, centre, turned * factor

    def _metres_per_mm(self) -> float:
        """How large this person is beside the mean one, by the legs: heads and trunks of rigs are drawn freely."""
        found = []
        for part in ("thigh", "shank"):
            for (name, side), mover in self.movers.items():
                below = self.movers.get((_LIMBS[part], side)) if name == part else None
                if below is not None:
                    found.append(float(np.linalg.norm(self.at[below] - self.at[mover])) / self.data[part].length)
        if not found or not min(found) > 0:
            raise InvalidRig("the legs have no length at rest; use box masses for this rig")
        return float(np.mean(found))

    def _stature(self) -> float:
        """How tall the person stands, by bones from the ankles to where the head turns: rest poses may sit or lie."""
        head = self.movers.get(("head", None))
        if head is None:
            return self.scale * 1741.0
        legs = self.scale * (self.data["thigh"].length + self.data["shank"].length)
        thighs = [self.at[name] for (part, _), name in self.movers.items() if part == "thigh"]
        way = [n for n in path_from_root(self.rig, head) if self.parts[n] in ("trunk", "neck") and n != self.hips]
        places = np.array([np.mean(thighs, axis=0), *(self.at[n] for n in way), self.at[head]])
        return (legs + float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())) / _TO_THE_HEAD

    def _sideways(self) -> Floats:
        left, right = (self.movers.get(("thigh", side)) for side in ("left", "right"))
        across = self.at[left] - self.at[right] if left and right else np.array([1.0, 0.0, 0.0])
        return across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-9 else np.array([1.0, 0.0, 0.0])

    def _ends(self, part: BodyPart, side: Side | None, mover: str) -> tuple[Floats, Floats]:
        """The two ends of a limb segment or the head; where the rig does not show one, a mean person's length is."""
        here = self.at[mover]
        below = self.movers.get((_LIMBS[part], side)) if part in _LIMBS else None
        if below is not None and np.linalg.norm(self.at[below] - here) > 1e-6:
            return here, self.at[below]
        length = self.data[part].length * self.scale
        path = [n for n in path_from_root(self.rig, mover)[:-1] if np.linalg.norm(self.at[n] - here) > 1e-6]
        came = here - self.at[path[-1]] if path else np.array([0.0, 1.0, 0.0])
        onward = came / np.linalg.norm(came)
        if part == "head":
            # From the crown down to the jaw's angle, which is where the head turns.
            return here + length * onward, here
        if part == "foot":
            # The ankle stands a quarter of the foot before the heel; the toes are where the rig's foot ends.
            toes = self._farthest(mover) - here
            flat = toes - [0.0, toes[1], 0.0]
            if np.linalg.norm(flat) < 0.1 * length:
                flat = np.cross(self._sideways(), [0.0, 1.0, 0.0])
            ahead = flat / np.linalg.norm(flat)
            sole = here + np.array([0.0, min(toes[1], 0.0), 0.0])
            return sole - 0.25 * length * ahead, sole + 0.75 * length * ahead
        return here, here + length * onward

    def _farthest(self, mover: str) -> Floats:
        """The place of the farthest joint or named point below a joint."""
        below = {mover, *descendants(self.rig, mover)}
        places = [self.at[name] for name in below]
        for point in self.rig.points:
            if point.joint in below:
                index = self.rig.joint_index(point.joint)
                places.append(self.world[index, :, :3] @ point.offset + self.world[index, :, 3])
        distances = [round(float(np.linalg.norm(place - self.at[mover])), 9) for place in places]
        return places[int(np.argmax(distances))]

    def _trunk(self) -> dict[str, list[tuple[str, Floats, Floats]]]:
        """The three parts of the trunk, from the shoulders' height down to between the hip joints, by moving joint."""
        thighs = [self.at[name] for (part, _), name in self.movers.items() if part == "thigh"]
        arms = [self.at[name] for (part, _), name in self.movers.items() if part == "upper_arm"]
        neck = next((n for n, p in self.parts.items() if p == "neck"), self.movers.get(("head", None)))
        bottom = np.mean(thighs, axis=0)
        tops = [*([np.mean(arms, axis=0)] if arms else []), *([self.at[neck]] if neck is not None else [])]
        top = max(tops, key=lambda p: float(np.linalg.norm(p - bottom)), default=self._farthest(self.hips))
        data = [self.data[name] for name in ("upper_trunk", "mid_trunk", "lower_trunk")]
        heights = np.cumsum([0.0, *(each.length for each in data)])
        levels = top + np.outer(heights / heights[-1], bottom - top)
        # The spine: the joints of the trunk above the hips that carry what is above them, without the collar bones.
        spine = [n for n, p in self.parts.items() if p == "trunk" and self.sides[n] is None]
        found: dict[str, list[tuple[str, Floats, Floats]]] = {}
        for n, name in enumerate(("upper_trunk", "mid_trunk", "lower_trunk")):
            centre = levels[n] + self.data[name].centre / 100 * (levels[n + 1] - levels[n])
            up = (top - bottom) / np.linalg.norm(top - bottom)
            under = [s for s in spine if (self.at[s] - centre) @ up <= 1e-9]
            mover = max(under, key=lambda s: float(self.at[s] @ up)) if under else self.hips
            found.setdefault(mover, []).append((name, levels[n], levels[n + 1]))
        return found
