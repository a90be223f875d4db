# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever happens in the middle of a gesture: one line, no copy left behind, and the file as it was."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from extension.blender import arcs, pins, registered
from extension.blender.dragging import Dragging
from extension.blender.pulling import Pulling
from extension.blender.refusal import Refused
from extension.tests import stage

PLACE = ("b3", "TAIL")


@pytest.fixture(params=["exact", "measured"])
def ob(request: pytest.FixtureRequest, scene: bpy.types.Scene, arm: bpy.types.Object) -> bpy.types.Object:
    """The arm, plain or with a constraint, with a step of undo behind it."""
    if request.param == "measured":
        follow = arm.pose.bones["b3"].constraints.new("COPY_ROTATION")
        follow.target, follow.subtarget, follow.influence = arm, "b0", 0.5
    scene.frame_set(25)
    bpy.ops.ed.undo_push(message="made")
    return arm


def held(scene: bpy.types.Scene, ob: bpy.types.Object) -> Dragging:
    drag = Dragging(ob, PLACE, 19.0, scene)
    drag.to(drag.start + np.array([0.01, 0.0, 0.01]))
    return drag


def alone() -> bool:
    return len(bpy.data.scenes) == len(bpy.data.armatures) == 1


def test_an_undo_in_the_middle_ends_the_drag(scene: bpy.types.Scene, ob: bpy.types.Object) -> None:
    before = stage.handles(ob)
    drag = held(scene, ob)
    bpy.ops.ed.undo_push(message="somebody else's step")
    bpy.ops.ed.undo()
    with pytest.raises(Refused, match="undone, opened or disabled meanwhile; take hold again"):
        drag.to(drag.start)
    drag.cancel()
    assert stage.handles(bpy.data.objects["arm"]) == before
    assert alone()


@pytest.mark.parametrize("new", [True, False])
def test_another_file_in_the_middle_ends_the_drag(
    scene: bpy.types.Scene, ob: bpy.types.Object, tmp_path: Path, new: bool
) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "arm.blend"))
    drag, pull = held(scene, ob), Pulling(ob, [PLACE], scene)
    if new:
        bpy.ops.wm.read_homefile(use_empty=True)
    else:
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "arm.blend"))
    for gesture in (drag, pull):
        with pytest.raises(Refused, match="take hold again"):
            gesture.to((0.0, 0.0, 0.0))
        gesture.cancel()
    assert len(bpy.data.scenes) == 1
    assert len(bpy.data.armatures) == (0 if new else 1)


def test_disabling_in_the_middle_puts_everything_back(scene: bpy.types.Scene, ob: bpy.types.Object) -> None:
    before, was = stage.handles(ob), tuple(ob.pose.bones["b2"].rotation_quaternion)
    drag = held(scene, ob)
    pull = Pulling(ob, [PLACE], scene)
    pull.to(pull.starts[0] + 0.05)
    registered.unregister()
    try:
        assert stage.handles(ob) == before
        np.testing.assert_allclose(ob.pose.bones["b2"].rotation_quaternion, was, atol=1e-6)
        with pytest.raises(Refused, match="take hold again"):
            drag.to(drag.start)
        assert alone()
    finally:
        registered.register()


def test_a_frame_change_or_a_renamed_action_does_not_matter(scene: bpy.types.Scene, ob: bpy.types.Object) -> None:
    drag = held(scene, ob)
    scene.frame_set(40)
    ob.animation_data.action.name = "another"
    wish = drag.start + np.array([0.0, 0.005, 0.005])
    assert drag.to(wish).reached
    drag.keep()
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0], "TAIL")[0] - wish) < 1e-4
    assert alone()


@pytest.mark.parametrize("gone", ["curve", "key", "action", "object"])
def test_what_is_gone_is_named_and_the_rest_put_back(scene: bpy.types.Scene, ob: bpy.types.Object, gone: str) -> None:
    before = stage.handles(ob)
    drag = held(scene, ob)
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    if gone == "curve":
        bag.fcurves.remove(bag.fcurves[-1])
    elif gone == "key":
        curve = bag.fcurves[-1]
        curve.keyframe_points.remove(curve.keyframe_points[-1])
    elif gone == "action":
        ob.animation_data.action = None
    else:
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.data.objects.remove(ob)
    with pytest.raises(Refused, match=r"(is gone|has other keys now).*; drag again"):
        drag.to(drag.start - 0.02)
    drag.cancel()
    assert len(bpy.data.scenes) == 1
    if gone in ("curve", "key"):
        last = list(before)[-1]
        now = stage.handles(ob)
        assert {name: each for name, each in now.items() if name != last} == {
            name: each for name, each in before.items() if name != last
        }


def test_a_deleted_bone_that_is_pinned_is_named(scene: bpy.types.Scene, ob: bpy.types.Object) -> None:
    pins.keep(ob, [pins.Held("gone")])
    with pytest.raises(RuntimeError, match="arm has no bone 'gone' any more; unpin it, or undo its renaming"):
        bpy.ops.inbetweener.drag(bone="b3", frame=19.0, target=(0.0, 0.0, 0.0))
    assert alone()


def test_a_fault_of_ours_is_one_line_and_arcs_come_again(
    scene: bpy.types.Scene, ob: bpy.types.Object, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.inbetweener.show = True
    with monkeypatch.context() as patch:
        patch.setattr(arcs, "held", lambda ob: 1 / 0)
        arcs.SHOWN.stale = True
        while registered._keep_fresh() == 0.0:
            pass
        assert arcs.SHOWN.problem == "no arcs, by a fault of Inbetweener's: ZeroDivisionError: division by zero"
        assert alone()
    arcs.SHOWN.stale = True
    while registered._keep_fresh() == 0.0:
        pass
    assert arcs.SHOWN.problem == ""
    assert len(arcs.SHOWN.arcs) == 1
