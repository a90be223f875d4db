"""Looseness as pages ask for it and are told it: settings, targets, and joints whose springs go together."""

import math
from collections.abc import Mapping
from typing import Any

from inbetweener import kinodynamics as kd
from inbetweener.document.native.structs import from_struct, to_struct
from inbetweener.kinodynamics import Spring
from inbetweener.kinodynamics.looseness import Masses, as_one, chain_tip
from inbetweener.rig import Rig
from inbetweener.rig.chains import descendants
from inbetweener.studio.places import FARTHEST
from inbetweener.studio.protocol.binary import MalformedMessage
from inbetweener.studio.protocol.loose import AnyTarget, ChainInfo, LoosenessSettings, PointTarget, SpringInfo

ALIKE = 0.999
"""A chain whose tip is no looser than this is none to the eye: its joints are alike."""


def to_looseness(settings: LoosenessSettings) -> kd.Looseness:
    """The looseness that a message describes."""
    made: kd.Looseness = from_struct(settings)
    return made


def to_target(rig: Rig, told: AnyTarget) -> kd.Target:
    """The target that a message describes; raises UnknownName for a joint that is not there."""
    own: dict[str, Any] = {}
    numbers = [told.time]
    if isinstance(told, PointTarget):
        numbers += [] if told.until is None else [told.until]
        numbers += [each for wanted in (told.position, told.velocity) if isinstance(wanted, tuple) for each in wanted]
        for part in told.place.parts if told.place is not None else ():
            rig.joint_index(part.joint)
        if isinstance(told.orientation, tuple):
            own["orientation"] = unit(told.orientation)
    if not all(abs(number) <= FARTHEST for number in numbers):
        raise MalformedMessage(f"a target's time, position and velocity are numbers up to {FARTHEST:g}")
    made: kd.Target = from_struct(told, **own)
    return made


def unit(turn: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """A quaternion of length 1; refuses one of none."""
    length = math.hypot(*turn)
    if not 1e-6 < length <= FARTHEST:
        raise MalformedMessage("an orientation of length nought is none")
    w, x, y, z = (each / length for each in turn)
    return w, x, y, z


def sway(rig: Rig, springs: Mapping[str, Spring], masses: Masses = "boxes") -> SpringInfo | None:
    """How all loose joints swing as a whole; None where there are none, or their springs differ."""
    joints = {joint.name: springs[joint.name] for joint in rig.joints if joint.name in springs}
    if len(set(joints.values())) != 1:
        return None
    return to_struct(as_one(rig, joints, masses=masses), SpringInfo, name="")


def chains(rig: Rig, springs: Mapping[str, Spring], masses: Masses = "boxes") -> list[ChainInfo]:
    """The chains among springs, each as long as it can be: one within another is not told."""
    found: list[ChainInfo] = []
    within: set[str] = set()
    # Joints come after their parents, so the longest of nested chains is met first.
    for joint in rig.joints:
        if joint.name in within or joint.name not in springs:
            continue
        tip = chain_tip(rig, springs, joint.name)
        if tip is None or tip > ALIKE:
            continue
        joints = [joint.name, *descendants(rig, joint.name)]
        within.update(joints)
        whole = as_one(rig, {name: springs[name] for name in joints}, masses=masses)
        found.append(to_struct(whole, ChainInfo, first=joint.name, joints=joints, tip=tip))
    return found
