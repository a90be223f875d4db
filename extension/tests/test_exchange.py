# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature with its action goes to the Studio's file and comes back: the same places, the same curves."""

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest

import inbetweener as ib
from extension import blender
from extension.blender import pins
from extension.blender.exchange import fetched, sent
from extension.blender.refusal import Refused
from extension.tests import stage
from inbetweener.document import Document, edits
from inbetweener.motion import Curves
from inbetweener.rig import Point

FINE = np.arange(1.0, 49.01, 0.25)


def keyed(scene: bpy.types.Scene, modes: list[str] | None = None) -> bpy.types.Object:
    ob = stage.armature(scene)
    stage.animate(ob, modes or ["XYZ", "ZXY"])
    return ob


def skinned(scene: bpy.types.Scene, ob: bpy.types.Object) -> bpy.types.Object:
    """A grid on an object of its own, its rows weighted to two bones each."""
    data = bpy.data.meshes.new("skin")
    vertices = [(0.1 * x, 0.05 * (n % 3), 0.2 * n) for n in range(8) for x in range(2)]
    data.from_pydata(vertices, [], [(2 * n, 2 * n + 1, 2 * n + 3, 2 * n + 2) for n in range(7)])
    skin = bpy.data.objects.new("skin", data)
    skin.location, skin.rotation_euler = (0.2, 0.1, 0.05), (0.1, 0.2, 0.3)
    scene.collection.objects.link(skin)
    for n in range(16):
        for bone, weight in ((n // 4, 0.7), (min(3, n // 4 + 1), 0.2)):
            group = skin.vertex_groups.get(f"b{bone}") or skin.vertex_groups.new(name=f"b{bone}")
            group.add([n], weight, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = ob
    return skin


def as_blender(points: np.ndarray) -> np.ndarray:
    """Y up to Z up."""
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)


def through_a_file(document: Document, folder: Path) -> Document:
    ib.save(document, folder / "sent.tween")
    return ib.load(folder / "sent.tween")


def test_every_bone_is_where_blender_has_it_on_frames_and_between(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    document = through_a_file(sent(ob, scene).document, tmp_path)
    places = [Point(bone.name) for bone in ob.pose.bones]
    ours = as_blender(document.motion().point_positions(FINE / 24.0, places))
    for n, bone in enumerate(ob.pose.bones):
        assert np.abs(ours[:, n] - stage.where(scene, ob, bone.name, FINE)).max() < 2e-6


def test_the_skin_is_where_blender_has_it(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    skin = skinned(scene, ob)
    document = through_a_file(sent(ob, scene).document, tmp_path)
    for frame in (1, 20, 49):
        scene.frame_set(frame)
        seen = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
        theirs = np.array([tuple(seen.matrix_world @ v.co) for v in seen.data.vertices])
        assert np.abs(as_blender(_skinned(document, frame)) - theirs).max() < 1e-5


def _skinned(document: Document, frame: int) -> np.ndarray:
    """Linear blending in plain numpy."""
    (mesh,) = document.meshes
    world = document.motion().world_from_joint(np.array([frame / 24.0]))[0]
    numbers = [document.rig.joint_index(name) for name in mesh.joints]
    wide = np.concatenate([mesh.joint_from_mesh, np.tile([[[0.0, 0.0, 0.0, 1.0]]], (len(mesh.joints), 1, 1))], axis=1)
    moved = world[numbers] @ wide
    homogeneous = np.concatenate([mesh.vertices, np.ones((len(mesh.vertices), 1))], axis=1)
    each = np.einsum("vnrc,vc->vnr", moved[mesh.influences], homogeneous)
    return np.einsum("vn,vnr->vr", mesh.weights, each)


def test_what_comes_back_unchanged_changes_nothing(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    before, points = stage.handles(ob), stage.keys(ob)
    told = fetched(ob, scene, through_a_file(sent(ob, scene).document, tmp_path))
    assert told == "arm: no curve changed"
    assert stage.handles(ob) == before
    assert stage.same_keys(points, stage.keys(ob))


def test_a_drag_in_the_studio_comes_back_as_handles_alone(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    pins.keep(ob, [pins.Held("b1"), pins.Held("b0", "TAIL", "contact", 13.0, 25.0)])
    document = through_a_file(sent(ob, scene).document, tmp_path)
    assert [rule.kind for rule in document.rules()] == ["pin", "contact"]
    points = stage.keys(ob)
    dragged = edits.drag(
        edits.remove_constraint(document, document.constraints[1].name), "b3", time=19 / 24, by=(0.0, 0.03, 0.0)
    )
    wish = stage.where(scene, ob, "b3", [19.0])[0] + np.array([0.0, 0.0, 0.03])
    pinned = stage.where(scene, ob, "b1", FINE)
    told = fetched(ob, scene, dragged.document)
    assert "handles of" in told
    assert "keys" not in told
    assert stage.same_keys(points, stage.keys(ob))
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0])[0] - wish) < 1e-4
    assert np.abs(stage.where(scene, ob, "b1", FINE) - pinned).max() < 1e-4
    assert pins.held(ob) == [pins.Held("b1")]


def test_new_keys_come_back_too(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    document = through_a_file(sent(ob, scene).document, tmp_path)
    curve = document.clip().curves["b2.rx"]
    values = curve.values.copy()
    values[1] += 0.2
    clip = replace(document.clip(), curves=Curves({**document.clip().curves, "b2.rx": replace(curve, values=values)}))
    changed = replace(document, clips=(clip,))
    assert fetched(ob, scene, changed) == "arm: keys of 1 curves changed"
    again = sent(ob, scene).document.clip().curves["b2.rx"]
    assert np.abs(again.values - values).max() < 1e-6


def test_refusals_name_what_and_how(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene, ["QUATERNION", "XYZ"])
    with pytest.raises(Refused, match=r"b0, b2 turn by quaternions, .*Convert Rotation Modes"):
        sent(ob, scene)
    other = keyed(scene)
    other.name = "other"
    document = sent(other, scene).document
    with pytest.raises(Refused, match="other was not sent from arm; select the object"):
        fetched(ob, scene, document)
    scene.render.fps = 30
    with pytest.raises(Refused, match="plays at 24 frames a second, the scene at 30"):
        fetched(other, scene, document)


def test_the_operators_write_and_read_a_file(scene: bpy.types.Scene, tmp_path: Path) -> None:
    blender.register()
    try:
        ob = keyed(scene)
        bpy.context.view_layer.objects.active = ob
        assert bpy.ops.inbetweener.send(filepath=str(tmp_path / "arm")) == {"FINISHED"}
        before = stage.handles(ob)
        assert bpy.ops.inbetweener.fetch(filepath=str(tmp_path / "arm.tween")) == {"FINISHED"}
        assert stage.handles(ob) == before
        with pytest.raises(RuntimeError, match=r"missing\.tween"):
            bpy.ops.inbetweener.fetch(filepath=str(tmp_path / "missing.tween"))
    finally:
        blender.unregister()


def test_an_object_that_lost_its_action_is_refused_and_left(scene: bpy.types.Scene, tmp_path: Path) -> None:
    ob = keyed(scene)
    document = through_a_file(sent(ob, scene).document, tmp_path)
    ob.animation_data_clear()
    with pytest.raises(Refused, match=r"arm has no action any more for .* give it one"):
        fetched(ob, scene, document)
    assert ob.animation_data is None or ob.animation_data.action is None
