"""What of a body may touch the ground: feet, toes and hands, or ends of limbs that come down to it."""

from inbetweener.anatomy import Anatomy, recognise
from inbetweener.arrays import Floats
from inbetweener.contacts.measure import stature
from inbetweener.motion import Motion
from inbetweener.rig import Point, Rig, chains

NEAR_GROUND = 0.08
"""A point this near to the lowest one, in heights of the character, may stand on the same ground."""


def touching_points(motion: Motion, anatomy: Anatomy | None = None) -> tuple[Point, ...]:
    """Feet, toes and hands; where no joint is one, the ends that come near the ground."""
    known = _hands_and_feet(motion.rig, recognise(motion.rig) if anatomy is None else anatomy)
    return known or _low_ends(motion)


def lowest_heights(motion: Motion, times: Floats) -> Floats:
    """How high the lowest joint or named point of the body is (T,) at each time."""
    return motion.point_positions(times, motion.rig.places)[..., 1].min(axis=1)


def _hands_and_feet(rig: Rig, anatomy: Anatomy) -> tuple[Point, ...]:
    """Of a hand the wrist; of a foot its toes, or the points that are named on it, or the ankle where that is all.

    What a beast walks on in front are feet too.
    """
    found: list[Point] = []
    for part in anatomy.body:
        above = chains.path_from_root(rig, part.joint)[:-1]
        if part.role not in ("hand", "foot") or any(anatomy[name].role == part.role for name in above):
            continue
        if part.role == "hand" and anatomy.kind != "quadruped":
            found.append(Point(part.joint))
            continue
        below = [anatomy[name] for name in chains.descendants(rig, part.joint)]
        toes = [each.joint for each in below if each.role in ("toe", "finger", part.role)]
        marks = [point for point in rig.points if point.joint in (part.joint, *toes)]
        found += [Point(name) for name in toes] or marks or [Point(part.joint)]
    return tuple(found)


HAND = 0.15
"""Heights of the character that a hand or foot reaches from wrist or ankle at most."""


def _low_ends(motion: Motion) -> tuple[Point, ...]:
    """Ends of limbs, as long as a hand or foot, that come down to where the body is lowest.

    One that branches has fingers: its wrist is taken; of others the last joint, or a point on that if it is the only.
    """
    rig, times = motion.rig, motion.clip.frame_times
    size, ground, reaches = stature(motion), lowest_heights(motion, times), chains.reaches(rig)
    tops: dict[str, None] = {}
    for leaf in chains.leaves(rig):
        short = [name for name in chains.path_from_root(rig, leaf) if reaches[rig.joint_index(name)] <= HAND * size]
        tops[short[0] if short else leaf] = None
    found: list[Point] = []
    for top in tops:
        within = [top, *chains.descendants(rig, top)]
        marks = [point for point in rig.points if point.joint in within]
        heights = motion.point_positions(times, [*(Point(name) for name in within), *marks])[..., 1]
        if (heights.min(axis=1) - ground).min() <= NEAR_GROUND * size:
            last = next((name for name in within if len(chains.children(rig, name)) != 1), top)
            found.append(marks[0] if last == top and marks and len(within) == 1 else Point(last))
    return tuple(found)
