"""A hand on loose motion: where the keyed motion must go for the loose one to be under the hand."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import LooseMotion
from inbetweener.motion import Motion
from inbetweener.rig import Place
from inbetweener.studio.watched import loose_motion, watched_motion

TRIES = 3
"""How often a move aims anew, since what is pulled swings otherwise than before."""
NEAR = 1e-3
"""Metres by which it is not worth aiming anew."""


class LooseGrip:
    """A place at a time, and how far its loose state is from the keyed one; nothing where nothing is loose."""

    def __init__(self, document: Document, clip: str, place: Place, time: float, *, keyed: bool = False) -> None:
        self._clip, self._place, self._time = clip, place, time
        shown = document.motion(clip) if keyed else watched_motion(document, clip)
        self.is_loose = isinstance(shown, LooseMotion)
        self._offset, self._turn = np.zeros(3), np.eye(3)
        if self.is_loose:
            try:
                at, turn = self._state(shown)
            except InbetweenerError:
                # It cannot be simulated, so it is shown as keyed.
                self.is_loose = False
                return
            keyed_at, keyed_turn = self._state(document.motion(clip))
            self._offset, self._turn = at - keyed_at, turn.T @ keyed_turn

    def position(self, wish: Floats | None) -> Floats | None:
        """Where the keyed place must be (3,), for the loose one to be where it is wished."""
        return wish if wish is None or not self.is_loose else wish - self._offset

    def turn(self, wish: Floats | None) -> Floats | None:
        """How the keyed place must be turned (3, 3), as long as it swings as it did."""
        return wish if wish is None or not self.is_loose else wish @ self._turn

    def shown(self, keyed: Floats) -> Floats:
        """Where the loose place is (3,) when the keyed one is at `keyed`, as long as it swings as it did."""
        return keyed + self._offset if self.is_loose else keyed

    def look(self, document: Document, keyed: Floats) -> Floats:
        """Where the loose place is in a changed document (3,), whose keyed place is at `keyed`; aims change by it."""
        shown = loose_motion(document, self._clip)
        if shown is None:
            return keyed
        at, _ = self._state(shown)
        self._offset = at - keyed
        return at

    def _state(self, motion: Motion) -> tuple[Floats, Floats]:
        positions, turns = motion.states([self._time], self._place)
        return positions[0], turns[0]
