"""Names that nothing has yet, and other names for things."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Self

Called = Callable[[str], str]
"""What something is called from now on, by its name until now."""


def free_name(wish: str, taken: Collection[str]) -> str:
    """The wish, or the first of "wish 2", "wish 3" … that is not taken."""
    name, number = wish, 2
    while name in taken:
        name, number = f"{wish} {number}", number + 1
    return name


def _as_before(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Renaming:
    """What joints, channels, bends and everything else are called from now on; kinds that are not told of stay."""

    joint: Called = _as_before
    channel: Called = _as_before
    bend: Called = _as_before
    other: Called = _as_before

    @classmethod
    def of_all(cls, called: Called) -> Self:
        """One way of calling everything."""
        return cls(called, called, called, called)
