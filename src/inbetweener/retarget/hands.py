"""Hands of the target: as far from the shoulder as the source's, by the length of the arms; near the body, as near."""

from collections.abc import Iterator

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import Figure, Limb
from inbetweener.retarget.slots import ARM, SIDES, Slot
from inbetweener.rig.mirror import Side

NEAR, FAR = 0.15, 0.3
"""Of the arm's length: nearer to the other hand, the head or the own hip, only the way from there counts; farther, it
does not."""


def arms(body: Body) -> Iterator[tuple[Side, Limb]]:
    """The arms that have all of their bones."""
    for side in SIDES:
        joints = body.limb(ARM[1:], side)
        if len(joints) == 3:
            yield side, Limb.of(body, joints, 1.0)


def goals(figure: Figure, source: Body, places: Floats, scale: float) -> dict[Side, Floats]:
    """Where hands shall be (T, 3) by side, given where the source's joints are (T, J, 3), arms yet to be scaled."""
    body = figure.body
    theirs = dict(arms(source))
    made: dict[Side, Floats] = {}
    for side, limb in arms(body):
        if side in theirs and {limb.upper, limb.lower, limb.end} <= figure.index.keys():
            away = places[:, theirs[side].end] - places[:, theirs[side].upper]
            made[side] = figure.place(limb.upper) + scale * away
    for side in made:
        made[side] = _near_body(figure, source, places, side, theirs[side].end, made[side], scale)
    if len(made) == 2:
        made = _together(made, places[:, theirs["left"].end], places[:, theirs["right"].end], scale, body.arm)
    return made


def _near_body(
    figure: Figure, source: Body, places: Floats, side: Side, hand: int, goal: Floats, scale: float
) -> Floats:
    """The goal, led to where a hand is beside the head or the own hip where it is near them."""
    body = figure.body
    anchors: tuple[Slot, ...] = (("head", None, 0, 0), ("thigh", side, 0, 0))
    for slot in anchors:
        ours, theirs = body.slots.get(slot), source.slots.get(slot)
        if ours is None or theirs is None or ours not in figure.index:
            continue
        away = places[:, hand] - places[:, theirs]
        near = _nearness(scale * np.linalg.norm(away, axis=1) / max(body.arm, 1e-9))
        if near.any():
            goal = goal + near[:, None] * (figure.place(ours) + scale * away - goal)
    return goal


def _together(made: dict[Side, Floats], left: Floats, right: Floats, scale: float, arm: float) -> dict[Side, Floats]:
    """Both goals moved alike, so that hands that touch do so still."""
    apart = left - right
    near = _nearness(scale * np.linalg.norm(apart, axis=1) / max(arm, 1e-9))
    off = near[:, None] * (scale * apart - (made["left"] - made["right"]))
    return {"left": made["left"] + 0.5 * off, "right": made["right"] - 0.5 * off}


def _nearness(distance: Floats) -> Floats:
    share = np.clip((FAR - distance) / (FAR - NEAR), 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))
