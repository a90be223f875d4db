"""The motion curves that a page wants: sampled anew only where the motion changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.rig import Place, Rig, bent
from inbetweener.rig.freedom import channels_moving
from inbetweener.rig.part import RigPart, part_of
from inbetweener.rig.posed import Posed
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import binary
from inbetweener.studio.protocol.to_server import ArcWish
from inbetweener.studio.session.changes import ALWAYS, Span
from inbetweener.studio.session.loose_frames import LooseFrames

MOST_SAMPLES = 1_200
"""How finely a motion curve is sampled: four times a frame, unless that makes more samples than these."""

_NOWHERE = binary.ArcSamples(0.0, 1, np.zeros((0, 3)), np.zeros(0), None, np.zeros(0), np.zeros((0, 3)))
"""The motion curve of a place that is not there any more."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """When motion curves are looked at: sample i at start + i / (per_frame · rate)."""

    start: float
    per_frame: int
    rate: float
    count: int

    @property
    def times(self) -> Floats:
        return self.start + np.arange(self.count) / (self.per_frame * self.rate)

    def within(self, span: Span) -> slice:
        """The samples that can differ when the motion differs within a span."""
        each = self.per_frame * self.rate
        inside = np.clip([(span[0] - self.start) * each, (span[1] - self.start) * each], -1, self.count)
        first, last = int(np.ceil(inside[0] - 1e-6)), int(np.floor(inside[1] + 1e-6))
        return slice(max(0, first), max(0, min(self.count - 1, last) + 1))


@dataclass(slots=True, eq=False)
class _Arc:
    """One motion curve as it was last told; `place` is None where a joint of it is missing."""

    wish: ArcWish
    place: Place | None
    channels: tuple[str, ...]
    positions: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    turns: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    key_arrays: list[Floats] = field(default_factory=list)
    keys: Floats = field(default_factory=lambda: np.zeros(0))
    key_positions: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    swings: bool = False

    def find_keys(self, motion: Motion) -> None:
        """All times within the clip at which a channel that moves the place has one of several keys."""
        clip = motion.clip
        found = [
            curves[name].times
            for curves in motion.sources
            for name in self.channels
            if name in curves and len(curves[name]) > 1
        ]
        bounds = np.array([clip.start, clip.end])
        found.append(bounds)
        # Drags leave the key times alone, and curves share what did not change.
        same = len(found) == len(self.key_arrays) and np.array_equal(bounds, self.key_arrays[-1])
        if not same or any(a is not b for a, b in zip(found[:-1], self.key_arrays[:-1], strict=True)):
            keys = np.unique(np.concatenate([np.empty(0), *found[:-1]]).round(9))
            self.keys = keys[(keys >= clip.start - 1e-9) & (keys <= clip.end + 1e-9)]
            self.key_arrays = found

    def samples(self, grid: _Grid) -> binary.ArcSamples:
        """As the page draws it; speeds in metres a second from neighbouring samples."""
        if self.place is None:
            return _NOWHERE
        moved = np.gradient(self.positions, axis=0) if grid.count > 1 else np.zeros((grid.count, 3))
        speeds = np.linalg.norm(moved, axis=1) * (grid.per_frame * grid.rate)
        turns = self.turns if self.wish.turns else None
        return binary.ArcSamples(
            grid.start, grid.per_frame, self.positions, speeds, turns, self.keys, self.key_positions
        )


class Arcs:
    """All motion curves of one page. They are sampled together, on the part of the rig that carries any of them."""

    def __init__(self) -> None:
        self._wishes: tuple[ArcWish, ...] = ()
        self._rig: Rig | None = None
        self._arcs: list[_Arc] = []
        self._part: RigPart | None = None
        self._grid: _Grid | None = None

    def wish(self, wishes: Sequence[ArcWish], rig: Rig | None) -> None:
        """Other motion curves from now on; raises when a place names a joint that is not there."""
        if rig is not None:
            for wish in wishes:
                to_place(rig, wish.place)
        self._wishes, self._rig = tuple(wishes), None

    def messages(
        self, motion: Motion | None, revision: int, span: Span, loose: LooseFrames | None = None
    ) -> list[bytes]:
        """The motion curves as they are, after the keyed motion changed within a span.

        Of loose motion they are as far as it is known; unless the page wants it, the keyed motion is not looked at.
        """
        if not self._wishes:
            return []
        if motion is None:
            self._rig = None
            return [binary.arc(revision, wish.arc, _NOWHERE) for wish in self._wishes]
        if motion.rig is not self._rig:
            self._resolve(motion.rig)
        if (grid := _grid(motion)) != self._grid:
            self._grid, span = grid, ALWAYS
        there = [arc for arc in self._arcs if arc.place is not None]
        for arc in there:
            arc.find_keys(motion)
        swinging = [arc for arc in there if loose is not None and not arc.wish.keyed]
        keyed = [arc for arc in there if loose is None or arc.wish.keyed]
        # A curve that swung, or did not, when it was last told is looked at whole.
        if any(arc.swings == (loose is None) for arc in there if not arc.wish.keyed):
            span = ALWAYS
        self._sample(motion, grid, grid.within(span), keyed)
        if loose is not None:
            self._sample_loose(loose, grid, swinging)
        return [binary.arc(revision, arc.wish.arc, arc.samples(grid)) for arc in self._arcs]

    def _resolve(self, rig: Rig) -> None:
        known, shaping = {joint.name for joint in rig.joints}, {channel.name for channel in rig.channels}
        self._rig, self._grid, self._arcs = rig, None, []
        joints: set[int] = set()
        for wish in self._wishes:
            there = all(
                part.joint in known and shaping.issuperset(name for name, _ in part.shapes) for part in wish.place.parts
            )
            place = to_place(rig, wish.place) if there else None
            moving = sorted(channels_moving(rig, place, "both")) if place is not None else []
            names = {rig.channels[c].name: None for c in moving}
            names |= dict.fromkeys(sorted(bent.channels_bending(rig, place))) if place is not None else {}
            self._arcs.append(_Arc(wish, place, tuple(names)))
            joints |= {rig.joint_index(point.joint) for point, _ in place.parts} if place is not None else set()
        self._part = part_of(rig, sorted(joints))

    def _sample(self, motion: Motion, grid: _Grid, new: slice, arcs: list[_Arc]) -> None:
        """Look at keyed curves in the given samples and on their keys, in one go."""
        for arc in arcs:
            arc.swings = False
            if len(arc.positions) != grid.count:
                arc.positions, arc.turns = np.zeros((grid.count, 3)), np.zeros((grid.count, 4))
        if not arcs:
            return
        times = grid.times[new]
        samples = len(times)
        channels = motion.channels(np.concatenate([times, *(arc.keys for arc in arcs)]))
        ends = samples + np.cumsum([0, *(len(arc.keys) for arc in arcs)])
        rows = [np.r_[0:samples, first:last] for first, last in pairwise(ends)]
        for arc, (positions, turns) in zip(arcs, self._states(motion.rig, channels, arcs, rows), strict=True):
            arc.positions[new], arc.key_positions = positions[:samples], positions[samples:]
            if arc.wish.turns:
                arc.turns[new] = quaternions.from_matrix(turns[:samples])

    def _sample_loose(self, loose: LooseFrames, grid: _Grid, arcs: list[_Arc]) -> None:
        """Look at curves of loose motion on every frame: between frames, and on keys there, they run smoothly."""
        clip, rig = loose.motion.clip, loose.motion.rig
        rows = [np.arange(len(loose.values))] * len(arcs)
        for arc, (positions, turns) in zip(arcs, self._states(rig, loose.values, arcs, rows), strict=True):
            arc.swings = True
            arc.positions = smoothly(positions, np.arange(grid.count) / grid.per_frame)
            arc.key_positions = smoothly(positions, (arc.keys - clip.start) * clip.rate)
            if arc.wish.turns:
                between = smoothly(_untwisted(quaternions.from_matrix(turns)), np.arange(grid.count) / grid.per_frame)
                arc.turns = between / np.linalg.norm(between, axis=1, keepdims=True)

    def _states(
        self, rig: Rig, channels: Floats, arcs: list[_Arc], rows: list[Ints]
    ) -> Iterator[tuple[Floats, Floats]]:
        """Positions (R, 3) and orientations (R, 3, 3) of each arc's place, for its own rows of channel values."""
        if not arcs:
            return
        posed = Posed(rig, channels, part=self._part)
        for arc, own in zip(arcs, rows, strict=True):
            assert arc.place is not None
            yield posed.states(arc.place, own)


def smoothly(values: Floats, at: Floats) -> Floats:
    """Values (F, n) of frames, between frames: cubic, through every frame, towards its neighbours' chord there."""
    if len(values) < 2:
        return np.repeat(values[:1], len(at), axis=0)
    slopes = np.gradient(values, axis=0)
    before = np.clip(np.floor(at + 1e-9).astype(np.int64), 0, len(values) - 2)
    share = np.clip(at - before, 0.0, 1.0)[:, None]
    rest = 1.0 - share
    one, other = values[before], values[before + 1]
    bend = share * rest * (rest * (slopes[before] - (other - one)) - share * (slopes[before + 1] - (other - one)))
    return rest * one + share * other + bend


def _untwisted(turns: Floats) -> Floats:
    """Quaternions (F, 4) with signs such that each is near the one before."""
    flips = np.sign(np.einsum("fi,fi->f", turns[1:], turns[:-1]))
    flips[flips == 0] = 1.0
    return turns * np.cumprod(np.r_[1.0, flips])[:, None]


def _grid(motion: Motion) -> _Grid:
    clip = motion.clip
    frames = len(clip.frame_times)
    per_frame = next((n for n in (4, 2) if n * frames <= MOST_SAMPLES), 1)
    return _Grid(float(clip.start), per_frame, float(clip.rate), (frames - 1) * per_frame + 1)
