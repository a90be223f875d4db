"""Shapes of one name on several meshes of a face are one control, there and back."""

from pathlib import Path

import numpy as np

import inbetweener as ib
from inbetweener import formats
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.formats.gltf.reading.shapes import shared_shapes
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Channel, Joint, Rig
from inbetweener.skinning import BlendShape, Mesh

CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], np.float32)


def mesh(name: str, joint: str = "head", shape: str = "mouthOpen") -> Mesh:
    shapes = (BlendShape(shape, f"{name}.{shape}", 0.1 * CORNERS),)
    return Mesh(
        name, CORNERS, np.array([[0, 1, 2]], np.int32), joints=(joint,), joint_from_mesh=np.eye(3, 4)[None],
        influences=np.zeros((3, 1), np.int32), weights=np.ones((3, 1), np.float32), shapes=shapes,
    )  # fmt: skip


def face(*meshes: Mesh, **values: float) -> tuple[Rig, tuple[Mesh, ...], tuple[Clip, ...]]:
    channels = tuple(Channel(each.shapes[0].channel, "shape", lower=0.0, upper=1.0) for each in meshes)
    times = np.array([0.0, 1.0])
    curves = {name.replace("__", "."): Curve.sampled(times, np.array([0.0, to])) for name, to in values.items()}
    return Rig((Joint("head"), Joint("other", 0)), channels), meshes, (Clip("talk", 1.0, curves=Curves(curves)),)


def test_one_name_is_one_control() -> None:
    rig, meshes, (clip,) = shared_shapes(*face(mesh("lips"), mesh("teeth"), lips__mouthOpen=0.5, teeth__mouthOpen=0.5))
    assert [c.name for c in rig.channels] == ["mouthOpen"] == list(clip.curves)
    assert [each.shapes[0].channel for each in meshes] == ["mouthOpen"] * 2


def test_what_moves_apart_or_hangs_elsewhere_keeps_its_own() -> None:
    apart = face(mesh("lips"), mesh("teeth"), lips__mouthOpen=0.5, teeth__mouthOpen=0.4)
    assert shared_shapes(*apart) == apart
    others = face(mesh("lips"), mesh("door", "other"))
    assert shared_shapes(*others) == others


def test_it_stays_one_through_a_file(tmp_path: Path) -> None:
    rig, meshes, clips = shared_shapes(*face(mesh("lips"), mesh("teeth"), lips__mouthOpen=0.5, teeth__mouthOpen=0.5))
    document = Document("face", rig, meshes, clips=clips)
    formats.save(document, tmp_path / "face.glb")
    again = ib.load(tmp_path / "face.glb")
    shapes = [c for c in again.rig.channels if c.kind == "shape"]
    assert len(shapes) == 1
    at = again.motion().channels([1.0])[0, again.rig.channel_index(shapes[0].name)]
    assert abs(at - 0.5) < 1e-6
