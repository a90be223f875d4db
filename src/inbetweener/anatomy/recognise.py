"""What the joints of a rig are: by their names, and where these say little by their shape."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from inbetweener.anatomy.names import by_names
from inbetweener.anatomy.part import NO_BODY, SURE, Anatomy, Kind, Part
from inbetweener.anatomy.shape import agreed, by_shape
from inbetweener.anatomy.stacked import merged, parted, stacked
from inbetweener.rig import ROOT, Character, Joint, Rig, characters
from inbetweener.rig.characters import belongs, part_called

ENOUGH = 0.4
"""The share of joints of a body, as its shape has it, whose names have to say something for names to be believed."""
_LOW = 0.2
"""Of the height of a body: hands that are lower at rest stand on the ground."""


_AGAINST = -0.8
"""A cosine: legs that go so much the other way than the trunk are a person's."""


def recognise(rig: Rig, bound: Collection[str] = (), said: Iterable[Part] = ()) -> Anatomy:
    """A part for every joint; `bound` are the joints that carry vertices, if any do. What somebody `said` counts."""
    return _recognised(rig.joints, frozenset(bound), tuple(said))


@lru_cache(maxsize=16)
def _recognised(joints: tuple[Joint, ...], bound: frozenset[str], said: tuple[Part, ...]) -> Anatomy:
    """A slider of stiffness makes a new rig at every move, of the same joints."""
    rig = Rig(joints)
    several = characters(rig)
    if len(several) > 1:
        return _of_several(rig, several, bound, said)
    if rows := stacked(rig):
        one = _recognised(merged(rig, rows), bound, ())
        found = Anatomy(parted(rig, rows, {part.joint: part for part in one}), bound=bound).corrected(said)
        return replace(found, kind=_kind(rig, found))
    named, shaped = by_names(rig, bound), by_shape(rig, bound)
    told = sum(part.confidence >= SURE and part.role not in NO_BODY for part in named)
    seen = sum(part.confidence >= SURE and part.role not in NO_BODY for part in shaped)
    if told >= ENOUGH * seen:
        parts: list[Part] = []
        for joint, name, shape in zip(rig.joints, named, shaped, strict=True):
            # What hangs on a helper, such as a tool in a slot, only looks like a part of the body.
            aside = joint.parent != ROOT and parts[joint.parent].role in ("helper", "control", "end", "twist")
            parts.append(name if aside else agreed(name, shape))
    else:
        parts = [shape if shape.confidence >= SURE else name for name, shape in zip(named, shaped, strict=True)]
    found = Anatomy(tuple(parts), bound=bound).corrected(said)
    return replace(found, kind=_kind(rig, found))


def _of_several(rig: Rig, several: Sequence[Character], bound: frozenset[str], said: tuple[Part, ...]) -> Anatomy:
    """Each body by itself, under its own names: what all of these have in common says nothing."""
    bodies, found = [], dict[str, Part]()
    for each in several:
        alone = part_called(rig, belongs(rig, each.name)).joints
        short = {joint.name: joint.name.removeprefix(each.prefix) for joint in alone}
        long = {name: joint for joint, name in short.items()}
        own = tuple(replace(part, joint=short[part.joint]) for part in said if part.joint in short)
        body = _recognised(
            tuple(replace(joint, name=short[joint.name], follows=None) for joint in alone),
            frozenset(short[name] for name in bound & short.keys()),
            own,
        )
        parts = tuple(replace(part, joint=long[part.joint]) for part in body)
        bodies.append(Anatomy(parts, body.kind, bound & short.keys()))
        found |= {part.joint: part for part in parts}
    return Anatomy(tuple(found[joint.name] for joint in rig.joints), bodies[0].kind, bound, tuple(bodies))


def _kind(rig: Rig, found: Anatomy) -> Kind:
    legs, arms = found.find("thigh"), found.find("upper_arm")
    if not legs:
        more = (*found.find("wing"), *found.find("tail"), *found.find("head"), *arms)
        return "creature" if more else "hand" if found.find("finger") else "object"
    if arms and len(legs) <= 4:
        heights = rig.rest_world()[:, 1, 3]
        body = [heights[rig.joint_index(part.joint)] for part in found.body]
        ends = [heights[rig.joint_index(part.joint)] for part in found.find("hand") or found.find("forearm")]
        if ends and max(ends) - min(body) < _LOW * (max(body) - min(body)) and not _is_straight(rig, found):
            return "quadruped"
    strange = found.find("tail") or found.find("wing") or len({part.number for part in legs if part.number}) > 2
    return "creature" if strange or not (arms or found.find("head")) else "humanoid"


def _is_straight(rig: Rig, found: Anatomy) -> bool:
    """Whether legs go on where the trunk ends, as those of a person do, who may lie."""
    at = rig.rest_world()[:, :, 3]
    middle = {
        role: np.mean([at[rig.joint_index(part.joint)] for part in parts], axis=0)
        for role in ("thigh", "foot", "upper_arm")
        if (parts := found.find(role))
    }
    if len(middle) < 3:
        return False
    legs, trunk = middle["foot"] - middle["thigh"], middle["upper_arm"] - middle["thigh"]
    return bool(legs @ trunk < _AGAINST * np.linalg.norm(legs) * np.linalg.norm(trunk))
