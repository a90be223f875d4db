"""Taking hold of a place at a time, and saying where it is to go.

On loose motion a hand takes hold of what it sees, and moves the keyed motion by as much as it moves itself. The loose
point then follows more or less, as loose things do. Leading it exactly under the hand was tried: what swings may answer
a pull late, too much or the other way, and aiming anew overshoots. That is what targets are for.
"""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.document.document import Document
from inbetweener.errors import InbetweenerError, InvalidEdit
from inbetweener.kinodynamics import LooseMotion
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Motion
from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted


def half_wanted(
    to: npt.ArrayLike | None, by: npt.ArrayLike | None, turn: npt.ArrayLike | None, turn_to: npt.ArrayLike | None
) -> Wanted:
    """Which half of a state these words wish for; one of each pair may be said, and one at least must be."""
    for one, other, words in ((to, by, ("to", "by")), (turn, turn_to, ("turn", "turn_to"))):
        if one is not None and other is not None:
            raise InvalidEdit(f"give one of {' and '.join(words)}, not both", *words)
    moved, turned = not (to is None and by is None), not (turn is None and turn_to is None)
    if not (moved or turned):
        raise InvalidEdit("say where it is to go: with to, by, turn or turn_to", "to", "by", "turn")
    return "both" if moved and turned else "position" if moved else "orientation"


class Grip:
    """A place at a time, where it is keyed and how far it is seen from there; nothing where it is not loose.

    `shown` is the motion as it is watched, where that is at hand; with `keyed` the hand is on the keyed motion itself.

    On loose motion a hand takes hold of what it sees, and moves the keyed motion by as much as it moves itself. The
    loose point then follows more or less, as loose things do. Leading it exactly under the hand was tried: what swings
    may answer a pull late, too much or the other way, and aiming anew overshoots. That is what targets are for.
    """

    def __init__(
        self,
        document: Document,
        clip: str,
        place: Place,
        time: float,
        shown: Motion | None = None,
        *,
        keyed: bool = False,
    ) -> None:
        self.start, self.start_turn = _state(document.motion(clip), place, time)
        self._offset, self._turn = np.zeros(3), np.eye(3)
        self.is_loose = False
        try:
            watched = None if keyed else shown or document.shown_motion(clip)
            if isinstance(watched, LooseMotion):
                at, turn = _state(watched, place, time)
                self._offset, self._turn = at - self.start, turn.T @ self.start_turn
                self.is_loose = True
        except InbetweenerError:
            # It cannot be simulated, so it is shown as keyed.
            return

    def position(self, wish: Floats | None) -> Floats | None:
        """Where the keyed place must be (3,), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish - self._offset

    def turn(self, wish: Floats | None) -> Floats | None:
        """How the keyed place must be turned (3, 3), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish @ self._turn

    def shown(self, keyed: Floats) -> Floats:
        """Where the hand has its place (3,) when the keyed one is at `keyed`."""
        return keyed + self._offset if self.is_loose else keyed

    def wish(
        self,
        to: npt.ArrayLike | None = None,
        by: npt.ArrayLike | None = None,
        turn: npt.ArrayLike | None = None,
        turn_to: npt.ArrayLike | None = None,
    ) -> tuple[Floats | None, Floats | None]:
        """Where the keyed place must be (3,) and how turned (3, 3); None for the half that nobody wished for.

        `to` and `by` are in metres; `turn` is (rx, ry, rz) in radians from how it is, Rz·Ry·Rx in the world; `turn_to`
        is an orientation as a quaternion (w, x, y, z) or a matrix (3, 3).
        """
        position = self.position(None if to is None else _numbers(to, 3, "to"))
        if by is not None:
            position = self.start + _numbers(by, 3, "by")
        if turn is not None:
            return position, euler.to_matrix(_numbers(turn, 3, "turn"), "ZYX") @ self.start_turn
        return position, self.turn(None if turn_to is None else _rotation(turn_to))


def _state(motion: Motion, place: Place, time: float) -> tuple[Floats, Floats]:
    positions, turns = motion.states([time], place)
    return positions[0], turns[0]


def _numbers(said: npt.ArrayLike, count: int, word: str) -> Floats:
    numbers = np.asarray(said, np.float64)
    if numbers.shape != (count,) or not np.isfinite(numbers).all():
        raise InvalidEdit(f"{word} takes {count} finite numbers, not {said!r}", word)
    return numbers


def _rotation(said: npt.ArrayLike) -> Floats:
    if np.shape(said) == (3, 3):
        return np.asarray(said, np.float64)
    quaternion = _numbers(said, 4, "turn_to")
    length = float(np.linalg.norm(quaternion))
    if length < 1e-6:
        raise InvalidEdit("an orientation of length nought is none", "turn_to")
    return quaternions.to_matrix(quaternion / length)
