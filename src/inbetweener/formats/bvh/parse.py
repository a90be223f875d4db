"""Text to nodes and samples, in the file's own axes and units; knows nothing of rigs."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.hierarchy import parse_hierarchy
from inbetweener.formats.bvh.lines import Lines
from inbetweener.formats.bvh.node import Node
from inbetweener.formats.bvh.rows import parse_rows

_FRAMES = re.compile(r"frames\s*:\s*(\d{1,18})", re.IGNORECASE | re.ASCII)
_FRAME_TIME = re.compile(r"frame\s*time\s*:\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """What a BVH file says: nodes, samples (F, C) in the order of the nodes' channels, seconds a frame, repairs.

    `frame_time` is what the file declares, be it usable or not; `frame_time_line` is 0 without a MOTION section.
    """

    nodes: list[Node]
    samples: Floats
    frame_time: float
    frame_time_line: int
    repairs: tuple[str, ...]


def parse(path: Path, data: bytes) -> Parsed:
    """Read a whole file; raises FormatError naming the line."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(path, "line 1", "the text is UTF-16", "save it as UTF-8")
    if not data.strip():
        raise FormatError(path, "", "the file is empty")
    lines = Lines(path, data.removeprefix(b"\xef\xbb\xbf"))
    nodes = parse_hierarchy(lines)
    channels = [f"{node.name} {channel}" for node in nodes for channel in node.channels]
    repairs = []
    if lines.not_utf8:
        repairs.append("line 1: names are not UTF-8; read as Latin-1")
    samples, frame_time, frame_time_line = np.empty((0, len(channels))), 0.0, 0
    if lines.peek():
        lines.take()
        declared = int(_field(lines, _FRAMES, "Frames: and a whole number"))
        frame_time = lines.finite(_field(lines, _FRAME_TIME, "Frame Time: and seconds"), "Frame Time")
        frame_time_line = lines.number
        samples, mended = parse_rows(path, lines.data[lines.rest_offset() :], frame_time_line + 1, declared, channels)
        repairs.extend(mended)
    else:
        repairs.append(f"line {lines.number}: there is no MOTION section; read as a skeleton without a clip")
    return Parsed(nodes, samples, frame_time, frame_time_line, tuple(repairs))


def _field(lines: Lines, pattern: re.Pattern[str], wanted: str) -> str:
    """What the pattern captures; it must match the whole of the next line that is not blank."""
    lines.peek()
    text = lines.rest_of_line()
    match = pattern.fullmatch(text)
    if match is None:
        lines.fail(f"expected {wanted}, found {text[:40]!a}")
    return match.group(1)
