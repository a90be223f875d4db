"""How stiff the parts of a person are, so that a pull moves what a person would move.

Stiffness is relative: a joint of stiffness 4 turns about a sixteenth as far as one of stiffness 1 where both would
serve. Parts are what joints are recognised as, whoever made the rig.
"""

from collections.abc import Mapping
from dataclasses import replace

from inbetweener.anatomy import Anatomy, Role, recognise
from inbetweener.errors import UnknownName
from inbetweener.rig import Channel, Rig

AS: Mapping[Role, Role] = {
    "chest": "spine",
    "jaw": "head",
    "eye": "head",
    "ear": "head",
    "finger": "hand",
    "toe": "foot",
}
"""Parts that are as stiff as another."""

PRESETS: Mapping[str, Mapping[Role, float]] = {
    # A standing person reaches with the arm, then leans; the hips follow last.
    "person": {
        "hips": 3.0, "spine": 3.0, "clavicle": 4.0, "neck": 2.5, "head": 2.0,
        "upper_arm": 1.0, "forearm": 1.0, "hand": 2.0, "thigh": 1.0, "shin": 1.0, "foot": 1.5,
    },
    # Only the limbs work: a soldier, a robot, someone in a corset.
    "upright": {
        "hips": 12.0, "spine": 12.0, "clavicle": 8.0, "neck": 8.0, "head": 6.0,
        "upper_arm": 1.0, "forearm": 1.0, "hand": 2.0, "thigh": 1.0, "shin": 1.0, "foot": 1.5,
    },
    # The body leads and the limbs trail: dancers, swimmers, rag dolls.
    "supple": {
        "hips": 1.5, "spine": 1.2, "clavicle": 1.5, "neck": 1.2, "head": 1.2,
        "upper_arm": 1.2, "forearm": 1.2, "hand": 1.5, "thigh": 1.2, "shin": 1.2, "foot": 1.5,
    },
}  # fmt: skip


def stiffened(rig: Rig, preset: str = "person", anatomy: Anatomy | None = None) -> tuple[Channel, ...]:
    """The rig's channels with the stiffness of a preset; joints that are no part of a person keep theirs.

    A control is as stiff as the joints that it drives, weighed by how much it drives each.
    """
    if preset not in PRESETS:
        raise UnknownName("stiffness preset", preset, PRESETS)
    table = PRESETS[preset]
    known = {p.joint: table.get(AS.get(p.role, p.role)) for p in (recognise(rig) if anatomy is None else anatomy)}
    made = []
    for channel in rig.channels:
        driven = [(abs(d.weight), stiff) for d in channel.drives if (stiff := known[d.joint]) is not None]
        total = sum(weight for weight, _ in driven)
        if total > 0.0:
            made.append(replace(channel, stiffness=sum(w * s for w, s in driven) / total))
        else:
            made.append(channel)
    return tuple(made)
