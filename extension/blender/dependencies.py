# SPDX-License-Identifier: GPL-3.0-or-later
"""What bones of a control rig depend on: parents, targets, chains of inverse kinematics, drivers.

Other objects may move meanwhile, by themselves: they are looked at frame by frame. What follows the rig itself from
outside would follow the animator's own and not the copy that is measured, and is refused.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import bpy

from .armature import bone_of
from .refusal import Refused

_BONES = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass
class Dependencies:
    """The bones that matter, and whether anything else moves with time: other objects, drivers that read the frame."""

    bones: set[str] = field(default_factory=set)
    moves: bool = False


def closure(ob: bpy.types.Object, names: Iterable[str]) -> Dependencies:
    """All that some bones depend on, themselves included; what we cannot follow is refused by name."""
    made = Dependencies()
    bones = ob.pose.bones if ob.pose else {}
    turned = _turned_by(ob)
    drivers: dict[str | None, list[bpy.types.FCurve]] = {}
    for driver in ob.animation_data.drivers if ob.animation_data else ():
        drivers.setdefault(bone_of(driver.data_path), []).append(driver)
    found = made.bones
    # What drives the object itself moves every bone.
    todo = [*names, *(name for driver in drivers.get(None, ()) for name in _read(ob, driver, made))]
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
            todo += _targets(ob, f"bone {name}", constraint, made)
        for driver in drivers.get(name, ()):
            todo += _read(ob, driver, made)
    for constraint in ob.constraints:
        list(_targets(ob, ob.name, constraint, made))
    _look_at(ob, ob.name, ob.parent, made)
    return made


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


def _targets(ob: bpy.types.Object, owner: str, constraint: bpy.types.Constraint, made: Dependencies) -> Iterator[str]:
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
            _look_at(ob, f"{owner}: target of {constraint.name}", target, made)


def _read(ob: bpy.types.Object, driver: bpy.types.FCurve, made: Dependencies) -> Iterator[str]:
    """The bones that a driver reads."""
    where = f"{ob.name}: the driver of {driver.data_path}"
    if driver.driver.type == "SCRIPTED":
        if re.search(r"\b(depsgraph|bpy)\b", driver.driver.expression):
            raise Refused(f"{where} reads more than its variables; bake it, or mute it")
        made.moves |= re.search(r"\bframe\b", driver.driver.expression) is not None
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
                _look_at(ob, where, target.id, made)


def _look_at(ob: bpy.types.Object, owner: str, other: bpy.types.ID | None, made: Dependencies) -> None:
    """Find out whether something else moves, and refuse it where it moves with the rig."""
    seen: set[bpy.types.ID] = set()
    todo = [] if other is None or other == ob else [other]
    while todo:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        if one == ob:
            follower = other.name if other is not None else ""
            raise Refused(f"{owner}: {follower} follows {ob.name} itself; bake {follower}, or take that target away")
        data = one.animation_data if hasattr(one, "animation_data") else None
        made.moves |= bool(data and (data.action or len(data.drivers) or (data.use_nla and len(data.nla_tracks))))
        # What its mesh or curve does by itself counts, and what deforms that.
        own = getattr(one, "data", None)
        next_ones = [getattr(one, "parent", None), own, getattr(one, "shape_keys", None)]
        next_ones += [target for modifier in getattr(one, "modifiers", ()) for target in _modified_by(modifier)]
        for constraint in getattr(one, "constraints", ()):
            next_ones += _objects(constraint)
        for driver in data.drivers if data else ():
            next_ones += [target.id for variable in driver.driver.variables for target in variable.targets]
        todo += [each for each in next_ones if each is not None]


def _modified_by(modifier: bpy.types.Modifier) -> list[bpy.types.Object]:
    """The objects that a modifier looks at, whatever it calls them."""
    pointers = [each.identifier for each in modifier.bl_rna.properties if each.type == "POINTER"]
    found = [getattr(modifier, name) for name in pointers]
    return [each for each in found if isinstance(each, bpy.types.Object)]


def _objects(constraint: bpy.types.Constraint) -> list[bpy.types.Object | None]:
    """What a constraint looks at."""
    if constraint.type == "ARMATURE":
        return [each.target for each in constraint.targets]
    return [getattr(constraint, "target", None), getattr(constraint, "pole_target", None)]
