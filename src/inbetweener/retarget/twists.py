"""Twist bones that carry the next bone: they take the turn about their own axis, as a forearm's two bones do."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import euler, quaternions
from inbetweener.retarget.figure import Figure
from inbetweener.retarget.slots import SIDES, Slot, limb_of
from inbetweener.rig.chains import above

ASIDE = 0.15
"""Of its bone: what is carried farther from the axis would be carried off; nearer, its limb makes up for it."""


def shared(figure: Figure, local: Mapping[int, Floats]) -> dict[int, Floats]:
    """Turns (T or 1, 3, 3) of joints, by number, with what twist bones of forearms, shins and so on take of them.

    In the first bone of a limb it is that bone's own twist; in the second that of the end.
    """
    body, made = figure.body, dict(local)
    for side in SIDES:
        for upper, lower, end in (("upper_arm", "forearm", "hand"), ("thigh", "shin", "foot")):
            slots: Mapping[Slot, int] = body.slots
            limb = limb_of(slots, (upper, lower, end), side)  # type: ignore[arg-type]
            if len(limb) < 3 or not {*limb} <= figure.index.keys():
                continue
            for first, (bone, next_) in enumerate(pairwise(limb)):
                between = [j for j in above(body.rig, next_) if bone in above(body.rig, j) and j in body.twists]
                if len(between) == 1 and between[0] in above(body.rig, next_)[:1]:
                    _give(figure, made, bone if first == 0 else next_, between[0], next_, is_own=first == 0)
    return made


def _give(figure: Figure, made: dict[int, Floats], giver: int, twist: int, next_: int, *, is_own: bool) -> None:
    """Move the twist of a joint's turn about a twist bone's axis into that bone; nothing else moves."""
    body, rig = figure.body, figure.body.rig
    bone = body.places[next_] - body.places[rig.joints[twist].parent]
    k = int(np.abs(body.turns[twist].T @ bone).argmax())
    carried = np.delete(body.turns[twist].T @ (body.places[next_] - body.places[twist]), k)
    plain = {(drive.joint, drive.axis) for c in rig.channels if len(c.drives) == 1 for drive in c.drives}
    if np.linalg.norm(carried) > ASIDE * np.linalg.norm(bone) or giver not in made or twist in made:
        return
    if (rig.joints[twist].name, "r" + "xyz"[k]) not in plain:
        return
    axis = np.eye(3)[k]
    # The axis of the twist bone, as the giver has it: below the bone's own turn, or above the end's.
    rest = rig.skeleton.rest
    seen = rest[twist] @ axis if is_own else rest[giver].T @ axis
    if is_own and rig.joints[twist].parent != giver:
        return
    q = quaternions.from_matrix(made[giver])
    angle = 2.0 * np.arctan2(q[:, 1:] @ seen, q[:, 0])
    angle = np.unwrap(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
    back = quaternions.to_matrix(quaternions.from_axis_angle(np.tile(seen, (len(angle), 1)), -angle))
    made[giver] = made[giver] @ back if is_own else back @ made[giver]
    made[twist] = euler.axis_matrix(k, angle)
