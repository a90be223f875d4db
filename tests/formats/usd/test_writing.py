"""USD as we write it: judged by usd-core, whose skinning and splines share no code with ours, and read back."""

import importlib.util
import io
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import inbetweener as ib
from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve, evaluate
from inbetweener.document import Document, Prop
from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Channel, Joint, Rig, joint_channels
from inbetweener.skinning import BlendShape, Material, Mesh

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pxr") is None, reason="usd-core is not installed: pip install usd-core"
)
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    + "1f15c4890000000d49444154789c6360f8cfc0f01f0005000 1ff89993d1d0000000049454e44ae426082".replace(" ", "")
)
"""One pixel."""


def kept(before: Document, after: Document) -> None:
    """That nothing is lost: names, rig, channels and their limits, props; curves but for rounding."""
    for name in ("name", "rig", "props", "view", "constraints", "blending", "roles", "loosenings"):
        assert getattr(after, name) == getattr(before, name), name
    for one, two in zip(before.clips, after.clips, strict=True):
        assert replace(one, curves=Curves()) == replace(two, curves=Curves())
        assert set(one.curves) == set(two.curves)
        for name, curve in one.curves.items():
            for part in ("times", "values", "ins", "outs"):
                np.testing.assert_allclose(getattr(two.curves[name], part), getattr(curve, part), rtol=0, atol=1e-12)
            assert (two.curves[name].tied == curve.tied).all()
            assert (two.curves[name].interpolations == curve.interpolations).all()
    for mesh, found in zip(before.meshes, after.meshes, strict=True):
        assert (found.name, found.joints, found.material) == (mesh.name, mesh.joints, mesh.material)
        assert (found.vertices == mesh.vertices).all()
        assert (found.triangles == mesh.triangles).all()
        assert (found.joint_from_mesh == mesh.joint_from_mesh).all()


def block(name: str, joints: tuple[str, ...], binds: np.ndarray, weights: np.ndarray, **more: object) -> Mesh:
    """A tetrahedron whose corners follow joints by `weights` (4, K)."""
    corners = np.array([[0, 0, 0], [0.2, 0, 0], [0, 0.3, 0], [0, 0, 0.1]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    influences = np.tile(np.arange(len(joints)), (4, 1))
    return Mesh(name, corners, faces, joints, binds, influences, weights, **more)


def rigid(name: str, joint: str, **more: object) -> Mesh:
    return block(name, (joint,), np.eye(3, 4)[None], np.ones((4, 1)), **more)


def parts() -> Document:
    """Rigid parts with every kind of key and three Euler orders, in two clips; props in the world and in a hand."""
    joints = (
        Joint("Grundkörper 1", order="XYZ"),
        Joint("arm", 0, Transform((0.0, 0.5, 0.1), (0.6, 0.0, 0.8, 0.0), (1.0, 1.1, 1.0)), "YZX"),
        Joint("arm.hand", 1, Transform((0.0, 0.4, 0.0)), "ZXY"),
    )
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"),
        *joint_channels(joints[1], "rx ry rz sx sy sz"),
        *joint_channels(joints[2], "rx"),
    )
    curve = Curve(
        np.array([0.0, 0.31, 0.5, 0.9, 1.3]), np.array([0.0, 1.2, -0.4, 0.3, 0.1]),
        np.array([[0.1, 0.2], [0.25, 0.6], [0.01, -0.3], [0.0, 0.0], [0.3, 0.1]]),
        np.array([[0.05, 0.9], [0.02, -0.1], [0.2, 0.3], [0.1, 0.1], [0.0, 0.0]]),
        np.array([BEZIER, BEZIER, LINEAR, CONSTANT, BEZIER], np.uint8), np.array([True, False, True, True, False]),
    )  # fmt: skip
    full = Curve(
        np.array([0.0, 1.0]), np.array([2.0, 7.0]), np.array([[0.0, 0.0], [1.0, 5.0]]),
        np.array([[1.0, -9.0], [0.0, 0.0]]), np.array([BEZIER, BEZIER], np.uint8), np.array([True, True]),
    )  # fmt: skip
    wave = Curves({"Grundkörper 1.ty": curve, "arm.rx": curve, "arm.rz": full, "arm.sy": curve, "arm.hand.rx": full})
    other = Curves({"Grundkörper 1.ty": full, "arm.ry": curve})
    return Document(
        "2 parts",
        Rig(joints, channels),
        (rigid("Grundkörper 1", "Grundkörper 1"), rigid("hand", "arm.hand")),
        (Prop("ball", Sphere(0.2), Transform((1.0, 0.2, 0.0))), Prop("stick", Capsule(0.02, 0.3), joint="arm.hand")),
        (Clip("wave", 1.3, rate=25.0, curves=wave), Clip("wave again", 1.0, 0.2, 12.0, other)),
    )


def skinned() -> Document:
    """Two meshes that find one skeleton in different places, a joint of an even scale, a shape, a prop in the hand."""
    joints = (
        Joint("hips", rest=Transform((0.0, 1.0, 0.0), scale=(0.01, 0.01, 0.01))),
        Joint("knee", 0, Transform((0.0, -45.0, 0.0))),
        Joint("foot", 1, Transform((0.0, -45.0, 3.0), (0.6, 0.8, 0.0, 0.0))),
    )
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"), *joint_channels(joints[1], "rx ry rz sx sy sz"),
        *joint_channels(joints[2], "rx ry rz"), Channel("smile", "shape", lower=0.0, upper=1.0),
    )  # fmt: skip
    binds = Rig(joints, channels).rest_world()
    inverse = np.linalg.inv(np.concatenate([binds, np.tile([[[0, 0, 0, 1.0]]], (3, 1, 1))], axis=1))[:, :3]
    other = inverse.copy()
    other[1, :, 3] += (0.0, 5.0, 1.0)
    weights = np.array([[0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [0.0, 0.6, 0.4], [0.1, 0.1, 0.8]])
    names = tuple(joint.name for joint in joints)
    shape = BlendShape("Lächeln", "smile", np.array([[0, 0.1, 0], [0, 0, 0], [0.05, 0, 0], [0, 0, 0]], np.float32))
    uvs = np.array([[0, 0], [1, 0], [0, 1], [0.25, 0.75]], np.float32)
    look = Material("skin", (1.0, 0.5, 0.25, 1.0), PNG, double_sided=True)
    moves = Curves(
        {
            name: Curve.sampled(np.linspace(0, 1, 5), values)
            for name, values in {
                "hips.ty": np.linspace(1, 1.2, 5), "hips.rz": np.linspace(0, 7, 5),
                "knee.rx": [0.0, 1.0, 0.2, 0.4, 1.1], "knee.sy": [1.0, 1.3, 1.1, 0.777, 1.0],
                "foot.ry": np.linspace(-1, 1, 5), "smile": np.linspace(0, 1, 5),
            }.items()
        }
    )  # fmt: skip
    meshes = (
        block("body", names, inverse, weights, shapes=(shape,), uvs=uvs, material=look),
        block("coat", names, other, weights),
        rigid("shoe", "foot"),
    )
    box = Prop("box", Box((0.1, 0.2, 0.1)), joint="foot")
    return Document("leg", Rig(joints, channels), meshes, (box,), (Clip("kick", 1.0, rate=24.0, curves=moves),))


@pytest.mark.parametrize("name", ["talking-face", "handshake"])
def test_a_scene_is_what_usd_core_sees_and_comes_back(name: str, tmp_path: Path) -> None:
    from interop.usd.judge import judged

    document = ib.example(name)
    assert write(document, tmp_path / "a.usdc") == ()
    verdict = judged(tmp_path / "a.usdc", document)
    assert verdict.errors == []
    assert verdict.joints < 1e-6
    assert 0 < verdict.points < 1e-5
    reading = read(tmp_path / "a.usdc")
    assert reading.notes == ()
    kept(document, reading.document)


def test_splines_are_ours_between_frames_in_every_clip(tmp_path: Path) -> None:
    from pxr import Usd

    from interop.usd.judge import judged

    document, path = parts(), tmp_path / "a.usda"
    assert write(document, path) == ()
    verdict = judged(path, document)
    assert verdict.errors == []
    assert verdict.joints < 1e-9
    assert 0 < verdict.points < 1e-6
    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    # Not where a curve rises straight up: there the last digit of a time is worth 1e-5.
    times = np.linspace(-0.1, 1.4, 300)
    ops = {"Grundkörper 1": "_2_parts/Grundk_rper_1", "arm": "_2_parts/Grundk_rper_1/arm"}
    ops["arm.hand"] = ops["arm"] + "/arm_hand"
    words = {"t": ("translate", 1.0), "r": ("rotate", 180 / np.pi), "s": ("scale", 1.0)}
    for clip, variant in zip(document.clips, ("wave", "wave_again"), strict=True):
        assert root.GetVariantSet("clip").SetVariantSelection(variant)
        for name, curve in clip.curves.items():
            joint, _, dof = name.rpartition(".")
            word, factor = words[dof[0]]
            prim = stage.GetPrimAtPath(f"/{ops[joint]}")
            attribute = prim.GetAttribute(f"xformOp:{word}{dof[1].upper()}")
            theirs = np.array([attribute.Get(time * 25.0) for time in times]) / factor
            np.testing.assert_allclose(theirs, evaluate(curve, times), rtol=0, atol=1e-6)
            channel = name.replace(".", "_").replace("ö", "_").replace(" ", "_")
            spline = stage.GetPrimAtPath(f"/_2_parts/Clips/{variant}").GetAttribute(f"inbetweener:channel:{channel}")
            assert [knot.GetValue() for knot in spline.GetSpline().GetKnots().values()] == curve.values.tolist()
    reading = read(path)
    assert reading.notes == ()
    kept(document, reading.document)
    assert write(document, tmp_path / "again.usda") == ()
    assert (tmp_path / "again.usda").read_bytes() == path.read_bytes()


def test_samples_stand_for_splines_where_they_are_asked_for(tmp_path: Path) -> None:
    from pxr import Usd

    document = parts()
    document = replace(document, clips=document.clips[:1])
    write(document, tmp_path / "a.usdc", sampled=True)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    attribute = stage.GetPrimAtPath("/_2_parts/Grundk_rper_1").GetAttribute("xformOp:translateY")
    times = document.clips[0].frame_times
    assert not attribute.HasSpline()
    expected = evaluate(document.clips[0].curves["Grundkörper 1.ty"], times)
    np.testing.assert_allclose([attribute.Get(time * 25) for time in times], expected, atol=1e-9)
    kept(document, read(tmp_path / "a.usdc").document)


@pytest.mark.parametrize("suffix", [".usda", ".usdz"])
def test_skins_bound_in_two_places_with_scales_shapes_and_pictures(suffix: str, tmp_path: Path) -> None:
    from interop.usd.judge import judged

    document, path = skinned(), tmp_path / f"a{suffix}"
    losses = write(document, path)
    # An uneven scale that moves; the even one of the hips is taken out.
    assert [line for line in losses if "half precision" in line] == list(losses)
    assert "scales of 1 joints" in losses[0]
    verdict = judged(path, document)
    assert verdict.errors == []
    assert verdict.joints < 1e-6
    assert 0 < verdict.points < 2e-4
    if suffix == ".usda":
        assert (tmp_path / "a_picture_0.png").read_bytes() == PNG
    reading = read(path)
    assert reading.notes == ()
    kept(document, reading.document)


def test_what_another_program_changed_is_read_as_it_stands(tmp_path: Path) -> None:
    from pxr import Gf, Usd, UsdSkel

    document = skinned()
    write(document, tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    animation = UsdSkel.Animation(stage.GetPrimAtPath("/leg/Clips/kick/Character"))
    moved = animation.GetTranslationsAttr().Get(12)
    moved[0] += Gf.Vec3f(0, 0.5, 0)
    animation.GetTranslationsAttr().Set(moved, 12)
    stage.Save()
    reading = read(tmp_path / "a.usda")
    assert any("not what the file's own channels make of it" in line for line in reading.losses)
    assert any("1 props: are left out" in line for line in reading.losses)
    found = reading.document
    assert [joint.name for joint in found.rig.joints] == ["hips", "knee", "foot"]
    before, after = (each.motion().joint_positions(np.array([11.0, 12.0]) / 24)[:, 0, 1] for each in (document, found))
    np.testing.assert_allclose(after - before, [0.0, 0.5], atol=1e-6)


def test_a_missing_library_is_named_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FormatError, match=r"need usd-core, .*pip install 'inbetweener\[usd\]'"):
        write(parts(), tmp_path / "a.usdz")
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_of_ours_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    """What the file keeps of its document may be anything: then it is read as one of another program."""
    write(parts(), tmp_path / "a.usda")
    text = (tmp_path / "a.usda").read_text()
    chance = random.Random(4)
    damaged = [text.replace('"version": 1', '"version": 1, "x": 2', 1), text.replace('"arm.hand"', '"arm"')]
    for _ in range(4):
        at = chance.randrange(len(text) - 40)
        damaged.append(text[:at] + chance.choice(["", "-", "9", '"', "}", text[at + 20 : at + 40]]) + text[at + 3 :])
    ends = []
    for n, each in enumerate(damaged):
        path = tmp_path / f"{n}.usda"
        path.write_text(each)
        try:
            ends.append(" ".join(read(path).notes))
        except FormatError as error:
            ends.append(str(error))
    assert not any("\n" in each for each in ends)
    assert "damaged" in ends[0]
    assert "read as from another program" in ends[0]


def test_a_webp_picture_is_written_as_png(tmp_path: Path) -> None:
    """USD shows PNG and JPEG only; not a pixel changes."""
    pixels = np.random.default_rng(3).integers(0, 256, (4, 4, 3), np.uint8)
    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "webp", lossless=True)
    joint = Joint("root")
    square = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    mesh = Mesh.rigid(
        "leaf", "root", square, [[0, 1, 2]], uvs=square[:, :2], material=Material(texture=packed.getvalue())
    )
    document = Document("leaf", Rig((joint,), joint_channels(joint)), (mesh,))
    assert not any("texture" in line for line in write(document, tmp_path / "leaf.usda"))
    again = read(tmp_path / "leaf.usda").document.meshes[0].material.texture
    assert again is not None
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(again))), pixels)
    broken = replace(document, meshes=(replace(mesh, material=Material("odd", texture=b"RIFF1234WEBPnothing")),))
    assert any("'odd' is no picture" in line for line in write(broken, tmp_path / "odd.usda"))
