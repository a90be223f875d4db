"""The HIERARCHY section: words to nodes.

Axes of the file become ours by a turn that maps axes to axes: with Z up, (x, y, z) of the file is (x, z, −y) of ours.
Such a turn is exact on Euler channels: R_x(a) stays, R_z(a) becomes R_y(a), R_y(a) becomes R_z(−a), in the same
sequence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.choices import Up
from inbetweener.document.budget import Budget, OverBudget
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.lines import Lines, parse_rows
from inbetweener.maths import euler
from inbetweener.maths.transforms import Vector

POSITIONS = ("Xposition", "Yposition", "Zposition")
ROTATIONS = ("Xrotation", "Yrotation", "Zrotation")
CHANNELS = POSITIONS + ROTATIONS


@dataclass(frozen=True, slots=True)
class Node:
    """A ROOT or JOINT with its End Sites; `parent` is the number of an earlier node or −1, `line` where it stands."""

    name: str
    parent: int
    offset: Vector = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    ends: tuple[Vector, ...] = ()
    line: int = 0


_CANONICAL = {name.upper(): name for name in CHANNELS}
MOST_JOINTS = 10_000
"""Far more than any character has; a file of more is refused before it fills the memory."""

MOST_ENDS = 100
"""The format speaks of one a leaf; some programs write a few."""

_INSIDE = ("OFFSET", "CHANNELS", "JOINT", "END", "}")


@dataclass(slots=True)
class _Open:
    """A joint whose closing brace has not come yet."""

    index: int
    name: str
    line: int
    offset: Vector | None = None
    channels: tuple[str, ...] | None = None
    ends: list[Vector] = field(default_factory=list)


def parse_hierarchy(lines: Lines) -> list[Node]:
    """All nodes in file order, parents first; stops before MOTION or at the end of the file.

    Iterative, so that a chain of any depth is read.
    """
    if lines.peek().upper() != "HIERARCHY":
        lines.expect("HIERARCHY", where="at the start of a BVH file")
    lines.take()
    nodes: list[Node | None] = []
    parents: list[int] = []
    path: list[_Open] = []
    while True:
        word = lines.peek().upper()
        if not path:
            if word in ("MOTION", "") and nodes:
                return [node for node in nodes if node is not None]
            lines.expect("ROOT", where="in HIERARCHY" if nodes else "after HIERARCHY")
            _open(lines, nodes, parents, path)
            continue
        joint = path[-1]
        if word in ("MOTION", ""):
            lines.take()
            found = "MOTION" if word else "the end of the file"
            lines.fail(f"joint {joint.name!r}, opened on line {joint.line}, is not closed before {found}", "add a }")
        word = lines.expect(*_INSIDE, where=f"in joint {joint.name!r}")
        if word == "OFFSET":
            if joint.offset is not None:
                lines.fail(f"joint {joint.name!r} has a second OFFSET")
            joint.offset = _vector(lines, f"OFFSET of joint {joint.name!r}")
        elif word == "CHANNELS":
            if joint.channels is not None:
                lines.fail(f"joint {joint.name!r} has a second CHANNELS line")
            joint.channels = _channels(lines, joint.name)
        elif word == "JOINT":
            _open(lines, nodes, parents, path)
        elif word == "END":
            joint.ends.append(_end_site(lines, joint.name))
            if len(joint.ends) > MOST_ENDS:
                lines.fail(f"joint {joint.name!r} has more than {MOST_ENDS} End Sites")
        else:
            if joint.offset is None:
                lines.fail(f"joint {joint.name!r} has no OFFSET")
            nodes[joint.index] = Node(
                joint.name,
                parents[joint.index],
                joint.offset,
                joint.channels or (),
                tuple(joint.ends),
                joint.line,
            )
            path.pop()


def _open(lines: Lines, nodes: list[Node | None], parents: list[int], path: list[_Open]) -> None:
    line = lines.number
    name = lines.rest_of_line(until_brace=True)
    lines.expect("{", where=f"after the name of joint {name!r}")
    if len(nodes) == MOST_JOINTS:
        lines.fail(f"there are more than {MOST_JOINTS} joints")
    parents.append(path[-1].index if path else -1)
    path.append(_Open(len(nodes), name, line))
    nodes.append(None)


def _vector(lines: Lines, what: str) -> Vector:
    x, y, z = lines.numbers(3, what)
    return x, y, z


def _channels(lines: Lines, joint: str) -> tuple[str, ...]:
    """The names after CHANNELS; the count must be that of the names on the same line."""
    word = lines.take()
    names = []
    while lines.peek_on_line() and lines.peek_on_line().upper() not in _INSIDE:
        names.append(lines.take())
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        lines.fail(f"joint {joint!r}: CHANNELS needs a count, found {word[:40]!a}")
    if len(names) != int(word):
        lines.fail(f"joint {joint!r} declares {word} channels and names {len(names)}", "make the count match")
    known = []
    for name in names:
        if name.upper() not in _CANONICAL:
            lines.fail(f"joint {joint!r}: unknown channel {name[:40]!a}; known: {', '.join(CHANNELS)}")
        known.append(_CANONICAL[name.upper()])
    if len(set(known)) < len(known) and not (_is_proper(known) and len(set(known)) == len(known) - 1):
        lines.fail(f"joint {joint!r} names a channel twice: {' '.join(known)}")
    return tuple(known)


def _is_proper(channels: Sequence[str]) -> bool:
    """Whether the last turn is about the axis of the first again, as in XYX."""
    turns = [each for each in channels if each in ROTATIONS]
    return len(turns) == 3 and turns[0] == turns[2] != turns[1]


def _by_three_axes(nodes: list[Node], samples: Floats) -> tuple[list[Node], list[str]]:
    """The nodes, those that turn about an axis twice about all three instead, and what was told; samples change in
    place. The rotation of every frame stays."""
    made, told, column = [], [], 0
    for node in nodes:
        if _is_proper(node.channels):
            places = [n for n, each in enumerate(node.channels) if each in ROTATIONS]
            first, second, _ = axes = [ROTATIONS.index(node.channels[n]) for n in places]
            third = 3 - first - second
            columns = [column + n for n in places]
            angles = np.radians(samples[:, columns])
            a, b, c = (euler.axis_matrix(axis, angles[:, n]) for n, axis in enumerate(axes))
            order = "".join("XYZ"[axis] for axis in (first, second, third))
            if len(samples):
                turned = euler.continuous(euler.from_matrix(a @ b @ c, order), order)
                samples[:, columns] = np.degrees(turned[:, [first, second, third]])
            channels = list(node.channels)
            channels[places[2]] = ROTATIONS[third]
            was = "".join("XYZ"[axis] for axis in axes)
            told.append(f"line {node.line}: a joint turns in the order {was}; read as the same rotations in {order}")
            node = replace(node, channels=tuple(channels))
        made.append(node)
        column += len(node.channels)
    return made, told


def _end_site(lines: Lines, joint: str) -> Vector:
    # "End Site", but some programs write another word or a name; none of it matters.
    lines.rest_of_line(until_brace=True)
    lines.expect("{", where=f"after the End Site of joint {joint!r}")
    lines.expect("OFFSET", where=f"in the End Site of joint {joint!r}")
    offset = _vector(lines, f"OFFSET of the End Site of joint {joint!r}")
    lines.expect("}", where=f"after the End Site of joint {joint!r}")
    return offset


UPS: tuple[Up, ...] = get_args(Up)

OUR_AXIS: dict[Up, tuple[tuple[int, float], ...]] = {
    "x": ((1, 1.0), (0, -1.0), (2, 1.0)),
    "-x": ((1, -1.0), (0, 1.0), (2, 1.0)),
    "y": ((0, 1.0), (1, 1.0), (2, 1.0)),
    "-y": ((0, 1.0), (1, -1.0), (2, -1.0)),
    "z": ((0, 1.0), (2, -1.0), (1, 1.0)),
    "-z": ((0, 1.0), (2, 1.0), (1, -1.0)),
}
"""For each of the file's axes X, Y, Z: our axis and the sign. Each is a turn, never a mirror."""

FILE_AXIS: dict[Up, tuple[tuple[int, float], ...]] = {
    up: tuple(next((file, sign) for file, (ours, sign) in enumerate(axes) if ours == axis) for axis in range(3))
    for up, axes in OUR_AXIS.items()
}
"""For each of our axes x, y, z: the file's axis and the sign."""


def from_file(vector: Vector, unit: float, up: Up) -> Vector:
    """A length vector of the file in metres along our axes."""
    x, y, z = (sign * vector[axis] * unit for axis, sign in FILE_AXIS[up])
    return x, y, z


def to_file(vector: Vector, unit: float, up: Up) -> Vector:
    """A vector in metres along our axes, in the file's units and axes."""
    x, y, z = (sign * vector[axis] / unit for axis, sign in OUR_AXIS[up])
    return x, y, z


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


def parse(path: Path, data: bytes, budget: Budget | None = None) -> Parsed:
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
        # Of the values of a file nothing more is made than they are; of its joints, channels and points.
        try:
            (budget or Budget(len(data))).spend(4000 * len(nodes) + 4 * len(data))
        except OverBudget as error:
            raise FormatError(path, "line 1", str(error)) from None
        samples, mended = parse_rows(path, lines.data[lines.rest_offset() :], frame_time_line + 1, declared, channels)
        repairs.extend(mended)
    else:
        repairs.append(f"line {lines.number}: there is no MOTION section; read as a skeleton without a clip")
    nodes, turned = _by_three_axes(nodes, samples)
    repairs.extend(turned)
    return Parsed(nodes, samples, frame_time, frame_time_line, tuple(repairs))


def _field(lines: Lines, pattern: re.Pattern[str], wanted: str) -> str:
    """What the pattern captures; it must match the whole of the next line that is not blank."""
    lines.peek()
    text = lines.rest_of_line()
    match = pattern.fullmatch(text)
    if match is None:
        lines.fail(f"expected {wanted}, found {text[:40]!a}")
    return match.group(1)
