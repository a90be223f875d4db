# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones move as plain forward kinematics, so that they can be taken exactly; and what they are then."""

import re
from collections.abc import Iterable
from functools import lru_cache

import bpy
import numpy as np

from .bones import OBJECT, Bone, rotation_property
from .limits import is_limit, limits, stays_within

BONE = re.compile(r'^pose\.bones\["((?:[^"\\]|\\.)*)"\]\.')


@lru_cache(4096)
def bone_of(path: str) -> str | None:
    """The bone that a data path speaks of."""
    found = BONE.match(path)
    return re.sub(r"\\(.)", r"\1", found.group(1)) if found else None


def chain(ob: bpy.types.Object, names: Iterable[str]) -> list[bpy.types.PoseBone]:
    """Some bones and all above them, parents first; none of what is no armature."""
    if ob.pose is None:
        return []
    wanted: set[str] = set()
    for name in names:
        bone = ob.pose.bones[name]
        while bone is not None:
            wanted.add(bone.name)
            bone = bone.parent
    return [bone for bone in ob.pose.bones if bone.name in wanted]


def obstacle(ob: bpy.types.Object, names: Iterable[str]) -> str:
    """Why bones, or the object where none is named, are not plain forward kinematics; empty if they are."""
    if ob.parent is not None:
        return f"{ob.name} has a parent"
    if any(not each.mute for each in ob.constraints):
        return f"{ob.name} has constraints"
    deltas = (*ob.delta_location, *ob.delta_rotation_euler, *(s - 1.0 for s in ob.delta_scale))
    if any(deltas) or tuple(ob.delta_rotation_quaternion) != (1.0, 0.0, 0.0, 0.0):
        return f"{ob.name} has delta transforms"
    if ob.rotation_mode == "AXIS_ANGLE":
        return f"{ob.name} turns by axis and angle"
    driven = {driver.data_path for driver in ob.animation_data.drivers} if ob.animation_data else set()
    if any(not path.startswith(("pose.", "[")) for path in driven):
        return f"{ob.name} has drivers"
    for bone in chain(ob, names):
        if any(not each.mute and not is_limit(bone, each) for each in bone.constraints):
            return f"bone {bone.name} has constraints"
        if bone.bone.inherit_scale != "FULL" or not bone.bone.use_inherit_rotation or not bone.bone.use_local_location:
            return f"bone {bone.name} does not inherit all that its parent does"
        if bone.rotation_mode == "AXIS_ANGLE":
            return f"bone {bone.name} turns by axis and angle"
        if any(bone_of(path) == bone.name for path in driven):
            return f"bone {bone.name} has drivers"
        if bone.is_in_ik_chain:
            return f"bone {bone.name} is turned by inverse kinematics"
        if any(not each.mute for each in bone.constraints) and not stays_within(ob, bone, path_of(bone)):
            return f"bone {bone.name} has keys beyond the limits of its constraints"
    return ""


def path_of(bone: bpy.types.PoseBone) -> str:
    """What the paths of a bone's properties begin with."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].'


def plain(ob: bpy.types.Object, names: Iterable[str]) -> list[Bone]:
    """The object and bones as plain data, for those that no obstacle is in the way of."""
    root = ob.name + OBJECT
    found = [Bone(root, None, np.eye(4), "", ob.rotation_mode, _values(ob), locked(ob))]
    for bone in chain(ob, names):
        rest = np.array(bone.bone.matrix_local)
        if bone.parent is not None:
            rest = np.linalg.inv(np.array(bone.parent.bone.matrix_local)) @ rest
        parent = root if bone.parent is None else bone.parent.name
        moves = not bone.bone.use_connect
        about = (path_of(bone), bone.rotation_mode, _values(bone), locked(bone), moves, limits(bone))
        found.append(Bone(bone.name, parent, rest, *about))
    return found


def size_of(ob: bpy.types.Object) -> float:
    """The length by which tolerances are measured: as large as the armature or object is."""
    if ob.type == "ARMATURE" and len(ob.data.bones):
        ends = np.array([end for bone in ob.data.bones for end in (bone.head_local, bone.tail_local)])
        extent = np.ptp(ends, axis=0) * np.abs(np.array(ob.matrix_world.to_scale()))
    else:
        extent = np.array(ob.dimensions)
    return float(extent.max()) or 1.0


def _values(owner: bpy.types.Object | bpy.types.PoseBone) -> dict[str, tuple[float, ...]]:
    names = ("location", rotation_property(owner.rotation_mode), "scale")
    return {name: tuple(getattr(owner, name)) for name in names}


def locked(owner: bpy.types.Object | bpy.types.PoseBone) -> frozenset[str]:
    """The properties of a bone or object that are locked, such as "location[1]"."""
    found = {f"location[{n}]" for n in range(3) if owner.lock_location[n]}
    found |= {f"rotation_euler[{n}]" for n in range(3) if owner.lock_rotation[n]}
    if owner.lock_rotations_4d:
        found |= {f"rotation_quaternion[{n + 1}]" for n in range(3) if owner.lock_rotation[n]}
        found |= {"rotation_quaternion[0]"} if owner.lock_rotation_w else set()
    elif all(owner.lock_rotation):
        found |= {f"rotation_quaternion[{n}]" for n in range(4)}
    return frozenset(found)
