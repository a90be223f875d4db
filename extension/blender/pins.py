# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held while something else is dragged: pins and contacts of bones, kept with their object in the file."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from inbetweener.motion import Constraint, Contact, Pin
from inbetweener.rig import Point

from .refusal import Refused

PROPERTY = "inbetweener"
VERSION = 2
"""Since 2 there are springs and marks too; files of version 1 have none."""
TOLERANCE = 5e-5
"""Metres."""

Kind = Literal["pin", "contact"]
End = Literal["HEAD", "TAIL"]
Place = tuple[str, End]
"""Which end of which bone; without a name, the object itself."""


class Keeper(Protocol):
    """What keeps custom properties: an object."""

    def get(self, name: str, default: str) -> str:
        """What it keeps by a name."""
        ...

    def __setitem__(self, name: str, value: str) -> None: ...


@dataclass(frozen=True)
class Held:
    """A bone, or the object itself where it has no name, from one frame to another; None is for ever."""

    bone: str
    end: End = "HEAD"
    kind: Kind = "pin"
    first: float | None = None
    last: float | None = None

    def __str__(self) -> str:
        called = f"{self.bone or 'object'}{' tail' if self.bone and self.end == 'TAIL' else ''}"
        if self.first is None or self.last is None:
            return called
        return (
            f"{called}, frame {self.first:g}" if self.first == self.last else f"{called}, {self.first:g}–{self.last:g}"
        )

    @property
    def place(self) -> Place:
        """Which end of which bone."""
        return self.bone, self.end

    def holds_at(self, frame: float) -> bool:
        """Whether it holds at a frame."""
        return (self.first is None or self.first <= frame) and (self.last is None or frame <= self.last)

    def constraint(self, place: Callable[[Place], Point], rate: float) -> Constraint:
        """What it means to the solver; frames are seconds times the rate."""
        start = -math.inf if self.first is None else self.first / rate
        end = math.inf if self.last is None else self.last / rate
        point = place(self.place)
        if self.kind == "contact":
            return Contact(point, start, end, tolerance=TOLERANCE)
        return Pin(point, start=start, end=end, tolerance=TOLERANCE)


def told(keeper: Keeper) -> dict[str, Any]:
    """All that an object keeps for us, by kind."""
    found: dict[str, Any] = json.loads(keeper.get(PROPERTY, "{}") or "{}")
    if found.get("version", VERSION) > VERSION:
        raise Refused("its pins were made by a newer Inbetweener; update the extension")
    return found


def tell(keeper: Keeper, kind: str, entries: list[dict[str, Any]]) -> None:
    """Let an object keep these entries of a kind, and no others; those of other kinds stay."""
    keeper[PROPERTY] = json.dumps({**told(keeper), "version": VERSION, kind: entries})


def held(keeper: Keeper) -> list[Held]:
    """All that is pinned or in contact on an object."""
    return [Held(**each) for each in told(keeper).get("held", ())]


def keep(keeper: Keeper, all_held: Sequence[Held]) -> None:
    """Keep these, and no others."""
    tell(keeper, "held", [asdict(each) for each in all_held])


def toggled(all_held: Sequence[Held], one: Held) -> list[Held]:
    """Without it where it is there, else with it."""
    left = [each for each in all_held if each != one]
    return left if len(left) < len(all_held) else [*all_held, one]
