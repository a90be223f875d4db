"""How near a clip stayed to what its file holds: places on frames and between, feet that stand, pops."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.batch.told import Told
from inbetweener.document import Document, edits
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit

QUARTERS = 4
"""Moments a frame at which places are compared: a curve may be right on frames and wrong between them."""
STILL_M = 0.001
"""Metres that a contact may slide and still count as standing."""


def judge(document: Document, source: Document, *, clip: str | None = None) -> Told:
    """Measure a clip against what the file holds; nothing is changed.

    Errors are of joints and points, on frames and their quarters; slide is of the contacts that are found in the file;
    a pop is a joint that a frame jerks harder than 1.5 times as before and 5 mm a frame a frame.
    """
    shown = the_clip(document, clip)
    if document.rig != source.rig or shown.name not in {each.name for each in source.clips}:
        raise InvalidEdit(f"clip {shown.name!r} moves another body than in its file", "clip")
    frames = len(shown.frame_times)
    times = shown.start + np.arange(QUARTERS * (frames - 1) + 1) / (QUARTERS * shown.rate)
    before, after = (_places(each, shown.name, times) for each in (source, document))
    off = np.linalg.norm(after - before, axis=-1)
    joints, points = len(source.rig.joints), [str(each) for each in source.rig.points]
    names = [joint.name for joint in source.rig.joints] + points
    slides = []
    for contact in edits.suggest_contacts(source, clip=shown.name).chosen:
        during = (times >= contact.start - 1e-9) & (times <= contact.end + 1e-9)
        if during.any():
            place = names.index(str(contact.point))
            slides.append([_slide(each[during, place]) for each in (before, after)])
    popped = _jerks(after[::QUARTERS, :joints]) > 1.5 * _jerks(before[::QUARTERS, :joints]) + 0.005
    worst = np.unravel_index(off.argmax(), off.shape)
    facts = {
        "max_error_mm": round(1000 * float(off.max()), 4),
        "mean_error_mm": round(1000 * float(off.mean()), 4),
        "frames_error_mm": round(1000 * float(off[::QUARTERS].max()), 4),
        "worst_at": f"{names[worst[1]]}, {times[worst[0]]:.3f} s",
        "keys_a_second": round(sum(map(len, shown.curves.values())) / max(shown.end - shown.start, 1 / shown.rate), 2),
        "contacts": len(slides),
        "standing": sum(each[1] <= STILL_M for each in slides),
        "slide_before_mm": round(1000 * max((each[0] for each in slides), default=0.0), 3),
        "slide_mm": round(1000 * max((each[1] for each in slides), default=0.0), 3),
        "pops": int(popped.sum()),
    }
    return Told(document, f"at most {facts['max_error_mm']} mm off, {facts['pops']} pops", facts)


def _places(document: Document, clip: str, times: Floats) -> Floats:
    motion = document.motion(clip)
    return np.concatenate([motion.joint_positions(times), motion.point_positions(times, document.rig.points)], axis=1)


def _slide(places: Floats) -> float:
    """The largest distance between any two of some places (n, 3)."""
    return float(max(np.linalg.norm(places[n:] - places[n], axis=-1).max() for n in range(len(places))))


def _jerks(places: Floats) -> Floats:
    """Metres a frame a frame (F − 2, J) of places on frames (F, J, 3)."""
    return np.linalg.norm(places[2:] - 2 * places[1:-1] + places[:-2], axis=-1)
