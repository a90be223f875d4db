"""What a file may unfold to in memory: in proportion to its size, the same for every format.

Formats name things by number, compress them and let them share, so a few bytes can ask for more memory than there is.
Whoever reads a file says what it is about to make of it before it does.
"""

from inbetweener.errors import InvalidDocument

ROOM, TIMES = 40 << 20, 12
"""Bytes that any file may unfold to, and how many more for each of its own."""
LONGEST_NAME = 1000
"""Letters of a name; joints share theirs with all their channels and shapes."""
REMEDY = "if you know where it comes from, open it with --trust"


class OverBudget(InvalidDocument):
    """A file that would take more memory than its size can explain."""


class Budget:
    """Of one file and those beside it that it names; one that is trusted may be anything."""

    def __init__(self, size: int, *, trust: bool = False) -> None:
        self.size = size
        self.trust = trust
        self._spent = 0.0

    def grow(self, size: int) -> None:
        """A file beside it was read."""
        self.size += size

    def spend(self, amount: float) -> None:
        """Bytes that are about to be made; raises OverBudget where these are too many."""
        self._spent += amount
        if not self.trust and self._spent > ROOM + TIMES * self.size:
            unfolded = f"{self._spent / (1 << 20):.0f} MiB"
            raise OverBudget(f"would unfold to {unfolded}, too much for a file of {_told(self.size)}; {REMEDY}")

    def spend_json(self, text: bytes) -> None:
        """What a JSON text becomes: objects, lists and strings weigh more than their letters."""
        self.spend(200 * text.count(b"{") + 80 * text.count(b"[") + 12 * text.count(b'"') + 8 * text.count(b","))


def _told(size: int) -> str:
    return f"{size} bytes" if size < 10_000 else f"{size / 1024:.0f} KiB"
