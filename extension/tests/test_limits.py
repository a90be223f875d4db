# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of bones hold between frames too: those of constraints, as Blender clamps them, and those of IK."""

import bpy
import numpy as np
import pytest

from extension.blender.dragging import Dragging
from extension.blender.pulling import Pulling
from extension.tests import stage

FINE = np.arange(1.0, 49.01, 0.25)


def curve(ob: bpy.types.Object, bone: str, index: int) -> bpy.types.FCurve:
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    return bag.fcurves.find(f'pose.bones["{bone}"].rotation_euler', index=index)


def limited(scene: bpy.types.Scene, room: float) -> tuple[bpy.types.Object, list[tuple[float, float]]]:
    """An arm whose third bone has a limit constraint with so much room beside its own motion; the limits."""
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"], seed=4)
    limit = ob.pose.bones["b2"].constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    found = []
    for n, axis in enumerate("xyz"):
        values = [curve(ob, "b2", n).evaluate(frame) for frame in np.arange(1.0, 49.01, 0.05)]
        found.append((min(values) - room, max(values) + room))
        setattr(limit, f"use_limit_{axis}", True)
        setattr(limit, f"min_{axis}", found[-1][0])
        setattr(limit, f"max_{axis}", found[-1][1])
    return ob, found


def test_curves_stay_within_limit_constraints_and_are_taken_exactly(scene: bpy.types.Scene) -> None:
    ob, wide = limited(scene, room=0.01)
    drag = Dragging(ob, ("b3", "TAIL"), 19.0, scene)
    assert drag.take.is_exact
    wish = drag.start + np.array([0.05, 0.03, -0.04])
    solution = drag.to(wish)
    drag.keep()
    # What our solver says is what Blender shows, clamped or not.
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0], "TAIL")[0] - solution.position) < 1e-4
    for n, (low, high) in enumerate(wide):
        values = np.array([curve(ob, "b2", n).evaluate(frame) for frame in np.arange(1.0, 49.01, 0.05)])
        assert low - 1e-5 <= values.min()
        assert values.max() <= high + 1e-5


def test_keys_beyond_their_limits_are_measured(scene: bpy.types.Scene) -> None:
    ob, _ = limited(scene, room=-0.05)
    drag = Dragging(ob, ("b3", "TAIL"), 19.0, scene)
    assert not drag.take.is_exact
    assert "beyond the limits" in drag.take.obstacle
    drag.cancel()


@pytest.mark.parametrize("room", [0.02, 3.0])
def test_pulls_keep_to_the_limits_of_inverse_kinematics(scene: bpy.types.Scene, room: float) -> None:
    ob = stage.armature(scene)
    stage.animate(ob, ["XYZ"], seed=4)
    scene.frame_set(25)
    for name in ("b1", "b2", "b3"):
        bone = ob.pose.bones[name]
        for n, axis in enumerate("xyz"):
            setattr(bone, f"use_ik_limit_{axis}", True)
            setattr(bone, f"ik_min_{axis}", max(-3.1, min(0.0, bone.rotation_euler[n] - room)))
            setattr(bone, f"ik_max_{axis}", min(3.1, max(0.0, bone.rotation_euler[n] + room)))
    pull = Pulling(ob, [("b3", "TAIL")], scene, chain=3)
    reached = pull.to(pull.starts[0] + np.array([0.2, 0.1, -0.3])).reached
    assert reached == (room > 1.0)
    pull.keep()
    for name in ("b1", "b2", "b3"):
        bone = ob.pose.bones[name]
        for n, axis in enumerate("xyz"):
            low, high = getattr(bone, f"ik_min_{axis}"), getattr(bone, f"ik_max_{axis}")
            assert low - 1e-5 <= bone.rotation_euler[n] <= high + 1e-5
