"""Other names for the parts of a rig and what is made of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

Called = Callable[[str], str]
"""What something is called from now on, by its name until now."""


def _as_before(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Names:
    """What joints, channels, bends and everything else are called from now on; kinds that are not told of stay."""

    joint: Called = _as_before
    channel: Called = _as_before
    bend: Called = _as_before
    other: Called = _as_before

    @classmethod
    def of_all(cls, called: Called) -> Self:
        """One way of calling everything."""
        return cls(called, called, called, called)
