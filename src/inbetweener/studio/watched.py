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
_steadied: list[Loosened] = []


def loose_motion(document: Document, clip: str) -> LooseMotion | None:
    """The loose motion of a clip; None where it moves as keyed. Raises where it cannot swing. From any thread."""
    loosening, found = document.loosening(clip), document.clip(clip)
    looseness = loosening.looseness
    if not (loosening.on and looseness.is_loose):
        return None
    with _door:
        known = next((each for each in _kept if _fits(each, document, looseness, found.rate)), None)
        if known is None:
            # While a spring slides every move has another looseness, with the same masses.
            like = next((each for each in _kept if each.rig is document.rig), None)
            known = Loosened(document.rig, looseness, found.rate, document.meshes, like)
            # Soft parts are made when they are first asked for; what is wrong with them is said here.
            _ = known.softened
        others = [each for each in _kept if each is not known]
        # What a hand began with is where it goes back to.
        _kept[:] = [known, *others[: KEPT - 1], *(each for each in others[KEPT - 1 :] if each in _steadied)]
    solids = [(prop.solid, prop.transform) for prop in document.props if prop.joint is None]
    return LooseMotion(known, found, solids)


def steady(document: Document, clip: str) -> None:
    """Hold the windows of a clip, for a hand: finding them takes longer than all else of a move."""
    try:
        motion = loose_motion(document, clip) if clip else None
        if motion is not None:
            motion.hold_windows()
            _steadied.append(motion.loosened)
    except InbetweenerError:
        # It cannot be simulated, so it is shown as keyed, and there is nothing to hold.
        return


def let_go() -> None:
    """Find windows again from now on."""
    with _door:
        for loosened in (*_kept, *_steadied):
            loosened.release_windows()
        _steadied.clear()


def watched_motion(document: Document, clip: str) -> Motion:
    """The motion of a clip as it is watched; where it should be loose and cannot, as keyed."""
    try:
        return loose_motion(document, clip) or document.motion(clip)
    except InbetweenerError:
        return document.motion(clip)


def _fits(loosened: Loosened, document: Document, looseness: Looseness, rate: float) -> bool:
    same_body = loosened.rig is document.rig and loosened.rate == rate and loosened.looseness == looseness
    return same_body and (not looseness.soft or loosened.meshes == document.meshes)
