"""Automatic weights of hands: what a finger's skin takes from other fingers comes over the web between them alone."""

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


@pytest.mark.parametrize(("character", "most"), [(cartoon, 0.04), (human, 0.01)])
def test_fingers_hardly_follow_each_other(character: Callable[[], Document], most: float) -> None:
    document = character()
    mesh = document.meshes[0]
    own, found = shares(mesh), shares(bind(mesh, document.rig))
    assert list(found) == list(own)
    mixed = []
    for name, share in own.items():
        others = np.sum([found[other] for other in found if other != name], axis=0)[share > 0.5]
        assert others.max() < 0.5, f"{name} follows another finger more than itself"
        mixed.append(others)
    assert np.concatenate(mixed).mean() < most
