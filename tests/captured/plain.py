"""Our motion beside what plain numpy and scipy make of the file: `benchmarks.library.plain`, and how to compare."""

import numpy as np

from benchmarks.library.plain import CLIPS, QUARTERS, pops, read, slide
from inbetweener.document import Document
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Point

__all__ = ["CLIPS", "QUARTERS", "in_metres", "ours", "pops", "read", "slide"]


def in_metres(points: np.ndarray, document: Document) -> np.ndarray:
    """Points of a file in our metres, y up."""
    assert document.source is not None
    x, y, z = np.moveaxis(points * document.source.unit, -1, 0)
    return np.stack([x, z, -y] if document.source.up == "z" else [x, y, z], axis=-1)


def ours(document: Document, clip: Clip, at: np.ndarray) -> np.ndarray:
    """Joints and ends (T, J + E, 3) of a clip as our curves have them at frame numbers."""
    places = [*(Point(joint.name) for joint in document.rig.joints), *document.rig.points]
    return Motion(document.rig, clip).point_positions(at / clip.rate, places)
