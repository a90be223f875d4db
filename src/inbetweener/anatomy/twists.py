"""Twist bones: what each of a limb's takes of the turn of the joint to which it belongs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inbetweener.anatomy.part import NO_BODY, SURE, Anatomy, Role
from inbetweener.arrays import Floats
from inbetweener.rig import ROOT, Follows, Rig
from inbetweener.rig.chains import above

COUNTER: frozenset[Role] = frozenset({"upper_arm", "thigh"})
"""These carry their twist bones along: what is near the trunk turns back."""
FORWARD: frozenset[Role] = frozenset({"forearm", "shin", "neck"})
"""What is near the end of these turns along with the joint there."""
ASTRAY = np.radians(20.0)
"""An axis of a twist bone that is farther from the bone is none about which it twists."""


@dataclass(frozen=True, slots=True)
class Twist:
    """A twist bone, and what it follows; or why it cannot."""

    joint: str
    follows: Follows | None
    why: str = ""


def twists(rig: Rig, anatomy: Anatomy) -> Iterator[Twist]:
    """The twist bones that hang on a bone of a limb beside the one that goes on, and carry nothing of the body.

    Their share is by how far along that bone they are; where several stand in one place, by their order.
    """
    world, turns = (each[0] for each in rig.skeleton.forward(rig.rest_dofs[None]))
    beside: dict[int, list[int]] = {}
    for j, joint in enumerate(rig.joints):
        if anatomy[joint.name].role == "twist" and joint.parent != ROOT and not _carries(rig, anatomy, j):
            beside.setdefault(joint.parent, []).append(j)
    for bone, found in beside.items():
        part = anatomy[rig.joints[bone].name]
        if part.role not in COUNTER | FORWARD or part.confidence < SURE:
            continue
        end = _goes_on(rig, anatomy, bone)
        if end is None:
            yield from (Twist(rig.joints[j].name, None, f"{part.joint!r} has no end to twist to") for j in found)
            continue
        way = world[end, :, 3] - world[bone, :, 3]
        length = float(np.linalg.norm(way))
        if length <= 0.0:
            yield from (Twist(rig.joints[j].name, None, f"{part.joint!r} has no length") for j in found)
            continue
        way = way / length
        for j, share in zip(found, _shares(world[found, :, 3] - world[bone, :, 3], way / length), strict=True):
            yield _twist(rig, turns, way, j, bone if part.role in COUNTER else end, share, counter=part.role in COUNTER)


def _shares(away: Floats, way: Floats) -> Floats:
    """How far along a bone each is (n,), from nought to one; evenly where they stand in one place."""
    along = np.clip(away @ way, 0.0, 1.0)
    if len(along) > 1 and np.ptp(along) < 1e-3:
        return np.asarray((np.arange(len(along)) + 1.0) / (len(along) + 1.0))
    # One at the very beginning of a bone stands for its first half, at the very end for its last.
    return np.asarray(along if len(along) > 1 else np.clip(along, 0.25, 0.75))


def _twist(rig: Rig, turns: Floats, way: Floats, joint: int, source: int, share: float, *, counter: bool) -> Twist:
    own = turns[joint].T @ way
    k = int(np.abs(own).argmax())
    name, followed = rig.joints[joint].name, rig.joints[source].name
    if np.abs(own[k]) < np.cos(ASTRAY):
        return Twist(name, None, "none of its axes lies along the bone")
    seen = turns[source].T @ way
    x, y, z = (float(each) for each in seen / np.linalg.norm(seen))
    share = float(np.sign(own[k]) * (share - 1.0 if counter else share))
    return Twist(name, Follows(followed, share, (x, y, z), "xyz"[k]))  # type: ignore[arg-type]


def _carries(rig: Rig, anatomy: Anatomy, joint: int) -> bool:
    """Whether some part of the body hangs on it."""
    below = (each for j, each in enumerate(rig.joints) if joint in above(rig, j))
    return any(anatomy[each.name].role not in NO_BODY and anatomy[each.name].confidence >= SURE for each in below)


def _goes_on(rig: Rig, anatomy: Anatomy, bone: int) -> int | None:
    """What hangs on a bone and goes on with the limb: the next of its roles, or what carries that."""
    wanted: dict[Role, Role] = {
        "upper_arm": "forearm", "forearm": "hand", "thigh": "shin", "shin": "foot", "neck": "head",
    }  # fmt: skip
    part = anatomy[rig.joints[bone].name]
    for j, joint in enumerate(rig.joints):
        each = anatomy[joint.name]
        if each.role == wanted[part.role] and each.side == part.side and bone in above(rig, j):
            path = [j, *above(rig, j)]
            return path[path.index(bone) - 1]
    return None
