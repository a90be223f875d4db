"""Edits of whole poses at a time: brought back to rest, mirrored, led between the poses around it or to kept ones."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.document.document import Document
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.feet import Feet
from inbetweener.document.edits.keys import Ready, key_pose, keyed, raised, ready
from inbetweener.document.edits.pull import NoKeyThere
from inbetweener.document.edits.result import Result, not_here
from inbetweener.document.edits.words import frame_of, moment, near, the_clip
from inbetweener.document.pose import Pose
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.rig import Rig
from inbetweener.rig.mirror import Mirror

Blend = Literal["tween", "push", "neighbour", "rest", "clip"]


def paste_pose(
    document: Document,
    clip: str,
    time: float,
    values: Mapping[str, float],
    *,
    mirrored: bool = False,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
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
        pose, given = _image(rig, pose, given)
    wanted = given if channels is None else given & _chosen(document, channels)
    chosen = np.flatnonzero(wanted)
    return KeyedPose(Chosen(document, clip, layer), time, chosen).to(pose[chosen])


def _image(rig: Rig, pose: Floats, given: Bools) -> tuple[Floats, Bools]:
    """The mirror image of a pose (C,), and which channels (C,) that is of those which were given.

    Where axes are askew, one angle becomes three of the joint opposite.
    """
    mirror = Mirror.of(rig)
    joints = {drive.joint for c in np.flatnonzero(given) for drive in rig.channels[c].drives}
    opposite = {rig.joints[mirror.joints[rig.joint_index(name)]].name for name in joints}
    image = mirror.pose(pose)
    beside = [
        bool(channel.drives) and {drive.joint for drive in channel.drives} <= opposite and image[c] != pose[c]
        for c, channel in enumerate(rig.channels)
    ]
    return image, given[mirror.channels] | np.array(beside, np.bool_)


def mirror_pose(document: Document, clip: str, time: float, *, layer: str | None = None) -> Document:
    """A clip whose pose at `time` has left and right exchanged."""
    pose = Mirror.of(document.rig).pose(document.motion(clip).channels([time])[0])
    return key_pose(document, clip, time, pose, layer=layer)


def reset_pose(
    document: Document, clip: str, time: float, channels: Iterable[str] | None = None, *, layer: str | None = None
) -> Document:
    """A clip that is at rest at `time`, in some channels or as a whole."""
    return blend_pose(document, clip, time, "rest", 1.0, channels=channels, layer=layer)


@dataclass(frozen=True, slots=True, repr=False)
class PoseResult(Result):
    """A document with a kept pose on it: where, in how many channels, and which joints of the pose are not here."""

    pose: str
    clip: str
    time: float
    frame: str
    channels: int
    left_out: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Where it is now."""
        return (f"{self.pose!r} on frame {self.frame} of {self.clip!r}: {self.channels} channels",)

    @property
    def problem(self) -> str:
        """What of it this character has not."""
        return not_here(self.left_out)

    @property
    def facts(self) -> dict[str, Any]:
        """The same for pipelines."""
        return {
            "pose": self.pose,
            "clip": self.clip,
            "time": self.time,
            "channels": self.channels,
            "left_out": list(self.left_out),
        }


def apply_pose(
    document: Document,
    pose: Pose,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    amount: float = 1.0,
    mirrored: bool = False,
    joints: Iterable[str] | None = None,
    channels: Iterable[str] | None = None,
    clip: str | None = None,
    layer: str | None = None,
    key: bool = True,
) -> PoseResult:
    """Bring a character into a kept pose, or so much of the way there; `mirrored`, left is right.

    Only some `joints` or `channels` of it where these are said. Without `key` the pose must be keyed there already.
    """
    shown = the_clip(document, clip)
    at = moment(shown, frame, time)
    applying = Applying(
        document, shown.name, at, pose, mirrored=mirrored, joints=joints, channels=channels, layer=layer, key=key
    )
    return applying.to(amount)


class Applying:
    """A kept pose that is blended in any number of times, as under a hand."""

    def __init__(
        self,
        document: Document,
        clip: str,
        time: float,
        pose: Pose,
        *,
        mirrored: bool = False,
        joints: Iterable[str] | None = None,
        channels: Iterable[str] | None = None,
        layer: str | None = None,
        key: bool = True,
    ) -> None:
        rig, chosen = document.rig, Chosen(document, clip, layer)
        values, said, self._left_out = pose.values(document)
        if mirrored:
            now = chosen.motion.channels([time])[0]
            values, said = _image(rig, np.where(said, values, now), said)
        if joints is not None:
            named = {rig.joints[rig.joint_index(name)].name for name in joints}
            said &= np.array(
                [any(each.joint in named for each in channel.drives) for channel in rig.channels], np.bool_
            )
        if channels is not None:
            said &= _chosen(document, channels)
        if not said.any():
            raise InvalidEdit(f"pose {pose.name!r} has nothing to say of what is chosen; choose other joints", "joints")
        channel_numbers = np.flatnonzero(said)
        if not key and not any(
            (np.abs(chosen.curves[rig.channels[c].name].times - time) <= near(chosen.clip)).any()
            for c in channel_numbers
            if rig.channels[c].name in chosen.curves
        ):
            frame = frame_of(chosen.clip, time)
            raise NoKeyThere(f"there is no key on frame {frame}: key the pose first (K), or let poses key themselves")
        self._pose, self._clip, self._time = pose.name, chosen.clip, time
        self._keyed = KeyedPose(chosen, time, channel_numbers)
        self._wished = nearest_turns(rig, channel_numbers, values[channel_numbers], self._keyed.now)

    def to(self, amount: float) -> PoseResult:
        """So much of the way."""
        if not np.isfinite(amount):
            raise InvalidEdit(
                f"a pose cannot be blended in by {amount:g}; choose a number, mostly from 0 to 1", "amount"
            )
        now = self._keyed.now
        made = self._keyed.to(now + amount * (self._wished - now))
        frame = frame_of(self._clip, self._time)
        return PoseResult(made, self._pose, self._clip.name, self._time, frame, len(now), self._left_out)


def nearest_turns(rig: Rig, channels: Ints, values: Floats, now: Floats) -> Floats:
    """The same angles (n,) without full turns between them and now: nobody wants to be spun into a pose.

    What has limits has no turns to spare.
    """
    free = np.array([rig.channels[c].kind == "rotation" and np.isinf(rig.channels[c].upper) for c in channels])
    turns = 2.0 * np.pi * np.round((now - values) / (2.0 * np.pi))
    return np.where(free, values + turns, values)


def blend_pose(
    document: Document,
    clip: str,
    time: float,
    how: Blend,
    amount: float,
    *,
    channels: Iterable[str] | None = None,
    layer: str | None = None,
    other: str | None = None,
    planted: bool = False,
) -> Document:
    """A clip whose pose at `time` is another mixture of what is around it, keyed there in the channels that have keys.

    tween      `amount` from the key before, 0, to the key after, 1; beyond is overshoot
    push       farther from the straight way between these two, by that share; below nought nearer to it
    neighbour  towards the key after, 1, or the key before, −1
    rest       towards the pose at rest, 1
    clip       towards the pose that the clip `other` has as long after its beginning, 1

    Between keys of single channels that stand alone there is nothing to mix, so these stay; rest and other clips are
    known of all. With `planted`, what is in contact stays where it is, and so do feet that stand there on the keys
    around too: their legs give way, whatever the chosen channels, and the body as far as legs are too short.
    """
    blending = Blending(document, clip, time, how, channels=channels, layer=layer, other=other, planted=planted)
    return blending.to(amount)


class Blending:
    """A pose that is blended any number of times, as under a hand; each time from how it was."""

    def __init__(
        self,
        document: Document,
        clip: str,
        time: float,
        how: Blend,
        *,
        channels: Iterable[str] | None = None,
        layer: str | None = None,
        other: str | None = None,
        planted: bool = False,
    ) -> None:
        if how not in BLENDS:
            raise UnknownName("blend", how, BLENDS)
        if (how == "clip") != (other is not None):
            raise InvalidEdit("say which other clip to blend to, and only with the blend 'clip'", "other")
        self._document, self._how = document, how
        rig, chosen = document.rig, Chosen(document, clip, layer)
        wanted = np.ones(len(rig.channels), np.bool_) if channels is None else _chosen(document, channels)
        self._whole = how in ("rest", "clip")
        if self._whole:
            around = {int(c): (0.0, 0.0, 0.0, 0.0) for c in np.flatnonzero(wanted)}
        else:
            around = {int(c): found for c in np.flatnonzero(wanted) if (found := _around(chosen, rig, int(c), time))}
        self._channels = np.array(sorted(around), np.int64)
        start, self._before, end, self._after = np.array([around[c] for c in self._channels]).reshape(-1, 4).T
        share = np.divide(time - start, end - start, out=np.zeros(len(start)), where=end > start)
        self._line = self._before + (self._after - self._before) * share
        if self._whole:
            wished = rig.defaults if other is None else _elsewhere(document, clip, time, other)
            # Where it is so already there is nothing to key.
            moves = document.motion(clip).channels([time])[0, self._channels] != wished[self._channels]
            self._channels = self._channels[moves]
            self._after = wished[self._channels]
        self._feet, giving = None, np.empty(0, np.int64)
        if planted and len(self._channels):
            times = chosen.pose_times(time)
            here = int(np.argmin(np.abs(times - time)))
            feet = Feet(document, clip, time, times[max(here - 1, 0) : here + 2], layer)
            if feet:
                self._feet, giving = feet, np.setdiff1d(feet.channels, self._channels)
        self._pose = chosen.motion.channels([time])[0]
        # What is mixed comes first, then what may give way.
        self._all = np.concatenate([self._channels, giving])
        self._keyed = KeyedPose(chosen, time, self._all)

    def to(self, amount: float) -> Document:
        """So much of it."""
        if not np.isfinite(amount):
            raise InvalidDocument(f"a pose cannot be blended by {amount:g}; choose a number, mostly from 0 to 1")
        if len(self._channels) == 0:
            return self._document
        mixed, by = slice(len(self._channels)), np.zeros(len(self._all))
        # Poses are mixed as they are seen; of keys, those of the chosen curves: what other layers add stays on top.
        start = (self._keyed.now if self._whole else self._keyed.values)[mixed]
        by[mixed] = BLENDS[self._how](start, self._before, self._after, self._line, amount) - start
        if self._whole:
            by[mixed] /= self._keyed.weights[mixed]
        if self._feet is None:
            return self._keyed.raised(by)
        pose = self._pose.copy()
        pose[self._all] += by * self._keyed.weights
        given = (self._feet.put(pose) - pose)[self._all]
        by += given / self._keyed.weights
        moves = by != 0.0
        moves[mixed] = True
        return self._keyed.raised(by, moves)


class KeyedPose:
    """Some channels (n,) of a clip with a key at a time, ready to take any values there.

    A key that was not there before is smooth: a slope cut out of a curve that led elsewhere would overshoot. Channels
    that stood still so far get keys wherever the clip has some, so that no other pose changes.
    """

    def __init__(self, chosen: Chosen, time: float, channels: Ints) -> None:
        self._chosen = chosen
        self.now: Floats = chosen.motion.channels([time])[0, channels]
        self.weights = chosen.weights(channels, time)
        """(n,) by how much what is seen changes with the keys."""
        self._names = [chosen.motion.rig.channels[c].name for c in channels]
        times, within = chosen.pose_times(time), near(chosen.clip)
        self._curves: list[Ready] = []
        values = []
        for c, name in zip(channels, self._names, strict=True):
            before = chosen.curves.get(name)
            still = before is None or len(before) == 1
            curve, key = keyed(chosen.still(c, times, time) if before is None or still else before, time, within)
            self._curves.append(ready(before, curve, key, within))
            values.append(curve.values[key])
        self.values: Floats = np.array(values)
        """(n,) of the keys."""

    def to(self, values: Floats) -> Document:
        """The document with the channels at these values (n,)."""
        return self.raised((values - self.now) / self.weights)

    def raised(self, by: Floats, which: Bools | None = None) -> Document:
        """The document with the keys higher by so much each (n,); only with those keys (n,), where it is said which."""
        chosen = np.arange(len(by)) if which is None else np.flatnonzero(which)
        curves = raised([self._curves[i] for i in chosen], by[chosen])
        return self._chosen.put(dict(zip([self._names[i] for i in chosen], curves, strict=True)))


BLENDS: Mapping[str, Callable[[Floats, Floats, Floats, Floats, float], Floats]] = {
    "tween": lambda _now, before, after, _line, amount: before + amount * (after - before),
    "push": lambda now, _before, _after, line, amount: now + amount * (now - line),
    "neighbour": lambda now, before, after, _line, amount: (
        now + abs(amount) * ((after if amount > 0 else before) - now)
    ),
    "rest": lambda now, _before, rest, _line, amount: now + amount * (rest - now),
    "clip": lambda now, _before, there, _line, amount: now + amount * (there - now),
}


def _elsewhere(document: Document, clip: str, time: float, other: str) -> Floats:
    """The pose (C,) of another clip as long after its beginning, without full turns between it and the one here."""
    there = document.clip(other)
    at = min(max(time - document.clip(clip).start + there.start, there.start), there.end)
    now, wished = (document.motion(each).channels([when])[0] for each, when in ((clip, time), (other, at)))
    return nearest_turns(document.rig, np.arange(len(now)), wished, now)


def _around(chosen: Chosen, rig: Rig, channel: int, time: float) -> tuple[float, float, float, float] | None:
    """Time and value of a channel's keys before and after a time; None where it has not both."""
    curve, within = chosen.curves.get(rig.channels[channel].name), near(chosen.clip)
    if curve is None:
        return None
    before, after = np.flatnonzero(curve.times < time - within), np.flatnonzero(curve.times > time + within)
    if len(before) == 0 or len(after) == 0:
        return None
    i, j = before[-1], after[0]
    return float(curve.times[i]), float(curve.values[i]), float(curve.times[j]), float(curve.values[j])


def _chosen(document: Document, channels: Iterable[str]) -> Bools:
    chosen = np.zeros(len(document.rig.channels), np.bool_)
    chosen[[document.rig.channel_index(name) for name in channels]] = True
    return chosen
