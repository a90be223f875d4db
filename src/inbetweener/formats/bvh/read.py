"""A BVH file as a document: a rig of plain Euler channels and one clip of dense linear keys."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.document import Document, Source
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.hierarchy import CHANNELS, OUR_AXIS, ROTATIONS, UPS, Node, Parsed, Up, from_file, parse
from inbetweener.formats.bvh.turns import allowances, turned
from inbetweener.formats.files import Reading, file_bytes
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Channel, Joint, Point, Rig, joint_channels

ASSUMED_RATE = 30.0
"""Frames a second of a single pose whose file gives no usable frame time."""

SHORTEST, LONGEST = 1e-6, 1e6
"""Seconds a frame may last; outside, a frame time is a mistake."""


def read(
    path: Path | str,
    unit: float | None = None,
    up: Up | None = None,
    rate: float | None = None,
    *,
    trust: bool = False,
) -> Reading:
    """Open a BVH file.

    `unit` is the length of one file unit in metres and `up` the file's up axis; both are guessed when not given, and
    the guess is among the repairs. `rate` in frames a second replaces the file's frame time. A file that unfolds to
    far more than its size explains is refused unless you `trust` it.
    """
    path = Path(path)
    _check_options(path, unit, up, rate)
    content = file_bytes(path)
    parsed = parse(path, content, Budget(len(content), trust=trust))
    nodes, renamed = _with_unique_names(parsed.nodes)
    repairs = [*parsed.repairs, *renamed]
    if up is None:
        up = _guessed_up(nodes, parsed.samples)
        if up == "z":
            repairs.append("line 1: the z axis is taken as up, from where head and feet lie; pass up to say otherwise")
    if unit is None:
        unit, reason = guess_unit(nodes)
        repairs.append(f"line 1: one unit is taken as {unit:g} m ({reason}); pass unit to say otherwise")
    frames_a_second, assumed = _rate(path, parsed, rate)
    repairs.extend(assumed)
    rig = _rig(nodes, unit, up)
    source = Source("bvh", unit, up)
    if len(parsed.samples) == 0:
        return Reading(Document(path.stem, rig, source=source), tuple(repairs))
    clip = _clip(path.stem, rig, nodes, parsed.samples, frames_a_second, unit, up)
    rig, clip, source, mended = _unbroken(rig, clip, source)
    return Reading(Document(path.stem, rig, clips=(clip,), source=source), (*repairs, *mended))


def _check_options(path: Path, unit: float | None, up: str | None, rate: float | None) -> None:
    if up is not None and up not in UPS:
        raise FormatError(path, "", f"up axis {up!r} is neither 'y' nor 'z'")
    for name, value in (("unit", unit), ("rate", rate)):
        if value is not None and not (math.isfinite(value) and 1e-9 <= value <= 1e9):
            raise FormatError(path, "", f"{name} {value:g} must be a positive number")


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


def _unbroken(rig: Rig, clip: Clip, source: Source) -> tuple[Rig, Clip, Source, list[str]]:
    """The same rotations on every frame, in angles that lead straight from one to the next; and what was changed."""
    allowed = allowances(rig.joints, rig.points)
    curves: dict[str, Curve] = {}
    joints = list(rig.joints)
    between = 0
    for j, joint in enumerate(rig.joints):
        own = [clip.curves.get(f"{joint.name}.{dof}") for dof in ("rx", "ry", "rz")]
        times = next((curve.times for curve in own if curve is not None and len(curve) > 1), None)
        if times is None or any(curve is None for curve in own):
            continue
        angles = np.stack([np.broadcast_to(curve.values, times.shape) for curve in own if curve is not None], axis=1)
        found = turned(times, angles, joint.order, float(allowed[j]))
        if found is not None:
            joints[j] = replace(joint, order=found.order)
            curves.update(zip((f"{joint.name}.{dof}" for dof in ("rx", "ry", "rz")), found.curves, strict=True))
            between += found.between
    if not curves:
        return rig, clip, source, []
    changed = tuple((old.name, old.order) for old, new in zip(rig.joints, joints, strict=True) if old != new)
    told = []
    if changed:
        names = ", ".join(f"{rig.joints[rig.joint_index(name)].name}" for name, _ in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        told.append(
            f"{names}{more}: angles pass the pole of the file's order and would break between frames; they turn in "
            "another order here, and in the file's own when written back"
        )
    if between:
        told.append(f"{between} keys stand between frames, where no order of angles leads straight on")
    return (
        replace(rig, joints=tuple(joints)),
        replace(clip, curves=clip.curves.replaced(curves)),
        replace(source, orders=changed),
        told,
    )


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


def _guessed_up(nodes: list[Node], samples: Floats) -> Up:
    """The up axis, looking at the rest pose and at up to 64 frames in the file's own axes."""
    rig = _rig(nodes, 1.0, "y")
    rest = rig.rest_world()[..., 3]
    some = samples[:: max(1, len(samples) // 64)].copy()
    rotations = [channel.kind == "rotation" for channel in rig.channels]
    some[:, rotations] = np.radians(some[:, rotations])
    posed = rig.world_from_joint(some)[..., 3] if len(some) else np.empty((0, len(nodes), 3))
    return guess_up(nodes, rest, posed)


UNITS = {1.0: "metres", 0.01: "centimetres", 0.001: "millimetres", 0.0254: "inches", 0.056444: "as the CMU database"}
"""Metres in a file unit, for the units that files are known to use."""

PERSON = 1.7
"""Metres from sole to crown along the bones."""

_HEAD = re.compile(r"head|skull|neck", re.IGNORECASE)
_FOOT = re.compile(r"foot|toe|ankle|shin|knee|leg", re.IGNORECASE)


def guess_unit(nodes: list[Node]) -> tuple[float, str]:
    """Metres in one file unit, and why.

    A person's size is measured along the bones, from the head's tip to the root to the farther foot's tip, because
    many files' rest pose does not stand. Anything else is taken as centimetres, which most programs write, unless it
    would be smaller than 2 cm or larger than 100 m.
    """
    reach = _reach(nodes)
    head = max((reach[i] for i in _named(nodes, _HEAD)), default=0.0)
    foot = max((reach[i] for i in _named(nodes, _FOOT)), default=0.0)
    if head > 0 and foot > 0:
        size = head + foot
        unit = min(UNITS, key=lambda metres: abs(math.log(metres * size / PERSON)))
        return unit, f"{UNITS[unit]}: a person {unit * size:.2f} m tall"
    size = max(reach, default=0.0)
    if size == 0:
        return 0.01, "centimetres: there is nothing to measure"
    unit = 1.0 if 0.01 * size < 0.02 else 0.001 if 0.01 * size > 100.0 else 0.01
    return unit, f"{UNITS[unit]}: {unit * size:.3g} m from the root to the farthest tip"


def guess_up(nodes: list[Node], rest: Floats, posed: Floats) -> Up:
    """The up axis from where heads and feet lie along the file's axes.

    rest (J, 3) counts if it stands: head and feet apart by half of the bones between them, mostly along one axis.
    Otherwise the frames posed (F, J, 3) decide by their median.
    """
    heads, feet = _named(nodes, _HEAD), _named(nodes, _FOOT)
    if not heads or not feet:
        return "y"
    reach = _reach(nodes)
    size = max(reach[i] for i in heads) + max(reach[i] for i in feet)

    def rise(positions: Floats) -> Floats:
        return positions[..., heads, :].mean(axis=-2) - positions[..., feet, :].mean(axis=-2)

    _, y, z = np.abs(rise(rest))
    if max(y, z) < 0.25 * size or max(y, z) < 2.0 * min(y, z):
        if len(posed) == 0:
            return "y"
        y, z = np.abs(np.median(rise(posed), axis=0))[1:]
    return "z" if z > y else "y"


def _named(nodes: list[Node], pattern: re.Pattern[str]) -> list[int]:
    return [i for i, node in enumerate(nodes) if pattern.search(node.name)]


def _reach(nodes: list[Node]) -> list[float]:
    """Length of the bones from the root to each node's farthest own tip, in file units."""
    origins: list[float] = []
    tips: list[float] = []
    for node in nodes:
        # The root's offset places the body, it is no bone.
        along = origins[node.parent] + math.hypot(*node.offset) if node.parent >= 0 else 0.0
        origins.append(along)
        tips.append(along + max((math.hypot(*end) for end in node.ends), default=0.0))
    return tips
