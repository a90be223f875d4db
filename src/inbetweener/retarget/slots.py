"""The joints of a body by what they are: limbs by role and side, and rows of trunk, fingers and tails."""

from collections.abc import Mapping, Sequence

import numpy as np

from inbetweener.anatomy import Anatomy, Part, Role
from inbetweener.arrays import Floats
from inbetweener.rig import ROOT, Rig
from inbetweener.rig.chains import above
from inbetweener.rig.mirror import Side

SIDES: tuple[Side, Side] = ("left", "right")
LEG: tuple[Role, ...] = ("thigh", "shin", "foot", "toe")
ARM: tuple[Role, ...] = ("clavicle", "upper_arm", "forearm", "hand")
TRUNK: tuple[Role, ...] = ("hips", "spine", "chest", "neck", "head")
Slot = tuple[Role, Side | None, int, int]
"""A joint of a body by what it is: role, side, number and digit."""


def slots_of(rig: Rig, anatomy: Anatomy) -> tuple[dict[Slot, int], dict[Slot, tuple[int, ...]]]:
    """Joints by what they are; of several in a row, the one nearest to the trunk. And rows: trunk, fingers, tails."""
    depth = [0] * len(rig.joints)
    for j, each in enumerate(rig.joints):
        depth[j] = depth[each.parent] + 1 if each.parent != ROOT else 0
    slots: dict[Slot, int] = {}
    rows: dict[Slot, list[int]] = {}
    for part in sorted(anatomy.body, key=lambda each: depth[rig.joint_index(each.joint)]):
        joint = rig.joint_index(part.joint)
        if part.role in ("finger", "tail"):
            rows.setdefault((part.role, part.side, 0, part.digit), []).append(joint)
        elif part.role not in TRUNK:
            slots.setdefault((part.role, part.side, _pair(part), part.digit), joint)
        elif part.role in ("hips", "chest", "head"):
            slots.setdefault((part.role, None, 0, 0), joint)
    _carry_legs(rig, slots)
    _stand_on_last(rig, anatomy, slots)
    trunk = _trunk(rig, anatomy, slots)
    hips, chest = slots.get(("hips", None, 0, 0)), slots.get(("chest", None, 0, 0))
    made = {slot: tuple(row) for slot, row in rows.items()}
    if hips is not None and trunk:
        top = trunk.index(chest) if chest in trunk else len(trunk) - 1
        made["spine", None, 0, 0] = tuple(trunk[: top + 1])
        made["neck", None, 0, 0] = tuple(trunk[top:])
    return slots, made


def _carry_legs(rig: Rig, slots: dict[Slot, int]) -> None:
    """Where legs hang beside the hips, or arms do as robots have it, take for these what carries both."""
    hips = slots.get(("hips", None, 0, 0))
    thighs = [joint for side in SIDES for joint in limb_of(slots, ("thigh", "upper_arm"), side)]
    if hips is not None:
        paths = [{joint, *above(rig, joint)} for joint in (hips, *thighs)]
        shared = set.intersection(*paths)
        if shared and hips not in shared:
            slots["hips", None, 0, 0] = max(shared)


def _stand_on_last(rig: Rig, anatomy: Anatomy, slots: dict[Slot, int]) -> None:
    """Where an ankle is several hinges, the foot is the last of them, which carries the sole."""
    for side in SIDES:
        foot = slots.get(("foot", side, 0, 0))
        while foot is not None:
            slots["foot", side, 0, 0] = foot
            below = [j for j, joint in enumerate(rig.joints) if joint.parent == foot]
            hinge = len(below) == 1 and anatomy[rig.joints[below[0]].name].role in ("twist", "foot")
            foot = below[0] if hinge else None


def _pair(part: Part) -> int:
    """Which pair a limb is of; numbers within one limb do not tell."""
    return max(part.number - 1, 0) if part.role in ("thigh", "shin", "wing") else 0


def _trunk(rig: Rig, anatomy: Anatomy, slots: Mapping[Slot, int]) -> list[int]:
    """The joints of the trunk from the hips up to the head, as one hangs on the other."""
    hips = slots.get(("hips", None, 0, 0))
    if hips is None:
        return []
    roles = {hips, *(rig.joint_index(part.joint) for part in anatomy.body if part.role in TRUNK)}
    tops = [slots[slot] for slot in (("head", None, 0, 0), ("chest", None, 0, 0)) if slot in slots]
    for top in [*tops, *sorted(roles, reverse=True)]:
        path, joint = [], top
        while joint != ROOT:
            if joint in roles:
                path.append(joint)
            if joint == hips:
                return path[::-1]
            joint = rig.joints[joint].parent
    return [hips]


def limb_of(slots: Mapping[Slot, int], roles: Sequence[Role], side: Side) -> list[int]:
    """The joints of a limb that are there, from the trunk outwards."""
    return [slots[role, side, 0, 0] for role in roles if (role, side, 0, 0) in slots]


def length_of(places: Floats, joints: Sequence[int]) -> float:
    """Metres along a row of joints."""
    return float(np.linalg.norm(np.diff(places[list(joints)], axis=0), axis=1).sum())
