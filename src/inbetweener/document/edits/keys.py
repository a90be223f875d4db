"""Edits of keys, as `curves` knows them, on a channel of a clip or of one of its layers; and whole poses."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from inbetweener.curves import CONSTANT, LINEAR, Curve, Interpolation, Tangent, edit, tangent_presets
from inbetweener.curves.curve import with_tangents
from inbetweener.curves.tangent_presets import PRESETS, Preset
from inbetweener.document.document import Document
from inbetweener.document.edits.chosen import SAME_TIME, Chosen
from inbetweener.document.edits.curves import curve_of, set_curves
from inbetweener.document.edits.words import near
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.maths import euler
from inbetweener.rig import Drive, Rig


def insert_keys(
    document: Document, clip: str, channels: Iterable[str], time: float, *, layer: str | None = None
) -> Document:
    """Keys at `time` that leave what is seen as it is; a channel without a curve gets the value that it has.

    A key that is there already, within a tenth of a frame, is it.
    """
    chosen, within = Chosen(document, clip, layer), near(document.clip(clip))
    made: dict[str, Curve | None] = {}
    for name in channels:
        curve = chosen.curves.get(name)
        if curve is None:
            made[name] = Curve.constant(chosen.blank(document.rig.channel_index(name), time), time)
        elif (changed := keyed(curve, time, within)[0]) is not curve:
            made[name] = changed
    return chosen.put(made)


def delete_keys(
    document: Document, clip: str, channel: str, keys: Iterable[int], *, layer: str | None = None
) -> Document:
    """A curve without some keys; without all of them, the channel has no curve any more."""
    curve = curve_of(document, clip, channel, layer)
    gone = edit.indices(curve, keys)
    left = None if len(gone) == len(curve) else edit.delete_keys(curve, gone).curve
    return set_curves(document, clip, {channel: left}, layer=layer)


def move_key(
    document: Document,
    clip: str,
    channel: str,
    key: int,
    *,
    time: float | None = None,
    value: float | None = None,
    layer: str | None = None,
) -> Document:
    """A key at another time, value or both; it may not pass its neighbours."""
    curve = curve_of(document, clip, channel, layer)
    moved = edit.move_key(curve, key, time=time, value=value).curve
    return set_curves(document, clip, {channel: moved}, layer=layer)


def retime_keys(
    document: Document,
    clip: str,
    channels: Iterable[str],
    keys: Iterable[int] | None = None,
    *,
    shift: float = 0.0,
    scale: float = 1.0,
    pivot: float = 0.0,
    layer: str | None = None,
) -> Document:
    """Keys (all when None) of several channels moved to pivot + scale·(time − pivot) + shift."""
    chosen = None if keys is None else list(keys)
    changed: dict[str, Curve | None] = {}
    for channel in channels:
        curve = curve_of(document, clip, channel, layer)
        changed[channel] = edit.retime(curve, chosen, shift=shift, scale=scale, pivot=pivot).curve
    return set_curves(document, clip, changed, layer=layer)


def set_tangent(
    document: Document,
    clip: str,
    channel: str,
    key: int,
    side: Literal["in", "out"],
    tangent: Tangent,
    *,
    layer: str | None = None,
) -> Document:
    """One tangent of a key; a tied key's other tangent takes over the slope."""
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: edit.set_tangent(curve, key, side, tangent).curve}, layer=layer)


def tie_tangents(
    document: Document,
    clip: str,
    channel: str,
    keys: Iterable[int] | None = None,
    *,
    tied: bool = True,
    layer: str | None = None,
) -> Document:
    """Keys (all when None) whose two slopes are one, or may differ."""
    curve = curve_of(document, clip, channel, layer)
    changed = edit.tie_tangents(curve, keys) if tied else edit.break_tangents(curve, keys)
    return set_curves(document, clip, {channel: changed.curve}, layer=layer)


def set_interpolation(
    document: Document,
    clip: str,
    channel: str,
    kind: Interpolation,
    keys: Iterable[int] | None = None,
    *,
    layer: str | None = None,
) -> Document:
    """How the segments after some keys (all when None) run."""
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: edit.set_interpolation(curve, kind, keys).curve}, layer=layer)


def preset_tangents(
    document: Document,
    clip: str,
    channel: str,
    preset: Preset,
    keys: Iterable[int] | None = None,
    *,
    layer: str | None = None,
) -> Document:
    """Tangents of some keys (all when None) made smooth, flat, linear or stepped."""
    if preset not in PRESETS:
        raise UnknownName("tangent preset", preset, PRESETS)
    curve = curve_of(document, clip, channel, layer)
    return set_curves(document, clip, {channel: PRESETS[preset](curve, keys)}, layer=layer)


def keyed(curve: Curve, time: float, within: float) -> tuple[Curve, int]:
    """The same curve with a key at a time, and which one; a key that is there already, within some seconds, is it.

    Beyond its ends a curve is level; the new segment there is a Bezier, so that it can be shaped like any other.
    """
    nearest = int(np.abs(curve.times - time).argmin())
    if abs(curve.times[nearest] - time) <= within:
        return curve, nearest
    at = int(np.searchsorted(curve.times, time))
    made = edit.insert_key(curve, time).curve
    if at in (0, len(curve)):
        segment = min(at, len(made) - 2)
        if made.interpolations[segment] == LINEAR:
            made = edit.straight_as_bezier(made, [segment])
    return made, at


Ready = tuple[Curve, int, bool]
"""A curve with a key that a hand moves, which one it is, and whether it is kept smooth, being new."""


def ready(before: Curve | None, curve: Curve, key: int, within: float) -> Ready:
    """A curve whose key is about to be moved; one that was not there `before`, within some seconds, is smooth.

    A slope that was cut out of a curve which led elsewhere would overshoot. In steps there is none.
    """
    was = before is not None and len(before) > 1 and bool((np.abs(before.times - curve.times[key]) <= within).any())
    if was or curve.interpolations[max(0, key - 1)] == CONSTANT:
        return curve, key, False
    return tangent_presets.smooth(curve, [key]), key, True


def raised(curves: Sequence[Ready], by: Iterable[float]) -> tuple[Curve, ...]:
    """Curves with their keys raised by so much each."""
    values, ins, outs = [], [], []
    for (curve, key, fresh), rise in zip(curves, by, strict=True):
        heights, tangents = curve.values.copy(), (curve.ins, curve.outs)
        heights[key] += rise
        if fresh:
            around = slice(max(0, key - 1), key + 2)
            slope = tangent_presets.smooth_slopes(curve.times[around], heights[around])[min(1, key)]
            tangents = curve.ins.copy(), curve.outs.copy()
            for each in tangents:
                each[key, 1] = slope * each[key, 0]
        values.append(heights)
        ins.append(tangents[0])
        outs.append(tangents[1])
    return with_tangents([curve for curve, _, _ in curves], ins, outs, values)


def key_pose(
    document: Document,
    clip: str,
    time: float,
    pose: npt.ArrayLike,
    *,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
) -> Document:
    """A clip that is in a pose, all channel values (C,), at `time`.

    Keys that are there take the values, with their tangents; where there is none, one is put in. By default only
    channels that the pose changes are keyed, and those that have stood still so far get keys wherever the clip has
    some: with one key only, a single new pose would change all others. Keys are the base's or the `layer`'s, which make
    up for what the others add.
    """
    rig, chosen = document.rig, Chosen(document, clip, layer)
    wished = np.asarray(pose, np.float64)
    if wished.shape != (len(rig.channels),) or not np.isfinite(wished).all():
        raise InvalidDocument(f"a pose needs {len(rig.channels)} finite numbers, one for every channel of the rig")
    by = wished - chosen.motion.channels([time])[0]
    moved = np.flatnonzero(by) if channels is None else np.array([rig.channel_index(name) for name in channels], int)
    times = chosen.pose_times(time) if channels is None else np.array([time])
    curves: dict[str, Curve | None] = {}
    for c, rise in zip(moved, by[moved] / chosen.weights(moved, time), strict=True):
        name = rig.channels[c].name
        curve = chosen.curves.get(name)
        if curve is None or (len(curve) == 1 and channels is None):
            curve = chosen.still(c, times, time)
        curve, key = keyed(curve, time, SAME_TIME)
        curves[name] = edit.move_key(curve, key, value=float(curve.values[key] + rise)).curve
    return chosen.put(curves)


def block_clip(document: Document, clip: str, stepped: bool = True) -> Document:
    """A clip whose base poses hold until the next one, as for blocking; or, not `stepped`, flow into each other.

    Only steps are made to flow, through keys that are smooth then: what was shaped already keeps its shape.
    """
    made: dict[str, Curve | None] = {}
    for name, curve in document.clip(clip).curves.items():
        steps = np.flatnonzero(curve.interpolations[:-1] == CONSTANT)
        if stepped and len(steps) < len(curve) - 1:
            made[name] = tangent_presets.stepped(curve)
        elif not stepped and len(steps):
            made[name] = tangent_presets.smooth(curve, np.union1d(steps, steps + 1))
    return set_curves(document, clip, made) if made else document


def filter_angles(document: Document, clip: str) -> Document:
    """A clip without jumps of its Euler angles: every rotation is written nearest to the key before it.

    Three angles of a joint that are keyed together are the same orientation on every key; of one that is keyed alone
    only full turns are taken away.
    """
    rig, curves = document.rig, document.clip(clip).curves
    made: dict[str, Curve | None] = {}
    for joint in rig.joints:
        names = [_plain_channel(rig, f"{joint.name}.{axis}") for axis in ("rx", "ry", "rz")]
        mine = {axis: (name, curves[name]) for axis, name in enumerate(names) if name is not None and name in curves}
        times = [curve.times for _, curve in mine.values()]
        if len(mine) == 3 and all(np.array_equal(times[0], other) for other in times[1:]):
            angles = np.stack([curve.values for _, curve in mine.values()], axis=1)
            found = euler.continuous(angles, joint.order)
        else:
            angles = found = np.empty((0, 3))
        for axis, (name, curve) in mine.items():
            values = found[:, axis] if len(found) else np.unwrap(curve.values)
            # Of the two ways to write a rotation, the other one has its middle angle run the other way.
            flips = np.abs(np.sin(values - curve.values)) + np.abs(np.cos(values - curve.values) - 1.0) > 1e-6
            middle = "XYZ"[axis] == joint.order[1]
            over = np.where(flips & middle, -1.0, 1.0)[:, None] ** [0.0, 1.0]
            if np.abs(values - curve.values).max() > 1e-9:
                made[name] = edit.settled(curve, values=values, ins=curve.ins * over, outs=curve.outs * over).curve
    return set_curves(document, clip, made) if made else document


def _plain_channel(rig: Rig, dof: str) -> str | None:
    """The channel that is this degree of freedom and nothing else."""
    found = [channel for channel in rig.channels if any(drive.dof == dof for drive in channel.drives)]
    return found[0].name if len(found) == 1 and found[0].drives == (Drive(dof),) else None
