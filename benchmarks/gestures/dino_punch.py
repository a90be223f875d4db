"""Dino-punch: both feet stand until the dinosaur rocks back; then the middle of its tail carries it.

The key poses disagree by one to two millimetres about where feet and tail stand; they are snapped first. At last the
punch is made snappier by timing alone: the fist is faster where it is on its way, feet and tail stand meanwhile.
"""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.contacts import Slide, Snap, hold, snap_poses
from inbetweener.contacts.slide import slides
from inbetweener.document import Document
from inbetweener.document.edits import scale_timing
from inbetweener.skinning import Skin
from inbetweener.tangents import Contact

ROCK, END = 33 / 24, 66 / 24
PUNCH, FASTER = 12.5, 0.3
"""The frame on which the fist is on its way, and how much faster it gets there."""


def contacts(document: Document) -> list[Contact]:
    """Where the dinosaur stands: on its feet, then on its tail."""
    feet = [Contact(document.rig.point(f"sole_{side}"), 0.0, ROCK) for side in "lr"]
    return [*feet, Contact(document.rig.point("tail_middle"), ROCK, END)]


def worked() -> Worked:
    """On its feet, then on the middle of its tail."""
    before = example("dino-punch")
    stood, snaps, _ = after(before)
    punched = timed(stood)
    found = slides(before.motion(), punched.motion(), contacts(before))
    figures = [
        Figure("key poses snapped by at most", 1e3 * max(s.moved for s in snaps), "mm"),
        *(Figure(f"slide of {s.contact.point} before", 1e3 * s.before, "mm") for s in found),
        *(Figure(f"slide of {s.contact.point} after", 1e3 * s.after, "mm", at_most=1) for s in found),
        Figure("tail_middle below the floor before", -1e3 * tail_heights(before).min(), "mm"),
        Figure("tail_middle below the floor after", -1e3 * tail_heights(punched).min(), "mm", at_most=1),
        Figure("skin below the floor while on its tail before", -1e3 * lowest_skin(before), "mm"),
        Figure("skin below the floor while on its tail after", -1e3 * lowest_skin(punched), "mm"),
        Figure("fist in the punch before", speed(stood, "fist_r", PUNCH), "m/s"),
        Figure("fist in the punch after", speed(punched, "fist_r", PUNCH), "m/s", at_least=14),
    ]
    return Worked({"before": before, "after": punched}, figures, ("tail_middle", "fist_r"))


def timed(document: Document) -> Document:
    """The punch snappier: faster on its way, slower where it leaves and arrives; every key pose stays on its frame."""
    return scale_timing(document, "fist_r", FASTER, frame=PUNCH, contacts=contacts(document)).document


def speed(document: Document, point: str, frame: float) -> float:
    """How fast a point is on a frame, in metres a second."""
    times = frame / 24 + np.array([-1e-3, 1e-3])
    return float(np.linalg.norm(np.diff(document.motion().states(times, document.rig.point(point))[0], axis=0)) / 2e-3)


def after(document: Document) -> tuple[Document, tuple[Snap, ...], tuple[Slide, ...]]:
    """The scene with planted feet and tail, what the key poses needed, and how far each slid and slides."""
    agreed = snap_poses(document.rig, document.clip(), contacts(document))
    held = hold(replace(document, clips=(agreed.clip,)).motion(), contacts(document))
    worked = replace(document, clips=(replace(agreed.clip, curves=held.curves),))
    return worked, agreed.snaps, slides(document.motion(), worked.motion(), contacts(document))


def tail_heights(document: Document) -> Floats:
    """How high the point that carries the weight is above the floor, eight looks a frame, in metres."""
    times = np.linspace(ROCK, END, 8 * 33 + 1)
    return document.motion().states(times, document.rig.point("tail_middle"))[0][:, 1]


def lowest_skin(document: Document, start: float = ROCK, end: float = END) -> float:
    """The height in metres of the lowest vertex of the skin, on frames and half frames; negative below the floor."""
    times = np.linspace(start, end, round(48 * (end - start)) + 1)
    poses = document.motion().channels(times)
    skins = [Skin(mesh, document.rig) for mesh in document.meshes]
    return min(float(skin.vertices(pose)[:, 1].min()) for skin in skins for pose in poses)
