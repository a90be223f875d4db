# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked actions become few keys, and Blender finds everything where it was, within what was asked for."""

import bpy
import numpy as np
import pytest

from extension.blender.fitting import fit
from extension.blender.refusal import Refused
from extension.tests import stage

FINE = np.arange(1.0, 49.01, 0.25)


def baked(scene: bpy.types.Scene, modes: list[str]) -> bpy.types.Object:
    """An arm with a key on every frame of every curve."""
    ob = stage.armature(scene)
    stage.animate(ob, modes, frames=(1, 17, 33, 49))
    bag = ob.animation_data.action.layers[0].strips[0].channelbag(ob.animation_data.action_slot)
    for curve in bag.fcurves:
        values = [curve.evaluate(frame) for frame in range(1, 50)]
        for frame, value in zip(range(1, 50), values, strict=True):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
        curve.update()
    return ob


@pytest.mark.parametrize("modes", [["XYZ"], ["QUATERNION", "XYZ"]], ids=["angles", "quaternions"])
def test_a_baked_action_is_fitted_within_its_tolerance(scene: bpy.types.Scene, modes: list[str]) -> None:
    ob = baked(scene, modes)
    before = {bone: stage.where(scene, ob, bone, FINE) for bone in ("b1", "b2", "b3")}
    count = sum(map(len, stage.keys(ob).values()))
    report = fit(ob, scene, 0.005)
    assert report.holds
    assert sum(map(len, stage.keys(ob).values())) < 0.3 * count
    for bone, was in before.items():
        assert np.linalg.norm(stage.where(scene, ob, bone, FINE) - was, axis=1).max() < 0.005 + 1e-4


def test_what_constraints_move_is_refused(scene: bpy.types.Scene) -> None:
    ob = baked(scene, ["XYZ"])
    ob.pose.bones["b2"].constraints.new("LIMIT_ROTATION")
    before = stage.handles(ob)
    with pytest.raises(Refused, match="bone b2 has constraints: only plain bones"):
        fit(ob, scene, 0.005)
    assert stage.handles(ob) == before
