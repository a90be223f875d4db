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

from . import loose
from .action import Source, fcurves, keys_of, put, rate_of, sources
from .armature import obstacle, plain, size_of
from .bones import OBJECT, Bone, rig_of, rotation_property
from .fitting import rekey
from .keys import with_handles
from .pins import Held, Kind, held, keep
from .refusal import Refused, some
from .skins import meshes_of

UP = "z up"
"""The joint above the object: Blender's world, seen from ours."""
_UPRIGHT = Transform(rotation=(math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))
_PROPERTIES = {
    "location": ("tx", "ty", "tz"),
    "rotation_euler": ("rx", "ry", "rz"),
    "rotation_quaternion": ("qw", "qx", "qy", "qz"),
    "scale": ("sx", "sy", "sz"),
}
CLIP = "action"
SAME = 1e-6
"""Frames, and units of a value, below which two keys are one: Blender keeps seven digits."""


@dataclass(frozen=True)
class Sent:
    """A document, and what of the object it does not have."""

    document: Document
    left: tuple[str, ...]


def sent(ob: bpy.types.Object, scene: bpy.types.Scene) -> Sent:
    """What an object and its action are to the Studio, with skins, pins, springs and marks."""
    return document_of(ob, scene, "sent")


def document_of(ob: bpy.types.Object, scene: bpy.types.Scene, done: str, *, turning: bool = False) -> Sent:
    """An object and its action as a document, to be `done` something to, of which refusals speak.

    Skins come along where it is sent; quaternions where it is `turning`, which files and simulations do not.
    """
    bpy.context.view_layer.update()
    names = [bone.name for bone in ob.pose.bones] if ob.type == "ARMATURE" else []
    in_the_way = obstacle(ob, names)
    if in_the_way:
        raise Refused(f"{in_the_way}: only plain bones can be {done}; bake the action to them first, with Bake Action")
    bones = plain(ob, names)
    quaternions = [each.name for each in bones if each.mode == "QUATERNION"]
    if quaternions and not turning:
        raise Refused(
            f"{some(quaternions)} turn{'s' * (len(quaternions) == 1)} by quaternions, which cannot be {done}; "
            "convert them with Pose > Convert Rotation Modes to XYZ Euler first"
        )
    known = sources(ob, scene, lambda path: True)
    rig, curves = rig_of(bones, {name: each.curve for name, each in known.items()}, size_of(ob))
    called = _called(bones)
    still = {name for name, source in known.items() if source.held}
    joints = (Joint(UP, rest=_UPRIGHT), *(replace(each, parent=each.parent + 1) for each in rig.joints))
    channels = tuple(
        replace(each, name=called[each.name], free=each.free and each.name not in still) for each in rig.channels
    )
    turned = tuple(replace(each, channels=tuple(called[name] for name in each.channels)) for each in rig.quaternions)  # type: ignore[arg-type]
    whole = replace(rig, joints=joints, channels=channels, quaternions=turned) if turned else Rig(joints, channels)
    # What has no keys and stands elsewhere than at rest gets one key.
    keyed = {
        called[each.name]: curves[each.name]
        for each in rig.channels
        if each.name in known or float(curves[each.name].values[0]) != each.default
    }
    rate = rate_of(scene)
    clip = Clip(CLIP, scene.frame_end / rate, scene.frame_start / rate, rate, Curves(keyed))
    meshes, left = meshes_of(ob) if done == "sent" else ((), [])
    document = Document(ob.name, whole, meshes, clips=(clip,))
    for each in held(ob):
        document = edits.add_constraint(document, CLIP, each.constraint(lambda place: point_of(ob, place), rate))
    document = loose.put(document, CLIP, ob, lambda place: point_of(ob, place), rate)
    others = [source.name for name, source in known.items() if name not in called]
    left += [f"{some(others)}: only places, turns and scales of bones are sent"] if others else []
    held_still = [f"{source.name} ({source.held})" for source in known.values() if source.held]
    left += [f"{some(held_still)}: sent as samples, and not changed on return"] if held_still else []
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
        raise Refused(f"{ob.name} has no action any more for {some(new)}; give it one, or key something first")
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
    loose.take(ob, document, clip.name, rate)
    parts = [f"handles of {len(moved)} curves"] * bool(moved) + [f"keys of {len(keyed)} curves"] * bool(keyed)
    return f"{ob.name}: {' and '.join(parts)} changed" if parts else f"{ob.name}: no curve changed"


def _put(fcurve: bpy.types.FCurve, source: Source, curve: Curve, rate: float) -> str:
    """Make an F-curve one of ours: handles alone where no key has changed; what changed."""
    keys = keys_of(fcurve)
    points, before = np.stack([curve.times * rate, curve.values], axis=1), source.curve
    same = keys.points.shape == points.shape and np.array_equal(before.interpolations, curve.interpolations)
    near = SAME * np.abs(points).max(initial=1.0)
    if not same or np.abs(keys.points - points)[:, 0].max() > near:
        rekey(fcurve, curve, rate)
        return "keys"
    moved = np.abs(keys.points - points)[:, 1] > near
    if not moved.any() and np.array_equal(before.ins, curve.ins) and np.array_equal(before.outs, curve.outs):
        return ""
    # Values alone: whatever else a key has, such as its type and its selection, it keeps.
    by = np.stack([np.zeros(len(points)), np.where(moved, points[:, 1] - keys.points[:, 1], 0.0)], axis=1)
    lifted = replace(keys, points=keys.points + by, left=keys.left + by, right=keys.right + by)
    put(fcurve, with_handles(lifted, before, curve, rate))
    return "keys" if moved.any() else "handles"


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
        f"{bone.path}{name}[{n}]": f"{bone.name}.{letter}"
        for bone in bones
        for name, letters in _PROPERTIES.items()
        if not name.startswith("rotation") or rotation_property(bone.mode) == name
        for n, letter in enumerate(letters)
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


def point_of(ob: bpy.types.Object, place: tuple[str, str]) -> Point:
    """The head or tail of a bone, or the object, as a point of its document."""
    bone, end = place
    if not bone:
        return Point(ob.name + OBJECT)
    return Point(bone, (0.0, ob.data.bones[bone].length, 0.0), f"{bone} tail") if end == "TAIL" else Point(bone)


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
