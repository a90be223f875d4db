"""The search that solvers share: build rows → shortest step → judge on the evaluated motion → keep, damp or restore.

A linearised problem promises more than the motion keeps. So every step is judged where it really leads: one that pays
is kept, and the next may be bolder; one that does not is forgotten, and damped more. What a step is, and what makes a
place worth having, is the solver's to say.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, NamedTuple, Protocol, TypeVar

TOUGHER = 5.0
"""Damping grows by this after a step that does not pay."""

BOLDER, AS_BEFORE = 0.75, 0.25
"""Where more than this share of what a step promised came true, damping falls to a tenth; else to a half; and where
less than that did, it doubles."""

LEAST, HOPELESS = 1e-9, 1e7
"""Damped less, a step is Newton's own; damped more, nobody would see it."""

RESTORING = 8
"""How many steps may be spent on leading a place back onto its constraints."""


_ask: ContextVar[Callable[[], object]] = ContextVar("_ask", default=lambda: None)


@contextmanager
def asking(whether: Callable[[], object]) -> Iterator[None]:
    """Within, every search asks before each step whether to go on: `whether` raises something when nobody waits."""
    before = _ask.set(whether)
    try:
        yield
    finally:
        _ask.reset(before)


def go_on() -> None:
    """Raises whatever says that nobody waits for a search any more; for loops that are none of ours."""
    _ask.get()()


class Place(Protocol):
    """Somewhere in a search, evaluated."""

    @property
    def merit(self) -> float:
        """What steps have to lower: the cost, and a fine for what should hold and does not."""


T = TypeVar("T", bound=Place)
S = TypeVar("S")


class Stepped(NamedTuple, Generic[T]):
    """Where a step leads, evaluated.

    promised  how much it said that it would lower the merit, NaN where it said nothing
    needed    a damping that would have been too little to change the step, where it was not damped that much
    """

    place: T
    promised: float = float("nan")
    needed: float = 0.0


class Search(Generic[T]):
    """One paying step after another.

    now      where it is
    damping  of the next step
    tried    how many steps were tried, paying or not
    """

    def __init__(
        self,
        start: T,
        step: Callable[[T, float], Stepped[T] | None],
        damping: float,
        *,
        least: float = LEAST,
        shy: float = 0.0,
        hopeless: float = HOPELESS,
        memory: int = 1,
        most: float = float("inf"),
    ) -> None:
        """`step(place, damping)` may answer None where it finds none, and the place itself where none is needed.

        A step pays that is better than the worst of the last `memory` places: something may be off for a moment. One
        that did not pay is damped by `shy` at least. At most `most` steps are tried.
        """
        self.now, self.damping, self.tried = start, damping, 0
        self._step, self._least, self._shy, self._hopeless, self._most = step, least, shy, hopeless, most
        self._merits = [start.merit] * memory

    def advance(self) -> T | None:
        """The next place, or None where no step pays."""
        while self.tried < self._most and self.damping <= self._hopeless:
            go_on()
            self.tried += 1
            found = self._step(self.now, self.damping)
            if found is not None and found.place is self.now:
                return None
            if found is None or not found.place.merit < max(self._merits):
                needed = found.needed if found is not None else 0.0
                self.damping = max(TOUGHER * max(self.damping, needed), self._shy)
                continue
            kept = (self.now.merit - found.place.merit) / found.promised if found.promised else float("nan")
            self.damping = max((0.1 if kept > BOLDER else 2.0 if kept < AS_BEFORE else 0.5) * self.damping, self._least)
            self._merits = [*self._merits[1:], found.place.merit]
            self.now = found.place
            return self.now
        return None

    def settling(self, steps: int, share: float) -> Iterator[T]:
        """Places on the way, until so many steps together gained less than this share of the merit."""
        least = [self.now.merit]
        while (place := self.advance()) is not None:
            yield place
            least.append(min(least[-1], place.merit))
            if len(least) > steps and least[-1 - steps] - least[-1] < share * least[-1]:
                return


def restored(place: S, back: Callable[[S], S | None], off: Callable[[S], float], enough: float) -> S:
    """A place led back onto its constraints by steps, as near as may be."""
    for _ in range(RESTORING):
        if off(place) <= enough:
            break
        nearer = back(place)
        if nearer is None or off(nearer) >= off(place):
            break
        place = nearer
    return place
