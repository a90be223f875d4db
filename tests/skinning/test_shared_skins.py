"""Skins made like others: what they share is the same as if each had been worked out alone."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.builtin.characters.bar import bar
from inbetweener.document import Document
from inbetweener.rig import Bend
from inbetweener.rig.channel import bend_channel
from inbetweener.skinning import Mesh, Skin


def sketched(turn: float) -> tuple[Document, Floats]:
    """A bar with a bend along two of its bones, and poses of it."""
    document = bar(3)
    screws = {name: np.tile([0.2, 0.0, turn, 0.0, 0.01, 0.0], (10, 1)) for name in ("bar_1", "bar_3")}
    rig = document.rig
    rig = replace(rig, channels=(*rig.channels, bend_channel("curl")), bends=(Bend("curl", "curl", screws),))
    poses = np.random.default_rng(2).normal(size=(6, len(rig.channels)))
    return replace(document, rig=rig), poses


@pytest.mark.parametrize("turn", [0.1, 1.9])
def test_vertices_are_the_same_to_the_bit(turn: float) -> None:
    before, _ = sketched(0.1)
    document, poses = sketched(turn)
    whole = document.meshes[0]
    document = replace(document, rig=replace(before.rig, bends=document.rig.bends))
    nose = Mesh.rigid("nose", "bar_3", 0.1 * whole.vertices, whole.triangles)
    known = Skin(whole, before.rig, "differential", poses=poses)
    shared = Skin(whole, document.rig, "differential", poses=poses, like=[known])
    sibling = Skin(nose, document.rig, "differential", poses=poses, like=[Skin(nose, before.rig, poses=poses), shared])
    assert shared.bind is known.bind
    for mesh, skin in ((whole, shared), (nose, sibling)):
        alone = Skin(mesh, document.rig, "differential", poses=poses)
        assert skin.tree.steps == alone.tree.steps
        for pose in poses:
            np.testing.assert_array_equal(skin.vertices(pose), alone.vertices(pose))


def test_nothing_is_shared_with_another_rig_or_other_poses() -> None:
    document, poses = sketched(0.1)
    mesh, rig = document.meshes[0], document.rig
    root, *others = rig.joints
    moved = replace(rig, joints=(replace(root, rest=replace(root.rest, translation=(1.0, 0.0, 0.0))), *others))
    known = Skin(mesh, rig, "differential", poses=poses)
    for other, theirs in ((moved, poses), (rig, 3.0 * poses)):
        made = Skin(mesh, other, "differential", poses=theirs, like=[known])
        alone = Skin(mesh, other, "differential", poses=theirs)
        assert made.tree.steps == alone.tree.steps
        np.testing.assert_array_equal(made.vertices(theirs[0]), alone.vertices(theirs[0]))
