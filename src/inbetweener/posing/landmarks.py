"""Places on a body that a hand takes hold of, found on its meshes: heels, toe tips, palms, finger tips, snouts."""

from collections.abc import Iterable, Iterator

import numpy as np

from inbetweener.anatomy import Anatomy, Part, Role
from inbetweener.anatomy.facing import ahead
from inbetweener.arrays import Floats, Ints
from inbetweener.maths import transforms
from inbetweener.rig import Point, Rig, chains
from inbetweener.skinning import Mesh

FINGERS = ("finger", "thumb", "index", "middle", "ring", "little")
SOLE = 0.25
"""The share of a foot's height that counts as its sole."""
NEAR = 0.06
"""The share of a part's length within which vertices make an end of it."""


def landmarks(rig: Rig, anatomy: Anatomy, meshes: Iterable[Mesh]) -> tuple[Point, ...]:
    """Heels, balls and tips of feet, palms, finger tips, the top of the head and the snout, where vertices show them.

    Names are plain and end in the side: heel_l, index_tip_r. Those that the rig has already are left out.
    """
    body = _Flesh(rig, anatomy, meshes)
    taken = {*(joint.name for joint in rig.joints), *(point.name for point in rig.points)}
    found: dict[str, Point] = {}
    for point in (*body.feet(), *body.hands(), *body.head()):
        if point.name not in taken:
            found.setdefault(point.name, point)
    return tuple(found.values())


class _Flesh:
    """A body at rest: where its vertices are, and which joint each follows most."""

    def __init__(self, rig: Rig, anatomy: Anatomy, meshes: Iterable[Mesh]) -> None:
        self.rig, self.anatomy, self.ahead = rig, anatomy, ahead(rig, anatomy)
        self.world = rig.rest_world()
        places, owners = [np.zeros((0, 3))], [np.zeros(0, np.int64)]
        for mesh in meshes:
            joints = np.array([rig.joint_index(name) for name in mesh.joints], np.int64)
            most = np.argmax(mesh.weights, axis=1)[:, None]
            first = np.take_along_axis(mesh.influences, most, axis=1)[:, 0].astype(np.int64)
            local = transforms.apply(mesh.joint_from_mesh[first], mesh.vertices.astype(np.float64)[:, None])
            places.append(transforms.apply(self.world[joints[first]], local)[:, 0])
            owners.append(joints[first])
        self.places: Floats = np.concatenate(places)
        self.owners: Ints = np.concatenate(owners)

    def feet(self) -> Iterator[Point]:
        for part in self._first("foot"):
            joints = self._limb(part, ("foot", "toe", "end"))
            mine = self._of(joints)
            if len(mine) < 4:
                continue
            places, ankle = self.places[mine], self._at(part.joint)
            flat = places - ankle
            flat[:, 1] = 0.0
            onward = flat[np.argmax(flat @ self.ahead)]
            onward = onward / max(float(np.linalg.norm(onward)), 1e-12)
            along, height = (places - ankle) @ onward, places[:, 1]
            low, length = height.min() + SOLE * np.ptp(height), float(np.ptp(along))
            sole = height <= low
            near = max(NEAR * length, 1e-9)
            yield self._point("heel", part, part.joint, places[sole & (along <= along[sole].min() + near)])
            tip = along >= along.max() - near
            owner = self.rig.joints[int(np.bincount(self.owners[mine][tip]).argmax())].name
            yield self._point("toe_tip", part, owner, places[tip])
            toes = [each for each in joints if self.anatomy[each].role == "toe"]
            bend = float((self._at(toes[0]) - ankle) @ onward) if toes else along.min() + 0.7 * length
            ball = sole & (np.abs(along - bend) <= 2.0 * near)
            if ball.any():
                yield self._point("ball", part, toes[0] if toes else part.joint, places[ball])

    def hands(self) -> Iterator[Point]:
        for part in self._first("hand"):
            mine = self._of([part.joint])
            if len(mine) >= 4:
                yield self._point("palm", part, part.joint, self.places[mine])
            fingers = [each for each in self.anatomy.find("finger", part.side) if self._below(each.joint, part.joint)]
            for last in fingers:
                if any(self._below(each.joint, last.joint) for each in fingers):
                    continue
                above = self.rig.joints[self.rig.joint_index(last.joint)].parent
                came = self._at(last.joint) - self.world[above, :, 3]
                mine = self._of(self._limb(last, ("finger", "end")))
                if len(mine) and np.linalg.norm(came) > 1e-9:
                    along = self.places[mine] @ (came / np.linalg.norm(came))
                    near = NEAR * max(float(np.ptp(along)), 1e-9)
                    yield self._point(
                        f"{FINGERS[last.digit if last.digit < len(FINGERS) else 0]}_tip",
                        last,
                        last.joint,
                        self.places[mine][along >= along.max() - near],
                    )

    def head(self) -> Iterator[Point]:
        for part in self._first("head")[:1]:
            mine = self._of([part.joint, *self._limb(part, ("jaw",))])
            if len(mine) < 4:
                continue
            places = self.places[mine]
            near = NEAR * max(float(np.ptp(places, axis=0).max()), 1e-9)
            yield self._point("head_top", part, part.joint, places[places[:, 1] >= places[:, 1].max() - near])
            if self.anatomy.kind in ("quadruped", "creature"):
                along = places @ self.ahead
                yield self._point("snout", part, part.joint, places[along >= along.max() - near])

    def _first(self, role: Role) -> list[Part]:
        """Parts of a role that hang on no other of it."""
        found = [part for part in self.anatomy.body if part.role == role]
        return [p for p in found if not any(self._below(p.joint, other.joint) for other in found)]

    def _below(self, joint: str, above: str) -> bool:
        return joint != above and above in chains.path_from_root(self.rig, joint)

    def _limb(self, part: Part, roles: tuple[Role, ...]) -> list[str]:
        """A part and what of these roles hangs on it."""
        below = chains.descendants(self.rig, part.joint)
        return [part.joint, *(name for name in below if self.anatomy[name].role in roles)]

    def _of(self, joints: list[str]) -> Ints:
        """Which vertices follow some joints most."""
        return np.flatnonzero(np.isin(self.owners, [self.rig.joint_index(name) for name in joints]))

    def _at(self, joint: str) -> Floats:
        return self.world[self.rig.joint_index(joint), :, 3]

    def _point(self, name: str, part: Part, joint: str, places: Floats) -> Point:
        """The middle of some places, carried by a joint; which of many legs it is, and the side, end its name."""
        place = places.min(axis=0) / 2 + places.max(axis=0) / 2
        inverse = transforms.inverse(self.world[self.rig.joint_index(joint)])
        x, y, z = transforms.apply(inverse, place[None])[0].tolist()
        alike = sum(each.side == part.side for each in self._first(part.role))
        many = f"_{part.number}" if part.role in ("foot", "hand") and alike > 1 else ""
        side = {"left": "_l", "right": "_r", None: ""}[part.side]
        return Point(joint, (x, y, z), f"{name}{many}{side}")
