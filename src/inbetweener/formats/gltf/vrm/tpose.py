"""A person's T pose: how its bones would be turned with arms to the sides, which is what VRM counts turns from."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from inbetweener.anatomy import Anatomy
from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import InvalidEdit
from inbetweener.formats.gltf.vrm.humanoid import human_bones
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import least_turns
from inbetweener.rig.chains import above

DRAWN = np.radians(5.0)
"""Limbs that are nearer to how they stand in a T pose are as their author drew them there."""
NEAR_GROUND = 0.1
"""Of a leg's length: soles that are nearer to the ground are meant to stand on it."""
POSES = 60
"""Of the clip, to look for one that stands where the rig does not."""


@dataclass(frozen=True, slots=True)
class TPose:
    """Human bones of a document, by VRM's names, each with its joint's number.

    parents  the bone that carries each
    facing   (3, 3) turns the world so that the body looks along +Z
    turns    (3, 3) of each in the world of the document, places (3,) there
    """

    bones: Mapping[str, int]
    parents: Mapping[str, str | None]
    facing: Floats
    turns: Mapping[str, Floats]
    places: Mapping[str, Floats]

    @classmethod
    def of(cls, document: Document, clip: str) -> "TPose":
        """The T pose of a document's first character; raises InvalidEdit where none was recognised."""
        anatomy: Anatomy = document.anatomy()
        if anatomy.bodies:
            anatomy = anatomy.bodies[0]
        if anatomy.kind != "humanoid":
            raise InvalidEdit(f"{document.name!r} is none ({anatomy.summary})")
        rig = document.rig
        frames = document.clip(clip).frame_times
        poses = document.motion(clip).channels(frames[:: max(1, len(frames) // POSES)])
        body = Body.of(rig, anatomy, document.meshes, poses, document.name)
        bones = {bone: rig.joint_index(joint) for bone, joint in human_bones(anatomy).items()}
        missing = [bone for bone in ("hips", "spine", "head", "leftUpperArm", "rightUpperArm") if bone not in bones]
        if missing:
            raise InvalidEdit(f"no {missing[0]} was recognised in {document.name!r}; say which joint it is")
        of_joint = {joint: bone for bone, joint in bones.items()}
        parents = {
            bone: next((of_joint[each] for each in above(rig, joint) if each in of_joint), None)
            for bone, joint in bones.items()
        }
        bones = {bone: bones[bone] for bone in sorted(bones, key=bones.__getitem__)}
        deltas = _straightened(bones, body)
        turns = {bone: deltas[bone] @ body.turns[joint] for bone, joint in bones.items()}
        # Hips are as high as they are above the ground: players scale their ways by it.
        stands = abs(body.floor) < NEAR_GROUND * body.leg
        floor = np.array([0.0, 0.0 if stands else body.floor, 0.0])
        places: dict[str, Floats] = {}
        for bone, joint in bones.items():
            carrier = parents[bone]
            if carrier is None:
                places[bone] = body.places[joint] - floor
            else:
                places[bone] = places[carrier] + deltas[carrier] @ (body.places[joint] - body.places[bones[carrier]])
        return cls(bones, parents, _facing(body.axes), turns, places)

    def offset(self, bone: str) -> tuple[float, float, float]:
        """Where a bone is in its parent, none of which is turned in the T pose."""
        carrier = self.parents[bone]
        away = self.places[bone] - (0.0 if carrier is None else self.places[carrier])
        x, y, z = map(float, self.facing @ away)
        return x, y, z

    def turned(self, bone: str, turns: Floats) -> Floats:
        """How a bone's orientations (T, 3, 3) in the document are turned from the T pose, looking along +Z."""
        return np.asarray(self.facing @ turns @ self.turns[bone].T @ self.facing.T)


def _facing(axes: Floats) -> Floats:
    """The turn that takes left, up and forward to X, Y and Z; by a right angle where it is nearly one."""
    quarter = np.round(axes)
    near = abs(np.linalg.det(quarter)) == 1.0 and np.abs(axes - quarter).max() < np.sin(2.0 * DRAWN)
    return np.asarray((quarter if near else axes).T)


def _straightened(bones: Mapping[str, int], body: Body) -> dict[str, Floats]:
    """By bone, how the world turns with it from the neutral pose to the T pose."""
    left, up, _ = body.axes.T
    deltas: dict[str, Floats] = {bone: np.eye(3) for bone in bones}

    def aim(bone: str, end: str, way: Floats, otherwise: Floats) -> Floats:
        if bone not in bones or end not in bones:
            return otherwise
        along = body.places[bones[end]] - body.places[bones[bone]]
        cosine = float(along @ way) / max(float(np.linalg.norm(along)), 1e-12)
        if np.arccos(np.clip(cosine, -1.0, 1.0)) < DRAWN:
            return np.eye(3)
        return least_turns(along[None], way[None])[0]

    for side, outward in (("left", left), ("right", -left)):
        turn = np.eye(3)
        for bone, end in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("Hand", "MiddleProximal")):
            turn = aim(side + bone, side + end, outward, turn)
            deltas |= {side + bone: turn} if side + bone in bones else {}
        fingers = [bone for bone in bones if bone.startswith(side) and _is_finger(bone)]
        deltas |= dict.fromkeys(fingers, turn)
        for bone, end in (("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")):
            if side + bone in bones:
                deltas[side + bone] = aim(side + bone, side + end, -up, np.eye(3))
    return deltas


def _is_finger(bone: str) -> bool:
    return any(word in bone for word in ("Thumb", "Index", "Middle", "Ring", "Little"))
