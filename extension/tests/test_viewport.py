# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shown and taken hold of in the viewport: arcs bit by bit, fading, axes, gizmos, steps and surfaces."""

import re
from pathlib import Path

import bpy
import numpy as np
import pytest

from extension.blender import arcs, gizmos, registered, snapping, stripped
from extension.tests import stage


@pytest.fixture
def measured(scene: bpy.types.Scene, arm: bpy.types.Object) -> bpy.types.Object:
    """The arm, its last bone moved by a constraint, its arc wanted."""
    follow = arm.pose.bones["b3"].constraints.new("COPY_ROTATION")
    follow.target, follow.subtarget, follow.influence = arm, "b0", 0.5
    scene.inbetweener.show, scene.inbetweener.end = True, "TAIL"
    return arm


def test_measured_arcs_come_in_slices_and_are_the_same(
    scene: bpy.types.Scene, measured: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arcs, "SLICE", 0.0)
    arcs.begin(bpy.context)
    slices = 0
    while arcs.go_on():
        slices += 1
        assert arcs.SHOWN.arcs == []
    assert slices > 49
    (arc,) = arcs.SHOWN.arcs
    np.testing.assert_allclose(arc.ticks, stage.where(scene, measured, "b3", range(1, 50), "TAIL"), atol=5e-6)
    np.testing.assert_allclose(arc.turns[18], stage.turned(scene, measured, "b3", 19.0), atol=1e-5)
    assert len(bpy.data.scenes) == 1


@pytest.mark.parametrize("end", ["stop", "undo", "open", "disable"])
def test_whatever_stops_measuring_takes_the_copy_away(
    scene: bpy.types.Scene,
    measured: bpy.types.Object,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    end: str,
) -> None:
    bpy.ops.ed.undo_push(message="constrained")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "before.blend"))
    monkeypatch.setattr(arcs, "SLICE", 0.0)
    arcs.begin(bpy.context)
    for _ in range(5):
        arcs.go_on()
    assert len(bpy.data.scenes) == 2
    if end == "stop":
        arcs.SHOWN.stop()
    elif end == "undo":
        # Somebody's step holds the copy; taking it back and forth brings it to life again.
        bpy.ops.ed.undo_push(message="with the copy")
        bpy.ops.ed.undo()
        bpy.ops.ed.redo()
    elif end == "open":
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "before.blend"))
    else:
        registered.unregister()
        registered.register()
    assert len(bpy.data.scenes) == len(bpy.data.armatures) == len(bpy.data.objects) == 1
    assert arcs.SHOWN.making is None


def test_files_never_hold_copies(scene: bpy.types.Scene, measured: bpy.types.Object, tmp_path: Path) -> None:
    """Without the help of handlers, which nobody calls when Blender saves by itself."""
    copy = stripped.Stripped(measured, [("b3", "HEAD")], {"b0", "b1", "b2", "b3"})
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arm.blend"), copy=True)
    assert len(bpy.data.scenes) == 2
    with bpy.data.libraries.load(str(tmp_path / "arm.blend")) as (there, _):
        assert (there.scenes, there.objects, there.armatures) == (["Scene"], ["arm"], ["arm"])
    copy.close()


def test_far_frames_fade_and_axes_are_the_bones_own(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    scene.inbetweener.show = True
    arcs.refresh(bpy.context)
    (arc,) = arcs.SHOWN.arcs
    strength = arc.strength(arc.frames, 20.0)
    assert strength[19] == 1.0
    assert (np.diff(strength[:20]) > 0.0).all()
    assert strength.min() == pytest.approx(arcs.FAINT)
    ends, colours = arc.axes()
    assert len(ends) == len(colours) == 6 * 49
    tips = (ends[1::2] - ends[::2]).reshape(49, 3, 3) / (arcs.AXIS * arc.size)
    np.testing.assert_allclose(tips[18].T, stage.turned(scene, arm, "b3", 19.0), atol=1e-5)


def test_gizmos_hold_the_current_frame_of_the_active_bone(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    poll = gizmos.INBETWEENER_GGT_arc.poll
    scene.inbetweener.show = True
    arcs.refresh(bpy.context)
    scene.frame_set(19)
    arc, number = arcs.current(bpy.context)
    assert (arc.place, arc.frames[number]) == (("b3", "HEAD"), 19.0)
    assert poll(bpy.context)
    scene.inbetweener.gizmo = False
    assert not poll(bpy.context)
    scene.inbetweener.gizmo = True
    scene.frame_end = 60
    scene.frame_set(55)
    assert not poll(bpy.context)
    for axis, turn in gizmos._ALONG.items():
        assert turn.determinant() == pytest.approx(1.0)
        assert list(turn.col[2]).index(1.0) == "XYZ".index(axis)


def test_the_operator_turns_and_scales_timing(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    was, turned = stage.where(scene, arm, "b3", [19.0])[0], stage.turned(scene, arm, "b3", 19.0)
    assert bpy.ops.inbetweener.drag(bone="b3", frame=19.0, turn=(0.0, 0.0, 0.05)) == {"FINISHED"}
    after = stage.turned(scene, arm, "b3", 19.0)
    angle = np.arccos((np.trace(after @ turned.T) - 1.0) / 2.0)
    assert angle == pytest.approx(0.05, abs=1e-3)
    assert np.linalg.norm(stage.where(scene, arm, "b3", [19.0])[0] - was) < 1e-4
    before, points = stage.handles(arm), stage.keys(arm)
    assert bpy.ops.inbetweener.drag(bone="b3", frame=19.0, faster=0.1) == {"FINISHED"}
    assert stage.handles(arm) != before
    assert stage.same_keys(points, stage.keys(arm))


def test_surfaces_are_met_but_not_ones_own(scene: bpy.types.Scene, arm: bpy.types.Object) -> None:
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, height in (("floor", 0.0), ("own", 1.0)):
        data = bpy.data.meshes.new(name)
        data.from_pydata([(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], [], [(0, 1, 2, 3)])
        ob = bpy.data.objects.new(name, data)
        ob.location.z = height
        scene.collection.objects.link(ob)
        if name == "own":
            ob.modifiers.new("Armature", "ARMATURE").object = arm
    settings, eye, down = scene.tool_settings, np.array([0.3, 0.4, 5.0]), np.array([0.0, 0.0, -1.0])
    assert not snapping.wanted(scene, False)
    assert snapping.wanted(scene, True)
    settings.use_snap = True
    assert not snapping.wanted(scene, True)
    settings.snap_elements = {"INCREMENT"}
    assert snapping.to_surface(bpy.context, arm, eye, down) is None
    settings.snap_elements = {"FACE"}
    np.testing.assert_allclose(snapping.to_surface(bpy.context, arm, eye, down), (0.3, 0.4, 0.0), atol=1e-6)
    settings.snap_elements = {"VERTEX"}
    np.testing.assert_allclose(snapping.to_surface(bpy.context, arm, eye, down), (2.0, 2.0, 0.0), atol=1e-6)
    assert snapping.to_surface(bpy.context, arm, eye, -down) is None


def test_every_icon_is_one_of_blenders() -> None:
    """Nothing is drawn without a window, so a wrong name would show there first, as an empty tab."""
    known = set(bpy.types.UILayout.bl_rna.functions["operator"].parameters["icon"].enum_items.keys())
    folder = Path(registered.__file__).parent
    used = {name for path in folder.glob("*.py") for name in re.findall(r'icon="(\w+)"', path.read_text())}
    assert len(used) > 10
    assert used <= known, used - known
