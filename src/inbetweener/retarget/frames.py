"""The anatomical frame of every bone: its direction, and a second axis carried along from a standing body."""

from collections.abc import Mapping, Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.retarget.slots import ARM, LEG, SIDES, Slot, limb_of
from inbetweener.rig import Rig
from inbetweener.rig.mirror import Side

BENT = np.radians(30.0)
"""A limb that is bent by more at rest shows about which axis it bends."""
FLAT_FOOT = 0.35
"""The share of a foot's length that lies level at rest; one that hangs down more says nothing of its heading."""


def anatomical_frames(
    rig: Rig, slots: Mapping[Slot, int], rows: Mapping[Slot, tuple[int, ...]], places: Floats, axes: Floats
) -> tuple[Floats, dict[Side, Floats]]:
    """Frames (J, 3, 3) of joints that are of the body, and of the palms of hands that have fingers."""
    frames = np.tile(axes, (len(rig.joints), 1, 1))
    left, up, forward = axes.T
    palms: dict[Side, Floats] = {}
    for side in SIDES:
        outward = left if side == "left" else -left
        leg, arm = limb_of(slots, LEG[:2], side), limb_of(slots, ARM[1:], side)
        ends = [*leg[1:], *limb_of(slots, ("foot",), side)]
        _carry(frames, places, leg, _targets(rig, places, leg, ends), np.stack([-up, forward], axis=1), -1.0)
        for role in ("foot", "toe"):
            for joint in limb_of(slots, (role,), side):
                frames[joint] = level_frame(rig, slots, side, places, axes)
        hand = slots.get(("hand", side, 0, 0))
        targets = _targets(rig, places, arm, arm[1:])
        _carry(frames, places, arm, targets, np.stack([outward, forward], axis=1), 1.0)
        fingers = {slot[3]: row for slot, row in rows.items() if slot[:2] == ("finger", side)}
        if hand is not None:
            if len(arm) > 1:
                # Without fingers nobody knows how a hand is turned: it goes on as its arm does.
                frames[hand] = frames[arm[-2]]
            palm = _palm(places, hand, fingers)
            if palm is not None:
                palms[side] = palm
        for row in fingers.values():
            base = palms.get(side, frames[hand] if hand is not None else axes)
            ends_ = _targets(rig, places, list(row), list(row[1:]))
            for joint, end in zip(row, ends_, strict=True):
                frames[joint] = _along(base, end - places[joint])
                base = frames[joint]
    for slot, row in rows.items():
        if slot[0] == "tail":
            base = np.stack([-forward, up, np.cross(-forward, up)], axis=1)
            for joint, end in zip(row, _targets(rig, places, list(row), list(row[1:])), strict=True):
                frames[joint] = base = _along(base, end - places[joint])
    return frames, palms


def _carry(
    frames: Floats, places: Floats, joints: Sequence[int], ends: Sequence[Floats], neutral: Floats, flexes: float
) -> None:
    """Frames of a limb, each carried on from the one before; `neutral` is how it stands, and where it bends to."""
    if not joints:
        return
    base = np.stack([neutral[:, 0], neutral[:, 1], np.cross(neutral[:, 0], neutral[:, 1])], axis=1)
    ways = [end - places[joint] for joint, end in zip(joints, ends, strict=True)]
    base = _along(base, ways[0])
    if len(ways) > 1 and np.linalg.norm(ways[1]) > 0:
        one, other = unit(ways[0]), unit(ways[1])
        aside = flexes * (other - (other @ one) * one)
        # A limb that is bent at rest shows its hinge, unless it is bent as none bends.
        if np.arccos(np.clip(one @ other, -1.0, 1.0)) > BENT and unit(aside) @ base[:, 1] > 0.3:
            second = unit(aside)
            base = np.stack([one, second, np.cross(one, second)], axis=1)
    for joint, way in zip(joints, ways, strict=True):
        frames[joint] = base = _along(base, way)


def _along(base: Floats, way: Floats) -> Floats:
    """A frame turned as little as can be, so that its first axis points along a way."""
    length = float(np.linalg.norm(way))
    return base if length < 1e-9 else _least_turn(base[:, 0], way / length) @ base


def _least_turn(one: Floats, other: Floats) -> Floats:
    """The smallest rotation that takes one direction to another."""
    axis, cosine = np.cross(one, other), float(one @ other)
    if cosine < -0.999999:
        axis = unit(np.cross(one, np.eye(3)[int(np.abs(one).argmin())]))
        return 2.0 * np.outer(axis, axis) - np.eye(3)
    skew = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)


def _targets(rig: Rig, places: Floats, joints: Sequence[int], following: Sequence[int]) -> list[Floats]:
    """Where the bone of each joint ends: at the next one, or at what hangs on the last."""
    found = [places[j] for j in following][: len(joints)]
    for joint in joints[len(found) :]:
        below = [j for j, each in enumerate(rig.joints) if each.parent == joint]
        far = [places[j] for j in below if np.linalg.norm(places[j] - places[joint]) > 1e-9]
        if far:
            found.append(np.mean(far, axis=0))
        elif found and len(joints) > 1:
            found.append(2.0 * places[joint] - places[joints[len(found) - 1]])
        else:
            found.append(places[joint])
    return found


def level_frame(rig: Rig, slots: Mapping[Slot, int], side: Side, places: Floats, axes: Floats) -> Floats:
    """The frame of a foot that stands: along it, and up."""
    foot, toe = slots.get(("foot", side, 0, 0)), slots.get(("toe", side, 0, 0))
    way = np.zeros(3)
    if foot is not None:
        way = (places[toe] if toe is not None else _targets(rig, places, [foot], [])[0]) - places[foot]
    level = way * np.array([1.0, 0.0, 1.0])
    if np.linalg.norm(level) < max(FLAT_FOOT * float(np.linalg.norm(way)), 1e-9) or level @ axes[:, 2] < 0.0:
        level = axes[:, 2]
    along, up = unit(level), axes[:, 1]
    return np.stack([along, up, np.cross(along, up)], axis=1)


def _palm(places: Floats, hand: int, fingers: Mapping[int, Sequence[int]]) -> Floats | None:
    """The frame of a hand by its fingers: along them, and from the first of them to the last."""
    rows = [fingers[digit] for digit in sorted(fingers) if digit > 1]
    if len(rows) < 2:
        return None
    along = np.mean([places[row[0]] for row in rows], axis=0) - places[hand]
    across = places[rows[0][0]] - places[rows[-1][0]]
    if min(np.linalg.norm(along), np.linalg.norm(across)) < 1e-9:
        return None
    one = unit(along)
    second = across - (across @ one) * one
    if np.linalg.norm(second) < 1e-9:
        return None
    second = unit(second)
    return np.stack([one, second, np.cross(one, second)], axis=1)


def unit(vector: Floats) -> Floats:
    """Its direction; nought where it has none."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))
