"""Joints whose springs go together: chains, the body as a whole, and what pins and contacts hold."""

from collections.abc import Mapping

from inbetweener.document import Document
from inbetweener.kinodynamics import Spring, as_a_whole, chain
from inbetweener.kinodynamics.looseness import as_one, chain_tip
from inbetweener.rig import Rig
from inbetweener.rig.chains import descendants, path_from_root
from inbetweener.studio.protocol.loose import SpringInfo
from inbetweener.studio.protocol.loose_messages import ChainInfo

ALIKE = 0.999
"""A chain whose tip is no looser than this is none to the eye: its joints are alike."""


def held_joints(document: Document, clip: str) -> set[str]:
    """The joints that lead to pinned and planted places: loose, they would not stay there."""
    places = (rule.point for rule in document.rules(clip))
    joints = {point.joint for place in places for point, _ in place.parts}
    return {name for joint in joints for name in path_from_root(document.rig, joint)}


def body_springs(document: Document, clip: str, spring: Spring) -> dict[str, Spring]:
    """Springs with which the whole body swings so; joints that are held and not loose yet are left out."""
    loose = document.loosening(clip).looseness.springs.keys()
    return as_a_whole(document.rig, spring, without=held_joints(document, clip) - loose)


def chain_springs(rig: Rig, firsts: list[str], spring: Spring, tip: float) -> dict[str, Spring]:
    """Springs of chains, each of which as a whole swings so."""
    springs: dict[str, Spring] = {}
    for first in firsts:
        springs |= chain(rig, first, spring, tip=tip)
    return springs


def sway(rig: Rig, springs: Mapping[str, Spring]) -> SpringInfo | None:
    """How all loose joints swing as a whole; None where there are none, or their springs differ."""
    joints = {joint.name: springs[joint.name] for joint in rig.joints if joint.name in springs}
    if len(set(joints.values())) != 1:
        return None
    whole = as_one(rig, joints)
    return SpringInfo("", whole.frequency, whole.damping)


def chains(rig: Rig, springs: Mapping[str, Spring]) -> list[ChainInfo]:
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
        whole = as_one(rig, {name: springs[name] for name in joints})
        within.update(joints)
        found.append(ChainInfo(joint.name, joints, whole.frequency, whole.damping, tip))
    return found
