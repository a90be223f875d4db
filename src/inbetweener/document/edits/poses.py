"""Edits of whole poses at a time: brought back to rest, mirrored, led between the poses around it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.document.document import Document
from inbetweener.document.edits.keys import key_pose
from inbetweener.document.edits.words import near
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip
from inbetweener.rig.mirror import Mirror

Blend = Literal["tween", "push", "neighbour", "rest"]


def paste_pose(
    document: Document,
    clip: str,
    time: float,
    values: Mapping[str, float],
    *,
    mirrored: bool = False,
    channels: Iterable[str] | None = None,
) -> Document:
    """A clip that has values of channels, by name, keyed at `time`; `mirrored`, left is right.

    With `channels` only those of them are keyed. Channels of other rigs are left out.
    """
    rig = document.rig
    pose = document.motion(clip).channels([time])[0]
    numbers = {channel.name: c for c, channel in enumerate(rig.channels)}
    known = [(numbers[name], value) for name, value in values.items() if name in numbers]
    if not known:
        raise InvalidDocument("no channel of that pose is one of this character's; copy a pose of the same rig")
    given = np.zeros(len(pose), np.bool_)
    for c, value in known:
        pose[c], given[c] = value, True
    if mirrored:
        mirror = Mirror.of(rig)
        before, pose = pose, mirror.pose(pose)
        given = given[mirror.channels] | (pose != before)
    wanted = given if channels is None else given & _chosen(document, channels)
    return _keyed(document, clip, time, pose, np.flatnonzero(wanted))


def mirror_pose(document: Document, clip: str, time: float) -> Document:
    """A clip whose pose at `time` has left and right exchanged."""
    return key_pose(document, clip, time, Mirror.of(document.rig).pose(document.motion(clip).channels([time])[0]))


def reset_pose(document: Document, clip: str, time: float, channels: Iterable[str] | None = None) -> Document:
    """A clip that is at rest at `time`, in some channels or as a whole."""
    return blend_pose(document, clip, time, "rest", 1.0, channels=channels)


def blend_pose(
    document: Document,
    clip: str,
    time: float,
    how: Blend,
    amount: float,
    *,
    channels: Iterable[str] | None = None,
) -> Document:
    """A clip whose pose at `time` is another mixture of what is around it, keyed there in the channels that have keys.

    tween      `amount` from the key before, 0, to the key after, 1; beyond is overshoot
    push       farther from the straight way between these two, by that share; below nought nearer to it
    neighbour  towards the key after, 1, or the key before, −1
    rest       towards the pose at rest, 1

    Between keys of single channels that stand alone there is nothing to mix, so these stay; rest is known of all.
    """
    if how not in BLENDS:
        raise UnknownName("blend", how, BLENDS)
    if not np.isfinite(amount):
        raise InvalidDocument(f"a pose cannot be blended by {amount:g}; choose a number, mostly from 0 to 1")
    shown, motion = document.clip(clip), document.motion(clip)
    (now,), (base,) = motion.channels([time]), motion.base.evaluate([time])
    wanted = np.ones(len(now), np.bool_) if channels is None else _chosen(document, channels)
    if how == "rest":
        changed = np.flatnonzero(wanted & (now != document.rig.defaults))
        return _keyed(document, clip, time, now + amount * (document.rig.defaults - now), changed)
    around = {c: found for c in np.flatnonzero(wanted) if (found := _around(document, shown, int(c), time))}
    pose = now.copy()
    for c, (t0, before, t1, after) in around.items():
        # Keys of the base are mixed; what layers add stays on top.
        line = before + (after - before) * (time - t0) / (t1 - t0)
        pose[c] += BLENDS[how](base[c], before, after, line, amount) - base[c]
    return _keyed(document, clip, time, pose, np.array(sorted(around), np.int64))


BLENDS: Mapping[str, Callable[[float, float, float, float, float], float]] = {
    "tween": lambda _now, before, after, _line, amount: before + amount * (after - before),
    "push": lambda now, _before, _after, line, amount: now + amount * (now - line),
    "neighbour": lambda now, before, after, _line, amount: (
        now + abs(amount) * ((after if amount > 0 else before) - now)
    ),
    "rest": lambda now, *_: now,
}


def _around(document: Document, clip: Clip, channel: int, time: float) -> tuple[float, float, float, float] | None:
    """Time and value of a channel's keys before and after a time; None where it has not both."""
    curve = clip.curves.get(document.rig.channels[channel].name)
    if curve is None:
        return None
    before, after = np.flatnonzero(curve.times < time - near(clip)), np.flatnonzero(curve.times > time + near(clip))
    if len(before) == 0 or len(after) == 0:
        return None
    i, j = before[-1], after[0]
    return float(curve.times[i]), float(curve.values[i]), float(curve.times[j]), float(curve.values[j])


def _chosen(document: Document, channels: Iterable[str]) -> Bools:
    chosen = np.zeros(len(document.rig.channels), np.bool_)
    chosen[[document.rig.channel_index(name) for name in channels]] = True
    return chosen


def _keyed(document: Document, clip: str, time: float, pose: Floats, channels: Ints) -> Document:
    """Key some channels of a pose at a time; those that stood still so far get keys wherever the clip has some."""
    kept = document.motion(clip).channels([time])[0]
    kept[channels] = pose[channels]
    changed = key_pose(document, clip, time, kept)
    names, curves = [document.rig.channels[c].name for c in channels], document.clip(clip).curves
    return key_pose(changed, clip, time, kept, channels=[name for name in names if name in curves])
