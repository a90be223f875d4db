"""Loose clips for formats that know keys only: baked on every frame, so that the file moves as the preview did."""

from dataclasses import replace

from inbetweener.document import Document, edits
from inbetweener.kinodynamics.bake import dense_layer
from inbetweener.motion import Clip


def baked(document: Document, clip: str | None = None, rate: float | None = None) -> tuple[Document, list[str]]:
    """The document with its loose clips, or one of them, baked; and a line for each.

    At `rate` frames a second, where that is not the clip's own, what is written is exact at those frames.
    """
    lines = []
    for loosening in document.loosenings:
        if clip not in (None, loosening.clip) or not document.is_loose(loosening.clip):
            continue
        name = loosening.clip
        if loosening.looseness.soft:
            softened = ", ".join(str(part) for part in loosening.looseness.soft)
            lines.append(f"soft parts of clip {name!r} ({softened}) are left out: they are in no joint")
        if loosening.looseness.springs:
            lines.append(f"the looseness of clip {name!r} is baked, exactly at frames: the file knows keys only")
            document = _baked(document, document.clip(name), rate)
    return document, lines


def _baked(document: Document, clip: Clip, rate: float | None) -> Document:
    motion = document.loose_motion(clip.name)
    times = (clip if rate is None else Clip(clip.name, clip.end, clip.start, rate)).frame_times
    # No file knows the layer's name, but two must differ.
    layer = dense_layer(motion, times, f"loose {len(clip.layers)} of {clip.name}")
    document = edits.replace_clip(document, clip.name, replace(clip, layers=(*clip.layers, layer)))
    return edits.switch_looseness(document, clip.name, False)
