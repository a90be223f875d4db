"""Springs as people type them: "relaxed", "spine=3,0.4", "tail=2..0.8"."""

import math
from fnmatch import fnmatchcase

from inbetweener.errors import UnknownName
from inbetweener.kinodynamics.looseness import as_a_whole, chain
from inbetweener.kinodynamics.spring import PRESETS, InvalidLooseness, Spring, preset
from inbetweener.rig import Rig


def tension(rig: Rig, text: str) -> dict[str, Spring]:
    """Springs by joint or channel, from a line of one of these forms.

    relaxed        a preset for the body as a whole, on every joint but the roots
    spine*=relaxed a preset, on all joints or, where no joint is called so, channels of that name or pattern
    spine=3,0.4    swings a second and, where given, damping
    tail=2..0.8    a chain from that joint down, falling in stiffness as from one number to the other
    """
    name, given, wish = text.partition("=")
    if not given:
        return as_a_whole(rig, preset(name))
    if not name or not wish:
        raise InvalidLooseness(f"tension {text!r} cannot be read; write it like relaxed, spine=3,0.4 or tail=2..0.8")
    if wish in PRESETS:
        return dict.fromkeys(matching(rig, name), preset(wish))
    swings, _, damping = wish.partition(",")
    share = _number(text, damping) if damping else 0.5
    first, falling, last = swings.partition("..")
    spring = Spring(_number(text, first), share)
    if not falling:
        return dict.fromkeys(matching(rig, name), spring)
    tip = Spring(_number(text, last), share)
    rig.joint_index(name)
    return chain(rig, name, spring, tip=tip.frequency / spring.frequency)


def matching(rig: Rig, pattern: str) -> list[str]:
    """The joints that a name or pattern means or, where it means none, the channels."""
    joints, channels = [joint.name for joint in rig.joints], [channel.name for channel in rig.channels]
    for names in (joints, channels):
        if pattern in names:
            return [pattern]
        if found := [name for name in names if fnmatchcase(name, pattern)]:
            return found
    raise UnknownName("joint or channel", pattern, [*joints, *channels])


def _number(text: str, part: str) -> float:
    try:
        number = float(part)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise InvalidLooseness(
            f"tension {text!r}: {part!r} is neither a number nor one of {', '.join(PRESETS)}; "
            "write swings a second and damping, as in spine=3,0.4"
        )
    return number
