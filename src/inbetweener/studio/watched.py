"""Motions as they are watched. What makes parts swing is worked out once for the many motions of a drag."""

from threading import Lock

from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness
from inbetweener.motion import Motion

KEPT = 4
"""Loosened rigs remembered: those of a few clips, and of the step that undo leads back to."""

_door = Lock()
_kept: list[Loosened] = []


def loose_motion(document: Document, clip: str) -> LooseMotion | None:
    """The loose motion of a clip; None where it moves as keyed. Raises where it cannot swing. From any thread."""
    loosening, found = document.loosening(clip), document.clip(clip)
    looseness = loosening.looseness
    if not (loosening.on and looseness.is_loose):
        return None
    with _door:
        known = next((each for each in _kept if _fits(each, document, looseness, found.rate)), None)
        if known is None:
            known = Loosened(document.rig, looseness, found.rate, document.meshes)
            # Soft parts are made when they are first asked for; what is wrong with them is said here.
            _ = known.softened
        _kept[:] = [known, *(each for each in _kept if each is not known)][:KEPT]
    solids = [(prop.solid, prop.transform) for prop in document.props if prop.joint is None]
    return LooseMotion(known, found, solids)


def watched_motion(document: Document, clip: str) -> Motion:
    """The motion of a clip as it is watched; where it should be loose and cannot, as keyed."""
    try:
        return loose_motion(document, clip) or document.motion(clip)
    except InbetweenerError:
        return document.motion(clip)


def _fits(loosened: Loosened, document: Document, looseness: Looseness, rate: float) -> bool:
    same_body = loosened.rig is document.rig and loosened.rate == rate and loosened.looseness == looseness
    return same_body and (not looseness.soft or loosened.meshes == document.meshes)
