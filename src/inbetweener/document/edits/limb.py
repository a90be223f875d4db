"""One limb between its joints and its handle: the curves of one side that make what the other side does."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.curves import CONSTANT, Bundle, Curve, insert_key
from inbetweener.curves.tracing import spliced, traced_within
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip, Motion
from inbetweener.retarget.channels import plain_channels
from inbetweener.rig import DOFS, Channel, Handle, Point, Rig, chains
from inbetweener.rig.handles.matching import matched
from inbetweener.rig.part import part_of
from inbetweener.rig.posed import Posed
from inbetweener.tangents.layered import weights_of

QUARTERS = 4
"""Into which every frame is parted: where motion is looked at between frames, and may get keys."""


def quartered(frames: Floats) -> Floats:
    """Times of frames (F,) and of quarters between them, (4 F − 3,)."""
    return np.interp(np.arange(QUARTERS * (len(frames) - 1) + 1) / QUARTERS, np.arange(len(frames)), frames)


def by_frame(found: Bools) -> Bools:
    """(F,) whether anything is found from a frame to the next, of what is found at quarters (4 F − 3,)."""
    rows = np.zeros((len(found) + QUARTERS - 1, QUARTERS), np.bool_).reshape(-1)[: len(found) + QUARTERS - 1]
    rows[: len(found)] = found
    inside = rows.reshape(-1, QUARTERS).any(axis=1)
    return np.asarray(inside | np.append(found[QUARTERS::QUARTERS], False))


class OnHandle:
    """A handle that is to make what a motion, whose joints turn by themselves, does: from which frames on it can."""

    def __init__(self, rig: Rig, handle: Handle, clip: Clip, before: Motion, times: Floats, tolerance: float) -> None:
        self.rig, self.handle, self.clip, self.tolerance = rig, handle, clip, tolerance
        self._before, self._times, self._every = before, times, quartered(clip.frame_times)
        self._watch = Watch(rig, handle)
        self._own = [rig.channel_index(name) for name in handle.channels]
        self._values = _carried_over(rig, before, self._every)
        self._values[:, self._own[6]] = 0.0
        self._goals = self._watch.places(self._values)
        self._values[:, self._own[6]] = 1.0
        self.refused: Bools = by_frame(self._error(self._read(self._every)) > 0.5 * tolerance)
        """(F,) from which frames to the next its joints turn by themselves, as the handle cannot make the pose."""

    def _read(self, times: Floats) -> Floats:
        dofs = self._before.rig.dof_map.dofs(self._before.channels(times))
        return matched(self.rig, self.handle, dofs)

    def _error(self, values: Floats) -> Floats:
        self._values[:, self._own[:6]] = values
        return np.asarray(np.linalg.norm(self._watch.places(self._values) - self._goals, axis=2).max(axis=1))

    def traced(self, start: float, end: float) -> tuple[dict[str, Curve], int]:
        """Curves of target and pole, and of the blend where it has to be off, and how many keys they needed more."""
        whole = start <= self.clip.start + 1e-9 and end >= self.clip.end - 1e-9
        times = self._times if whole else _within(self._times, start, end)
        if len(times) == 0:
            times = np.array([self.clip.start])
        unseen = np.repeat(self.refused, QUARTERS)[: len(self._every)]
        outside = (self._every < start - 1e-9) | (self._every > end + 1e-9) | unseen

        def error(curves: list[Curve]) -> Floats:
            return np.where(outside, 0.0, self._error(Bundle.of(curves).evaluate(self._every)))

        curves, added = traced_within(self._read, times, self._every, error, self.tolerance)
        made = dict(zip(self.handle.channels, curves, strict=False))
        if not whole:
            now = self.clip.curves
            made = {
                name: spliced(now.get(name) or self._still(name), curve, 1.0 / self.clip.rate)
                for name, curve in made.items()
            }
        elif self.refused.any() or self.rig.channel(self.handle.channels[6]).default != 1.0:
            blend = self.rig.channel(self.handle.channels[6])
            bare = replace(self.clip, curves=self.clip.curves.replaced({blend.name: None}))
            made[blend.name] = stepped(blend, bare, start, end, 1.0, self.refused)
        return made, added

    def _still(self, name: str) -> Curve:
        return Curve.constant(self.rig.channel(name).default, self.clip.start)


class Watch:
    """Where the joints of a limb, and all that hangs on it, are."""

    def __init__(self, rig: Rig, handle: Handle) -> None:
        first = handle.joints[0]
        self._rig, self._names = rig, (first, *chains.descendants(rig, first))
        self._part = part_of(rig, (rig.joint_index(name) for name in self._names))
        self._local = [self._part.local_joint(rig.joint_index(name)) for name in self._names]

    def places(self, values: Floats) -> Floats:
        """(T, j, 3) for channel values (T, C)."""
        posed = Posed(self._rig.keyed, values, part=self._part)
        return np.ascontiguousarray(posed.world_from_joint[..., 3][:, self._local])


def _within(times: Floats, start: float, end: float) -> Floats:
    inside = times[(times > start + 1e-6) & (times < end - 1e-6)]
    return np.concatenate([[start], inside, [end]])


def _carried_over(rig: Rig, motion: Motion, times: Floats) -> Floats:
    """Channel values (T, C) of a motion on a rig that has more channels."""
    values = np.tile(rig.defaults, (len(times), 1))
    columns = [rig.channel_index(channel.name) for channel in motion.rig.channels]
    values[:, columns] = motion.channels(times)
    return values


def unlayered(clip: Clip, channel: str) -> Clip:
    """A clip whose layers leave a channel alone."""
    return replace(
        clip, layers=tuple(replace(each, curves=each.curves.replaced({channel: None})) for each in clip.layers)
    )


def stepped(channel: Channel, clip: Clip, start: float, end: float, value: float, off: Bools) -> Curve:
    """The blend of a clip with a value from start to end, and 0 from frames (F,) that are off to the next.

    It steps, as both ways make the same pose there.
    """
    old, frame = clip.curves.get(channel.name) or Curve.constant(channel.default, clip.start), 1.0 / clip.rate
    times, values = list[float](), list[float]()
    for time, none in zip(clip.frame_times, off, strict=True):
        wished = 0.0 if none else value
        if time + frame > start + 1e-9 and time < end - 1e-9 and (not values or values[-1] != wished):
            times.append(max(float(time), start))
            values.append(wished)
    if not times:
        times, values = [start], [value]
    kinds = [CONSTANT] * len(times)
    before, after = start > clip.start + 1e-9, end < clip.end - 1e-9
    for time in (*([start - frame] if before else []), *([end] if after else [])):
        if np.abs(old.times - time).min() > 1e-9:
            old = insert_key(old, time).curve
    first = old.times < start - frame + 1e-9 if before else np.zeros(len(old), np.bool_)
    last = old.times > end - 1e-9 if after else np.zeros(len(old), np.bool_)
    old_kinds = old.interpolations.copy()
    old_kinds[np.flatnonzero(first)[-1:]] = CONSTANT
    level = np.zeros((len(times), 2))
    return Curve(
        np.concatenate([old.times[first], times, old.times[last]]),
        np.concatenate([old.values[first], values, old.values[last]]),
        np.concatenate([old.ins[first], level, old.ins[last]]),
        np.concatenate([old.outs[first], level, old.outs[last]]),
        np.concatenate([old_kinds[first], kinds, old_kinds[last]]).astype(np.uint8),
        np.concatenate([old.tied[first], np.ones(len(times)), old.tied[last]]).astype(np.bool_),
    )


def by_joints(
    document: Document, clip: str, handle: Handle, start: float, end: float, tolerance: float
) -> tuple[Document, int]:
    """A document whose joints' own curves make, from start to end, what a handle makes of them; and how many keys more.

    Where they do already, not a key is touched.
    """
    rig, shown = document.rig, document.clip(clip)
    motion, blend = Motion(rig, shown), rig.channel_index(handle.channels[6])
    frames = quartered(shown.frame_times)
    frames = frames[(frames >= start - 1e-9) & (frames <= end + 1e-9)]
    watch = Watch(rig, handle)

    def off(values: Floats) -> Floats:
        values = values.copy()
        values[:, blend] = 0.0
        return values

    seen = motion.channels(frames)
    goals = watch.places(seen)
    if np.linalg.norm(goals - watch.places(off(seen)), axis=2).max(initial=0.0) <= 1.001 * tolerance:
        return document, 0
    rows, columns, factors = _own_channels(rig, handle, seen)
    names = [rig.channels[c].name for c in columns]
    bare = [shown.curves.get(name) or Curve.constant(rig.channel(name).default, shown.start) for name in names]
    base = Bundle.of(bare)

    def read(times: Floats) -> Floats:
        values = motion.channels(times)
        missed = (rig.dof_map.dofs(values) - rig.linear_map.dofs(values))[:, rows] / factors
        return np.asarray(base.evaluate(times) + missed / _heard(motion, names, times))

    counts, under = _heard(motion, names, frames), base.evaluate(frames)

    def error(curves: list[Curve]) -> Floats:
        values = off(seen)
        values[:, columns] += counts * (Bundle.of(curves).evaluate(frames) - under)
        return np.asarray(np.linalg.norm(watch.places(values) - goals, axis=2).max(axis=1))

    times = motion.key_times(Point(handle.tip.joint))
    whole = start <= shown.start + 1e-9 and end >= shown.end - 1e-9
    if not whole:
        times = _within(times, start, end)
    elif len(times) == 0:
        times = np.array([shown.start])
    made, added = traced_within(read, times, frames, error, tolerance)
    if not whole:
        made = [spliced(old, piece, 1.0 / shown.rate) for old, piece in zip(bare, made, strict=True)]
    return set_curves(document, clip, dict(zip(names, made, strict=True))), added


def _own_channels(rig: Rig, handle: Handle, values: Floats) -> tuple[list[int], list[int], Floats]:
    """The angles that a handle sets, as rows of degrees of freedom, the channels that drive each alone, and factors."""
    plain = plain_channels(rig)
    rows = [9 * rig.joint_index(name) + d for name in handle.joints for d in (3, 4, 5)]
    missed = np.abs(rig.dof_map.dofs(values) - rig.linear_map.dofs(values)).max(axis=0, initial=0.0)
    for row in rows:
        if row not in plain and missed[row] > 1e-6:
            raise InvalidEdit(
                f"{rig.joints[row // 9].name!r} has no channel {DOFS[row % 9]!r}, about which handle {handle.name!r} "
                "turns it; leave it on its handle",
                "limb",
            )
    rows = [row for row in rows if row in plain]
    return rows, [plain[row][0] for row in rows], np.array([plain[row][1] for row in rows])


def _heard(motion: Motion, names: Sequence[str], times: Floats) -> Floats:
    """By how much (T, n) base curves count; raises where a layer hides one."""
    counts = weights_of(motion, None, names, times)
    if (counts == 0.0).any():
        hidden = names[int(np.argmin(counts.min(axis=0)))]
        raise InvalidEdit(f"a layer overrides {hidden}, so that no key below it is seen; merge the layer first", "limb")
    return counts
