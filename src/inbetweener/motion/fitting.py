"""A fit in progress: tolerances, keys, channels that make up for each other, and keys where that does not suffice."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, Singles, frozen, read_only
from inbetweener.curves.fitting import ROUNDS, Knots, fit_apart, fit_knots, in_steps
from inbetweener.maths.search import go_on
from inbetweener.motion import fit_kernels, fit_look_kernels, fit_thin_kernels
from inbetweener.motion.clip import Clip
from inbetweener.motion.constraints import Constraint
from inbetweener.motion.fit_kernels import AllKnots, Moves, Places, Wish
from inbetweener.motion.fit_report import FitReport
from inbetweener.motion.fit_samples import (
    Align,
    frames_of,
    groups_of,
    length,
    most_nearby,
    sample_times,
)
from inbetweener.motion.jerks import JERK, jerked, jerks
from inbetweener.motion.motion import Motion
from inbetweener.rig import Rig, chains

SHARE = 0.5
"""What a channel may take of the joints' tolerance at first; errors along a chain partly cancel."""

SWEEPS = 2
"""How often all channels make up for each other's errors after a fit."""

THINNINGS, THINNED_SWEEPS = 3, 1
"""How often keys are taken out, and how often channels make up for each other after that."""

SETTLING, SETTLED_SWEEPS = 3, 4
"""Where channels share key times: fits of everything, the tolerances set from the errors of the one before, and how
often channels make up for each other after each."""

OFTEN = 120.0
"""How often a second places are looked at while keys are looked for: more would tell nothing new."""

FINEST = 8
"""Steps from one frame to the next in which places are looked at, at most."""

PLANTED = 0.0004
"""Metres by which a point may be off while it is planted: what it slides then nobody sees."""

UNSEEN = 0.001
"""Metres within which a planted point need not be followed step by step."""

AIM, AIM_TOGETHER = 1.0, 0.7
"""What errors should be of what is allowed before repairs. Where channels share key times a repair costs more."""

FLESH = 0.02
"""What turns with a joint reaches this far from it, relative to the body's height: three centimetres of a person. It
may be no farther off than the joint itself."""

FAITH = 0.02
"""How much a channel counts by itself beside what it moves."""

LOOSE = 0.1
"""Seconds from one look to the next at how far channels move places."""

BLOCK = 1 / 30
"""Seconds in which it hardly changes how channels move places."""

WITHIN = 0.97
"""Of what is allowed: that much is aimed at where errors are summed up from what each channel does."""

CHUNK = 300
"""Samples that channels make up for each other in at once: what they work on should stay near the processor."""

STIFF = 0.001
"""What second differences of curves from sample to sample count beside errors of the same size."""

UNCHANGED = 1e-12
"""Of a unit: keys that are added change no more."""

NEAR = 6
"""Samples on either side that count for a tolerance: about a segment."""

TOP = 2.0
"""Of what a channel alone could be off: more it never is, even where others make up for it."""

SHAPE_TOLERANCE = 0.01
"""For channels that move no joint, such as blend shapes: a hundredth of their unit."""


class Fitting:
    """A fit in progress at samples (S,), frames and the few keys between them, looked at in `steps` between (Q,).

    tolerances  (S, C) of the fitted channels
    knots       of each channel; None where the clip's own curve is as sparse
    made        (Q, R) values of all channels with these keys
    seen        errors of places, in tiles: metres, and what flesh around joints is off because they are turned
    far         (P, Q) metres that places are off
    off         (P, Q) how far anything near them may be off, relative to what is allowed
    """

    def __init__(
        self, rig: Rig, clip: Clip, tolerance_m: float, align: Align, planted: Sequence[Constraint] = ()
    ) -> None:
        self.rig, self.clip, self.tolerance_m = rig, clip, tolerance_m
        self.motion = motion = Motion(rig, clip)
        self.columns = [c for c, channel in enumerate(rig.channels) if channel.name in clip.curves]
        self.channels = [rig.channels[c] for c in self.columns]
        self.groups = groups_of(self.channels, align)
        self.joints = groups_of(self.channels, "joint")
        self.aim = AIM if align == "channel" else AIM_TOGETHER
        self.flesh = FLESH * chains.height(rig)
        self.standing = [(part, each) for each in planted for part, _ in each.point.parts]
        self.places = list(dict.fromkeys((*rig.places, *(part for part, _ in self.standing))))
        self.knots: list[Knots | None] = [None] * len(self.columns)
        self.starts, self.moved, by = self._moves(motion, np.arange(clip.start, clip.end + LOOSE, LOOSE))
        self.levers = np.zeros((len(self.places), len(self.columns)))
        for c, (first, last) in enumerate(pairwise(self.starts)):
            own = by[first:last]
            self.levers[self.moved[first:last], c] = (length(own[..., :3]) + length(own[..., 3:])).max(axis=1)
        reach = self.levers.max(axis=0, initial=0.0)
        self.moving = reach > 0.0
        # Off by the most, a channel alone would move something just as far as is allowed.
        self.most = np.where(self.moving, tolerance_m / np.where(self.moving, reach, 1.0), SHAPE_TOLERANCE)
        self.times = sample_times(clip, lambda times: motion.base.evaluate(times)[:, self.columns], self.most)
        self.samples = motion.base.evaluate(self.times)[:, self.columns]
        self.between = motion.base.evaluate(in_steps(self.times, 2)[1::2])[:, self.columns]
        block = max(1, round(BLOCK * clip.rate))
        self.nodes = np.union1d(self.times[::block], self.times[-1:])
        self.starts, self.moved, self.by = self._moves(motion, self.nodes)
        self.stiff = np.full(len(self.times), STIFF)
        self.tolerances = np.tile(np.where(self.moving, SHARE, 1.0) * self.most, (len(self.times), 1))
        self.steps = min(FINEST, math.ceil(OFTEN / clip.rate))
        self.look(self.steps)

    def look(self, steps: int) -> None:
        """From now on, look at all places in so many steps a frame, and on all samples."""
        motion = self.motion
        counts = np.maximum(np.round(np.diff(self.times) * self.clip.rate * steps).astype(np.int64), 1)
        self.at = frozen(np.concatenate([[0], np.cumsum(counts)]), np.int64)
        self.stride = steps
        self.looked_at = np.interp(np.arange(self.at[-1] + 1), self.at, self.times)
        self.values = motion.channels(self.looked_at)
        self.truth = self._seen(self.values)
        self.allowed = np.full((len(self.places), len(self.looked_at)), self.tolerance_m)
        for part, rule in self.standing:
            p = self.places.index(part)
            meanwhile = (self.looked_at >= rule.start - 1e-9) & (self.looked_at <= rule.end + 1e-9)
            self.allowed[p, meanwhile] = min(self.tolerance_m, PLANTED)
            on_frames = self.truth[0][self.at, p][meanwhile[self.at]]
            if len(on_frames) and np.ptp(on_frames, axis=0).max() < UNSEEN:
                # It stands, whatever straight angles make of it between frames.
                self.truth[0][meanwhile, p] = on_frames.mean(axis=0)
        source = motion.base.evaluate(self.looked_at)[:, self.columns].T
        self.wish = Wish(frozen(self.looked_at), frozen(source), frozen(FAITH / self.most**2), self.at)
        last = len(self.nodes) - 1
        node = np.clip(np.searchsorted(self.nodes, self.looked_at) - 1, 0, max(last - 1, 0))
        wide = np.maximum(self.nodes[np.minimum(node + 1, last)] - self.nodes[node], 1e-9)
        by = np.empty((len(self.moved), 6, len(self.looked_at)), np.float32)
        fit_look_kernels.spread(self.by, node, ((self.looked_at - self.nodes[node]) / wide).astype(np.float32), by)
        self.along = Moves(self.starts, self.moved, read_only(by))
        errors = np.zeros((len(self.places), 6, len(self.looked_at)), np.float32)
        self.seen = Places(errors, self._strict(), read_only(self.stiff), self._gentle(), self.stride)
        self.made = self.values
        self.far, self.twisted = np.zeros((2, *self.allowed.shape))
        self.off = np.zeros(self.allowed.shape)
        if self.is_needed:
            self._measure()

    def _strict(self) -> Singles:
        """One over what is allowed, of places and of what turns with them (P, 2, H)."""
        made = np.empty((len(self.allowed), 2, len(self.looked_at)), np.float32)
        made[:, 0] = 1.0 / (WITHIN * self.allowed)
        made[:, 1] = 1.0 / (WITHIN * self.tolerance_m)
        return frozen(made, np.float32)

    def _gentle(self) -> Singles:
        """One over the second difference of errors from frame to frame that no place feels (P, H); nought between
        frames, and beside steps that are parted otherwise."""
        made = np.zeros((len(self.places), len(self.looked_at)), np.float32)
        on_frames = self.at[self._on_frames()]
        even = on_frames[1:-1][(np.diff(on_frames)[1:] == self.stride) & (np.diff(on_frames)[:-1] == self.stride)]
        places = self.truth[0]
        was = length(places[even - self.stride] - 2.0 * places[even] + places[even + self.stride])
        made[:, even] = 1.0 / (0.5 * was + JERK).T
        return frozen(made, np.float32)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to fit."""
        return len(self.times) > 1 and bool(self.channels)

    def _seen(self, values: Floats) -> tuple[Floats, Floats]:
        """Positions of all places (Q, P, 3), and how joints are turned (Q, J, 3, 3)."""
        posed = self.rig.posed(values)
        turns = posed.forward[1]
        return posed.positions(self.places), turns

    def _moves(self, motion: Motion, times: Floats) -> tuple[Ints, Ints, Floats]:
        """Which places each channel moves, by starts (C + 1,) and places (M,), and how (M, N, 6) at some times (N,)."""
        moves = self.rig.jacobians(motion.channels(times), self.places)
        moved = np.zeros((len(self.rig.channels), len(self.places)), np.bool_)
        fit_look_kernels.find_moved(moves, moved)
        channels, places = (np.ascontiguousarray(each) for each in np.nonzero(moved[self.columns]))
        starts = np.searchsorted(channels, np.arange(len(self.columns) + 1))
        by = np.empty((len(channels), len(times), 6))
        fit_look_kernels.gather(moves, np.asarray(self.columns, np.int64)[channels], places, by)
        by[..., 3:] *= np.where(places < len(self.rig.joints), self.flesh, 0.0)[:, None, None]
        return frozen(starts, np.int64), frozen(places, np.int64), by

    @property
    def apart(self) -> bool:
        """Whether every channel has keys of its own."""
        return len(self.groups) == len(self.channels)

    @property
    def steps_to_keys(self) -> int:
        """How many steps `find_keys` takes."""
        return len(self.groups) + THINNINGS if self.apart else SETTLING * len(self.groups)

    def find_keys(self) -> Iterator[None]:
        """Keys of all channels, with which nearly everything is near enough; step by step."""
        if self.apart:
            yield from self.refit(1)
            self.make_up()
            for _ in range(THINNINGS):
                self.thin()
                self.make_up(sweeps=THINNED_SWEEPS)
                yield
            return
        for step in range(SETTLING):
            last = step + 1 == SETTLING
            yield from self.refit(ROUNDS if last else 1)
            self.make_up(sweeps=SETTLED_SWEEPS)
            if not last:
                self.settle(first=step == 0)

    def thin(self) -> None:
        """Keys taken out without which nothing is too far off, as far as errors add up; measured is what follows."""
        merged = self._merged()
        gone = np.zeros(len(merged.keys), np.bool_)
        fit_thin_kernels.thin(self.wish, merged, self.along, self.seen, 1.0, gone)
        parts = pairwise(merged.starts)
        kept = [np.flatnonzero(~gone[first:last]) for first, last in parts]
        states = np.split(merged.states, merged.starts[1:-1])
        self.knots = [
            None if knots is None else Knots(knots.keys[rest], own[rest], knots.marks[rest])
            for knots, own, rest in zip(self.knots, states, kept, strict=True)
        ]

    def refit(self, rounds: int) -> Iterator[None]:
        """New keys for every group of channels; then all places are measured."""
        fit = partial(fit_knots, self.times, loops=self.clip.loops, rounds=rounds)
        alone = (
            fit_apart(self.times, self.samples, self.tolerances, self.between, loops=self.clip.loops, rounds=rounds)
            if self.apart
            else []
        )
        for n, group in enumerate(self.groups):
            go_on()
            of = self.samples[:, group], self.tolerances[:, group]
            made = [alone[n]] if self.apart else fit(*of, between=self.between[:, group])
            before = [len(self.clip.curves[self.channels[c].name]) for c in group]
            sparse = all(old <= len(new.keys) for old, new in zip(before, made, strict=True))
            for c, new in zip(group, made, strict=True):
                self.knots[c] = None if sparse else new.freed() if self.apart else new
            yield
        self._measure()

    def _measure(self, merged: AllKnots | None = None) -> None:
        """Where all places are, with the keys of all channels where they are at hand; only poses that have changed are
        looked at again."""
        made = self._values(merged or self._merged())
        changed = np.flatnonzero((np.abs(made - self.made) > UNCHANGED).any(axis=1))
        if not len(changed):
            return
        self.made = made
        positions, turns = self._seen(made[changed])
        should, should_turn = self.truth
        found = self.seen.errors, self.far, self.twisted
        fit_look_kernels.compare(positions, should, turns, should_turn, changed, self.flesh, *found)
        self.off = self.far / self.allowed + self.twisted / self.tolerance_m

    def _values(self, merged: AllKnots) -> Floats:
        """All channels (Q, R) of the fitted clip."""
        if self.clip.layers:
            return Motion(self.rig, self._fitted()).channels(self.looked_at)
        made = np.ascontiguousarray(self.values[:, self.columns].T)
        fit_kernels.evaluate(self.wish, merged, made)
        values = self.values.copy()
        values[:, self.columns] = made.T
        return values

    def _merged(self) -> AllKnots:
        """The keys of all channels."""
        knots = [_NOTHING if each is None else each for each in self.knots]
        starts = np.cumsum([0, *(len(each.keys) for each in knots)])
        keys, marks, states = (
            np.concatenate([getattr(each, name) for each in knots]) for name in ("keys", "marks", "states")
        )
        return AllKnots(frozen(starts, np.int64), frozen(keys, np.int64), frozen(marks, np.uint8), states)

    def make_up(self, spans: Sequence[tuple[int, int]] | None = None, sweeps: int = SWEEPS) -> None:
        """Values and slopes of all keys changed so that channels make up for each other's errors, the largest first.

        With `spans`, from one sample to another, only there.
        """
        merged, last = self._merged(), len(self.times) - 1
        states = merged.states.copy()
        spans = spans or [(n, min(n + CHUNK, last)) for n in range(0, last, CHUNK)]
        before = self._missed(spans)
        for begin, end in spans:
            go_on()
            fit_kernels.make_up(self.wish, merged, self.along, self.seen, begin, end, sweeps)
        self._put(merged)
        after = self._missed(spans)
        # Far from where it was measured a channel does something else: what became worse by that is taken back.
        worse = [span for span, was, is_now in zip(spans, before, after, strict=True) if is_now > 2.0 * was + 1.0]
        for begin, end in worse:
            back = (merged.keys >= begin) & (merged.keys <= end)
            merged.states[back] = states[back]
        if worse:
            self._put(merged)

    def _missed(self, spans: Sequence[tuple[int, int]]) -> list[float]:
        """How much places are farther off than is allowed, in all, from some samples to others."""
        off = np.maximum(self.off - 1.0, 0.0).sum(axis=0)
        return [float(off[self.at[begin] : self.at[end] + 1].sum()) for begin, end in spans]

    def _put(self, merged: AllKnots) -> None:
        """Take the states of all keys, and measure."""
        self.knots = [
            None if each is None else replace(each, states=merged.states[first:last].copy())
            for each, (first, last) in zip(self.knots, pairwise(merged.starts), strict=True)
        ]
        self._measure(merged)

    def settle(self, *, first: bool) -> None:
        """More tolerance for channels where there is room in all that they move, less where there is none.

        Keys grow as tolerance^(−1/4) and errors add in squares, so the fewest keys in all come from giving each
        channel a share in proportion to the root of the keys it needs.
        """
        off = most_nearby(np.maximum.reduceat(self.off, self.at, axis=1), NEAR)
        for c, (begin, end) in enumerate(pairwise(self.starts)):
            if end > begin:
                self.tolerances[:, c] *= self.aim / np.clip(off[self.moved[begin:end]].max(axis=0), 0.3, 5.0)
        if first:
            counts = np.array([1 if each is None else len(each.keys) for each in self.knots], np.float64)
            self.tolerances[:, self.moving] *= np.sqrt(counts / counts.mean())[self.moving]
        np.minimum(self.tolerances, TOP * self.most, out=self.tolerances)

    def jerked(self) -> Bools:
        """Which places (P, F − 2) are jerked on which frames, but for the first and the last."""
        return jerked(*self._before_and_after()).T

    def _before_and_after(self) -> tuple[Floats, Floats]:
        """Where places (F, P, 3) are on frames, in what is fitted and in the fit."""
        on_frames = self.at[self._on_frames()]
        before = self.truth[0][on_frames]
        return before, before + self.seen.errors[:, :3, on_frames].transpose(2, 0, 1)

    def _on_frames(self) -> Ints:
        """The samples that are frames."""
        return np.searchsorted(self.times, frames_of(self.clip)[: len(self.clip.frame_times)] - 1e-9)

    def result(self) -> tuple[Clip, FitReport]:
        """The fitted clip and what was measured on it."""
        fitted = self._fitted()
        counts = [len(fitted.curves[channel.name]) for channel in self.channels]
        frames = len(frames_of(self.clip))
        off, found = self.far, jerks(self.places, *self._before_and_after()) if self.is_needed else ()
        at = np.unravel_index(off.argmax(), off.shape) if off.size else None
        return fitted, FitReport(
            tolerance_m=self.tolerance_m,
            mean_error_m=float(off.mean()) if off.size else 0.0,
            max_error_m=float(off.max(initial=0.0)),
            jerked=sum(each.frames for each in found),
            jerks=found,
            worst_point=str(self.places[at[0]]) if at else "",
            worst_time=float(self.looked_at[at[1]]) if at else self.clip.start,
            frames=frames,
            key_count=sum(counts),
            key_share=float(np.mean(counts)) / frames if counts else 0.0,
        )

    def _fitted(self) -> Clip:
        made = {
            channel.name: knots.curve(self.times)
            for channel, knots in zip(self.channels, self.knots, strict=True)
            if knots is not None
        }
        return replace(self.clip, curves=self.clip.curves.replaced(made))


_NOTHING = Knots(np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros(0, np.uint8))
