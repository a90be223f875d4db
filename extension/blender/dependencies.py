# SPDX-License-Identifier: GPL-3.0-or-later
"""What bones of a control rig depend on: parents, targets, chains of inverse kinematics, drivers."""

import re
from collections.abc import Iterable, Iterator

import bpy

from .armature import bone_of
from .refusal import Refused

_BONES = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


def closure(ob: bpy.types.Object, names: Iterable[str]) -> set[str]:
    """All bones on which some bones depend, themselves included; what we cannot follow is refused by name."""
    bones = ob.pose.bones if ob.pose else {}
    turned = _turned_by(ob)
    drivers: dict[str | None, list[bpy.types.FCurve]] = {}
    for driver in ob.animation_data.drivers if ob.animation_data else ():
        drivers.setdefault(bone_of(driver.data_path), []).append(driver)
    found: set[str] = set()
    # What drives the object itself moves every bone.
    todo = [*names, *(name for driver in drivers.get(None, ()) for name in _read(ob, driver))]
    while todo:
        name = todo.pop()
        if name in found or name not in bones:
            continue
        found.add(name)
        bone = bones[name]
        if bone.parent is not None:
            todo.append(bone.parent.name)
        todo += turned.get(name, ())
        todo += [each.name for each in (bone.bbone_custom_handle_start, bone.bbone_custom_handle_end) if each]
        for constraint in bone.constraints:
            # A muted one too: drivers may bring it back.
            todo += _targets(ob, f"bone {name}", constraint)
        for driver in drivers.get(name, ()):
            todo += _read(ob, driver)
    for constraint in ob.constraints:
        list(_targets(ob, ob.name, constraint))
    _require_still(ob, ob.name, ob.parent)
    return found


def _turned_by(ob: bpy.types.Object) -> dict[str, set[str]]:
    """By bone: the bones whose inverse kinematics turn it."""
    found: dict[str, set[str]] = {}
    for owner in ob.pose.bones if ob.pose else ():
        for constraint in owner.constraints:
            if constraint.type in {"IK", "SPLINE_IK"}:
                bone = owner if constraint.type == "SPLINE_IK" or constraint.use_tail else owner.parent
                count = constraint.chain_count or len(ob.pose.bones)
                while bone is not None and count > 0:
                    found.setdefault(bone.name, set()).add(owner.name)
                    bone, count = bone.parent, count - 1
    return found


def _targets(ob: bpy.types.Object, owner: str, constraint: bpy.types.Constraint) -> Iterator[str]:
    if constraint.type == "ARMATURE":
        pairs = [(each.target, each.subtarget) for each in constraint.targets]
    else:
        pairs = [
            (getattr(constraint, target, None), getattr(constraint, subtarget, ""))
            for target, subtarget in (("target", "subtarget"), ("pole_target", "pole_subtarget"))
        ]
    for target, subtarget in pairs:
        if target == ob and subtarget:
            yield subtarget
        elif target is not None:
            _require_still(ob, f"{owner}: target of {constraint.name}", target)


def _read(ob: bpy.types.Object, driver: bpy.types.FCurve) -> Iterator[str]:
    """The bones that a driver reads."""
    where = f"{ob.name}: the driver of {driver.data_path}"
    if driver.driver.type == "SCRIPTED" and re.search(r"\b(frame|depsgraph|bpy)\b", driver.driver.expression):
        raise Refused(f"{where} reads more than its variables; bake it, or mute it")
    for variable in driver.driver.variables:
        if variable.type == "CONTEXT_PROP":
            raise Refused(f"{where} reads the scene; bake it, or mute it")
        for target in variable.targets:
            if target.id == ob or target.id == ob.data:
                if variable.type == "SINGLE_PROP":
                    yield from (re.sub(r"\\(.)", r"\1", name) for name in _BONES.findall(target.data_path))
                elif target.bone_target:
                    yield target.bone_target
            elif isinstance(target.id, bpy.types.Scene):
                raise Refused(f"{where} reads scene {target.id.name!r}; bake it, or mute it")
            elif target.id is not None:
                _require_still(ob, where, target.id)


def _require_still(ob: bpy.types.Object, owner: str, other: bpy.types.ID | None) -> None:
    """Other things may move a rig only as long as they stand still themselves."""
    while other is not None and other != ob:
        data = other.animation_data if hasattr(other, "animation_data") else None
        if data and (data.action or len(data.drivers) or (data.use_nla and len(data.nla_tracks))):
            raise Refused(f"{owner}: {other.name} is animated itself; bake this rig, or let {other.name} stand still")
        if getattr(other, "constraints", None):
            raise Refused(f"{owner}: {other.name} has constraints itself; bake this rig, or apply them")
        other = getattr(other, "parent", None)
