"""How stiff the parts of a person are, so that a pull moves what a person would move.

Stiffness is relative: a joint of stiffness 4 turns about a sixteenth as far as one of stiffness 1 where both would
serve. Parts are found by the joints' names, whoever made the rig.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from inbetweener.errors import UnknownName
from inbetweener.rig import ROOT, Channel, Rig, body_parts
from inbetweener.rig.mirror import side_of

BodyPart = Literal[
    "root", "spine", "clavicle", "neck", "head", "upper_arm", "forearm", "hand", "thigh", "shank", "foot"
]
"""Where a joint counts as stiff or loose."""

PRESETS: Mapping[str, Mapping[BodyPart, float]] = {
    # A standing person reaches with the arm, then leans; the hips follow last.
    "person": {
        "root": 3.0, "spine": 3.0, "clavicle": 4.0, "neck": 2.5, "head": 2.0,
        "upper_arm": 1.0, "forearm": 1.0, "hand": 2.0, "thigh": 1.0, "shank": 1.0, "foot": 1.5,
    },
    # Only the limbs work: a soldier, a robot, someone in a corset.
    "upright": {
        "root": 12.0, "spine": 12.0, "clavicle": 8.0, "neck": 8.0, "head": 6.0,
        "upper_arm": 1.0, "forearm": 1.0, "hand": 2.0, "thigh": 1.0, "shank": 1.0, "foot": 1.5,
    },
    # The body leads and the limbs trail: dancers, swimmers, rag dolls.
    "supple": {
        "root": 1.5, "spine": 1.2, "clavicle": 1.5, "neck": 1.2, "head": 1.2,
        "upper_arm": 1.2, "forearm": 1.2, "hand": 1.5, "thigh": 1.2, "shank": 1.2, "foot": 1.5,
    },
}  # fmt: skip


def stiffened(rig: Rig, preset: str = "person") -> tuple[Channel, ...]:
    """The rig's channels with the stiffness of a preset; joints whose names say nothing keep theirs.

    A control is as stiff as the joints that it drives, weighed by how much it drives each.
    """
    if preset not in PRESETS:
        raise UnknownName("stiffness preset", preset, PRESETS)
    table = PRESETS[preset]
    parts = part_names(rig)
    made = []
    for channel in rig.channels:
        known = [(abs(d.weight), table[part]) for d in channel.drives if (part := parts[d.joint]) is not None]
        total = sum(weight for weight, _ in known)
        if total > 0.0:
            made.append(replace(channel, stiffness=sum(w * s for w, s in known) / total))
        else:
            made.append(channel)
    return tuple(made)


def part_names(rig: Rig) -> dict[str, BodyPart | None]:
    """The part of every joint; None where the name says nothing. The joint that carries the whole trunk is the root."""
    found: dict[str, BodyPart | None] = {}
    for joint, part in zip(rig.joints, body_parts.parts(rig).values(), strict=True):
        if part != "trunk":
            found[joint.name] = part
        elif joint.parent == ROOT or found[rig.joints[joint.parent].name] is None:
            found[joint.name] = "root"
        else:
            found[joint.name] = "spine" if side_of(joint.name) is None else "clavicle"
    return found
