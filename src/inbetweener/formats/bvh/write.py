"""A document's clip as a BVH file."""

import math
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.atomic import replace_file
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.axes import UPS, Up
from inbetweener.formats.bvh.bake import bake, came_from_bvh, nodes_and_rows
from inbetweener.formats.bvh.losses import losses
from inbetweener.formats.bvh.node import Node
from inbetweener.formats.files import clear_file_errors
from inbetweener.formats.loose import baked
from inbetweener.formats.straighten import straightened
from inbetweener.motion import Clip

DIGITS = 12
"""Significant digits: a file's own numbers survive the way into metres and radians and back; 1 km is held to 1 nm."""

DEEPEST_INDENT = 40
"""Tabs in front of the deepest joints, so that a chain of thousands does not become a file of tabs."""

_UNWRITABLE = re.compile(r"[\r\n{}\ud800-\udfff]")


def write(
    document: Document,
    path: Path | str,
    clip: str | None = None,
    unit: float | None = None,
    up: Up | None = None,
    rate: float | None = None,
) -> tuple[str, ...]:
    """Write a clip (the first by default) and return what BVH cannot hold, one line each.

    `unit` (metres in a file unit) and `up` are those of the file that the document came from, else centimetres and
    y; `rate` in frames a second is the clip's own by default. A document without clips is written as a skeleton.
    """
    path = Path(path)
    source = document.source if came_from_bvh(document) else None
    unit = unit if unit is not None else source.unit if source else 0.01
    up = up if up is not None else source.up if source else "y"
    if up not in UPS:
        raise FormatError(path, "", f"up axis {up!r} is neither 'y' nor 'z'")
    for name, value in (("unit", unit), ("rate", rate)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise FormatError(path, "", f"{name} {value:g} must be a positive number")
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
    text = "\n".join([*_hierarchy(nodes), *_motion(rows, frames_a_second)]) + "\n"
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


def _hierarchy(nodes: list[Node]) -> Iterable[str]:
    yield "HIERARCHY"
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
