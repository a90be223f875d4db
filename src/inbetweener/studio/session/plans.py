"""The plans by which pages blend meshes, each under a number, for as long as a page may still ask for it."""

import hashlib
from collections import OrderedDict
from threading import Lock

import numpy as np

from inbetweener.skinning import Skin
from inbetweener.studio.protocol.arrays import blends_steps, plan_arrays

KEPT = 64
"""Plans remembered at a time: those of all meshes of a document, in the few shapes that undoing goes through."""


class Plans:
    """Skins whose vertices take the same steps share a plan; asked from the worker and from the server's threads."""

    def __init__(self) -> None:
        self._door = Lock()
        self._numbers: dict[bytes, int] = {}
        self._skins: OrderedDict[int, Skin] = OrderedDict()
        self._last = 0

    def number(self, skin: Skin) -> int:
        """The number of a skin's plan, a new one where none is like it."""
        likeness = _likeness(skin)
        with self._door:
            number = self._numbers.get(likeness)
            if number is None:
                self._last = number = self._last + 1
                self._numbers[likeness] = number
            # The newest skin stands for all; its mesh is kept, so that no other comes to its address.
            self._skins[number] = skin
            self._skins.move_to_end(number)
            if len(self._skins) > KEPT:
                gone, _ = self._skins.popitem(last=False)
                self._numbers = {each: n for each, n in self._numbers.items() if n != gone}
            return number

    def arrays(self, number: int) -> bytes | None:
        """The bytes of a plan; None where it has been forgotten."""
        with self._door:
            skin = self._skins.get(number)
        return None if skin is None else plan_arrays(skin)


def plan_url(number: int) -> str:
    """Where a plan's arrays are."""
    return f"/plan/{number}"


def _likeness(skin: Skin) -> bytes:
    """What a plan depends on, as a digest: the mesh, the nodes, and where the bones are in the mesh."""
    tree, found = skin.tree, hashlib.sha256(f"{id(skin.mesh)} {blends_steps(skin)}".encode())
    for part in (tree.parents, tree.lasts, tree.bends, tree.steps.samples, tree.bind.starts, tree.bind.ends):
        found.update(np.ascontiguousarray(part).tobytes())
    return found.digest()
