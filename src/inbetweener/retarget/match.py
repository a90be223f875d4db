"""Which joint of one body does what which joint of another does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.retarget.body import Body
from inbetweener.retarget.slots import Slot


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A joint of the target turns as one of the source, or as something between two of them.

    `turn` (3, 3) is what comes after the source's orientation; `after` and `share` are of the second one.
    """

    joint: int
    source: int
    turn: Floats
    second: int = -1
    after: Floats | None = None
    share: float = 0.0


def match(target: Body, source: Body) -> tuple[Pair, ...]:
    """All joints of the target that the source has something to say to, in the target's order."""
    found: dict[int, Pair] = {}
    for slot, joint in target.slots.items():
        if slot[0] in ("hips", "chest", "head"):
            continue
        if (other := source.slots.get(slot)) is not None:
            found[joint] = _pair(target, source, slot, joint, other)
    for foot in target.feet.values():
        if foot.toe >= 0 and foot.toe not in found and foot.foot in found:
            # Feet of one piece say nothing of toes: these go with the foot until the ground bends them.
            carrier = found[foot.foot]
            after = carrier.turn @ target.turns[foot.foot].T @ target.turns[foot.toe]
            found[foot.toe] = Pair(foot.toe, carrier.source, after)
    for slot, row in target.chains.items():
        theirs = source.chains.get(slot) or _like(source, slot)
        if theirs:
            for pair in _rows(target, source, row, theirs, trunk=slot[0] in ("spine", "neck")):
                found.setdefault(pair.joint, pair)
    return tuple(found[joint] for joint in sorted(found))


def _like(source: Body, slot: Slot) -> tuple[int, ...]:
    """Another finger where the source lacks one: the nearest, but no thumb for a finger."""
    role, side, _, digit = slot
    if role != "finger" or digit == 1:
        return ()
    wanted = digit or 3
    known = {each[3]: row for each, row in source.chains.items() if each[:2] == (role, side) and each[3] != 1}
    return known[min(known, key=lambda each: (abs((each or 3) - wanted), each))] if known else ()


def _pair(target: Body, source: Body, slot: Slot, joint: int, other: int) -> Pair:
    ours, theirs = target.frames[joint], source.frames[other]
    side = slot[1]
    if slot[0] == "hand" and side is not None and side in target.palms and side in source.palms:
        ours, theirs = target.palms[side], source.palms[side]
    return Pair(joint, other, _after(target, source, joint, other, ours, theirs))


def _after(target: Body, source: Body, joint: int, other: int, ours: Floats, theirs: Floats) -> Floats:
    return np.asarray(source.turns[other].T @ theirs @ ours.T @ target.turns[joint])


def _rows(target: Body, source: Body, row: Sequence[int], theirs: Sequence[int], trunk: bool) -> list[Pair]:
    """Joints of a row, by how far along it they are: ends as ends, others as what is between two of the source.

    Fingers begin at the hand and have no end of their own: those are taken one by one.
    """
    if not trunk:
        return [
            Pair(j, o, _after(target, source, j, o, target.frames[j], source.frames[o]))
            for j, o in zip(row, theirs, strict=False)
        ]
    ours_at, theirs_at = _along(target, row), _along(source, theirs)
    made = []
    for joint, at in zip(row, ours_at, strict=True):
        second = int(np.clip(np.searchsorted(theirs_at, at - 1e-9), 0, len(theirs) - 1))
        first = max(second - 1, 0)
        span = theirs_at[second] - theirs_at[first]
        share = float((at - theirs_at[first]) / span) if span > 0 else 0.0
        one, other = theirs[first], theirs[second]
        turns = [_after(target, source, joint, o, target.frames[joint], source.frames[o]) for o in (one, other)]
        if share > 1.0 - 1e-6 or share < 1e-6:
            made.append(Pair(joint, *((other, turns[1]) if share > 0.5 else (one, turns[0]))))
        else:
            made.append(Pair(joint, one, turns[0], other, turns[1], share))
    return made


def _along(body: Body, row: Sequence[int]) -> Floats:
    """How far along its row each joint is (n,), from 0 to 1."""
    steps = np.linalg.norm(np.diff(body.places[list(row)], axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(at / at[-1] if at[-1] > 0 else np.linspace(0.0, 1.0, len(row)))
