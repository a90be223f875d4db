"""Hair, skirts and tails: spring bones of VRM 0.x (groups that go down to every end) and 1.0 (rows of nodes)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.dynamics.body import Body, Weighing
from inbetweener.formats.gltf.vrm.rows import in_rows, out_of_rows
from inbetweener.formats.gltf.vrm.swing import RATE, pull_of, spring_of
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.kinodynamics.light import lightened
from inbetweener.rig import Rig
from inbetweener.rig.chains import children

NEW, OLD = "VRMC_springBone", "VRM"
TAIL = 0.07
"""Metres: how far beyond its last bone VRM 0.x sees the end of a row."""
EARTH = 9.81
MASSES: Weighing = "boxes"
"""How a body is weighed in which bones swing: files know nothing of it, so always in one way."""
SAME = 1e-6
"""Of its own size: a number that differs by less was not changed."""

Json = dict[str, Any]
Number = int | float


class Joint(msgspec.Struct, rename="camel"):
    """A node of a row of VRM 1.0; of the last one only the place counts."""

    node: int
    stiffness: Number = 1.0
    drag_force: Number = 0.5
    gravity_power: Number = 0.0
    gravity_dir: tuple[Number, Number, Number] = (0.0, -1.0, 0.0)


class Row(msgspec.Struct):
    """Nodes, each below the one before."""

    joints: list[Joint]


class Rows(msgspec.Struct):
    """What VRM 1.0 has."""

    springs: list[Row] = []


class Direction(msgspec.Struct):
    """As Unity writes it."""

    x: Number = 0.0
    y: Number = -1.0
    z: Number = 0.0


class Group(msgspec.Struct, rename="camel"):
    """Nodes of VRM 0.x, with everything below them; the second i is the format's own."""

    stiffiness: Number = 1.0
    drag_force: Number = 0.4
    gravity_power: Number = 0.0
    gravity_dir: Direction = msgspec.field(default_factory=Direction)
    bones: list[int] = []


class Groups(msgspec.Struct, rename="camel"):
    """What VRM 0.x has."""

    bone_groups: list[Group] = []


@dataclass(frozen=True, slots=True)
class Bone:
    """A bone that swings, and where in its extension that is said; its end is a node or, below the last, none."""

    node: int
    end: int | None
    stiffness: float
    drag: float
    gravity: tuple[float, float, float]
    at: tuple[int, int]


def bones_of(extensions: Json, children: Sequence[Sequence[int]]) -> list[Bone]:
    """All spring bones that a file's extensions name; raises msgspec.ValidationError where they make no sense."""
    found: dict[int, Bone] = {}
    rows = extensions.get(NEW)
    for i, row in enumerate(msgspec.convert(rows if isinstance(rows, dict) else {}, Rows).springs):
        for j, (one, other) in enumerate(zip(row.joints, row.joints[1:], strict=False)):
            x, y, z = (float(one.gravity_power * part) for part in one.gravity_dir)
            bone = Bone(one.node, other.node, float(one.stiffness), float(one.drag_force), (x, y, z), (i, j))
            found.setdefault(bone.node, bone)
    old = extensions.get(OLD)
    held = old.get("secondaryAnimation") if isinstance(old, dict) else None
    groups = msgspec.convert(held or {}, Groups).bone_groups
    for i, group in enumerate(groups):
        way = group.gravity_dir
        x, y, z = (float(group.gravity_power * part) for part in (way.x, way.y, way.z))
        stack = list(group.bones)[::-1]
        while stack:
            node = stack.pop()
            if node in found or not 0 <= node < len(children):
                continue
            below = children[node]
            end = below[0] if below else None
            found[node] = Bone(node, end, float(group.stiffiness), float(group.drag_force), (x, y, z), (i, 0))
            stack += below[::-1]
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Swinging:
    """A file's spring bones on a rig: by joint its bone and how long that is; and those that move no mass."""

    body: Body
    bones: Mapping[str, tuple[Bone, float]]
    weightless: frozenset[str]

    @classmethod
    def of(cls, bones: Sequence[Bone], document: Document, name_of: Callable[[int], str]) -> "Swinging":
        """Those whose nodes are joints; `name_of` says which, or nothing."""
        places = rest_places(document.rig)
        found = {}
        for bone in bones:
            name, end = name_of(bone.node), "" if bone.end is None else name_of(bone.end)
            if name:
                found[name] = bone, float(np.linalg.norm(places[end] - places[name])) if end else TAIL
        body = document.body(masses=MASSES)
        names = (joint.name for joint in document.rig.joints)
        weightless = frozenset(name for name, mass in zip(names, body.carried, strict=True) if mass == 0.0)
        return cls(body, found, weightless)

    @property
    def rig(self) -> Rig:
        """Whose joints they are."""
        return self.body.rig

    @property
    def lengths(self) -> dict[str, float]:
        """Metres from each joint to the end of its bone; of those that no bone is known of, to what hangs on them."""
        places = rest_places(self.rig)
        below = {joint.name: children(self.rig, joint.name) for joint in self.rig.joints}
        spans = {
            name: float(np.linalg.norm(places[ends[0]] - places[name])) if ends else TAIL
            for name, ends in below.items()
        }
        return spans | {name: length for name, (_, length) in self.bones.items()}

    @property
    def alone(self) -> dict[str, Spring]:
        """The spring that each bone is by itself; none where nothing draws it back, or it moves nothing."""
        made = {
            name: spring_of(bone.stiffness, bone.drag, length)
            for name, (bone, length) in self.bones.items()
            if name not in self.weightless
        }
        return {name: spring for name, spring in made.items() if spring is not None}

    @property
    def springs(self) -> dict[str, Spring]:
        """With what hangs on each."""
        return in_rows(self._light(self.bones), self.alone, self.lengths)

    def _light(self, loose: Iterable[str]) -> Body:
        return lightened(self.body, {self.rig.joint_index(name) for name in loose})

    @property
    def gravity(self) -> float | None:
        """In the earth's; None where bones are not all drawn down alike."""
        pulls = np.array([bone.gravity for bone, _ in self.bones.values()]).reshape(-1, 3)
        if not len(pulls) or np.abs(pulls - pulls[0]).max() > 1e-9 or np.abs(pulls[0, [0, 2]]).max() > 1e-6:
            return None if len(pulls) else 0.0
        return float(-pulls[0, 1]) * self.pull

    @property
    def pull(self) -> float:
        """In the earth's, what a gravity power of one is to our springs, on the mean of them."""
        held = [(self.bones[name], spring) for name, spring in self.alone.items()]
        strong = [pull_of(spring, length, bone.stiffness) for (bone, length), spring in held]
        return float(np.mean(strong or [1.0])) * RATE / EARTH

    def looseness(self) -> Looseness:
        """How loose the file's characters are."""
        return Looseness(self.springs, gravity=self.gravity or 0.0, light=True)

    def changed(self, looseness: Looseness) -> dict[str, Spring | None]:
        """By joint, the springs alone that differ from the file's; None where one is no more."""
        was, alone = self.springs, self.alone
        joints = {joint.name for joint in self.rig.joints}
        now = {name: spring for name, spring in looseness.springs.items() if name in joints}
        if now.keys() == was.keys() and all(alike(now[name], was[name]) for name in was):
            return {}
        bare = out_of_rows(self._light(now.keys() | (self.bones.keys() - alone.keys())), now, self.lengths)
        differing: dict[str, Spring | None] = {
            name: spring for name, spring in bare.items() if name not in alone or not alike(spring, alone[name])
        }
        return {**differing, **dict.fromkeys(was.keys() - now.keys())}


def alike(one: Spring, other: Spring) -> bool:
    """Whether nobody would call two springs different."""
    pairs = ((one.frequency, other.frequency), (one.damping, other.damping), (one.air, other.air))
    return all(abs(a - b) <= SAME * (abs(a) + abs(b)) for a, b in pairs)


def rest_places(rig: Rig) -> dict[str, Floats]:
    """Where joints are at rest."""
    world = rig.skeleton.forward(rig.rest_dofs[None])[0][0]
    return {joint.name: world[j, :, 3] for j, joint in enumerate(rig.joints)}
