# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags and pulls that are under way, for whatever ends them from outside: an undo, another file, being disabled."""

from .refusal import Refused
from .take import Take

_UNDER_WAY: "list[Gesture]" = []


class Gesture:
    """Something that is held: begun, then kept or cancelled; `lost` where what it held is not the same any more."""

    take: Take
    lost = False

    def begin(self) -> None:
        """It is under way."""
        _UNDER_WAY.append(self)

    def end(self) -> None:
        """It is not any more; the copy that was measured goes."""
        if self in _UNDER_WAY:
            _UNDER_WAY.remove(self)
        self.take.close()

    def require(self) -> None:
        """Refuse to go on where everything is another."""
        if self.lost:
            raise Refused("something was undone, opened or disabled meanwhile; take hold again")

    def cancel(self) -> None:
        """Put everything back as it was."""
        raise NotImplementedError


def lose_all() -> None:
    """After an undo, or with another file: nothing can be put back, for it is back already."""
    while _UNDER_WAY:
        gesture = _UNDER_WAY.pop()
        gesture.lost = True
        gesture.take.close()


def cancel_all() -> None:
    """Put everything back that is held."""
    while _UNDER_WAY:
        gesture = _UNDER_WAY[-1]
        gesture.cancel()
        gesture.lost = True
