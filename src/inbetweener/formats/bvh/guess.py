"""The unit and the up axis of a BVH file, which the format does not say.

What is looked at, and believed in this order: a person's limbs, which have known lengths; those of the other clips of
the folder that have the same joints; how a body falls while nothing touches the ground; how large things mostly are.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from inbetweener.anatomy.names import by_names
from inbetweener.arrays import Floats
from inbetweener.choices import Up
from inbetweener.dynamics import Body
from inbetweener.errors import FormatError, InvalidRig
from inbetweener.formats.bvh.hierarchy import OUR_AXIS, UPS, Node, parse_hierarchy
from inbetweener.formats.bvh.lines import Lines
from inbetweener.formats.files import Choice
from inbetweener.rig import Rig
from inbetweener.rig.mirror import WORDS

UNITS = {
    1.0: "metres", 0.1: "decimetres", 0.01: "centimetres", 0.001: "millimetres", 0.0254: "inches", 0.3048: "feet",
    0.056444: "as the CMU database",
}  # fmt: skip
"""Metres in a file unit, for the units that files are known to use."""
NAMES = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
"""How people write them."""

PERSON = 1.7
"""Metres that a person is tall where nothing else tells."""
SURE = (1.45, 2.05)
"""Between these nearly all grown people are; no two known units can put one body there."""
NEAR = (1.3, 2.3)
SMALL = (1.0, 2.3)
"""Where a unit is still taken, with a doubt: units that most programs write may be those of a child."""
COMMON = (1.0, 0.01, 0.001)

LEGS, ARMS = 0.49, 0.32
"""Thigh and shank, upper arm and forearm, as shares of a person's height (means of Drillis and Contini 1966 and de Leva
1996)."""
PROPORTIONS = (0.45, 0.9)
"""Arms to legs, within which a body is a person's; four-legged animals and most birds are outside."""

GRAVITY = 9.81
_WINDOW = 0.2
"""Seconds over which a parabola is laid through the centre of mass."""

_PRIORS = {1.0: 0.3, 0.1: 0.02, 0.01: 0.5, 0.001: 0.05, 0.0254: 0.08, 0.3048: 0.03, 0.056444: 0.02}
_SPREAD = 1.1
"""Of the logarithm of how large things are that get animated, about a metre."""

_HEADER = 1 << 18
_MOST_CLIPS = 32
"""Bytes of a neighbour's beginning, and neighbours, that are looked at."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measured:
    """A body in file units: a person's height by the bones, or another body's reach from the root; what it is."""

    size: float
    is_person: bool

    def tall(self, unit: float) -> str:
        """How people say it."""
        what = "a person {:.2f} m tall" if self.is_person else "{:.3g} m from the root to the farthest tip"
        return what.format(unit * self.size)


@dataclass(frozen=True, slots=True)
class Guess(Generic[T]):
    """What is taken, why, and whether somebody should look."""

    value: T
    why: str
    is_doubtful: bool = False


def measured(rig: Rig) -> Measured:
    """How large a rig in file units is; by its limbs where these are a person's."""
    limbs = None if _is_beast(rig) else _named_limbs(rig) or _paired_limbs(rig)
    if limbs is not None and PROPORTIONS[0] <= limbs[1] / limbs[0] <= PROPORTIONS[1]:
        legs, arms = limbs
        return Measured((2.0 * legs / LEGS + arms / ARMS) / 3.0, True)
    return Measured(max(_reach(rig), default=0.0), False)


def guess_unit(
    body: Measured, folder: Callable[[], Iterable[Measured]], fall: Callable[[], float | None]
) -> Guess[float]:
    """Metres in one file unit. `folder` measures the body in other clips, `fall` says how it falls, in units/s²."""
    if body.size == 0:
        return Guess(0.01, "centimetres: there is nothing to measure")
    if body.is_person and (unit := _fitting(body.size, SURE)) is not None:
        return Guess(unit, f"{UNITS[unit]}: {body.tall(unit)}")
    others = [each.size for each in folder() if each.is_person == body.is_person]
    # A body of quite another size is not of their kind, whatever its joints are called.
    middle = float(np.median(others)) if others else body.size
    together = replace(body, size=middle) if 2 / 3 < body.size / middle < 3 / 2 else body
    if together is not body and body.is_person and (unit := _fitting(middle, SURE)) is not None:
        return Guess(unit, f"{UNITS[unit]}, as {len(others)} clips of its folder: {body.tall(unit)}")
    speed = fall()
    fallen = None if speed is None else _nearest(GRAVITY / speed)
    likely = (0.9, 2.6) if body.is_person else (0.005, 50.0)
    if fallen is not None and likely[0] <= fallen * body.size <= likely[1]:
        return Guess(fallen, f"{UNITS[fallen]}, from how it falls: {body.tall(fallen)}", not body.is_person)
    if not body.is_person:
        unit = min(UNITS, key=lambda metres: _oddity(metres, together.size))
        return Guess(unit, f"{UNITS[unit]}, as things mostly are: {body.tall(unit)}", True)
    near = _fitting(together.size, SMALL, COMMON) or _fitting(together.size, NEAR)
    if near is not None:
        return Guess(near, f"{UNITS[near]}: {body.tall(near)}", True)
    own = float(f"{PERSON / together.size:.3g}")
    return Guess(own, f"no known unit fits a person's bones: {body.tall(own)}", True)


def unit_choices(body: Measured, taken: float) -> list[Choice]:
    """Other units that the body may have, the likelier first."""
    low, high = (0.8, 3.5) if body.is_person else (0.02, 50.0)
    units = [unit for unit in UNITS if unit != taken and low <= unit * body.size <= high]
    aim = PERSON if body.is_person else 1.0
    units.sort(key=lambda unit: abs(math.log(unit * body.size / aim)))
    return [Choice(f"{UNITS[unit][0].upper()}{UNITS[unit][1:]}: {unit * body.size:.3g} m", unit=unit) for unit in units]


def _fitting(size: float, within: tuple[float, float], units: Iterable[float] = UNITS) -> float | None:
    fit = [unit for unit in units if within[0] <= unit * size <= within[1]]
    return min(fit, key=lambda unit: abs(math.log(unit * size / PERSON)), default=None)


def _nearest(unit: float) -> float | None:
    """The known unit that a measured one is, if any is within a fifth."""
    best = min(UNITS, key=lambda known: abs(math.log(known / unit)))
    return best if abs(math.log(best / unit)) < math.log(1.2) else None


def _oddity(unit: float, size: float) -> float:
    return 0.5 * (math.log(unit * size) / _SPREAD) ** 2 - math.log(_PRIORS[unit])


# --- bodies ---------------------------------------------------------------------------------------------------------


_BEASTLY = {"tail", "wing", "wings", "hoof", "paw", "fin", "udder", "beak"}


def _is_beast(rig: Rig) -> bool:
    """Whether a joint is called what no person has; rigs made for people are laid on animals too."""
    return any(_BEASTLY.intersection(word.lower() for word in WORDS.findall(joint.name)) for joint in rig.joints)


def _lengths(rig: Rig) -> list[float]:
    """Each joint's bone from its parent; the root's offset places the body, it is no bone."""
    return [math.hypot(*joint.rest.translation) if joint.parent >= 0 else 0.0 for joint in rig.joints]


def _reach(rig: Rig) -> list[float]:
    """Length of the bones from the root to each joint's farthest own tip."""
    along: list[float] = []
    for joint, length in zip(rig.joints, _lengths(rig), strict=True):
        along.append(length + (along[joint.parent] if joint.parent >= 0 else 0.0))
    tips = list(along)
    for point in rig.points:
        j = rig.joint_index(point.joint)
        tips[j] = max(tips[j], along[j] + math.hypot(*point.offset))
    return tips


def _named_limbs(rig: Rig) -> tuple[float, float] | None:
    """Lengths of legs and arms without feet and hands, where names tell them."""
    lengths = _lengths(rig)
    first: dict[tuple[str, str | None], int] = {}
    for j, part in enumerate(by_names(rig)):
        first.setdefault((part.role, part.side), j)

    def limb(top: str, end: str) -> list[float]:
        found = []
        for side in ("left", "right"):
            start, j = first.get((top, side), -1), first.get((end, side), -1)
            length = 0.0
            while j > start >= 0:
                length, j = length + lengths[j], rig.joints[j].parent
            if j == start >= 0 and length > 0:
                found.append(length)
        return found

    legs, arms = limb("thigh", "foot"), limb("upper_arm", "hand")
    return (float(np.mean(legs)), float(np.mean(arms))) if legs and arms else None


def _paired_limbs(rig: Rig) -> tuple[float, float] | None:
    """The same by shape alone: two pairs of equal chains, of which the longer bones make legs and arms."""
    lengths = _lengths(rig)
    children: list[list[int]] = [[] for _ in rig.joints]
    for j, joint in enumerate(rig.joints):
        if joint.parent >= 0:
            children[joint.parent].append(j)
    below = [0.0] * len(rig.joints)
    for j in range(len(rig.joints) - 1, -1, -1):
        below[j] = lengths[j] + max((below[child] for child in children[j]), default=0.0)

    def bones(j: int) -> list[float]:
        made = [lengths[j]]
        while children[j] and len(made) < 6:
            j = max(children[j], key=lambda child: below[child])
            made.append(lengths[j])
        return made

    pairs = []
    whole = max(below, default=0.0)
    for siblings in children:
        for one, other in combinations(siblings[:12], 2):
            left, right = bones(one), bones(other)
            # Fingers, eyes and ears come in pairs too.
            if len(left) != len(right) or len(left) < 3 or below[one] < 0.25 * whole:
                continue
            if np.allclose(left, right, rtol=0.05, atol=0.01 * whole):
                pairs.append(max(a + b for a, b in pairwise(left[1:])))
    pairs.sort()
    return (pairs[1], pairs[0]) if len(pairs) == 2 and pairs[0] > 0 else None


def folder_bodies(path: Path, nodes: Sequence[Node], rig_of: Callable[[list[Node]], Rig]) -> list[Measured]:
    """The bodies of BVH files beside `path` that have the same joints; all of these files find the same ones."""
    wanted = [(node.name, node.parent) for node in nodes]
    found = []
    files = sorted(each for each in path.parent.glob("*.[bB][vV][hH]") if each.is_file())
    for each in files[:: max(1, -(-len(files) // _MOST_CLIPS))]:
        try:
            with each.open("rb") as file:
                theirs = parse_hierarchy(Lines(each, file.read(_HEADER)))
        except (FormatError, OSError):
            # What cannot be read says nothing of this file; it is told when it is opened itself.
            continue
        if [(node.name, node.parent) for node in theirs] == wanted:
            found.append(measured(rig_of(theirs)))
    return found


# --- falling --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fall:
    """A body fell against `up`, at `speed` file units/s²."""

    up: Up
    speed: float


def falling(rig: Rig, poses: Floats, rate: float, size: float) -> Fall | None:
    """How a body falls while nothing of it is near the ground, if it ever does; poses (F, C) are in file units.

    A window counts where the centre of mass follows a parabola along one axis; windows must agree.
    """
    count = max(5, round(_WINDOW * rate) | 1)
    if len(poses) < 2 * count or size == 0:
        return None
    try:
        body = Body.of(rig, "human")
    except InvalidRig:
        body = Body.of(rig)
    centres = body.centre_of_mass(poses)
    places = rig.world_from_joint(poses)[..., 3]
    times = (np.arange(count) - (count - 1) / 2) / rate
    terms = np.stack([np.ones(count), times, times**2 / 2], axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(centres, count, axis=0)
    fitted = windows @ np.linalg.pinv(terms).T
    errors = np.sqrt(((windows - fitted @ terms.T) ** 2).mean(axis=(1, 2)))
    found: list[tuple[int, Fall]] = []
    for up in UPS:
        axis = up_axis(up)
        lowest = (places @ axis).min(axis=1)
        clear = np.lib.stride_tricks.sliding_window_view(lowest, count).min(axis=1) - np.percentile(lowest, 5)
        down = -fitted[..., 2] @ axis
        aside = np.linalg.norm(fitted[..., 2] + down[:, None] * axis, axis=1)
        fell = down * times[-1] ** 2 / 2
        free = (down > 0) & (clear > 0.04 * size) & (aside < 0.15 * down) & (errors < 0.02 * fell)
        speeds = down[free]
        if len(speeds) < max(3, 0.06 * rate):
            continue
        low, middle, high = np.percentile(speeds, [10, 50, 90])
        if high < 1.35 * low:
            found.append((len(speeds), Fall(up, float(middle))))
    return max(found, key=lambda each: each[0])[1] if found else None


# --- up -------------------------------------------------------------------------------------------------------------


def up_axis(up: Up) -> Floats:
    """The unit vector (3,) of the file's axis that points up."""
    return np.array([sign if axis == 1 else 0.0 for axis, sign in OUR_AXIS[up]])


_FOOT = re.compile(r"foot|toe|ankle|hoof|paw|claw|heel|shin|calf|leg", re.IGNORECASE)


def guess_up(rig: Rig, poses: Floats, fall: Callable[[], Fall | None]) -> Guess[Up]:
    """The up axis: where a body's head, or all of it, is as seen from its feet, in the motion and at rest.

    poses (F, C), a few of them, are in file units. The motion counts more than the rest pose, which may lie; but who is
    upside down all the time stands on the hands. Where neither tells, how the body falls does.
    """
    parts, names = by_names(rig), [joint.name for joint in rig.joints]
    feet = [j for j, part in enumerate(parts) if part.role in ("foot", "toe")] or [
        j for j, name in enumerate(names) if _FOOT.search(name)
    ]
    heads = [j for j, part in enumerate(parts) if part.role in ("head", "neck")]
    tops = heads if measured(rig).is_person and heads else [j for j in range(len(names)) if j not in feet]
    if not feet or not tops:
        fell = fall()
        return Guess("y", "as most programs have it") if fell is None else Guess(fell.up, "from how it falls", True)

    def rise(places: Floats) -> Floats:
        return places[..., tops, :].mean(axis=-2) - places[..., feet, :].mean(axis=-2)

    rest = rise(rig.rest_world()[..., 3])
    places = rig.world_from_joint(poses)[..., 3]
    rises = rise(places) if len(places) else rest[None]
    lengths = np.linalg.norm(rises, axis=1)
    longest = max(float(lengths.max()), float(np.linalg.norm(rest)))
    if longest == 0:
        return Guess("y", "as most programs have it")
    ups = np.stack([up_axis(up) for up in UPS])
    upright = (rises @ ups.T > 0.8 * np.maximum(lengths, 0.5 * longest)[:, None]).mean(axis=0)
    middle = ups @ np.median(rises, axis=0)
    at_rest = ups @ rest
    moving, resting = int(np.argmax(middle)), int(np.argmax(at_rest))
    rest_stands = bool(at_rest[resting] > max(0.5 * longest, 0.9 * float(np.linalg.norm(rest))))
    why = "from where head and feet lie"
    if moving == resting or not rest_stands:
        return Guess(UPS[moving], why, not rest_stands and bool(upright[moving] < 0.3))
    if (fell := fall()) is not None:
        return Guess(fell.up, "from how it falls")
    opposite = bool(np.allclose(ups[moving], -ups[resting]))
    if upright[moving] > 0.6 and not opposite:
        # A root that turns all of the body up, or somebody who lies all the time: the floor is mostly at zero.
        lowest = np.abs([(places @ ups[n]).min(axis=1).mean() for n in (moving, resting)])
        lies = lowest[1] < 0.1 * longest < lowest[0]
        return Guess(UPS[resting if lies else moving], why, bool(lies or lowest[0] > 0.1 * longest))
    return Guess(UPS[resting], "from the rest pose", bool(opposite or middle[resting] < 0.1 * longest))


def up_choices(taken: Up) -> list[Choice]:
    """Other axes, the likelier first."""
    return [Choice(f"{up.upper()} up", up=up) for up in ("y", "z", "-y", "-z", "x", "-x") if up != taken]


def metres(unit: float | str) -> float:
    """A unit by name or in metres; NaN where it is neither."""
    if not isinstance(unit, str):
        return float(unit)
    try:
        return NAMES[unit] if unit in NAMES else float(unit)
    except ValueError:
        return math.nan
