"""A BVH file as a document: a rig of plain Euler channels and one clip of dense linear keys."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.choices import Up
from inbetweener.curves import Curve
from inbetweener.document import Document, Source
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats.bones import with_bones
from inbetweener.formats.bvh.guess import (
    NAMES,
    falling,
    folder_bodies,
    guess_unit,
    guess_up,
    measured,
    metres,
    unit_choices,
    up_choices,
)
from inbetweener.formats.bvh.hierarchy import (
    CHANNELS,
    OUR_AXIS,
    POSITIONS,
    ROTATIONS,
    UPS,
    Node,
    Parsed,
    from_file,
    parse,
)
from inbetweener.formats.bvh.mark import mark_of
from inbetweener.formats.bvh.turns import unbroken
from inbetweener.formats.files import Choice, Question, Reading, file_bytes
from inbetweener.formats.names import called
from inbetweener.formats.notes import grouped
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Channel, Joint, Point, Rig, joint_channels

ASSUMED_RATE = 30.0
"""Frames a second of a single pose whose file gives no usable frame time."""

SHORTEST, LONGEST = 1e-6, 1e6
"""Seconds a frame may last; outside, a frame time is a mistake."""


MOST_FALLING = 6000
"""Frames that are searched for a fall."""


def read(
    path: Path | str,
    unit: float | str | None = None,
    up: Up | None = None,
    rate: float | None = None,
    *,
    trust: bool = False,
) -> Reading:
    """Open a BVH file.

    `unit` is the length of one file unit in metres, or its name (m dm cm mm in ft), and `up` the file's up axis. Files
    that we wrote say both; for others they are guessed when not given, the guess is among the repairs, and where it is
    doubtful it is a question too. `rate` in frames a second replaces the file's frame time. A file that unfolds to far
    more than its size explains is refused unless you `trust` it.
    """
    path = Path(path)
    given = None if unit is None else metres(unit)
    check_options(path, unit, up, rate)
    content = file_bytes(path)
    parsed = parse(path, content, Budget(len(content), trust=trust))
    nodes, renamed = _with_unique_names(parsed.nodes)
    mark = mark_of(content)
    # What we wrote are places, be they nought.
    samples, unfilled = _filled(nodes, parsed.samples) if mark is None else (parsed.samples, [])
    repairs = [*parsed.repairs, *renamed, *unfilled]
    frames_a_second, assumed = _rate(path, parsed, rate)
    size, axis, guessed, question = _scale(path, mark, nodes, samples, frames_a_second, given, up)
    repairs.extend((*guessed, *assumed))
    rig, source = _rig(nodes, size, axis), Source("bvh", size, axis)
    if len(samples) == 0:
        return _reading(Document(called(path), rig, source=source), repairs, question)
    clip = _clip(called(path), rig, nodes, samples, frames_a_second, size, axis)
    rig, clip, orders, mended = unbroken(rig, clip)
    source = replace(source, orders=orders)
    rig, kept = with_bones(rig, (), (clip,))
    return _reading(Document(called(path), rig, clips=(clip,), source=source), [*repairs, *mended, *kept], question)


def _reading(document: Document, repairs: list[str], question: Question | None) -> Reading:
    """The same remark about many lines is one."""
    notes = []
    for line in repairs:
        place, _, text = line.partition(": ")
        notes.append((place, text) if place.startswith("line ") else ("", line))
    return Reading(document, tuple(grouped(notes)), question, each=tuple(repairs))


NOUGHT = 1e-4
"""The share of its OFFSET below which a joint's positions are nought."""


def _filled(nodes: list[Node], samples: Floats) -> tuple[Floats, list[str]]:
    """Samples whose positions are places, and what was mended.

    Some programs write position channels and leave them at nought: taken as places, the body would collapse into its
    joints' parents, or stand in the floor up to its hips. They are shifts from the OFFSET then.
    """
    made, names, line, column = samples, [], 0, 0
    for node in nodes:
        axes = [(column + n, POSITIONS.index(c)) for n, c in enumerate(node.channels) if c in POSITIONS]
        column += len(node.channels)
        far = max(map(abs, node.offset), default=0.0)
        if len(axes) < 3 or far == 0 or not len(samples):
            continue
        columns = [each for each, _ in axes]
        if np.abs(samples[:, columns]).max() < NOUGHT * far:
            made = samples.copy() if made is samples else made
            # Decimals stay decimals, so that they are written as such.
            made[:, columns] = np.round(samples[:, columns] + [node.offset[axis] for _, axis in axes], 9)
            names.append(node.name)
            line = line or node.line
    if not names:
        return samples, []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return made, [
        f"line {line}: positions of {names[0]!r}{more} are nought throughout; taken as shifts from its OFFSET"
    ]


def check_options(path: Path, unit: float | str | None, up: str | None, rate: float | None) -> None:
    """Refuse what no file can have."""
    if up is not None and up not in UPS:
        raise FormatError(path, "", f"up axis {up!r} is not one of {', '.join(UPS)}")
    if unit is not None and not 1e-9 <= metres(unit) <= 1e9:
        raise FormatError(path, "", f"unit {unit} must be a positive number of metres, or one of {', '.join(NAMES)}")
    if rate is not None and not 1e-9 <= rate <= 1e9:
        raise FormatError(path, "", f"rate {rate:g} must be a positive number")


def _scale(
    path: Path,
    mark: tuple[float, Up] | None,
    nodes: list[Node],
    samples: Floats,
    rate: float,
    unit: float | None,
    up: Up | None,
) -> tuple[float, Up, list[str], Question | None]:
    """Metres in a unit and the up axis, what of it is a guess, and what is doubtful."""
    if mark is not None:
        unit, up = mark[0] if unit is None else unit, mark[1] if up is None else up
    if unit is not None and up is not None:
        return unit, up, [], None
    # In the file's own axes and units, so that nothing is taken for granted.
    rig = _rig(nodes, 1.0, "y")
    body = measured(rig)
    turning = [channel.kind == "rotation" for channel in rig.channels]

    def poses(rows: Floats) -> Floats:
        return np.where(turning, np.radians(rows), rows)

    fall = cache(lambda: falling(rig, poses(samples[:MOST_FALLING]), rate, body.size))
    lines: list[str] = []
    doubts: list[str] = []
    choices: list[Choice] = []
    if up is None:
        found_up = guess_up(rig, poses(samples[:: max(1, len(samples) // 64)]), fall)
        up = found_up.value
        if up != "y" or found_up.is_doubtful:
            lines.append(f"line 1: the {up} axis is taken as up, {found_up.why}; {_REMEDY.format('up')}")
        if found_up.is_doubtful:
            doubts.append(f"{up.upper()} is taken as up, {found_up.why}")
            choices += up_choices(up)
    if unit is None:

        def fell() -> float | None:
            return None if (fall_ := fall()) is None or fall_.up != up else fall_.speed

        found = guess_unit(body, lambda: folder_bodies(path, nodes, _plain_rig), fell)
        unit = found.value
        sure = "" if not found.is_doubtful else "; this is doubtful"
        lines.append(f"line 1: one unit is taken as {unit:g} m ({found.why}){sure}; {_REMEDY.format('unit')}")
        if found.is_doubtful:
            doubts.append(f"one unit is taken as {unit:g} m ({found.why})")
            choices = [*unit_choices(body, unit), *choices]
    question = Question(f"{' and '.join(doubts)}. Is that right?", tuple(choices)) if doubts else None
    return unit, up, lines, question


_REMEDY = "pass {0} (--{0}) to say otherwise"


def _plain_rig(nodes: list[Node]) -> Rig:
    return _rig(_with_unique_names(nodes)[0], 1.0, "y")


def _with_unique_names(nodes: list[Node]) -> tuple[list[Node], list[str]]:
    """The nodes with a name each of its own, and what was renamed."""
    taken = {node.name for node in nodes}
    seen: set[str] = set()
    made, repairs = [], []
    counts: dict[str, int] = {}
    for node in nodes:
        name = node.name
        if not name or name in seen:
            stem = name or "joint"
            number = counts.get(stem, 1)
            while not name or name in seen or name in taken:
                number += 1
                name = f"{stem}_{number}"
            counts[stem] = number
            what = f"a second joint is called {node.name!r}" if node.name else "a joint has no name"
            repairs.append(f"line {node.line}: {what}; this one is renamed {name!r}")
        seen.add(name)
        made.append(Node(name, node.parent, node.offset, node.channels, node.ends, node.line))
    return made, repairs


def _rate(path: Path, parsed: Parsed, rate: float | None) -> tuple[float, tuple[str, ...]]:
    """Frames a second, and what had to be assumed."""
    if rate is not None:
        return rate, ()
    if SHORTEST <= parsed.frame_time <= LONGEST:
        return 1.0 / parsed.frame_time, ()
    if len(parsed.samples) > 1:
        raise FormatError(
            path,
            f"line {parsed.frame_time_line}",
            f"a frame time of {parsed.frame_time:g} s cannot be",
            "pass rate, in frames a second",
        )
    if len(parsed.samples) == 0:
        return ASSUMED_RATE, ()
    return ASSUMED_RATE, (
        f"line {parsed.frame_time_line}: a frame time of {parsed.frame_time:g} s cannot be; "
        f"{ASSUMED_RATE:g} frames a second are assumed for the single frame",
    )


def _rig(nodes: list[Node], unit: float, up: Up) -> Rig:
    joints: list[Joint] = []
    channels: list[Channel] = []
    points: list[Point] = []
    names = {node.name for node in nodes}
    for node in nodes:
        joint = Joint(node.name, node.parent, Transform(from_file(node.offset, unit, up)), _order(node, up))
        joints.append(joint)
        channels.extend(joint_channels(joint, " ".join(dof for dof, _ in _dofs(node, up))))
        for number, end in enumerate(node.ends, 1):
            name = _end_name(node.name, number, names)
            names.add(name)
            points.append(Point(node.name, from_file(end, unit, up), name))
    return Rig(tuple(joints), tuple(channels), tuple(points))


def _end_name(joint: str, number: int, taken: set[str]) -> str:
    """A name for an End Site of a joint that no joint or point has yet."""
    name = f"{joint}_end" if number == 1 else f"{joint}_end{number}"
    while name in taken:
        number += 1
        name = f"{joint}_end{number}"
    return name


def _order(node: Node, up: Up) -> Order:
    """The rotation order; axes that have no channel come last and stay at zero."""
    axes = [OUR_AXIS[up][ROTATIONS.index(c)][0] for c in node.channels if c in ROTATIONS]
    axes += [axis for axis in (2, 1, 0) if axis not in axes]
    letters = "".join("XYZ"[axis] for axis in axes)
    return ORDERS[ORDERS.index(letters)]


def _dofs(node: Node, up: Up) -> list[tuple[str, float]]:
    """Our degree of freedom and the sign for each of the node's channels."""
    made = []
    for channel in node.channels:
        axis, sign = OUR_AXIS[up][CHANNELS.index(channel) % 3]
        made.append((("r" if channel in ROTATIONS else "t") + "xyz"[axis], sign))
    return made


def _clip(name: str, rig: Rig, nodes: list[Node], samples: Floats, rate: float, unit: float, up: Up) -> Clip:
    times = np.arange(len(samples)) / rate
    times.flags.writeable = False
    signs = [sign for node in nodes for _, sign in _dofs(node, up)]
    # One row a channel, so that all curves share one block of memory.
    columns = np.ascontiguousarray(samples.T)
    for column, sign, channel in zip(columns, signs, rig.channels, strict=True):
        if channel.kind == "rotation":
            _unwind(column)
            np.radians(column, out=column)
            column *= sign
        else:
            column *= sign * unit
    columns.flags.writeable = False
    curves = {channel.name: _curve(times, column) for channel, column in zip(rig.channels, columns, strict=True)}
    return Clip(name, end=float(times[-1]), rate=rate, curves=Curves(curves))


def _unwind(degrees: Floats) -> None:
    """Add whole turns, in place, so that no step is longer than half a turn."""
    turns = np.cumsum(np.round(np.diff(degrees) / 360.0))
    wound = turns != 0
    if wound.any():
        # Decimals stay decimals: 179.9 and a turn less is −180.1, not −180.10000000000002, so it is written as such.
        degrees[1:][wound] = np.round(degrees[1:][wound] - 360.0 * turns[wound], 9)


def _curve(times: Floats, values: Floats) -> Curve:
    if (values == values[0]).all():
        return Curve.sampled(times[:1], values[:1])
    return Curve.sampled(times, values)
