# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature with its skins, action and pins as a document of ours and back, curve by curve: nothing is sampled.

What Blender calls `location[0]` of a bone is `bone.tx` there, along the same turned axis; angles are `bone.rx` in the
bone's own order. Above the object stands a joint that turns Blender's Z up into our Y up.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np

from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Contact, Curves, Pin
from inbetweener.rig import Joint, Point, Rig
from inbetweener.skinning import Material, Mesh, normalised_weights

from .action import Source, fcurves, keys_of, put, rate_of, sources
from .armature import obstacle, plain, size_of
from .bones import OBJECT, Bone, rig_of, rotation_property
from .fitting import rekey
from .keys import with_handles
from .pins import Held, Kind, held, keep
from .refusal import Refused

UP = "z up"
"""The joint above the object: Blender's world, seen from ours."""
_UPRIGHT = Transform(rotation=(math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))
_PROPERTIES = {"location": "t", "rotation_euler": "r", "scale": "s"}
CLIP = "action"
SAME = 1e-6
"""Frames, and units of a value, below which two keys are one: Blender keeps seven digits."""


@dataclass(frozen=True)
class Sent:
    """A document, and what of the object it does not have."""

    document: Document
    left: tuple[str, ...]


def sent(ob: bpy.types.Object, scene: bpy.types.Scene) -> Sent:
    """What an object and its action are to us."""
    bpy.context.view_layer.update()
    names = [bone.name for bone in ob.pose.bones] if ob.type == "ARMATURE" else []
    in_the_way = obstacle(ob, names)
    if in_the_way:
        raise Refused(f"{in_the_way}: only plain bones can be sent; bake the action to them first, with Bake Action")
    bones = plain(ob, names)
    turning = [each.name for each in bones if each.mode == "QUATERNION"]
    if turning:
        raise Refused(
            f"{_some(turning)} turn{'s' * (len(turning) == 1)} by quaternions, which have no curves in the Studio; "
            "convert them with Pose > Convert Rotation Modes to XYZ Euler first"
        )
    known = sources(ob, scene, lambda path: True)
    rig, curves = rig_of(bones, {name: each.curve for name, each in known.items()}, size_of(ob))
    called = _called(bones)
    joints = [Joint(UP, rest=_UPRIGHT), *(replace(each, parent=each.parent + 1) for each in rig.joints)]
    channels = tuple(replace(each, name=called[each.name]) for each in rig.channels)
    # What has no keys and stands elsewhere than at rest gets one key.
    keyed = {
        called[each.name]: curves[each.name]
        for each in rig.channels
        if each.name in known or float(curves[each.name].values[0]) != each.default
    }
    rate = rate_of(scene)
    clip = Clip(CLIP, scene.frame_end / rate, scene.frame_start / rate, rate, Curves(keyed))
    meshes, left = _meshes(ob)
    document = Document(ob.name, Rig(tuple(joints), channels), meshes, clips=(clip,))
    for each in held(ob):
        document = edits.add_constraint(document, CLIP, each.constraint(lambda place: _point(ob, place), rate))
    others = [source.name for name, source in known.items() if name not in called]
    left += [f"{_some(others)}: only places, turns and scales of bones are sent"] if others else []
    still = [f"{source.name} ({source.held})" for source in known.values() if source.held]
    left += [f"{_some(still)}: sent as samples, and not changed on return"] if still else []
    return Sent(document, tuple(left))


def fetched(ob: bpy.types.Object, scene: bpy.types.Scene, document: Document) -> str:
    """Put the curves and pins of a document into an object's action, and say what changed."""
    if not any(joint.name == ob.name + OBJECT for joint in document.rig.joints):
        raise Refused(f"{document.name} was not sent from {ob.name}; select the object that it was sent from")
    clip = document.clip()
    rate = rate_of(scene)
    if abs(clip.rate - rate) > 1e-6:
        raise Refused(
            f"{document.name} plays at {clip.rate:g} frames a second, the scene at {rate:g}; make them the same"
        )
    if clip.layers:
        raise Refused(f"{document.name} has layers; merge them in the Studio first (Layers > Merge)")
    names = [bone.name for bone in ob.pose.bones] if ob.type == "ARMATURE" else []
    called = _called(plain(ob, names))
    known = sources(ob, scene, lambda path: True)
    stands = {called[name]: value for bone in plain(ob, names) for name, value in _standing(bone)}
    ours = {channel.name for channel in document.rig.channels}
    old = {called[name] for name in known if name in called}
    new = [name for name, curve in clip.curves.items() if name not in old and _says(curve, stands.get(name))]
    if new and not (ob.animation_data and ob.animation_data.action and ob.animation_data.action_slot):
        raise Refused(f"{ob.name} has no action any more for {_some(new)}; give it one, or key something first")
    moved: list[str] = []
    keyed: list[str] = []
    for name, source in known.items():
        curve = clip.curves.get(called.get(name, ""))
        if curve is None or source.held or called[name] not in ours:
            continue
        change = _put(fcurves(ob)[source.number], source, curve, rate)
        (moved if change == "handles" else keyed if change == "keys" else []).append(name)
    for name in new:
        path, index = next(((path, n) for (path, n), each in _paths(called) if each == name), (None, 0))
        if path is not None:
            rekey(_made(ob, path, index), clip.curves[name], rate)
            keyed.append(name)
    keep(ob, list(_held(ob, document, rate)))
    parts = [f"handles of {len(moved)} curves"] * bool(moved) + [f"keys of {len(keyed)} curves"] * bool(keyed)
    return f"{ob.name}: {' and '.join(parts)} changed" if parts else f"{ob.name}: no curve changed"


def _put(fcurve: bpy.types.FCurve, source: Source, curve: Curve, rate: float) -> str:
    """Make an F-curve one of ours: handles alone where no key has changed; what changed."""
    keys = keys_of(fcurve)
    points = np.stack([curve.times * rate, curve.values], axis=1)
    if keys.points.shape != points.shape or np.abs(keys.points - points).max() > SAME * np.abs(points).max(initial=1.0):
        rekey(fcurve, curve, rate)
        return "keys"
    before = source.curve
    same = np.array_equal(before.interpolations, curve.interpolations)
    if same and np.array_equal(before.ins, curve.ins) and np.array_equal(before.outs, curve.outs):
        return ""
    if not same:
        rekey(fcurve, curve, rate)
        return "keys"
    put(fcurve, with_handles(source.keys, before, curve, rate))
    return "handles"


def _standing(bone: Bone) -> Iterator[tuple[str, float]]:
    """The properties of a bone as they are, by name."""
    for name, values in bone.values.items():
        yield from ((f"{bone.path}{name}[{n}]", value) for n, value in enumerate(values))


def _says(curve: Curve, value: float | None) -> bool:
    """Whether a curve says more than that a property is what it is."""
    return len(curve) > 0 and (value is None or bool((np.abs(curve.values - value) > SAME).any()))


def _called(bones: list[Bone]) -> dict[str, str]:
    """What our channels are called, by the names that Blender's properties have."""
    return {
        f"{bone.path}{name}[{n}]": f"{bone.name}.{letter}{axis}"
        for bone in bones
        for name, letter in _PROPERTIES.items()
        if name != "rotation_euler" or rotation_property(bone.mode) == name
        for n, axis in enumerate("xyz")
    }


def _paths(called: dict[str, str]) -> Iterator[tuple[tuple[str, int], str]]:
    for name, ours in called.items():
        path, _, index = name.rpartition("[")
        yield (path, int(index[:-1])), ours


def _made(ob: bpy.types.Object, path: str, index: int) -> bpy.types.FCurve:
    """A new F-curve of an object's action."""
    data = ob.animation_data
    bag = data.action.layers[0].strips[0].channelbag(data.action_slot)
    return bag.fcurves.new(path, index=index)


def _point(ob: bpy.types.Object, place: tuple[str, str]) -> Point:
    bone, end = place
    if not bone:
        return Point(ob.name + OBJECT)
    return Point(bone, (0.0, ob.pose.bones[bone].length, 0.0), f"{bone} tail") if end == "TAIL" else Point(bone)


def _held(ob: bpy.types.Object, document: Document, rate: float) -> Iterator[Held]:
    """Pins and contacts of heads and tails of bones."""
    for rule in document.rules():
        if not isinstance(rule, Pin | Contact) or not isinstance(rule.point, Point):
            continue
        bone = "" if rule.point.joint == ob.name + OBJECT else rule.point.joint
        if bone and bone not in ob.pose.bones:
            continue
        frames = [None if math.isinf(time) else round(time * rate, 6) for time in (rule.start, rule.end)]
        kind: Kind = "contact" if isinstance(rule, Contact) else "pin"
        yield Held(bone, "TAIL" if any(rule.point.offset) else "HEAD", kind, *frames)


def _meshes(ob: bpy.types.Object) -> tuple[tuple[Mesh, ...], list[str]]:
    """What the armature deforms, in its own rest pose; and what could not be taken."""
    found, left = [], []
    for other in bpy.data.objects:
        if other.type != "MESH" or not any(each.type == "ARMATURE" and each.object is ob for each in other.modifiers):
            continue
        mesh = _mesh(ob, other)
        if mesh is None:
            left.append(f"{other.name} is not weighted to any bone")
            continue
        found.append(mesh)
        further = [each.name for each in other.modifiers if each.type != "ARMATURE"]
        if further:
            left.append(f"{other.name}: modifiers {_some(further)} are left out")
        if other.data.shape_keys is not None:
            left.append(f"{other.name}: shape keys are left out")
    return tuple(found), left


def _mesh(ob: bpy.types.Object, other: bpy.types.Object) -> Mesh | None:
    data = other.data
    vertices = np.empty(3 * len(data.vertices), np.float32)
    data.vertices.foreach_get("co", vertices)
    data.calc_loop_triangles()
    triangles = np.empty(3 * len(data.loop_triangles), np.int32)
    data.loop_triangles.foreach_get("vertices", triangles)
    groups = {group.index: group.name for group in other.vertex_groups if group.name in ob.data.bones}
    joints = list(dict.fromkeys(groups.values()))
    if not joints:
        return None
    rows = [[(joints.index(groups[g.group]), g.weight) for g in v.groups if g.group in groups] for v in data.vertices]
    width = max(1, *(len(row) for row in rows))
    influences, weights = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width))
    for n, row in enumerate(rows):
        for k, (joint, weight) in enumerate(row):
            influences[n, k], weights[n, k] = joint, weight
    mended = normalised_weights(influences, weights, len(joints))
    # Where the armature object stands does not matter: bones and skin are both in its space.
    into = np.array(ob.matrix_world.inverted() @ other.matrix_world)
    bind = np.array([(np.linalg.inv(np.array(ob.data.bones[name].matrix_local)) @ into)[:3] for name in joints])
    material = next((each for each in data.materials if each is not None), None)
    red, green, blue, alpha = material.diffuse_color if material is not None else (0.8, 0.8, 0.8, 1.0)
    look = Material(material.name if material else "", (red, green, blue, alpha))
    return Mesh(
        other.name, vertices.reshape(-1, 3), triangles.reshape(-1, 3), tuple(joints), bind,
        mended.influences, mended.weights, material=look,
    )  # fmt: skip


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
