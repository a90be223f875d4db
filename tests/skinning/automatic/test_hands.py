"""Automatic weights of hands: no finger's skin follows another finger, and the web between them follows the hand."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.builtin.characters.human import human
from inbetweener.document import Document
from inbetweener.skinning import Mesh
from inbetweener.skinning.automatic import bind

FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def shares(mesh: Mesh) -> dict[str, np.ndarray]:
    """How much of every vertex (V,) follows each finger."""
    finger = np.array([name.split("_")[0] + name[-2:] if name.startswith(FINGERS) else "" for name in mesh.joints])
    each = finger[mesh.influences]
    return {name: np.where(each == name, mesh.weights, 0.0).sum(axis=1) for name in sorted({*finger} - {""})}


@pytest.mark.parametrize("character", [cartoon, human])
def test_no_finger_follows_another(character: Callable[[], Document]) -> None:
    document = character()
    mesh = document.meshes[0]
    own, found = shares(mesh), shares(bind(mesh, document.rig))
    assert list(found) == list(own)
    mixed = []
    for name, share in own.items():
        others = np.sum([found[other] for other in found if other != name], axis=0)[share > 0.5]
        mixed.append(others)
        assert found[name].max() > 0.99, "its tip is its own"
    assert np.concatenate(mixed).mean() < 0.001
    assert np.concatenate(mixed).max() < 0.01
