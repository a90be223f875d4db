"""Automatic weights against those that people sculpted and painted, over whole clips."""

from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document
from inbetweener.skinning import Mesh, Skin
from inbetweener.skinning.automatic import bind


def differences(document: Document, mesh: Mesh) -> np.ndarray:
    """How far vertices end up (T, V) with found weights from where they are with their own, in sizes of the mesh."""
    clip = document.clips[0]
    channels = document.motion(clip.name).channels(np.linspace(clip.start, clip.end, 9))
    own, found = (
        np.array([skin.vertices(pose) for pose in channels])
        for skin in (Skin(mesh, document.rig), Skin(bind(mesh, document.rig), document.rig))
    )
    return np.linalg.norm(own - found, axis=2) / float(np.ptp(own[0], axis=0).max())


@pytest.mark.parametrize(
    ("name", "rms", "most"),
    [("waving", 0.002, 0.03), ("hat-and-door", 0.004, 0.04), ("spider-walk", 0.002, 0.02), ("fox-tail", 0.009, 0.06)],
)
def test_sculpted_characters_move_much_alike(name: str, rms: float, most: float) -> None:
    document = ib.example(name)
    mesh = max(document.meshes, key=lambda each: each.weights.shape[1])
    off = differences(document, mesh)
    assert np.sqrt((off**2).mean()) < rms
    assert off.max() < most


@pytest.mark.filterwarnings("ignore::inbetweener.errors.RepairWarning")
@pytest.mark.parametrize(
    ("file", "rms"), [("CesiumMan.glb", 0.006), ("RiggedFigure.glb", 0.005), ("RiggedSimple.glb", 0.02)]
)
def test_painted_characters_move_much_alike(data: Path, file: str, rms: float) -> None:
    document = ib.load(data / "gltf" / "khronos-samples" / file)
    off = differences(document, document.meshes[0])
    assert np.sqrt((off**2).mean()) < rms
