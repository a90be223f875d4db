"""One document's way: to Blender and, exported from there, back again."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.formats import read, write
from interop.blender import environment
from interop.blender.cases import Case
from interop.blender.compare import Apart, Sight

TOLERANCE = 1e-4
"""Of a character's height."""
MADE = ("tentacle", "mobile")
"""Scenes that Blender makes from nothing."""


@dataclass(frozen=True, slots=True)
class Trip:
    """The worst over all clips: what Blender shows against the document, and what came back against it.

    `there` is None for what started in Blender; `back` is against Blender then.
    """

    name: str
    clips: int
    frames: int
    joints: int
    vertices: int
    there: Apart | None
    back: Apart

    @property
    def holds(self) -> bool:
        """True when everything arrived within the tolerance, and nothing is missing."""
        ways = (self.there, self.back)
        return all(not w.missing and max(w.joints, w.vertices) <= TOLERANCE for w in ways if w is not None)

    @classmethod
    def of(cls, case: Case, folder: Path) -> Self:
        """Send a document to Blender, look at it there and read what Blender exports."""
        document = case.document()
        write(document, folder / "ours.glb", sampled=True)
        # Blender has one rate for all clips, in whole frames.
        rate = max(round(clip.rate) for clip in document.clips)
        job = {
            "source": str(folder / "ours.glb"),
            "importing": case.importing,
            "rate": rate,
            "clips": {clip.name: clip.frame_times.tolist() for clip in document.clips},
            "seen": str(folder / "seen.npz"),
            "export": str(folder / "theirs.glb"),
        }
        environment.do(job, folder)
        returned = read(folder / "theirs.glb").document
        return cls._judged(case.name, document, Sight.recorded(folder / "seen.npz"), returned, rate)

    @classmethod
    def from_blender(cls, scene: str, folder: Path) -> Self:
        """Make a scene in Blender and read what it exports."""
        seen, export = folder / "seen.npz", folder / "theirs.glb"
        environment.do({"make": scene, "rate": 24, "seen": str(seen), "export": str(export)}, folder)
        document, back, frames = read(export).document, Apart(0.0, 0.0), 0
        for clip, theirs in Sight.recorded(seen).items():
            ours = Sight.of(document, clip, theirs.times)
            back = back.worse(Apart.between(ours, theirs))
            frames += len(ours.times)
        return cls(scene, len(document.clips), frames, len(ours.names), ours.vertices.shape[1], None, back)

    @classmethod
    def _judged(cls, name: str, document: Document, seen: dict[str, Sight], returned: Document, rate: int) -> Self:
        there, back, frames = Apart(0.0, 0.0), Apart(0.0, 0.0), 0
        for clip in document.clips:
            ours = Sight.of(document, clip.name, clip.frame_times)
            there = there.worse(Apart.between(ours, seen[clip.name]))
            kept = _exported(clip.frame_times, rate)
            again = Sight.of(returned, clip.name, clip.frame_times[kept])
            back = back.worse(Apart.between(ours.at(kept), again))
            frames += len(ours.times)
        return cls(name, len(document.clips), frames, len(ours.names), ours.vertices.shape[1], there, back)


def _exported(times: Floats, rate: int) -> slice:
    """Blender samples whole frames: a last one that falls short of a whole frame is not exported."""
    last = np.floor(times[-1] * rate + 1e-4)
    return slice(0, int((times * rate <= last + 1e-4).sum()))
