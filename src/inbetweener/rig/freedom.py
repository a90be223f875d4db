"""Which channels an edit may change: the reduction of [TSO] §3.3, corrected.

Only channels that move the dragged point matter, and those that must move with them to keep a constraint. The paper's
first case depends on the order of the constraints; here they are gone over until nothing changes. Its second case —
take out the channels of a constrained ancestor — silently drops an ancestor's contact that does not hold yet, and
freezes more than a position needs; here it is used only for a full state that holds already.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from inbetweener.rig.joint import Place
from inbetweener.rig.rig import Rig

Wanted = Literal["position", "orientation", "both"]
"""Which half of a point's state is meant."""


def channels_moving(rig: Rig, place: Place, wanted: Wanted, base: str | None = None) -> frozenset[int]:
    """The channels that can change the wanted half of a point's state, except bends: sketches stay as drawn.

    With a `base`, its state as seen from that joint: what carries both leaves it as it is.
    """
    dials = {bend.channel for bend in rig.bends}
    found: set[int] = set()
    carrying: set[int] = set(_path(rig, base)) if base is not None else set()
    if base is not None:
        both = carrying.intersection(*(_path(rig, point.joint) for point, _ in place.parts))
        for joint in carrying - both:
            found |= _driving(rig, joint, range(9))
    for point, _ in place.parts:
        if wanted != "orientation":
            found |= {rig.channel_index(channel) for channel, _ in point.shapes}
        own = joint = rig.joint_index(point.joint)
        while joint >= 0 and joint not in carrying:
            for d in range(9):
                turns = 3 <= d < 6
                # A joint's own turns and scales leave its origin where it is; no translation turns anything.
                moves = d < 3 or joint != own or any(point.offset) or bool(point.shapes)
                if (wanted != "orientation" and moves) or (wanted != "position" and turns):
                    found |= _driving(rig, joint, [d])
            joint = rig.joints[joint].parent
    return frozenset(c for c in found if rig.channels[c].kind != "bend" and rig.channels[c].name not in dials)


def _path(rig: Rig, joint: str) -> list[int]:
    """A joint and all above it."""
    found, index = [], rig.joint_index(joint)
    while index >= 0:
        found.append(index)
        index = rig.joints[index].parent
    return found


def _driving(rig: Rig, joint: int, dofs: Iterable[int]) -> set[int]:
    """The channels that drive some of a joint's degrees of freedom."""
    mapping = rig.dof_map
    entries = (mapping.channels[mapping.starts[9 * joint + d] : mapping.starts[9 * joint + d + 1]] for d in dofs)
    return {int(channel) for each in entries for channel in each}


def held_channels(
    rig: Rig, named: Collection[str] | None = None, pulled: frozenset[int] = frozenset()
) -> frozenset[int]:
    """The channels that no solver may change: those that are not free, unless somebody named what may change.

    Where nothing of what moves a `pulled` place is free, it is what a body stands in: that moves, as it is asked to.
    """
    held = frozenset(c for c, channel in enumerate(rig.channels) if named is None and not channel.free)
    return frozenset(c for c in held if rig.channels[c].kind == "scale") if pulled and pulled <= held else held


def free_channels(
    dragged: frozenset[int],
    constrained: Sequence[frozenset[int]],
    settled: Sequence[bool],
    held: frozenset[int] = frozenset(),
) -> tuple[frozenset[int], tuple[int, ...]]:
    """Channels to optimise, none of those `held`, and which constraints (by index) have to be watched.

    `settled` marks constraints that fix a full state which holds already.
    """
    fixed = held.union(*(s for s, done in zip(constrained, settled, strict=True) if done and s <= dragged))
    free = dragged - fixed
    watched: set[int] = set()
    grown = True
    while grown:
        grown = False
        for i, channels in enumerate(constrained):
            if i not in watched and channels & free:
                watched.add(i)
                free |= channels - fixed
                grown = True
    return free, tuple(sorted(watched))
