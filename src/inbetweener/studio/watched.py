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
    if not document.is_loose(clip):
        return None
    looseness, rate = document.loosening(clip).looseness, document.clip(clip).rate
    with _door:
        known = next((each for each in _kept if _fits(each, document, looseness, rate)), None)
        if known is None:
            # While a spring slides every move has another looseness, with the same masses.
            like = next((each for each in _kept if each.rig is document.rig), None)
            known = document.loosened(clip, like)
            # Soft parts are made when they are first asked for; what is wrong with them is said here.
            _ = known.softened
        _keep(known)
    return document.loose_motion(clip, known)


def remember(motion: Motion) -> None:
    """Let what makes a motion loose that somebody has worked out be known here too."""
    if isinstance(motion, LooseMotion):
        with _door:
            _keep(motion.loosened)


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


def _keep(loosened: Loosened) -> None:
    others = [each for each in _kept if each is not loosened]
    # What a hand began with is where it goes back to.
    _kept[:] = [loosened, *others[: KEPT - 1], *(each for each in others[KEPT - 1 :] if each in _steadied)]


def _fits(loosened: Loosened, document: Document, looseness: Looseness, rate: float) -> bool:
    same_body = loosened.rig is document.rig and loosened.rate == rate and loosened.looseness == looseness
    same_body = same_body and loosened.roles == document.roles
    needs_meshes = looseness.soft or looseness.masses == "mesh"
    return same_body and (not needs_meshes or loosened.meshes == document.meshes)
