"""Real files: where Maya, Blender and 3ds Max have every vertex, and what is said of what is not kept."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import KDTree

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.formats import read, write
from inbetweener.motion import Clip, Curves
from inbetweener.rig import DOFS, Joint, Rig, joint_channels
from inbetweener.skinning import Skin
from tests.formats.fbx.build import Made

EXPECTED = {
    "blender440_shape_weight_anim_7400_binary": ("blender440_shape_weight_anim", {5: "", 15: "", 25: ""}),
    "blender_279_sausage_7400_binary": (
        "blender_279_sausage",
        {"spin_15": "Skeleton|Spin", "wiggle_20": "Skeleton|Wiggle"},
    ),
    "maya_axes_anim_7700_ascii": ("maya_axes_anim", {0: ""}),
    "maya_blend_inbetween_7500_binary": ("maya_blend_inbetween", {1: "", 30: "", 65: "", 120: ""}),
    "maya_kenney_character_7700_binary": ("maya_kenney_character", {4: "", 9: ""}),
    "maya_mixed_inherit_mode_7700_ascii": ("maya_mixed_inherit_mode", {0: "", 3: "", 7: ""}),
    "maya_pivots_7500_binary": ("maya_pivots", {"": ""}),
    "synthetic_pre_post_rotate_7500_ascii": ("synthetic_pre_post_rotate", {"": ""}),
}


def vertices(document: ib.Document, clip: str | None, time: float) -> np.ndarray:
    rig = document.rig
    pose = document.motion(clip).channels(np.array([time]))[0] if document.clips else rig.defaults
    return np.concatenate([Skin(mesh, rig).vertices(pose) for mesh in document.meshes])


@pytest.mark.parametrize("name", EXPECTED)
def test_vertices_are_where_the_program_that_wrote_the_file_had_them(name: str, data: Path) -> None:
    stem, frames = EXPECTED[name]
    document = read(data / "fbx" / "ufbx" / f"{name}.fbx").document
    for label, clip in frames.items():
        path = data / "fbx" / "ufbx" / "expected" / (f"{stem}_{label}.obj" if label != "" else f"{stem}.obj")
        rows = [line.split()[1:4] for line in path.read_text().splitlines() if line.startswith("v ")]
        theirs = np.array(rows, np.float64)
        frame = int(str(label).rpartition("_")[2] or 0)
        rate = document.clips[0].rate if document.clips else 24.0
        ours = vertices(document, clip or None, frame / rate) / document.source.unit
        size = np.ptp(theirs, axis=0).max()
        # The programs print six digits.
        assert KDTree(theirs).query(ours)[0].max() < 2e-4 * size, label
        assert KDTree(ours).query(theirs)[0].max() < 2e-4 * size, label


@pytest.mark.parametrize("name", ["characters/momentum_multiple_motions", "ufbx/maya_mixed_inherit_mode_7700_ascii"])
def test_saved_and_opened_again_it_moves_the_same(name: str, data: Path, tmp_path: Path) -> None:
    before = read(data / "fbx" / f"{name}.fbx").document
    write(before, tmp_path / "a.fbx")
    after = read(tmp_path / "a.fbx").document
    clip = before.clips[0]
    times = np.linspace(clip.start, clip.end, 41)
    order = [after.rig.joint_index(joint.name) for joint in before.rig.joints]
    one, two = before.motion(clip.name), after.motion(clip.name)
    assert np.abs(two.joint_positions(times)[:, order] - one.joint_positions(times)).max() < 2e-6
    assert [mesh.name for mesh in after.meshes] == [mesh.name for mesh in before.meshes]
    for time in times[::10]:
        assert np.abs(vertices(after, clip.name, time) - vertices(before, clip.name, time)).max() < 2e-6


def test_what_carries_no_body_is_left_out_in_one_line(data: Path) -> None:
    reading = read(data / "fbx" / "ufbx" / "maya_human_ik_7400_binary.fbx")
    assert len(reading.document.rig.joints) == 64
    (line,) = (line for line in reading.losses if "left out" in line and "Effector" in line)
    assert "90 nodes" in line


def test_layers_that_add_up_are_layers(data: Path, tmp_path: Path) -> None:
    made = Made()
    arm = made.model("arm")
    made.layered(Weight=100.0)
    made.move(arm, "Lcl Rotation", Curve.sampled([0.0, 1.0], [0.0, 90.0]), None, None)
    made.layered(Weight=50.0, BlendMode=0, RotationAccumulationMode=1)
    made.move(arm, "Lcl Rotation", Curve.sampled([0.0, 1.0], [0.0, 20.0]), None, None)
    document = read(made.save(tmp_path / "a.fbx")).document
    (layer,) = document.clip().layers
    assert (layer.weight, list(layer.curves)) == (0.5, ["arm.rx"])
    angle = document.motion().channels(np.array([1.0]))[0, document.rig.channel_index("arm.rx")]
    assert np.degrees(angle) == pytest.approx(100.0)


def test_a_scene_of_ours_comes_back_with_skin_shapes_and_tangents(tmp_path: Path) -> None:
    before = ib.example("talking-face")
    losses = write(before, tmp_path / "a.fbx")
    assert all("FBX" in line or "view" in line for line in losses)
    after = read(tmp_path / "a.fbx").document
    clip = before.clips[0]
    times = np.linspace(clip.start, clip.end, 29)
    names = [joint.name for joint in before.rig.joints]
    order = [after.rig.joint_index(name) for name in names]
    one, two = before.motion(), after.motion()
    assert np.abs(two.joint_positions(times)[:, order] - one.joint_positions(times)).max() < 1e-6
    meshes = {mesh.name: mesh for mesh in after.meshes}
    for mesh in before.meshes:
        other = meshes[mesh.name]
        np.testing.assert_array_equal(other.triangles, mesh.triangles)
        np.testing.assert_allclose(other.vertices, mesh.vertices, atol=1e-7)
        np.testing.assert_allclose(other.normals, mesh.normals, atol=1e-6)
        assert (other.material, len(other.shapes)) == (mesh.material, len(mesh.shapes))
        for time in times[::7]:
            a = Skin(mesh, before.rig).vertices(one.channels(np.array([time]))[0])
            b = Skin(other, after.rig).vertices(two.channels(np.array([time]))[0])
            assert np.abs(a - b).max() < 1e-6


def test_long_captures_of_ours_need_no_trust(tmp_path: Path) -> None:
    joint = Joint("hips")
    times = np.arange(60_000) / 120.0
    chance = np.random.default_rng(2)
    curves = {f"hips.{dof}": Curve.sampled(times, chance.normal(size=60_000)) for dof in DOFS}
    clip = Clip("long", float(times[-1]), rate=120.0, curves=Curves(curves))
    before = ib.Document("long", Rig((joint,), joint_channels(joint, " ".join(DOFS))), clips=(clip,))
    write(before, tmp_path / "a.fbx")
    after = read(tmp_path / "a.fbx").document.clip()
    for name, curve in clip.curves.items():
        np.testing.assert_allclose(after.curves[name].values, curve.values, rtol=2e-7)
