"""Our motion beside what plain numpy and scipy make of the file: `benchmarks.library.plain`, and how to compare."""

from pathlib import Path

import numpy as np

from benchmarks.library.ours import Fitted, Take
from benchmarks.library.plain import CLIPS, QUARTERS, pops, read, slide
from inbetweener.document import Document
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Point

__all__ = ["CLIPS", "QUARTERS", "evaluated", "in_metres", "names", "ours", "pops", "read", "slide"]


def in_metres(points: np.ndarray, document: Document) -> np.ndarray:
    """Points of a file in our metres, y up."""
    assert document.source is not None
    x, y, z = np.moveaxis(points * document.source.unit, -1, 0)
    return np.stack([x, z, -y] if document.source.up == "z" else [x, y, z], axis=-1)


def ours(document: Document, clip: Clip, at: np.ndarray) -> np.ndarray:
    """Joints and ends (T, J + E, 3) of a clip as our curves have them at frame numbers."""
    places = [*(Point(joint.name) for joint in document.rig.joints), *document.rig.points]
    return Motion(document.rig, clip).point_positions(at / clip.rate, places)


def evaluated(path: Path, document: Document, at: np.ndarray) -> np.ndarray:
    """The same of a document's clip, from times, values and handles of its keys by numpy and scipy alone."""
    assert document.source is not None
    unit = document.source.unit
    capture = read(path).in_metres(unit)
    fitted = Fitted(Take(path.stem, capture, document, document, (), False), document.clip())
    return in_metres(capture.positions(at, fitted) / unit, document)


def names(document: Document) -> list[str]:
    """What joints and ends are called, in this order."""
    return [str(point) for point in (*(joint.name for joint in document.rig.joints), *document.rig.points)]
