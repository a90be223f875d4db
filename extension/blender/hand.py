# SPDX-License-Identifier: GPL-3.0-or-later
"""What a hand says while it drags, as in Blender's own tools: axes and planes, numbers, increments. Without Blender.

X keeps to the world's axis, X again to that of what is held, and once more lets go; with Shift it is the plane across
that axis. Numbers that are typed count instead of the pointer: along the axis, in the plane, or X, Y, Z with Tab.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

AXES = ("X", "Y", "Z")
_WORDS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
SIGNS = {
    **{word: str(n) for n, word in enumerate(_WORDS)},
    **{f"NUMPAD_{n}": str(n) for n in range(10)},
    **dict.fromkeys(("PERIOD", "NUMPAD_PERIOD", "COMMA"), "."),
    **dict.fromkeys(("MINUS", "NUMPAD_MINUS"), "-"),
}
"""What keys type, by Blender's names for them."""


@dataclass
class Hand:
    """The axis kept to, if any, and what has been typed; `axes` (3, 3) are those of what is held, as columns."""

    axes: Floats = field(default_factory=lambda: np.eye(3))
    axis: str = ""
    plane: bool = False
    local: bool = False
    typed: list[str] = field(default_factory=lambda: ["", "", ""])
    at: int = 0

    def press(self, key: str, shift: bool = False) -> bool:
        """A key, by Blender's name; whether it means anything here."""
        if key in AXES:
            self._keep_to(key, shift)
        elif key == "TAB":
            self.at = (self.at + 1) % len(self._basis)
        elif key == "BACK_SPACE" and self.is_typed:
            self.typed[self.at] = self.typed[self.at][:-1]
        elif key in SIGNS:
            self._type(SIGNS[key])
        else:
            return False
        return True

    def keep_to(self, axis: str, plane: bool = False, local: bool = False) -> None:
        """Keep to an axis, or to the plane across it, from the start."""
        self.axis, self.plane, self.local = axis, plane, local

    @property
    def is_typed(self) -> bool:
        """Whether numbers count instead of the pointer."""
        return any(self.typed)

    def way(self, pointed: npt.ArrayLike, step: float = 0.0) -> Floats:
        """(3,) how far to go, where the pointer has gone (3,): what the axis leaves of it, in whole steps if any."""
        basis = self._basis
        if self.is_typed:
            shares = np.array([_number(text) for text in self.typed[: len(basis)]])
        else:
            shares = basis @ np.asarray(pointed, np.float64)
            # As they are: without an axis, the pointer moves in the plane of the view, which is no plane of axes.
            if step > 0.0:
                shares = np.round(shares / step) * step
            elif not self.axis:
                return np.array(pointed, np.float64)
        return np.asarray(shares @ basis, np.float64)

    def angle(self, pointed: float, step: float = 0.0) -> float:
        """Radians to turn by, where the pointer has turned by so many; degrees are typed."""
        if self.is_typed:
            return math.radians(_number(self.typed[0]))
        return round(pointed / step) * step if step > 0.0 else pointed

    def turn_axis(self) -> Floats:
        """(3,) what is turned about: Z unless an axis is kept to."""
        return np.asarray((self.axes.T if self.local else np.eye(3))[AXES.index(self.axis or "Z")])

    def told(self) -> str:
        """Axis and numbers, as the header shows them."""
        parts = []
        if self.is_typed:
            shown = [f"[{text or '0'}|]" if n == self.at else text or "0" for n, text in enumerate(self.typed)]
            parts.append(", ".join(shown[: len(self._basis)]))
        if self.axis:
            space = "local" if self.local else "global"
            parts.append(f"{'across' if self.plane else 'along'} {space} {self.axis}")
        return " ".join(parts)

    @property
    def _basis(self) -> Floats:
        """(n, 3) the directions that are left, as rows."""
        rows = self.axes.T if self.local else np.eye(3)
        if not self.axis:
            return rows
        number = AXES.index(self.axis)
        return np.delete(rows, number, axis=0) if self.plane else rows[number : number + 1]

    def _keep_to(self, axis: str, plane: bool) -> None:
        if (self.axis, self.plane) != (axis, plane):
            self.keep_to(axis, plane)
        elif not self.local:
            self.local = True
        else:
            self.keep_to("")
        self.at = min(self.at, len(self._basis) - 1)

    def _type(self, sign: str) -> None:
        text = self.typed[self.at]
        if sign == "-":
            self.typed[self.at] = text.removeprefix("-") if text.startswith("-") else f"-{text}"
        elif not (sign == "." and "." in text):
            self.typed[self.at] = text + sign


def _number(text: str) -> float:
    """What is typed so far: a sign or a point alone is nought."""
    return float(text) if any(each.isdigit() for each in text) else 0.0


def increment(distance: float, fine: bool) -> float:
    """Metres: how long steps are when everything is seen from a distance; a tenth of that where they are to be fine."""
    return float(10.0 ** (math.floor(math.log10(max(distance, 1e-6))) - 1 - fine))


TURN = math.radians(5.0)
"""How far steps turn; a fifth of that where they are to be fine."""
