# SPDX-License-Identifier: GPL-3.0-or-later
"""How far bones may turn and move: by Limit constraints in their own space, and by limits of inverse kinematics."""

import math

import bpy

from inbetweener.curves import breaches

from .action import fcurves, keys_of, known_curve

Limits = dict[str, tuple[float, float]]
"""Least and most, by property, such as "rotation_euler[0]"."""

SLACK = 1e-6
"""Radians or metres by which a value may be beyond a limit: Blender keeps seven digits."""
_KINDS = {"LIMIT_ROTATION": "rotation_euler", "LIMIT_LOCATION": "location"}


def is_limit(owner: bpy.types.Object | bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint is nothing but limits of the owner's own properties."""
    if constraint.type not in _KINDS or constraint.owner_space != "LOCAL" or constraint.influence != 1.0:
        return False
    if constraint.type == "LIMIT_LOCATION":
        return isinstance(owner, bpy.types.PoseBone)
    orders = ("AUTO", owner.rotation_mode)
    return owner.rotation_mode not in ("QUATERNION", "AXIS_ANGLE") and constraint.euler_order in orders


def limits(owner: bpy.types.Object | bpy.types.PoseBone) -> Limits:
    """What an owner's properties must stay within."""
    found: Limits = {}
    for constraint in owner.constraints:
        if constraint.mute or not is_limit(owner, constraint):
            continue
        for n, axis in enumerate("xyz"):
            name = f"{_KINDS[constraint.type]}[{n}]"
            if constraint.type == "LIMIT_ROTATION":
                least = constraint_value(constraint, f"min_{axis}", getattr(constraint, f"use_limit_{axis}"), -math.inf)
                most = constraint_value(constraint, f"max_{axis}", getattr(constraint, f"use_limit_{axis}"), math.inf)
            else:
                least = constraint_value(constraint, f"min_{axis}", getattr(constraint, f"use_min_{axis}"), -math.inf)
                most = constraint_value(constraint, f"max_{axis}", getattr(constraint, f"use_max_{axis}"), math.inf)
            _narrow(found, name, least, most)
    if isinstance(owner, bpy.types.PoseBone) and owner.rotation_mode not in ("QUATERNION", "AXIS_ANGLE"):
        for n, axis in enumerate("xyz"):
            if getattr(owner, f"use_ik_limit_{axis}"):
                least, most = getattr(owner, f"ik_min_{axis}"), getattr(owner, f"ik_max_{axis}")
                _narrow(found, f"rotation_euler[{n}]", least, most)
    return {name: pair for name, pair in found.items() if pair != (-math.inf, math.inf)}


def constraint_value(constraint: bpy.types.Constraint, name: str, counts: bool, otherwise: float) -> float:
    """A limit of a constraint, if it is in use."""
    return float(getattr(constraint, name)) if counts else otherwise


def _narrow(found: Limits, name: str, least: float, most: float) -> None:
    low, high = found.get(name, (-math.inf, math.inf))
    low, high = max(low, least), min(high, most)
    found[name] = (low, high) if low <= high else (least, most)


def stays_within(ob: bpy.types.Object, owner: bpy.types.Object | bpy.types.PoseBone, path: str) -> bool:
    """Whether limit constraints of an owner change nothing: its values and curves are inside, and turn one way only.

    Beyond a quarter turn of the middle angle Blender finds other angles for the same turn, and limits those.
    """
    wide = limits(owner)
    if any(each.type == "LIMIT_ROTATION" and not each.mute for each in owner.constraints):
        middle = f"rotation_euler[{'XYZ'.index(owner.rotation_mode[1])}]"
        low, high = wide.get(middle, (-math.inf, math.inf))
        wide[middle] = (max(low, -math.pi / 2.0), min(high, math.pi / 2.0))
    curves = {f"{each.data_path}[{each.array_index}]": each for each in fcurves(ob)}
    for name, (low, high) in wide.items():
        curve = curves.get(path + name)
        prop, _, index = name.rpartition("[")
        value = float(getattr(owner, prop)[int(index[:-1])])
        if curve is None or curve.mute or not len(curve.keyframe_points):
            if not low - SLACK <= value <= high + SLACK:
                return False
        elif breaches(known_curve(keys_of(curve), 1.0), low - SLACK, high + SLACK):
            return False
    return True
