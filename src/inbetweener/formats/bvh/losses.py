"""What a BVH file cannot hold of a document: one line each."""

import math

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import LINEAR, Curve
from inbetweener.document import Document
from inbetweener.formats.bvh.bake import end_points
from inbetweener.motion import Clip
from inbetweener.rig import Rig


def losses(document: Document, clip: Clip | None, times: Floats, channels: Floats, names: list[str]) -> tuple[str, ...]:
    """What is left out or changed when `clip`, sampled as channels (F, C), is written with the joint `names`."""
    found = []
    if document.meshes:
        found.append(f"{_counted(len(document.meshes), 'mesh', 'meshes')}: BVH holds joints only")
    if document.props:
        found.append(f"{_counted(len(document.props), 'prop', 'props')}: BVH holds joints only")
    found.extend(_rig_losses(document.rig, channels))
    written = {point.name for ends in end_points(document) for point in ends}
    lost = [point.name for point in document.rig.points if point.name not in written]
    if lost:
        found.append(f"{_counted(len(lost), 'point', 'points')} ({_some(lost)}): BVH has End Sites on leaves only")
    renamed = [(j.name, name) for j, name in zip(document.rig.joints, names, strict=True) if j.name != name]
    if renamed:
        found.append(f"names that BVH cannot write: {_some([f'{old!r} becomes {new!r}' for old, new in renamed])}")
    others = [each.name for each in document.clips if each is not clip]
    if others:
        found.append(f"other clips ({_some(others)}): a BVH file holds one; write each to its own file")
    if clip is not None:
        found.extend(_clip_losses(clip, times, {c.name for c in document.rig.channels if c.drives}))
    return tuple(found)


def _rig_losses(rig: Rig, channels: Floats) -> list[str]:
    found = []
    shapes = [channel.name for channel in rig.channels if channel.kind == "shape"]
    if shapes:
        found.append(f"blend-shape channels ({_some(shapes)}): BVH holds joints only")
    scaled = [
        channel.name
        for channel, values in zip(rig.channels, channels.T, strict=True)
        if any(drive.axis[0] == "s" for drive in channel.drives) and (values != channel.default).any()
    ]
    if scaled:
        found.append(f"scale channels ({_some(scaled)}): kept only in where the joints below are")
    controls = [channel.name for channel in rig.channels if channel.kind == "control"]
    if controls:
        found.append(f"controls ({_some(controls)}): baked into the joints they drive")
    if rig.handles:
        found.append(f"IK handles ({_some([handle.name for handle in rig.handles])}): baked into the joints they turn")
    limited = [c.name for c in rig.channels if c.drives and (math.isfinite(c.lower) or math.isfinite(c.upper))]
    if limited:
        found.append(f"limits ({_some(limited)}): BVH has none")
    return found


def _clip_losses(clip: Clip, times: Floats, joint_channels: set[str]) -> list[str]:
    found = []
    if clip.layers:
        found.append(f"layers ({_some([layer.name for layer in clip.layers])}): baked into the motion")
    if clip.start != 0:
        found.append(f"the start at {clip.start:g} s: BVH starts at 0")
    if clip.loops:
        found.append("that the clip loops: BVH cannot say so")
    shaped = [name for name, curve in clip.curves.items() if name in joint_channels and not _is_sampled(curve, times)]
    if shaped:
        found.append(f"keys and tangents ({_some(shaped)}): BVH holds a sample a frame")
    return found


def _is_sampled(curve: Curve, times: Floats) -> bool:
    """True for a curve that is nothing but its samples, as a BVH file has them."""
    if len(curve) == 1:
        return True
    return bool((curve.interpolations[:-1] == LINEAR).all()) and np.array_equal(curve.times, times)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
