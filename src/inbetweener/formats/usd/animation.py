"""The stage's time and further animations become clips; what they move decides which channels the rig has."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from inbetweener.arrays import Floats, frozen, read_only
from inbetweener.curves import LINEAR, Curve
from inbetweener.errors import InvalidDocument
from inbetweener.formats import reach
from inbetweener.formats.between import share_curve
from inbetweener.formats.names import Names, called
from inbetweener.formats.notes import Source
from inbetweener.formats.turn_kernels import Turns
from inbetweener.formats.turns import along_turns
from inbetweener.formats.usd.joints import Moves, Part, Skeleton, axes_of, columns_of, upright
from inbetweener.formats.usd.meshes import Shown
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Clip, Curves
from inbetweener.rig import DOFS, ROOT, Channel, Joint, Rig, joint_channels

SMALLEST_ANGLE = 1e-8
"""Radians: a tenth of what single-precision quaternions can tell apart."""
_ROUNDING = {"t": 2e-7, "s": 1e-3}
"""Of a number that never moves: how near to its rest it is at rest. UsdSkel keeps scales in half precision."""
_MOST_RATE = 240.0


@dataclass(slots=True)
class Take:
    """A clip to be: its name and span in seconds, what moves which joint, and weights of shapes by skeleton."""

    name: str
    span: tuple[float, float]
    moves: dict[int, Moves]
    weights: dict[tuple[str, str], Curve]


def read_takes(scene: dict[str, Any], skeleton: Skeleton, path: Path, source: Source) -> list[Take]:
    """What moves in the stage's own time, then every animation that is there besides."""
    rate, axes = float(scene["rate"]), axes_of(scene)
    animations = {each["path"]: each for each in scene["animations"]}
    bound = {each["path"]: each.get("animation") for each in scene["skeletons"]}
    used = list(dict.fromkeys(each for each in bound.values() if each in animations))
    reader = _Reading(scene, skeleton, axes, source)
    made = []
    moves = dict(skeleton.moves)
    weights: dict[tuple[str, str], Curve] = {}
    for owner, animation in bound.items():
        if animation in animations:
            reader.read(owner, animations[animation], moves, weights)
    if moves or weights:
        name = animations[used[0]]["name"] if len(used) == 1 and not skeleton.moves else called(path)
        given = scene["span"]
        span = (given[0] / rate, given[1] / rate) if given and given[0] <= given[1] else _span(moves, weights)
        made.append(Take(name, span, moves, weights))
    for place, animation in animations.items():
        if place in used:
            continue
        moves, weights = {}, {}
        for told in scene["skeletons"]:
            if set(animation["joints"]) <= set(told["joints"]):
                reader.read(told["path"], animation, moves, weights)
        if moves or weights:
            made.append(Take(animation["name"], _span(moves, weights), moves, weights))
        else:
            source.leave_out(place, "an animation that moves no skeleton is left out")
    return made


class _Reading:
    def __init__(self, scene: dict[str, Any], skeleton: Skeleton, axes: Floats, source: Source) -> None:
        self.scene = scene
        self.skeleton = skeleton
        self.axes = axes
        self.source = source
        self.unit, self.rate = float(scene["unit"]), float(scene["rate"])

    def read(
        self, owner: str, told: dict[str, Any], moves: dict[int, Moves], weights: dict[tuple[str, str], Curve]
    ) -> None:
        """What an animation does to one skeleton."""
        rows = {name: self._rows(told[name]) for name in ("translations", "rotations", "scales", "weights")}
        missing = [name for name in ("translations", "rotations", "scales") if rows[name] is None]
        if 0 < len(missing) < 3:
            named = " and ".join(missing)
            self.source.leave_out(told["path"], f"an animation without {named} moves no joint, here as in OpenUSD")
            rows |= dict.fromkeys(("translations", "rotations", "scales"))
        for n, path in enumerate(told["joints"]):
            joint = self.skeleton.of_joint.get((owner, path))
            if joint is None or rows["rotations"] is None:
                continue
            (shift_at, shift), (turn_at, turn), (scale_at, scale) = (
                rows[name] or (np.zeros(1), np.zeros((1, 1, 1))) for name in ("translations", "rotations", "scales")
            )
            quats = quaternions.continuous(quaternions.normalised(turn[:, n]))
            made = Moves(
                columns_of(shift_at, self.unit * shift[:, n]), None, (turn_at, quats), columns_of(scale_at, scale[:, n])
            )
            moves[joint] = upright(made, self.axes) if self.skeleton.joints[joint].parent == ROOT else made
        if rows["weights"] is not None:
            times, values = rows["weights"]
            for n, name in enumerate(told["shapes"]):
                part = columns_of(times, values[:, n : n + 1])[0]
                weights[owner, name] = Curve.constant(part, times[0]) if isinstance(part, float) else part

    def _rows(self, told: Any) -> tuple[Floats, Floats] | None:
        if told is None:
            return None
        times, values = np.asarray(told["times"]) / self.rate, np.asarray(told["values"])
        good = np.isfinite(values).all(axis=tuple(range(1, values.ndim)))
        return (times[good], values[good]) if good.any() else None


def _span(moves: dict[int, Moves], weights: dict[tuple[str, str], Curve]) -> tuple[float, float]:
    """From the first key to the last."""
    times = [curve.times for curve in weights.values()]
    for each in moves.values():
        parts = [*(each.shift or ()), *(each.angles or ()), *(each.scale or ())]
        times += [part.times for part in parts if isinstance(part, Curve)]
        times += [each.turns[0]] if each.turns is not None else []
    every = np.concatenate([np.zeros(0), *times])
    return (float(every.min()), float(every.max())) if len(every) else (0.0, 0.0)


def animate(
    scene: dict[str, Any], skeleton: Skeleton, shown: Shown, takes: list[Take], tolerance: float, source: Source
) -> tuple[Rig, tuple[Clip, ...]]:
    """The rig with its channels, and the clips."""
    joints = _ordered(skeleton, takes)
    tolerances = _tolerances(joints, shown, takes, tolerance)
    rate = float(scene["rate"]) if scene["rate"] <= _MOST_RATE else float(scene["frames"])
    clips, names = [], Names()
    for take in takes:
        curves: dict[str, Curve] = {}
        for j, moves in take.moves.items():
            curves |= _curves(joints[j], moves, take, tolerances[j], source)
        frames = np.arange(take.span[0], take.span[1] + 0.5 / rate, 1.0 / rate)
        for key, curve in take.weights.items():
            for label, full in shown.shapes_of.get(key, ()):
                curves[label] = share_curve(curve, full, frames)
        try:
            clips.append(Clip(names.unused(take.name), take.span[1], take.span[0], rate, Curves(curves)))
        except InvalidDocument as error:
            source.fail(f"animation {take.name!r}", str(error))
    used = {name for clip in clips for name in clip.curves}
    channels: list[Channel] = []
    for joint in joints:
        moved = {dof[0] for dof in DOFS if f"{joint.name}.{dof}" in used}
        kinds = {"r", *moved, *("t" if joint.parent == ROOT else "")}
        channels += joint_channels(joint, " ".join(dof for dof in DOFS if dof[0] in kinds))
    return Rig(tuple(joints), (*channels, *_widened(shown.channels, clips))), tuple(clips)


def _widened(channels: Iterable[Channel], clips: list[Clip]) -> list[Channel]:
    """Channels whose limits hold all values that clips give them."""
    made = []
    for channel in channels:
        values = [clip.curves[channel.name].values for clip in clips if channel.name in clip.curves]
        every = np.concatenate([[channel.lower, channel.upper], *values])
        made.append(replace(channel, lower=float(every.min()), upper=float(every.max())))
    return made


def _ordered(skeleton: Skeleton, takes: list[Take]) -> list[Joint]:
    """The joints; those that turn by quaternions in the order that stays farthest from its pole."""
    joints = list(skeleton.joints)
    for j, joint in enumerate(joints):
        seen = []
        for take in takes:
            moves = take.moves.get(j)
            if moves is not None and moves.turns is not None:
                q = moves.turns[1]
                seen += [q, quaternions.slerp(q[:-1], q[1:], np.full(len(q) - 1, 0.5))] if len(q) > 1 else [q]
        if seen:
            relative = quaternions.product(quaternions.inverse(joint.rest.rotation), np.concatenate(seen))
            joints[j] = replace(joint, order=euler.best_order(quaternions.to_matrix(relative)))
    return joints


def _tolerances(joints: list[Joint], shown: Shown, takes: list[Take], tolerance: float) -> Floats:
    """Radians (J,) by which angles may miss the way between two rotations."""
    lengths = np.array([np.linalg.norm(joint.rest.translation) for joint in joints])
    scales = np.array([np.abs(joint.rest.scale).max() for joint in joints])
    turning = np.zeros(len(joints), np.bool_)
    for take in takes:
        for j, moves in take.moves.items():
            turning[j] |= moves.turns is not None and len(moves.turns[0]) > 1
            lengths[j] = max(lengths[j], float(np.linalg.norm([_largest(each) for each in moves.shift or (0.0,)])))
            scales[j] = max(scales[j], max(_largest(each) for each in moves.scale or (0.0,)))
    allowed = reach.Allowance.of(joints, lengths, scales, reach.extents(joints, shown.meshes), turning)
    return allowed.angles(tolerance, SMALLEST_ANGLE)


def _largest(part: Part) -> float:
    return abs(part) if isinstance(part, float) else float(np.abs(part.values).max())


def _curves(joint: Joint, moves: Moves, take: Take, tolerance: float, source: Source) -> dict[str, Curve]:
    made: dict[str, Curve] = {}
    start = take.span[0]
    for kind, parts in (("t", moves.shift), ("r", moves.angles), ("s", moves.scale)):
        for axis, part in zip("xyz", parts or (), strict=False):
            name, rest = f"{joint.name}.{kind}{axis}", joint.rest_dof(f"{kind}{axis}")
            if isinstance(part, Curve):
                made[name] = part
            elif abs(part - rest) > _ROUNDING.get(kind, 0.0) * max(abs(rest), 1e-3):
                made[name] = Curve.constant(part, start)
    if moves.turns is not None:
        times, rotations = moves.turns
        q = np.ascontiguousarray(quaternions.product(quaternions.inverse(joint.rest.rotation), rotations))
        source.spend(180 * len(times), joint.name)
        still = bool((np.abs(q[:, 1:]) < 1e-7).all())
        if (rotations == rotations[0]).all():
            times, q = times[:1], q[:1]
        if not still:
            keys = read_only(q)
            kinds = frozen(np.full(len(times), LINEAR), np.uint8)
            given = Turns(frozen(times), keys, keys, keys, kinds)
            angles, off = along_turns(given, joint.order, tolerance)
            if off > tolerance:
                source.note(f"joint {joint.name!r}", f"turns too wildly; followed within {off:.2g} rad")
            made |= dict(zip((f"{joint.name}.r{axis}" for axis in "xyz"), angles.curves(), strict=True))
    return made
