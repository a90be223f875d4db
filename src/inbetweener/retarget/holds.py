"""Hands on the own body, on hip, thigh, face, other hand or arm: found on a source, kept on a target by its size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.retarget.body import Body
from inbetweener.retarget.feet import eased
from inbetweener.retarget.figure import REACH, Figure, Limb, runs
from inbetweener.retarget.slots import ARM, SIDES, Slot
from inbetweener.rig.mirror import Side

NEAR: Mapping[str, float] = {
    "head": 0.42, "hips": 0.42, "thigh": 0.3, "hand": 0.3, "forearm": 0.25, "upper_arm": 0.25,
}  # fmt: skip
"""Of the arm's length: how far a wrist may be from the bone on which its hand lies, with flesh between them."""
BELOW_HIP = 0.12
"""Of the thigh's length: from there on a hand lies on the thigh."""
HANGS = 0.94
"""Of the arm's length: an arm that is straighter hangs beside the body and holds on to nothing."""
SHORTEST = 0.3
"""Seconds that a hand lies on the body, at least."""
SLOW = 0.3
"""Arm's lengths a second: a hand that goes faster over the body passes by."""
STILL = 0.05
"""Of the arm's length: a hand that wanders less lies still."""
PALM = 0.08
"""Of the arm's length: how far a wrist is above the skin on which its hand lies."""
CONE = np.cos(np.radians(25.0))
"""Skin within this of the way outwards tells how thick a body is there."""
SHIFTS = tuple(float(sign * step) for step in np.arange(0.0, 0.65, 0.05) for sign in (-1.0, 1.0))
"""Shares of a bone by which a hand may lie elsewhere along it, where an arm is too short; the least is tried first."""
ROUNDS = 4
"""How often arms that hold each other are led to each other in turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Hold:
    """A hand lies on a part of the body from one frame to another, both included.

    path  (n, 3) where its joint is in the part's anatomical frame, in metres of the source; all the same where it is
    still
    """

    side: Side
    on: Slot
    first: int
    last: int
    path: Floats
    still: bool


def find_holds(source: Body, times: Floats, places: Floats, turns: Floats) -> tuple[Hold, ...]:
    """What hands lie on, given where the source's joints are (T, J, 3) and how they are turned (T, J, 3, 3)."""
    found: list[Hold] = []
    if len(times) < 3 or source.arm <= 0.0:
        return ()
    for side in SIDES:
        arm = source.limb(ARM[1:], side)
        if len(arm) < 3:
            continue
        hand = places[:, arm[-1]]
        bent = np.linalg.norm(hand - places[:, arm[0]], axis=1) < HANGS * source.arm
        parts = [slot for slot in _parts(side) if slot in source.slots]
        paths = {slot: _seen_from(source, slot, hand, places, turns) for slot in parts}
        # By how much of what is near each is away: what is nearest so is held.
        away = {slot: _off_bone(source, slot, paths[slot]) / (NEAR[slot[0]] * source.arm) for slot in parts}
        for slot in parts:
            if slot[0] == "thigh":
                # Beside the joint of the hip a hand lies on the hips, whatever the leg does.
                bone = _bone(source, slot)
                away[slot][paths[slot] @ bone < BELOW_HIP * float(bone @ bone)] = np.inf
        if not parts:
            continue
        nearest = np.argmin([away[slot] for slot in parts], axis=0)
        for n, slot in enumerate(parts):
            lies = (nearest == n) & (away[slot] < 1.0)
            if slot[0] != "hand":
                # Hands that hold one thing go to and fro beside each other.
                lies &= bent & (_speed(paths[slot], times) < SLOW * source.arm)
            found += _stretches(side, slot, lies, paths[slot], times, source.arm)
    return tuple(_told_once(found))


def _parts(side: Side) -> list[Slot]:
    """What a hand may lie on."""
    other: Side = "right" if side == "left" else "left"
    return [
        ("head", None, 0, 0), ("hips", None, 0, 0), ("thigh", side, 0, 0), ("thigh", other, 0, 0),
        ("hand", other, 0, 0), ("forearm", other, 0, 0), ("upper_arm", other, 0, 0),
    ]  # fmt: skip


def _speed(path: Floats, times: Floats) -> Floats:
    """How fast places (T, 3) move (T,), over so long that what trembles does not."""
    before = np.searchsorted(times, times - 0.5 * SHORTEST - 1e-9)
    after = np.minimum(np.searchsorted(times, times + 0.5 * SHORTEST + 1e-9), len(times)) - 1
    went = np.linalg.norm(path[after] - path[before], axis=1)
    return np.asarray(went / np.maximum(times[after] - times[before], 1e-9))


def _frame(body: Body, joint: int, turns: Floats) -> Floats:
    """The anatomical frame (T, 3, 3) of a joint that is turned (T, 3, 3)."""
    return np.asarray(turns @ (body.turns[joint].T @ body.frames[joint]))


def _seen_from(body: Body, slot: Slot, hand: Floats, places: Floats, turns: Floats) -> Floats:
    joint = body.slots[slot]
    return np.asarray(np.einsum("tji,tj->ti", _frame(body, joint, turns[:, joint]), hand - places[:, joint]))


def _bone(body: Body, slot: Slot) -> Floats:
    """Where the bone of a part ends (3,) in its anatomical frame: at its next joint, the trunk's at the chest.

    Heads and hands are as good as one place.
    """
    trunk = body.chains.get(("spine", None, 0, 0), ())
    if slot[0] == "hips" and trunk:
        return np.asarray(body.frames[trunk[0]].T @ (body.places[trunk[-1]] - body.places[trunk[0]]))
    following = {"thigh": "shin", "upper_arm": "forearm", "forearm": "hand"}.get(slot[0])
    joint, end = body.slots[slot], body.slots.get((following, *slot[1:])) if following else None  # type: ignore[arg-type]
    return np.zeros(3) if end is None else body.frames[joint].T @ (body.places[end] - body.places[joint])


def _off_bone(body: Body, slot: Slot, path: Floats) -> Floats:
    """How far places (T, 3) are from the bone of a part (T,)."""
    bone = _bone(body, slot)
    share = np.clip(path @ bone / max(float(bone @ bone), 1e-12), 0.0, 1.0)
    return np.asarray(np.linalg.norm(path - share[:, None] * bone, axis=1))


def _stretches(side: Side, slot: Slot, lies: Bools, path: Floats, times: Floats, arm: float) -> list[Hold]:
    made = []
    for first, last in runs(lies):
        if times[last] - times[first] < SHORTEST:
            continue
        span = path[first : last + 1]
        middle = np.median(span, axis=0)
        still = bool(np.linalg.norm(span - middle, axis=1).max() < STILL * arm)
        made.append(Hold(side, slot, first, last, np.tile(middle, (len(span), 1)) if still else span, still))
    return made


def _told_once(found: Sequence[Hold]) -> list[Hold]:
    """Hands that hold each other are told once, and not where one of them lies on something else as well."""
    made = [each for each in found if each.on[0] != "hand"]
    for each in found:
        if each.on[0] == "hand" and not any(each.first <= one.last and one.first <= each.last for one in made):
            made.append(each)
    return made


def on_target(target: Body, source: Body, hold: Hold, shift: float = 0.0) -> Floats:
    """Where the hand shall be (n, 3) in the anatomical frame of the target's part: as far along it, on its skin.

    `shift` is a share of the bone by which it is farther along.
    """
    ours, theirs = _bone(target, hold.on), _bone(source, hold.on)
    size = target.arm / source.arm
    along = hold.path @ theirs / max(float(theirs @ theirs), 1e-12)
    across = size * (hold.path - along[:, None] * theirs)
    if hold.on[0] == "hand":
        return np.asarray(size * hold.path)
    bone = np.clip(along + shift, 0.0, 1.0)[:, None] * ours
    outwards = (along + shift)[:, None] * ours + across - bone
    far = np.linalg.norm(outwards, axis=1)
    way = outwards / np.maximum(far, 1e-9)[:, None]
    here = _thick(target, hold.on, bone, way)
    there = _thick(source, hold.on, np.clip(along, 0.0, 1.0)[:, None] * theirs, way)
    # As high above the skin as there; where a source has none, not below it.
    lifted = here + np.fmax(PALM * target.arm, far - size * there)
    wished = np.where(np.isnan(here), far, np.where(np.isnan(there), np.fmax(far, lifted), lifted))
    return np.asarray(bone + wished[:, None] * way)


def _within_reach(target: Body, source: Body, hold: Hold, frame: Floats, away: Floats) -> Floats:
    """The same (n, 3), moved along the bone as little as brings it within the arm's reach on all frames, if that does.

    `frame` (n, 3, 3) is the part's, `away` (n, 3) its place as seen from the shoulder.
    """
    best, least = on_target(target, source, hold), np.inf
    for shift in SHIFTS if _bone(target, hold.on).any() else SHIFTS[:1]:
        place = on_target(target, source, hold, shift) if shift else best
        far = np.linalg.norm(away + np.einsum("tij,tj->ti", frame, place), axis=1).max()
        if far < least - 1e-3 * target.arm:
            best, least = place, far
        if far < REACH * target.arm:
            break
    return best


def _thick(body: Body, slot: Slot, axis: Floats, way: Floats) -> Floats:
    """How far out (n,) the skin of a part is from places (n, 3) along its bone; not a number where none is there."""
    flesh = body.flesh.get(body.slots[slot])
    made = np.full(len(axis), np.nan)
    if flesh is None:
        return made
    # A hand that lies still is looked at once.
    places, back = np.unique(np.concatenate([axis, way], axis=1), axis=0, return_inverse=True)
    found = np.full(len(places), np.nan)
    for n, (place, out) in enumerate(zip(places[:, :3], places[:, 3:], strict=True)):
        away = flesh - place
        ahead = away @ out
        seen = ahead[ahead > CONE * np.linalg.norm(away, axis=1)]
        found[n] = np.percentile(seen, 90.0) if len(seen) else np.nan
    return np.asarray(found[back.reshape(-1)])


def lead(
    figure: Figure,
    source: Body,
    holds: Sequence[Hold],
    limbs: Mapping[Side, Limb],
    wished: dict[Side, Floats],
    rate: float,
) -> dict[Side, Floats]:
    """Goals (T, 3) of hands that lie where they should on this body; arms reach for them."""
    body = figure.body
    kept = [each for each in holds if each.side in wished and body.slots.get(each.on, -1) in figure.index]
    goals = dict(wished)
    for n in range(ROUNDS if kept else 1):
        changes = {side: np.zeros_like(goal) for side, goal in wished.items()}
        for each in kept:
            span = slice(each.first, each.last + 1)
            joint = body.slots[each.on]
            frame = _frame(body, joint, figure.turn(joint)[span])
            if each.on[0] == "hand":
                # Both hands come to each other; if one cannot, the other comes to where it got.
                other: Side = "right" if each.side == "left" else "left"
                place = np.einsum("tij,tj->ti", frame, on_target(body, source, each))
                one, two = (wished[side] if n == 0 else figure.place(limbs[side].end) for side in (each.side, other))
                middle = 0.5 * (one[span] + two[span])
                changes[each.side][span] = middle + 0.5 * place - wished[each.side][span]
                changes[other][span] = middle - 0.5 * place - wished[other][span]
            else:
                root = figure.place(joint)[span]
                away = root - figure.place(limbs[each.side].upper)[span]
                place = np.einsum("tij,tj->ti", frame, _within_reach(body, source, each, frame, away))
                changes[each.side][span] = root + place - wished[each.side][span]
        for side, limb in limbs.items():
            if side in wished:
                busy = [each for each in kept if side == each.side or each.on[:2] == ("hand", side)]
                goals[side] = wished[side] + eased(changes[side], sorted(busy, key=lambda each: each.first), rate)
                limb.reach(figure, goals[side])
    return goals
