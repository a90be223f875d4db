# SPDX-License-Identifier: GPL-3.0-or-later
"""Dense actions, captured or baked, with few keys instead: everything stays within a distance in the world."""

from dataclasses import replace

import bpy
import numpy as np

from inbetweener.curves import BEZIER, CONSTANT, LINEAR, Curve
from inbetweener.motion import Clip, Curves, FitReport, fit_clip

from .action import fcurves, rate_of, sources
from .armature import bone_of, obstacle, plain, size_of
from .bones import rig_of
from .keys import ALIGNED, FREE
from .refusal import Refused

_INTERPOLATIONS = {CONSTANT: 0, LINEAR: 1, BEZIER: 2}


def fit(ob: bpy.types.Object, scene: bpy.types.Scene, tolerance: float) -> FitReport:
    """Replace the keys of an object's action by few; metres that anything may be off at any time."""
    known = sources(ob, scene, lambda path: True)
    if not known:
        raise Refused(f"{ob.name} has no action with keys; there is nothing to fit")
    bones = sorted({bone for each in known.values() if (bone := bone_of(each.path)) is not None})
    in_the_way = obstacle(ob, bones)
    if in_the_way:
        raise Refused(f"{in_the_way}: only plain bones are fitted; bake the action to them first, with Bake Action")
    rig, curves = rig_of(plain(ob, bones), {name: each.curve for name, each in known.items()}, size_of(ob))
    # What moves nothing of the rig, such as a custom property, keeps its keys.
    names = {channel.name for channel in rig.channels}
    first, last = (float(f([each.curve.times[n] for each in known.values()])) for f, n in ((min, 0), (max, -1)))
    clip = Clip("action", end=last, start=first, rate=rate_of(scene))
    fitted, report = fit_clip(rig, replace(clip, curves=Curves(curves)), tolerance)
    listed = fcurves(ob)
    for name, source in known.items():
        if name in names and not source.held and fitted.curves[name] is not curves[name]:
            rekey(listed[source.number], fitted.curves[name], clip.rate)
    return report


def rekey(fcurve: bpy.types.FCurve, curve: Curve, rate: float) -> None:
    """Give an F-curve the keys of one of ours."""
    points, frames = fcurve.keyframe_points, np.array([rate, 1.0])
    points.clear()
    points.add(len(curve))
    keys = np.stack([curve.times * rate, curve.values], axis=1)
    kinds = np.where(curve.tied, ALIGNED, FREE).astype(np.int32)
    for name in ("handle_left_type", "handle_right_type"):
        points.foreach_set(name, kinds)
    points.foreach_set("interpolation", np.array([_INTERPOLATIONS[int(k)] for k in curve.interpolations], np.int32))
    for name, places in (
        ("co", keys),
        ("handle_left", keys - curve.ins * frames),
        ("handle_right", keys + curve.outs * frames),
    ):
        points.foreach_set(name, np.ascontiguousarray(places, np.float32).ravel())
    fcurve.update()
