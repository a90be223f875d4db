"""What glTF cannot hold is left out, never in silence."""

from dataclasses import replace
from pathlib import Path

import pytest

from inbetweener.document import Document, Prop, View
from inbetweener.formats.gltf import read, write
from inbetweener.maths.solids import Sphere
from inbetweener.rig import Point, Rig, joint_channels
from tests.formats.gltf.made import chain, face, moving_documents


def bare(**more: object) -> Document:
    joints = chain(2)
    return Document("bare", Rig(joints, joint_channels(joints[0])), **more)  # type: ignore[arg-type]


def test_a_plain_document_loses_nothing(tmp_path: Path) -> None:
    assert write(bare(), tmp_path / "a.glb") == ()
    assert write(face(), tmp_path / "a.glb") == ()


@pytest.mark.parametrize(
    ("document", "line"),
    [
        (bare(props=(Prop("ball", Sphere(1.0)),)), "1 props are left out"),
        (bare(view=View((0.0, 1.0, 5.0), (0.0, 1.0, 0.0))), "the view is left out"),
        (replace(bare(), rig=Rig(chain(2), points=(Point("bone_1", name="tip"),))), "1 named points are left out"),
        (
            replace(bare(), rig=Rig(chain(1), joint_channels(chain(1)[0], limits={"rx": (-1.0, 1.0)}))),
            "limits and stiffness of 1 channels",
        ),
        *((document, "1 controls are written as the joints they move") for document in moving_documents()[5:6]),
        *((document, "the layers of 1 clips are merged") for document in moving_documents()[6:7]),
        *((document, "starts before time zero; moved by 1 s") for document in moving_documents()[7:8]),
    ],
)
def test_losses_are_told(document: Document, line: str, tmp_path: Path) -> None:
    assert any(line in loss for loss in write(document, tmp_path / "a.glb"))


def test_a_texture_of_another_kind_is_told(tmp_path: Path) -> None:
    document = face()
    mesh = document.meshes[0]
    uvs = mesh.vertices[:, :2]
    strange = replace(mesh, uvs=uvs, material=replace(mesh.material, texture=b"GIF89a"))
    assert any("is no picture" in loss for loss in write(replace(document, meshes=(strange,)), tmp_path / "a.glb"))
    assert read(tmp_path / "a.glb").document.meshes[0].material.texture is None


def test_clip_range_rate_and_loop_survive(tmp_path: Path) -> None:
    document = face()
    clip = replace(document.clips[0], start=0.25, end=3.5, rate=12.5, loops=True)
    write(replace(document, clips=(clip,)), tmp_path / "a.glb")
    (back,) = read(tmp_path / "a.glb").document.clips
    assert (back.start, back.end, back.rate, back.loops) == (0.25, 3.5, 12.5, True)
