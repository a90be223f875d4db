"""Legs and arms: chains of joints that end in a foot or a hand."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.anatomy.facing import ahead
from inbetweener.anatomy.part import SURE, Anatomy, Part, Role
from inbetweener.rig import ROOT, Point, Rig, chains, characters

BEGINS: dict[Role, Role] = {"foot": "thigh", "hand": "upper_arm"}
_WHOLE: dict[Role, str] = {"foot": "leg", "hand": "arm"}
_WITHIN: frozenset[Role] = frozenset({"thigh", "shin", "upper_arm", "forearm", "twist", "helper"})
"""What may stand between the first joint of a limb and its end."""
SHORT = 0.02
"""Of the longest bone of a limb: what is nearer to each other is one place."""


@dataclass(frozen=True, slots=True)
class Limb:
    """A leg or an arm: its name, such as "left_foot", its joints from thigh or upper arm on, and where it ends.

    That is at a foot or hand or, where these hang on something else, at the end of shin or forearm: "left_leg".
    `flexes` (3,) is where knee or elbow points on a person who stands: knees ahead, elbows back.
    """

    name: str
    joints: tuple[str, ...]
    end: Point
    flexes: tuple[float, float, float]


def limbs(rig: Rig, anatomy: Anatomy) -> tuple[Limb, ...]:
    """All legs and arms of two bones or more that are recognised, of every character."""
    found: list[tuple[Limb, Part]] = []
    for each in characters(rig):
        own = anatomy.of({rig.joints[j].name for j in each.joints})
        forwards = ahead(rig, own)
        for role, first in BEGINS.items():
            x, y, z = (float(value) for value in (forwards if role == "foot" else -forwards))
            chains_found = [(part, str(role), _chain(rig, own, part, first)) for part in own.find(role)]
            begun = {joints[0] for _, _, joints in chains_found if joints}
            footless = [part for part in own.find(first) if not _has_below(rig, own, part, (first, role), begun)]
            chains_found += [(part, _WHOLE[role], _down(rig, own, part)) for part in footless]
            for part, what, joints in chains_found:
                if len(joints) > 2:
                    limb = Limb(f"{each.prefix}{part.side}_{what}", joints[:-1], Point(joints[-1]), (x, y, z))
                    found.append((_shortened(rig, limb), part))
    return _told_apart([(limb, part) for limb, part in found if len(limb.joints) > 1])


def _chain(rig: Rig, anatomy: Anatomy, end: Part, first: Role) -> tuple[str, ...]:
    """The joints from where a limb begins down to its end; none where that hangs on something else."""
    joints = [end.joint]
    joint = rig.joint(end.joint).parent
    while end.side is not None and end.confidence >= SURE and joint != ROOT:
        part = anatomy[rig.joints[joint].name]
        if part.role not in _WITHIN:
            break
        joints.append(part.joint)
        if part.role == first:
            return tuple(reversed(joints))
        joint = rig.joints[joint].parent
    return ()


def _has_below(rig: Rig, anatomy: Anatomy, part: Part, roles: tuple[Role, Role], begun: set[str]) -> bool:
    """Whether a limb is known already that begins with this part, or with one of its kind below it."""
    below = {part.joint, *chains.descendants(rig, part.joint)}
    return (
        part.side is None
        or part.confidence < SURE
        or bool(below & begun)
        or any(anatomy[joint].role in roles for joint in below - {part.joint})
    )


def _down(rig: Rig, anatomy: Anatomy, first: Part) -> tuple[str, ...]:
    """The joints from where a limb begins down to the end of its second bone, where that has one of its own."""
    joints = [first.joint]
    for role in (("shin",) if first.role == "thigh" else ("forearm",)) + ("end",):
        index = rig.joint_index(joints[-1])
        below = [joint.name for joint in rig.joints if joint.parent == index and anatomy[joint.name].role == role]
        if len(below) != 1:
            return ()
        joints.append(below[0])
    return tuple(joints)


def _shortened(rig: Rig, limb: Limb) -> Limb:
    """A limb that ends where its last bone does, past joints that sit on its end."""
    world = rig.rest_world()[:, :, 3]
    joints = [*limb.joints, limb.end.joint]
    places = np.array([world[rig.joint_index(name)] for name in joints])
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    while len(joints) > 2 and lengths[len(joints) - 2] < SHORT * lengths.max():
        joints.pop()
    return replace(limb, joints=tuple(joints[:-1]), end=Point(joints[-1]))


def _told_apart(found: list[tuple[Limb, Part]]) -> tuple[Limb, ...]:
    """Limbs with names that differ: by number where a body has several pairs; of two that begin alike, the first."""
    once = {limb.joints[0]: limb for limb, _ in reversed(found)}
    kept = [pair for pair in found if once[pair[0].joints[0]] is pair[0]]
    names = [limb.name for limb, _ in kept]
    return tuple(
        limb if names.count(limb.name) == 1 else replace(limb, name=f"{limb.name}_{part.number or part.joint}")
        for limb, part in kept
    )
