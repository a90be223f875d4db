"""A hand on loose motion: it takes hold of what it sees, and moves the keyed motion by as much as it moves itself.

The loose point then follows more or less, as loose things do. Leading it exactly under the hand was tried: what swings
may answer a pull late, too much or the other way, and aiming anew overshoots. That is what targets are for.
"""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import LooseMotion
from inbetweener.motion import Motion
from inbetweener.rig import Place
from inbetweener.studio.watched import watched_motion


class LooseGrip:
    """A place at a time, and how far it is from where it is keyed; nothing where it is not loose.

    With `keyed` the hand is on the keyed motion itself.
    """

    def __init__(self, document: Document, clip: str, place: Place, time: float, *, keyed: bool = False) -> None:
        self._place, self._time = place, time
        self._offset, self._turn = np.zeros(3), np.eye(3)
        shown = document.motion(clip) if keyed else watched_motion(document, clip)
        self.is_loose = isinstance(shown, LooseMotion)
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
        """Where the keyed place must be (3,), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish - self._offset

    def turn(self, wish: Floats | None) -> Floats | None:
        """How the keyed place must be turned (3, 3), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish @ self._turn

    def shown(self, keyed: Floats) -> Floats:
        """Where the hand has its place (3,) when the keyed one is at `keyed`."""
        return keyed + self._offset if self.is_loose else keyed

    def _state(self, motion: Motion) -> tuple[Floats, Floats]:
        positions, turns = motion.states([self._time], self._place)
        return positions[0], turns[0]
