"""Fitting sparse keys to dense motion."""

from dataclasses import asdict, dataclass
from typing import Any

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import the_clip
from inbetweener.motion import FitReport, fit_clip
from inbetweener.motion.fit import Align, Progress


@dataclass(frozen=True, slots=True, repr=False)
class FitResult(Result):
    """A clip with few keys, and how near it stays to the one with many."""

    report: FitReport

    @property
    def lines(self) -> tuple[str, ...]:
        """Keys and errors."""
        return (str(self.report),)

    @property
    def facts(self) -> dict[str, Any]:
        """The report."""
        return asdict(self.report)


def fit(
    document: Document,
    *,
    tolerance: float = 0.005,
    align: Align = "channel",
    clip: str | None = None,
    progress: Progress | None = None,
) -> FitResult:
    """Replace a clip's dense samples by as few Bezier keys as keep every joint within `tolerance` metres.

    `align` says which channels share their key times: none ("channel"), those of a joint, or those of the body.
    """
    dense = the_clip(document, clip)
    fitted, report = fit_clip(document.rig, dense, tolerance, align, progress)
    return FitResult(document if fitted == dense else replace_clip(document, dense.name, fitted), report)
