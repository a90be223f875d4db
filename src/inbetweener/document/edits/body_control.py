"""A control for the hips of every character: metres along the world's axes, and turns on top of theirs."""

from dataclasses import replace

import numpy as np

from inbetweener.curves import Curve, weighted_sum
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.errors import InvalidEdit
from inbetweener.retarget.channels import plain_channels
from inbetweener.rig import DOFS, ROOT, Channel, Drive, Rig, characters

BODY = "body_control"
"""The control that carries the hips, and with them all that hangs on no handle."""


def with_body(rig: Rig, document: Document) -> Rig:
    """The rig with a control for every character's hips: metres along the world's axes, and turns on top of theirs."""
    anatomy, world = document.anatomy(), rig.rest_world()
    taken = {channel.name for channel in rig.channels} | {joint.name for joint in rig.joints}
    for each in characters(rig):
        own, name = anatomy.of({rig.joints[j].name for j in each.joints}), each.prefix + BODY
        hips = own.find("hips")
        if not hips or name in taken or any(called.startswith(f"{name}.") for called in taken):
            continue
        joint = hips[0].joint
        above = rig.joint(joint).parent
        seen = np.eye(3) if above == ROOT else np.linalg.pinv(world[above, :, :3])
        moves = (
            Channel(
                f"{name}.{axis}",
                "translation",
                tuple(Drive(f"{joint}.t{to}", float(seen[i, a])) for i, to in enumerate("xyz") if seen[i, a]),
            )
            for a, axis in enumerate("xyz")
        )
        turns = (Channel(f"{name}.r{axis}", "rotation", (Drive(f"{joint}.r{axis}"),)) for axis in "xyz")
        rig = replace(rig, channels=(*rig.channels, *moves, *turns))
    return rig


def body_channels(rig: Rig, name: str) -> tuple[Channel, ...]:
    """The six channels of a control, or none where it is not one."""
    wanted = {f"{name}.{axis}" for axis in ("x", "y", "z", "rx", "ry", "rz")}
    found = tuple(channel for channel in rig.channels if channel.name in wanted)
    return found if len(found) == len(wanted) else ()


def new_controls(before: Rig, after: Rig) -> tuple[str, ...]:
    """Controls that one rig has and the other has not."""
    names = (each.prefix + BODY for each in characters(after))
    return tuple(name for name in names if body_channels(after, name) and not body_channels(before, name))


def without_body(document: Document, clip: str, name: str) -> Document:
    """A document whose hips move by themselves as the control moved them."""
    rig, shown = document.rig, document.clip(clip)
    plain, channels = plain_channels(rig), body_channels(rig, name)
    for layer in (None, *shown.layers):
        curves, told = (shown.curves if layer is None else layer.curves), dict[str, list[tuple[float, Curve]]]()
        for channel in (each for each in channels if each.name in curves):
            if layer is not None and layer.override:
                raise InvalidEdit(f"layer {layer.name!r} overrides {channel.name}; merge it first", "limb")
            for drive in channel.drives:
                row = 9 * rig.joint_index(drive.joint) + DOFS.index(drive.axis)
                if row not in plain or rig.channels[plain[row][0]] in channels:
                    raise InvalidEdit(f"{drive.joint!r} has no channel {drive.axis!r} of its own to take over", "limb")
                own, factor = plain[row]
                told.setdefault(rig.channels[own].name, []).append((drive.weight / factor, curves[channel.name]))
        made = {}
        for hips, terms in told.items():
            still = rig.channel(hips).default if layer is None else 0.0
            made[hips] = weighted_sum([(1.0, curves.get(hips) or Curve.constant(still, shown.start)), *terms])
        if made:
            document = set_curves(document, clip, made, layer=None if layer is None else layer.name)
    return document
