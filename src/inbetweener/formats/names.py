"""Names that differ: files may give one to several things, rigs may not."""

from collections.abc import Iterable
from pathlib import Path


def called(path: Path) -> str:
    """What a file that names nothing itself gives its name to; systems let it be no text, documents do not."""
    return path.stem.encode(errors="replace").decode().strip() or "untitled"


class Names:
    """Names given out so far; each only once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def unused(self, wanted: str) -> str:
        """`wanted`, with a number behind it where it is taken; takes it."""
        name = wanted
        while name in self._taken:
            # Counting on from last time: thousands of nodes may share a name.
            number = self._next[wanted] = self._next.get(wanted, 0) + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
