"""Files of every version still open. The stored files were written by hand and are never regenerated."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inbetweener import formats
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Document, Prop, Source, View, read_native, write_native
from inbetweener.document.native.read import VERSIONS, native_text
from inbetweener.errors import RepairWarning
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Channel, Drive, Joint, Point, Rig
from inbetweener.skinning import BlendShape, Material, Mesh

FILES = Path(__file__).parent / "files"


def version_1() -> Document:
    """What version-1.tween says, in other words."""
    bind = np.stack([np.eye(3, 4), np.eye(3, 4)])
    bind[1, 1, 3] = -1
    halves = np.array([[1, 0], [0.25, 0.75], [0, 1]])
    skin = Mesh(
        "skin", np.array([[0, 0, 0], [0.5, 0, 0], [0, 1.25, 0]]), np.array([[0, 1, 2]]), ("hips", "arm.l"), bind,
        np.array([[0, 1]] * 3), halves, uvs=halves,
        shapes=(BlendShape("grin", "smile", np.array([[0, 0, 0.125]] * 3)),),
        material=Material("paper", (0.9, 0.8, 0.7, 1.0), double_sided=True),
    )  # fmt: skip
    wave = Curve.from_keys(
        [
            Key(0.5, 0.0, out_tangent=Tangent(0.25, 0.125)),
            Key(1.0, 0.1 + 0.2, Tangent(0.125, 0.0), Tangent(0.125, -0.5), tied=False),
            Key(1.5, -1.0, interpolation="constant"),
            Key(2.0, 0.5, interpolation="linear"),
        ]
    )
    return Document(
        "Édouard",
        Rig(
            (
                Joint("hips", rest=Transform((0.0, 1.0, 0.0)), order="YXZ"),
                Joint("arm.l", 0, Transform((0.25, 0.5, 0.0), (0.6, 0.0, 0.0, 0.8))),
            ),
            (
                Channel("hips.ty", "translation", (Drive("hips.ty"),), 1.0),
                Channel("arm.l.rz", "rotation", (Drive("arm.l.rz"),), lower=-1.5, stiffness=0.5),
                Channel("bend", "control", (Drive("hips.rz", 0.25), Drive("arm.l.rz", 0.75)), 0.0, -math.inf, 2.0),
                Channel("smile", "shape", lower=0.0, upper=1.0),
            ),
            (Point("arm.l", (0.0, 0.3, 0.0), "hand"),),
        ),
        (skin,),
        (
            Prop("ball", Sphere(0.1), Transform((0.0, 0.0, 1.0)), "obstacle", None, (0.5, 0.25, 0.125)),
            Prop("crate", Box((0.5, 0.5, 0.25)), colour=(1.0, 1.0, 1.0)),
            Prop("stick", Capsule(0.02, 0.4), joint="arm.l", colour=(0.0, 0.0, 0.0)),
        ),
        (
            Clip(
                "wave", 2.0, 0.5, 30.0,
                Curves({"hips.ty": Curve.sampled([0, 1, 2], [1, 1.0625, 1]), "arm.l.rz": wave}),
                (Layer("breath", Curves({"smile": Curve.constant(1.0)}), 0.5, True),), True,
            ),
            Clip("rest", 0.0),
        ),
        View((0.0, 1.5, 4.0), (0.0, 1.0, 0.0)),
        Source("bvh", 0.01, "z"),
    )  # fmt: skip


def test_version_1_opens(tmp_path: Path) -> None:
    with pytest.warns(RepairWarning, match=r"\$\.meshes\[0\]\.material\.texture: left out: is neither PNG"):
        opened = read_native(FILES / "version-1.tween")
    assert opened == version_1()
    write_native(opened, tmp_path / "again.tween")
    assert read_native(tmp_path / "again.tween") == version_1()


def test_every_version_has_a_stored_file() -> None:
    assert {f"version-{version}.tween" for version in VERSIONS} == {path.name for path in FILES.glob("*.tween")}


def test_a_way_of_blending_that_is_no_more_is_mended_and_told(tmp_path: Path) -> None:
    old = tmp_path / "old.tween"
    text = (FILES / "version-1.tween").read_text()
    old.write_text(text.replace('"version": 1,', '"version": 1, "blending": "differential-world",'))
    wanted = replace(version_1(), blending="differential")
    with pytest.warns(RepairWarning) as told:
        assert read_native(old) == wanted
    assert any("old.tween: $.blending: " in str(line.message) for line in told)
    reading = formats.read(old)
    assert reading.document == wanted
    assert len(reading.repairs) == len(told) == 2
    assert '"blending": "differential",' in native_text(wanted).decode()
