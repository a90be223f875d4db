"""What a step of the batch's own answers with."""

from dataclasses import dataclass
from typing import Any

from inbetweener.document.edits.result import Result


@dataclass(frozen=True, slots=True, repr=False)
class Told(Result):
    """What a step of the batch's own did."""

    said: str
    figures: dict[str, Any]
    short: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """One line."""
        return (self.said,)

    @property
    def facts(self) -> dict[str, Any]:
        """Its figures."""
        return self.figures

    @property
    def problem(self) -> str:
        """What fell short."""
        return self.short
