"""Skinned and morphed vertices against the second opinion."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.document import Document
from inbetweener.formats.files import Reading
from inbetweener.skinning import Skin
from tests.formats.gltf.oracle import Oracle

SKINNED = [
    "khronos-samples/RiggedSimple.glb",
    "khronos-samples/SimpleSkin/SimpleSkin.gltf",
    "khronos-samples/CesiumMan.glb",
    "khronos-samples/Fox.glb",
    "khronos-samples/RecursiveSkeletons.glb",
    "exporter-quirks/momentum_test_24fps.glb",
    "exporter-quirks/momentum_skeleton_non_joint_root.glb",
    "characters/RobotExpressive.glb",
    "characters/kenney_character/character.glb",
    "asset-generator/Animation_Skin/Animation_Skin_02.gltf",
    "asset-generator/Animation_SkinType/Animation_SkinType_01.gltf",
    "asset-generator/Buffer_Interleaved/Buffer_Interleaved_00.gltf",
]
MORPHED = [
    "khronos-samples/AnimatedMorphCube.glb",
    "khronos-samples/MorphStressTest.glb",
    "khronos-samples/SimpleMorph/SimpleMorph.gltf",
    "blender-io/01_cs_morph/01_cs_morph.gltf",
]


def check(document: Document, truth: Oracle, relative: float) -> None:
    shown = [
        (node, primitive)
        for node in truth.order
        if "mesh" in truth.nodes[node]
        for primitive in range(len(truth.json["meshes"][truth.nodes[node]["mesh"]]["primitives"]))
    ]
    assert len(shown) == len(document.meshes)
    clip = 0 if document.clips else None
    for time in (0.0, 0.37 * document.clips[0].end) if document.clips else (0.0,):
        channels = document.motion().channels([time])[0] if document.clips else document.rig.defaults
        world = document.rig.world_from_joint(channels[None])[0]
        for mesh, (node, primitive) in list(zip(document.meshes, shown, strict=True))[:24]:
            expected = truth.vertices(node, primitive, clip, time)
            error = np.abs(Skin(mesh, document.rig).vertices(channels, world) - expected).max()
            # Vertices are single precision: a hair of the character's size comes on top.
            assert error < 1e-4 + relative * np.abs(expected).max(), mesh.name


@pytest.mark.sweep
@pytest.mark.parametrize("name", SKINNED + MORPHED)
def test_vertices_of_opened_file(name: str, opened: Callable[[str], Reading], oracle: Callable[[str], Oracle]) -> None:
    check(opened(name).document, oracle(name), 1e-6)


@pytest.mark.sweep
@pytest.mark.parametrize("name", SKINNED + MORPHED)
def test_vertices_after_a_round_trip(
    name: str, opened: Callable[[str], Reading], reopened: Callable[[str], Reading]
) -> None:
    before, after = opened(name).document, reopened(name).document
    assert {mesh.name for mesh in before.meshes} == {mesh.name for mesh in after.meshes}
    by_name = {mesh.name: mesh for mesh in after.meshes}
    time = 0.61 * before.clips[0].end if before.clips else 0.0

    def channels(document: Document) -> np.ndarray:
        return document.motion().channels([time])[0] if document.clips else document.rig.defaults

    one, two = channels(before), channels(after)
    for mesh in before.meshes[:24]:
        old = Skin(mesh, before.rig).vertices(one, before.rig.world_from_joint(one[None])[0])
        new = Skin(by_name[mesh.name], after.rig).vertices(two, after.rig.world_from_joint(two[None])[0])
        assert np.abs(old - new).max() < 1e-4 + 1e-6 * np.abs(old).max()
        assert np.array_equal(mesh.triangles, by_name[mesh.name].triangles)
        assert by_name[mesh.name].material == mesh.material
        for part in ("uvs", "colours"):
            assert np.array_equal(getattr(mesh, part), getattr(by_name[mesh.name], part), equal_nan=False) or (
                getattr(mesh, part) is None and getattr(by_name[mesh.name], part) is None
            )


@pytest.mark.parametrize("name", MORPHED)
def test_shape_channels_follow_the_file(
    name: str, opened: Callable[[str], Reading], oracle: Callable[[str], Oracle]
) -> None:
    document, truth = opened(name).document, oracle(name)
    (node,) = (n for n in truth.order if "mesh" in truth.nodes[n])
    shapes = [c for c, channel in enumerate(document.rig.channels) if channel.kind == "shape"]
    for index, clip in enumerate(document.clips):
        times = np.linspace(0, clip.end, 97)
        expected = truth.morph_weights(node, index, times)
        assert np.abs(document.motion(clip.name).channels(times)[:, shapes] - expected).max() < 1e-6
        assert np.abs(expected).max() > 0.1


def test_eight_influences_are_kept(opened: Callable[[str], Reading]) -> None:
    (mesh,) = opened("exporter-quirks/momentum_test_24fps.glb").document.meshes
    assert mesh.influences.shape[1] > 4
    assert np.abs(mesh.weights.sum(axis=1) - 1).max() < 1e-6


def test_instances_share_their_arrays(opened: Callable[[str], Reading]) -> None:
    meshes = opened("khronos-samples/RecursiveSkeletons.glb").document.meshes
    assert len(meshes) == 84
    assert len({id(mesh.vertices) for mesh in meshes}) == 1
    assert len({id(mesh.weights) for mesh in meshes}) == 1


def test_weights_that_do_not_sum_to_one_are_mended_and_said(opened: Callable[[str], Reading]) -> None:
    reading = opened("characters/RobotExpressive.glb")
    counts = [int(line.split("weights of ")[1].split()[0]) for line in reading.each if "do not sum to 1" in line]
    assert sum(counts) == 752
    for mesh in reading.document.meshes:
        assert np.abs(mesh.weights.sum(axis=1) - 1).max() < 1e-6


def test_weights_that_are_no_numbers_are_dropped_and_said_once_a_part(opened: Callable[[str], Reading]) -> None:
    reading = opened("characters/quaternius_Bee.glb")
    said = [line for line in reading.each if "vertices have weights that are not numbers; dropped" in line]
    assert [line.partition(":")[0] for line in said] == [f"/meshes/0/primitives/{n}/attributes" for n in range(2)]
    assert not [line for line in reading.repairs if "negative weights" in line]
    for mesh in reading.document.meshes:
        assert np.isfinite(mesh.weights).all()
        assert np.abs(mesh.weights.sum(axis=1) - 1).max() < 1e-6


def test_textures_come_along(opened: Callable[[str], Reading]) -> None:
    for name in ("khronos-samples/CesiumMan.glb", "characters/kenney_character/character.glb"):
        texture = opened(name).document.meshes[0].material.texture
        assert texture is not None
        assert texture.startswith((b"\x89PNG", b"\xff\xd8\xff"))
