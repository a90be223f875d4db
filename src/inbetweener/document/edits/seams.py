"""Edits of loops."""

from inbetweener.curves.seam import passes, seam_slopes, with_seam_slope
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves


def smooth_seam(document: Document, clip: str) -> Document:
    """A clip whose curves flow from its end into its start: ends with two slopes get their mean; no key moves.

    Where one of the keys is broken, a kink is wanted and stays.
    """
    found = document.clip(clip)
    for layer in (None, *(each.name for each in found.layers)):
        changed = {}
        for name, curve in curves_of(document, clip, layer).items():
            slopes = seam_slopes(curve, found.start, found.end)
            if slopes is not None and not passes(slopes):
                changed[name] = with_seam_slope(curve, sum(slopes) / 2)
        if changed:
            document = set_curves(document, clip, changed, layer=layer)
    return document
