"""Wishes for places on a bent body, carried to the rig without bends that solvers know, and their answers back."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.document import Document
from inbetweener.motion import Motion
from inbetweener.rig import Place
from inbetweener.rig.unbent import Unbent
from inbetweener.tangents import Contact, Lock, Pin

Holding = TypeVar("Holding", Pin | Contact, Pin | Contact | Lock)

TRIES = 8
"""How often a wish is aimed at anew; in a rig without handles the first try is exact."""
NEAR = 1e-4
"""Metres by which it is not worth aiming anew."""


class BentDrag:
    """A clip at one time without bends, and a place on it.

    What is held at other times, where bends may be dialled in differently, is held for the shape of this time.
    """

    def __init__(self, document: Document, clip: str, place: Place, time: float) -> None:
        self._clip, self._place, self._time = clip, place, time
        whole = document.motion(clip)
        self._unbent = Unbent.at(document.rig, whole.channels([time])[0])
        self.is_bent = bool(document.rig.bends)
        self.motion = Motion(self._unbent.rig, whole.clip) if self.is_bent else whole
        self.place = self._unbent.place(place)
        self._looked: tuple[Document, Floats, Floats] | None = None

    def rules(self, rules: Iterable[Holding]) -> tuple[Holding, ...]:
        """Pins and contacts on the rig without bends; locks are of the place itself."""
        return tuple(
            rule if isinstance(rule, Lock) or not self.is_bent else replace(rule, point=self._unbent.place(rule.point))
            for rule in rules
        )

    def turn(self, turn: Floats | None) -> Floats | None:
        """The orientation that the place without bends must have, for the place itself to have one."""
        return turn if turn is None or not self.is_bent else turn @ self._unbent.turn(self._place).T

    def state(self, document: Document) -> tuple[Floats, Floats]:
        """Where the place is in a changed document, bends and all: position (3,) and orientation (3, 3)."""
        if self._looked is None or self._looked[0] is not document:
            position, turn = document.motion(self._clip).states([self._time], self._place)
            self._looked = document, position[0], turn[0]
        return self._looked[1], self._looked[2]

    def aim(self, document: Document, solved: Floats, wish: Floats | None, aimed: Floats | None) -> Floats | None:
        """Where to aim next, once aiming has led the place without bends to `solved`; None when that is true enough.

        Only rigs with handles, and joints that are shifted along a bent bone, are not where the solver has them.
        """
        if not self.is_bent or wish is None or aimed is None:
            return None
        next_aim = wish - (self.state(document)[0] - solved)
        return next_aim if float(np.linalg.norm(next_aim - aimed)) > NEAR else None
