"""Joints whose springs go together: chains, and the body as a whole."""

from collections.abc import Mapping

from inbetweener.kinodynamics import Spring
from inbetweener.kinodynamics.looseness import Masses, as_one, chain_tip
from inbetweener.rig import Rig
from inbetweener.rig.chains import descendants
from inbetweener.studio.protocol.loose import SpringInfo
from inbetweener.studio.protocol.loose_messages import ChainInfo

ALIKE = 0.999
"""A chain whose tip is no looser than this is none to the eye: its joints are alike."""


def sway(rig: Rig, springs: Mapping[str, Spring], masses: Masses = "boxes") -> SpringInfo | None:
    """How all loose joints swing as a whole; None where there are none, or their springs differ."""
    joints = {joint.name: springs[joint.name] for joint in rig.joints if joint.name in springs}
    if len(set(joints.values())) != 1:
        return None
    whole = as_one(rig, joints, masses=masses)
    return SpringInfo("", whole.frequency, whole.damping)


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
        whole = as_one(rig, {name: springs[name] for name in joints}, masses=masses)
        within.update(joints)
        found.append(ChainInfo(joint.name, joints, whole.frequency, whole.damping, tip))
    return found
