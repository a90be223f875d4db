"""Springs in a person's words: "relaxed" for the whole body, "3,0.4" for a spine, "2..0.8" for a tail."""

import math
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from inbetweener.errors import UnknownName
from inbetweener.kinodynamics.looseness import Masses, as_a_whole, chain
from inbetweener.kinodynamics.spring import PRESETS, InvalidLooseness, Spring, preset
from inbetweener.rig import Rig
from inbetweener.rig.characters import floating


def tension(rig: Rig, text: str) -> dict[str, Spring]:
    """Springs by joint or channel, from a line of one of these forms.

    relaxed        a preset for the body as a whole, on every joint but the roots
    spine*=relaxed a preset, on all joints or, where no joint is called so, channels of that name or pattern
    spine=3,0.4    swings a second and, where given, damping
    spine=3,1/0.02 the same with Rayleigh damping, α in 1/s and β in s
    tail=2..0.8    a chain from that joint down, falling in stiffness as from one number to the other
    """
    return springs_of(rig, *parts_and_spring(text))


def parts_and_spring(text: str) -> tuple[str | None, str]:
    """Whose spring a line speaks of, None for the whole body's, and the words for it."""
    name, given, wish = text.partition("=")
    if not given:
        preset(name)
        return None, name
    if not name or not wish:
        raise InvalidLooseness(f"tension {text!r} cannot be read; write it like relaxed, spine=3,0.4 or tail=2..0.8")
    return name, wish


def springs_of(
    rig: Rig,
    parts: str | Iterable[str] | None,
    spring: Spring | str,
    *,
    tip: float | None = None,
    without: Iterable[str] = (),
    masses: Masses = "boxes",
) -> dict[str, Spring]:
    """Springs of joints or channels, by name or pattern; without any, those with which the whole body swings so.

    With `tip`, or words such as "2..0.8", each part begins a chain that as a whole swings so, falling to that share of
    its stiffness; the whole body is chains from its roots. The roots and joints of `without` are left out of the body.
    """
    if isinstance(spring, str):
        spring, falls_to = _said(spring)
        tip = falls_to if tip is None else tip
    if parts is None and tip is None:
        return as_a_whole(rig, spring, without=without, masses=masses)
    if tip is None:
        named = [parts] if isinstance(parts, str) else parts or ()
        return {name: spring for part in named for name in matching(rig, part)}
    roots = [rig.joints[j].name for j in np.flatnonzero(floating(rig))]
    firsts = roots if parts is None else [parts] if isinstance(parts, str) else parts
    chains: dict[str, Spring] = {}
    for first in firsts:
        rig.joint_index(first)
        chains |= chain(rig, first, spring, tip=tip, masses=masses)
    tight = {*roots, *without} if parts is None else set()
    return {name: each for name, each in chains.items() if name not in tight}


def matching(rig: Rig, pattern: str) -> list[str]:
    """The joints that a name or pattern means or, where it means none, the channels."""
    joints, channels = [joint.name for joint in rig.joints], [channel.name for channel in rig.channels]
    for names in (joints, channels):
        if pattern in names:
            return [pattern]
        if found := [name for name in names if fnmatchcase(name, pattern)]:
            return found
    raise UnknownName("joint or channel", pattern, [*joints, *channels])


def _said(words: str) -> tuple[Spring, float | None]:
    """A spring, and what a chain falls to, from "relaxed", "3,0.4", "3,1/0.02" or "2..0.8,0.4"; "3,0.4,20" in air."""
    if words in PRESETS:
        return preset(words), None
    swings, _, rest = words.partition(",")
    damping, _, air = rest.partition(",")
    first, falls, last = swings.partition("..")
    alpha, rayleigh, beta = damping.partition("/")
    if rayleigh:
        spring = Spring.rayleigh(_number(words, first), _number(words, alpha), _number(words, beta))
    else:
        spring = Spring(_number(words, first), _number(words, damping) if damping else 0.5)
    if air:
        spring = replace(spring, air=_number(words, air))
    return spring, replace(spring, frequency=_number(words, last)).frequency / spring.frequency if falls else None


def _number(words: str, part: str) -> float:
    try:
        number = float(part)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise InvalidLooseness(
            f"tension {words!r}: {part!r} is neither a number nor one of {', '.join(PRESETS)}; "
            "write swings a second and damping, as in spine=3,0.4"
        )
    return number
