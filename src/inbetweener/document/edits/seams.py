"""Edits of loops."""

from dataclasses import dataclass
from typing import Any

from inbetweener.curves.seam import passes, seam_slopes, with_seam_slope
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import the_clip


@dataclass(frozen=True, slots=True, repr=False)
class SeamResult(Result):
    """A loop that flows on, and how many of its curves did not."""

    smoothed: int

    @property
    def lines(self) -> tuple[str, ...]:
        """How many curves changed."""
        count = f"{self.smoothed} curve{'' if self.smoothed == 1 else 's'}"
        return (f"{count} had a kink at the seam" if self.smoothed else "every curve flows on already",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"smoothed": self.smoothed}


def smooth_seam(document: Document, *, clip: str | None = None) -> SeamResult:
    """A clip whose curves flow from its end into its start: ends with two slopes get their mean; no key moves.

    Where one of the keys is broken, a kink is wanted and stays.
    """
    found, smoothed = the_clip(document, clip), 0
    for layer in (None, *(each.name for each in found.layers)):
        changed = {}
        for name, curve in curves_of(document, found.name, layer).items():
            slopes = seam_slopes(curve, found.start, found.end)
            if slopes is not None and not passes(slopes):
                changed[name] = with_seam_slope(curve, sum(slopes) / 2)
        if changed:
            document, smoothed = set_curves(document, found.name, changed, layer=layer), smoothed + len(changed)
    return SeamResult(document, smoothed)
