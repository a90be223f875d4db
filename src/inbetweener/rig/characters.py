"""Several bodies in one rig: each further one has a tree and a namespace of its own.

Its root is a stand, a joint that nothing drives, called as the character is; it says where the character is put. All
below it, and every channel, point, handle and bend of it, is called after it: "anna", "anna:hips", "anna:hips.tx". What
is of none of these is the first character, which has no name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from inbetweener.arrays import Bools
from inbetweener.errors import UnknownName
from inbetweener.rig.joint import ROOT, Joint
from inbetweener.rig.rig import Rig

BETWEEN = ":"
"""Between the name of a character and that of a part of it."""


@dataclass(frozen=True, slots=True)
class Character:
    """One body of a rig: its name, empty for the first, and its joints by number."""

    name: str
    joints: tuple[int, ...]

    @property
    def prefix(self) -> str:
        """What all names of its parts begin with."""
        return self.name + BETWEEN if self.name else ""


def characters(rig: Rig) -> tuple[Character, ...]:
    """All bodies of a rig, the first one, which has no name, before the others; it is not there if it has no joint."""
    return _characters(rig.joints)


@lru_cache(maxsize=16)
def _characters(joints: tuple[Joint, ...]) -> tuple[Character, ...]:
    tops: list[int] = []
    for index, joint in enumerate(joints):
        tops.append(index if joint.parent == ROOT else tops[joint.parent])
    trees: dict[int, list[int]] = {}
    for index, top in enumerate(tops):
        trees.setdefault(top, []).append(index)
    named, first = [], list[int]()
    for top, tree in trees.items():
        prefix = joints[top].name + BETWEEN
        if len(tree) > 1 and all(joints[index].name.startswith(prefix) for index in tree[1:]):
            named.append(Character(joints[top].name, tuple(tree)))
        else:
            first += tree
    return (Character("", tuple(first)), *named) if first or not named else tuple(named)


def character(rig: Rig, name: str) -> Character:
    """The character of that name; the first one has the empty name."""
    found = characters(rig)
    for each in found:
        if each.name == name:
            return each
    raise UnknownName("character", name, [each.name for each in found if each.name])


def belongs(rig: Rig, name: str) -> Callable[[str], bool]:
    """Whether something that is called so is of a character."""
    others = tuple(each.name for each in characters(rig) if each.name)
    # Files from elsewhere, and those that give every root channels, may drive a stand.
    prefixes = tuple(each + after for each in others for after in (BETWEEN, "."))
    if name:
        return lambda called: called == name or called.startswith((name + BETWEEN, f"{name}."))
    return lambda called: called not in others and not called.startswith(prefixes)


def part_called(rig: Rig, kept: Callable[[str], bool]) -> Rig:
    """The rig of the joints that are kept by their names, whole trees of them, and of all that goes with them."""
    numbers = [index for index, joint in enumerate(rig.joints) if kept(joint.name)]
    new = {old: index for index, old in enumerate(numbers)}
    return Rig(
        tuple(replace(rig.joints[old], parent=new.get(rig.joints[old].parent, ROOT)) for old in numbers),
        tuple(each for each in rig.channels if kept(each.name)),
        tuple(each for each in rig.points if kept(each.name)),
        tuple(each for each in rig.handles if kept(each.name)),
        tuple(each for each in rig.bends if kept(each.name)),
    )


def floating(rig: Rig) -> Bools:
    """(J,) which joints nothing holds: roots, and what hangs on nothing that moves and is itself free to shift."""
    driven = {drive.joint for each in rig.channels for drive in each.drives if each.free}
    shifted = {drive.joint for each in rig.channels for drive in each.drives if each.free and drive.axis[0] == "t"}
    still, found = np.zeros(len(rig.joints), np.bool_), np.zeros(len(rig.joints), np.bool_)
    for index, joint in enumerate(rig.joints):
        above = joint.parent == ROOT or bool(still[joint.parent])
        still[index] = above and joint.name not in driven
        found[index] = joint.parent == ROOT or (above and joint.name in shifted)
    return found
