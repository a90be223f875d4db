"""A document's clip as a BVH file."""

import math
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.choices import Up
from inbetweener.curves import LINEAR, Curve
from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.bake import bake, came_from_bvh, end_points, nodes_and_rows
from inbetweener.formats.bvh.guess import metres
from inbetweener.formats.bvh.hierarchy import Node
from inbetweener.formats.bvh.mark import marked
from inbetweener.formats.bvh.read import check_options
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.straighten import straightened
from inbetweener.motion import Clip
from inbetweener.rig import Rig
from inbetweener.system import replace_file

DIGITS = 12
"""Significant digits: a file's own numbers survive the way into metres and radians and back; 1 km is held to 1 nm."""

DEEPEST_INDENT = 40
"""Tabs in front of the deepest joints, so that a chain of thousands does not become a file of tabs."""

_UNWRITABLE = re.compile(r"[\r\n{}\ud800-\udfff]")


def write(
    document: Document,
    path: Path | str,
    clip: str | None = None,
    unit: float | str | None = None,
    up: Up | None = None,
    rate: float | None = None,
) -> tuple[str, ...]:
    """Write a clip (the first by default) and return what BVH cannot hold, one line each.

    `unit` (metres in a file unit, or its name) and `up` are those of the file that the document came from, else
    centimetres and y; blanks after the first word tell them to our reader. `rate` in frames a second is the clip's own
    by default. A document without clips is written as a skeleton.
    """
    path = Path(path)
    source = document.source if came_from_bvh(document) else None
    unit = unit if unit is not None else source.unit if source else 0.01
    up = up if up is not None else source.up if source else "y"
    check_options(path, unit, up, rate)
    unit = metres(unit)
    if not document.rig.joints:
        raise FormatError(path, "", f"{document.name!r} has no joints; BVH holds nothing else")
    loose: list[str] = []
    if document.clips:
        document, loose = baked(document, document.clip(clip).name, rate)
    straight = straightened(document)
    document = straight.document
    chosen = document.clip(clip) if document.clips or clip is not None else None
    frames_a_second = rate or (chosen.rate if chosen else 30.0)
    times = _times(chosen, frames_a_second)
    channels = document.motion(chosen.name).channels(times) if chosen else np.empty((0, len(document.rig.channels)))
    names = _names(joint.name for joint in document.rig.joints)
    nodes, rows = nodes_and_rows(document.rig, bake(document, channels), names, unit, up)
    text = "\n".join([*_hierarchy(nodes, marked(unit, up)), *_motion(rows, frames_a_second)]) + "\n"
    with clear_file_errors(path):
        replace_file(path, text.encode("utf-8"))
    return (*loose, *straight.losses(), *losses(document, chosen, times, channels, names))


def _times(clip: Clip | None, rate: float) -> Floats:
    if clip is None:
        return np.empty(0)
    if rate == clip.rate:
        return clip.frame_times
    return Clip(clip.name, clip.end, clip.start, rate).frame_times


def _names(wanted: Iterable[str]) -> list[str]:
    """Names that come back as they are written: no line breaks, braces or blanks at the ends, no two alike."""
    made: dict[str, None] = {}
    for name in wanted:
        clean = _UNWRITABLE.sub("_", name).strip() or "joint"
        unique, number = clean, 1
        while unique in made:
            number += 1
            unique = f"{clean}_{number}"
        made[unique] = None
    return list(made)


def _hierarchy(nodes: list[Node], mark: str) -> Iterable[str]:
    yield f"HIERARCHY{mark}"
    path: list[int] = []
    for n, node in enumerate(nodes):
        while path and path[-1] != node.parent:
            path.pop()
            yield f"{_indent(len(path))}}}"
        yield f"{_indent(len(path))}{'JOINT' if path else 'ROOT'} {node.name}"
        yield f"{_indent(len(path))}{{"
        path.append(n)
        inside = _indent(len(path))
        yield f"{inside}OFFSET {_numbers(node.offset)}"
        yield " ".join([f"{inside}CHANNELS {len(node.channels)}", *node.channels])
        for end in node.ends:
            yield from (f"{inside}End Site", f"{inside}{{", f"{inside}\tOFFSET {_numbers(end)}", f"{inside}}}")
    while path:
        path.pop()
        yield f"{_indent(len(path))}}}"


def _indent(depth: int) -> str:
    return "\t" * min(depth, DEEPEST_INDENT)


def _numbers(values: Iterable[float]) -> str:
    # Adding zero takes the sign off negative zeros.
    return " ".join(f"{value + 0.0:.{DIGITS}g}" for value in values)


def _motion(rows: Floats, rate: float) -> Iterable[str]:
    yield "MOTION"
    yield f"Frames: {len(rows)}"
    yield f"Frame Time: {frame_time_text(rate)}"
    template = " ".join([f"%.{DIGITS}g"] * rows.shape[1])
    for row in rows:
        yield template % tuple(row.tolist())


def frame_time_text(rate: float) -> str:
    """The shortest decimal frame time that a reader turns into this very rate."""
    seconds = 1.0 / rate
    for digits in range(1, 18):
        text = f"{seconds:.{digits}g}"
        if 1.0 / float(text) == rate:
            return text
    return f"{seconds:.17g}"


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
        joints = {channel.name for channel in document.rig.channels if channel.drives}
        found.extend(_clip_losses(clip, times, joints, straight=came_from_bvh(document)))
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


def _clip_losses(clip: Clip, times: Floats, joint_channels: set[str], *, straight: bool) -> list[str]:
    found = []
    if clip.layers:
        found.append(f"layers ({_some([layer.name for layer in clip.layers])}): baked into the motion")
    if clip.start != 0:
        found.append(f"the start at {clip.start:g} s: BVH starts at 0")
    if clip.loops:
        found.append("that the clip loops: BVH cannot say so")
    shaped = [
        name
        for name, curve in clip.curves.items()
        if name in joint_channels and not _is_sampled(curve, times, straight=straight)
    ]
    if shaped:
        found.append(f"keys and tangents ({_some(shaped)}): BVH holds a sample a frame")
    return found


def _is_sampled(curve: Curve, times: Floats, *, straight: bool) -> bool:
    """True for a curve that is nothing but its samples, as a BVH file has them.

    With `straight`, whatever stands between the frames may be what keeps the way from one to the next straight; whoever
    opens the file makes that anew.
    """
    if len(curve) == 1:
        return True
    if straight:
        return bool(np.isin(times, curve.times).all())
    return bool((curve.interpolations[:-1] == LINEAR).all()) and np.array_equal(curve.times, times)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
