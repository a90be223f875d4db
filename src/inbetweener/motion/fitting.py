"""A fit in progress: tolerances, keys, channels that make up for each other, and keys where that does not suffice."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.curves import BEZIER
from inbetweener.curves.fitting import Knots, fit_knots, in_steps
from inbetweener.maths.search import go_on
from inbetweener.motion import fit_kernels
from inbetweener.motion.clip import Clip
from inbetweener.motion.constraints import Constraint
from inbetweener.motion.fit_kernels import AllKnots, Moves, Wish
from inbetweener.motion.motion import Motion
from inbetweener.rig import Channel, Rig, chains

Align = Literal["channel", "joint", "body"]
"""Which channels share their key times: none, those of one joint, or all."""

SHARE = 0.5
"""What a channel may take of the joints' tolerance at first; errors along a chain partly cancel."""

SWEEPS = 3
"""How often all channels make up for each other's errors after a fit."""

REPAIRS = 8
"""At most so many times are keys added where a joint is still too far off; one to five are common."""

QUARTERS = 4
"""Steps from one sample to the next in which points are looked at in the end …"""

OFTEN = 240.0
"""… and how often a second they are looked at while keys are looked for: more would tell nothing new."""

PLANTED = 0.0004
"""Metres by which a point may be off while it is planted: what it slides then nobody sees."""

MARGIN = 32
"""Samples around what is missed that are followed step by step at most."""

UNSEEN = 0.001
"""Metres within which a planted point need not be followed step by step."""

LITTLE = 0.05
"""Of what the worst channel does to a place that is too far off: who does less is not asked for more keys."""

AIM, AIM_TOGETHER = 1.0, 0.7
"""What errors should be of what is allowed before repairs. Where channels share key times a repair costs more."""

FLESH = 0.02
"""What turns with a joint reaches this far from it, relative to the body's height: three centimetres of a person. It
may be no farther off than the joint itself."""

FAITH = 0.02
"""How much a channel counts by itself beside what it moves."""

LEAST_PRICE = 1e-3
"""What an error counts where there is room, beside one where there is none."""

DOUBLED = 4
"""How often errors are squared before they are summed up to tell which fit is better: the largest decide."""

HINT = 1e-4
"""What that counts beside what is missed: a few places just too far off must not drown in all that are near enough."""

BLOCK = 1 / 30
"""Seconds in which it hardly changes how channels move places."""

NEAR = 6
"""Samples on either side that count for a tolerance: about a segment."""

TOP = 2.0
"""Of what a channel alone could be off: more it never is, even where others make up for it."""

SHAPE_TOLERANCE = 0.01
"""For channels that move no joint, such as blend shapes: a hundredth of their unit."""

DENSE = 0.5
"""Keys of a curve a frame, on average, above which motion counts as dense."""


@dataclass(frozen=True, slots=True)
class FitReport:
    """What a fit achieved, measured on all joints and named points at every original frame and at the quarters between,
    in metres."""

    tolerance_m: float
    mean_error_m: float
    max_error_m: float
    worst_point: str
    worst_time: float
    frames: int
    key_count: int
    key_share: float
    """Keys of a channel as a share of the frames, mean over the fitted channels."""

    @property
    def holds(self) -> bool:
        """True when nothing is farther off than the tolerance."""
        return self.max_error_m <= self.tolerance_m

    def __str__(self) -> str:
        return (
            f"{self.key_count} keys, {self.key_share:.1%} of {self.frames} frames a channel; joints within "
            f"{self.max_error_m * 1000:.2g} mm, {self.mean_error_m * 1000:.2g} mm on average"
        )


class Fitting:
    """A fit in progress at samples (S,), frames and the few keys between them, looked at in `steps` between (Q,).

    tolerances  (S, C) of the fitted channels
    knots       of each channel; None where the clip's own curve is as sparse
    made        (Q, R) values of all channels with these keys
    errors      (P, 6, Q) of places: metres, and what flesh around joints is off because they are turned
    off         (P, Q) how far anything near them may be off, relative to what is allowed
    prices      (P, Q) what an error counts
    """

    def __init__(
        self, rig: Rig, clip: Clip, tolerance_m: float, align: Align, planted: Sequence[Constraint] = ()
    ) -> None:
        self.rig, self.clip, self.tolerance_m = rig, clip, tolerance_m
        motion = Motion(rig, clip)
        self.columns = [c for c, channel in enumerate(rig.channels) if channel.name in clip.curves]
        self.channels = [rig.channels[c] for c in self.columns]
        self.groups = _groups(self.channels, align)
        self.aim = AIM if align == "channel" else AIM_TOGETHER
        self.times = _sample_times(clip)
        self.samples = motion.base.evaluate(self.times)[:, self.columns]
        self.flesh = FLESH * chains.height(rig)
        self.standing = [(part, each) for each in planted for part, _ in each.point.parts]
        self.places = list(dict.fromkeys((*rig.places, *(part for part, _ in self.standing))))
        self.knots: list[Knots | None] = [None] * len(self.columns)
        self.moves = self._moves(motion)
        self.levers = np.zeros((len(self.places), len(self.columns)))
        for c, (first, last) in enumerate(pairwise(self.moves.starts)):
            at = self.moves.by[first:last]
            self.levers[self.moves.places[first:last], c] = (_length(at[..., :3]) + _length(at[..., 3:])).max(axis=1)
        reach = self.levers.max(axis=0, initial=0.0)
        self.moving = reach > 0.0
        # Off by the most, a channel alone would move something just as far as is allowed.
        self.most = np.where(self.moving, tolerance_m / np.where(self.moving, reach, 1.0), SHAPE_TOLERANCE)
        self.tolerances = np.tile(np.where(self.moving, SHARE, 1.0) * self.most, (len(self.times), 1))
        self.prices = np.ones((len(self.places), len(self.times)))
        self.steps = 1
        self.look(min(QUARTERS, math.ceil(OFTEN / clip.rate)))

    def look(self, steps: int) -> None:
        """From now on, look at all places in so many steps from sample to sample."""
        self.prices, self.steps = in_steps(self.prices[:, :: self.steps], steps), steps
        motion = Motion(self.rig, self.clip)
        self.looked_at = in_steps(self.times, steps)
        self.values = motion.channels(self.looked_at)
        self.truth = self._seen(self.values)
        self.allowed = np.full((len(self.places), len(self.looked_at)), self.tolerance_m)
        for part, rule in self.standing:
            p = self.places.index(part)
            meanwhile = (self.looked_at >= rule.start - 1e-9) & (self.looked_at <= rule.end + 1e-9)
            self.allowed[p, meanwhile] = min(self.tolerance_m, PLANTED)
            on_frames = self.truth[0][::steps, p][meanwhile[::steps]]
            if len(on_frames) and np.ptp(on_frames, axis=0).max() < UNSEEN:
                # It stands, whatever straight angles make of it between frames.
                self.truth[0][meanwhile, p] = on_frames.mean(axis=0)
        source = in_steps(np.ascontiguousarray(self.samples.T), steps)
        self.wish = Wish(frozen(self.looked_at), frozen(source), frozen(FAITH / self.most**2), steps)
        self.costs = np.stack([self.prices / self.allowed**2, self.prices / self.tolerance_m**2], axis=1)
        self.made = self.values
        self.errors = np.zeros((len(self.places), 6, len(self.looked_at)))
        self.off = np.zeros(self.allowed.shape)
        if self.is_needed:
            self._measure()

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to fit."""
        return len(self.times) > 1 and bool(self.channels)

    def _seen(self, values: Floats) -> tuple[Floats, Floats]:
        """Positions of all places (Q, P, 3), and how joints are turned (Q, J, 3, 3)."""
        posed = self.rig.posed(values)
        turns = posed.forward[1]
        return posed.positions(self.places), turns

    def _moves(self, motion: Motion) -> Moves:
        """How channels move places, in blocks of samples in which that hardly changes."""
        block = max(1, round(BLOCK * self.clip.rate))
        middles = np.minimum(np.arange(0, len(self.times), block) + block // 2, len(self.times) - 1)
        moves = self.rig.jacobians(motion.channels(self.times[middles]), self.places)
        moved = np.zeros((len(self.rig.channels), len(self.places)), np.bool_)
        fit_kernels.find_moved(moves, moved)
        channels, places = (np.ascontiguousarray(each) for each in np.nonzero(moved[self.columns]))
        starts = np.searchsorted(channels, np.arange(len(self.columns) + 1))
        by = np.empty((len(channels), len(middles), 6))
        fit_kernels.gather(moves, np.asarray(self.columns, np.int64)[channels], places, by)
        by[..., 3:] *= np.where(places < len(self.rig.joints), self.flesh, 0.0)[:, None, None]
        return Moves(frozen(starts, np.int64), frozen(places, np.int64), frozen(by), block)

    def refit(self, rounds: int) -> Iterator[None]:
        """New keys for every group of channels; then all places are measured."""
        for group in self.groups:
            go_on()
            made = fit_knots(
                self.times, self.samples[:, group], self.tolerances[:, group], loops=self.clip.loops, rounds=rounds
            )
            before = [len(self.clip.curves[self.channels[c].name]) for c in group]
            sparse = all(old <= len(new.keys) for old, new in zip(before, made, strict=True))
            for c, new in zip(group, made, strict=True):
                self.knots[c] = None if sparse else new
            yield
        self._measure()

    def _measure(self) -> None:
        """Where all places are; only poses that have changed are looked at again."""
        made = self._values()
        changed = np.flatnonzero((made != self.made).any(axis=1))
        self.made = made
        if not len(changed):
            return
        positions, turns = self._seen(made[changed])
        errors = np.zeros((len(self.places), 6, len(changed)))
        errors[:, :3] = (positions - self.truth[0][changed]).transpose(1, 2, 0)
        fit_kernels.turned(turns, np.ascontiguousarray(self.truth[1][changed]), self.flesh, errors)
        self.errors[..., changed] = errors
        self.off = self._relative(self.errors, slice(None))

    def _values(self) -> Floats:
        """All channels (Q, R) of the fitted clip."""
        if self.clip.layers:
            return Motion(self.rig, self._fitted()).channels(self.looked_at)
        made = np.ascontiguousarray(self.values[:, self.columns].T)
        fit_kernels.evaluate(self.wish, self._merged(), made)
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

    def _relative(self, errors: Floats, at: slice) -> Floats:
        """Errors (P, 6, Q) as shares of what is allowed at some times (P, Q)."""
        shares = np.empty((len(errors), errors.shape[2]))
        fit_kernels.relative(errors, self.allowed[:, at], self.tolerance_m, shares)
        return shares

    def make_up(self, spans: Sequence[tuple[int, int]] | None = None, sweeps: int = SWEEPS) -> None:
        """Values and slopes of all keys changed so that channels make up for each other's errors, the largest first.

        With `spans`, from one sample to another, only there.
        """
        merged = self._merged()
        states = merged.states
        for begin, end in spans or [(0, len(self.times) - 1)]:
            # Around the span too: keys change what follows up to the next key.
            around = slice(max(0, self.steps * (begin - NEAR)), self.steps * (end + NEAR) + 1)
            best, rest = states.copy(), self.errors[..., around].copy()
            least = self._left(rest, around)
            for _ in range(sweeps):
                go_on()
                self._charge(slice(self.steps * begin, self.steps * end + 1))
                fit_kernels.make_up(self.wish, merged, self.moves, self.costs, self.errors, begin, end)
                left = self._left(self.errors[..., around], around)
                if left < least:
                    least, best, rest = left, states.copy(), self.errors[..., around].copy()
            states[:], self.errors[..., around] = best, rest
        self.knots = [
            None if each is None else replace(each, states=states[first:last].copy())
            for each, (first, last) in zip(self.knots, pairwise(merged.starts), strict=True)
        ]
        self._measure()

    def _charge(self, within: slice) -> None:
        """Lawson: what is off counts more from time to time, until the largest errors are equal."""
        off = _most_nearby(self._relative(self.errors[..., within], within), self.steps)
        prices = self.prices[:, within] * np.clip(off, 0.2, 3.0)
        self.prices[:, within] = np.maximum(prices / prices.max(initial=1e-9), LEAST_PRICE)
        self.costs[:, 0, within] = self.prices[:, within] / self.allowed[:, within] ** 2
        self.costs[:, 1, within] = self.prices[:, within] / self.tolerance_m**2

    def _left(self, errors: Floats, at: slice) -> float:
        """How much there is to mend."""
        off = self._relative(errors, at)
        missed = float(np.maximum(off - 1.0, 0.0).sum())
        for _ in range(DOUBLED):
            off *= off
        return missed + HINT * float(off.sum())

    def settle(self, *, first: bool) -> None:
        """More tolerance for channels where there is room in all that they move, less where there is none.

        Keys grow as tolerance^(−1/4) and errors add in squares, so the fewest keys in all come from giving each
        channel a share in proportion to the root of the keys it needs.
        """
        off = self.off[:, :-1].reshape(len(self.places), len(self.times) - 1, self.steps).max(axis=-1)
        off = _most_nearby(np.concatenate([off, off[:, -1:]], axis=1), NEAR)
        for c, (begin, end) in enumerate(pairwise(self.moves.starts)):
            if end > begin:
                self.tolerances[:, c] *= self.aim / np.clip(off[self.moves.places[begin:end]].max(axis=0), 0.3, 5.0)
        if first:
            counts = np.array([1 if each is None else len(each.keys) for each in self.knots], np.float64)
            self.tolerances[:, self.moving] *= np.sqrt(counts / counts.mean())[self.moving]
        np.minimum(self.tolerances, TOP * self.most, out=self.tolerances)

    def mended(self) -> bool:
        """More keys where something is too far off, again and again; False if that leads nowhere."""
        for repair in range(REPAIRS):
            if not (self.off > 1.0).any():
                return True
            self._mend(repair)
        return not (self.off > 1.0).any()

    def tighten(self) -> None:
        """Half the tolerance around what is missed."""
        for p in np.flatnonzero((self.off > 1.0).any(axis=1)):
            for first, last in self._spans(self.off[p] > 1.0):
                self.tolerances[first : last + 1, self.levers[p] > 0.0] *= 0.5

    def _mend(self, repair: int) -> None:
        """Keys for those who lead something astray; from repair to repair more of them are asked."""
        missed = self.off > 1.0
        wanted = np.zeros(self.tolerances.shape, np.bool_)
        for p in np.flatnonzero(missed.any(axis=1)):
            for first, last in _runs(missed[p]):
                at = first + int(np.argmax(self.off[p, first:last]))
                strayed = np.abs(self.made[at] - self.values[at])[self.columns]
                self._want(wanted, at, strayed * self.levers[p], 1 + repair)
        for group in self.groups:
            samples = np.flatnonzero(wanted[:, group].any(axis=1))
            if len(group) > 1:
                # Together they move so much that one key is enough for all that is missed near by.
                samples = samples[np.diff(samples // NEAR, prepend=-1) > 0]
            self._insert([c for c in group if self._moves_by_keys(c) or wanted[:, c].any()], samples)
        self._measure()
        self.make_up(self._spans(np.asarray(missed.any(axis=0))), 2 * SWEEPS)

    def give_in(self) -> None:
        """All channels follow their samples step by step where anything is missed, but for what is planted well enough;
        and in a margin around that grows as long as need be."""
        self.allowed = np.maximum(self.allowed, min(self.tolerance_m, UNSEEN))
        self.off = self._relative(self.errors, slice(None))
        for margin in range(MARGIN):
            at = np.flatnonzero((self.off > 1.0).any(axis=0)) // self.steps
            if not len(at):
                break
            near = at[:, None] + np.arange(-1 - margin, 3 + margin)
            samples = np.unique(np.clip(near, 0, len(self.times) - 1))
            for group in self.groups:
                self._insert(group, samples)
            for c, knots in enumerate(self.knots):
                if knots is not None:
                    self.knots[c] = knots.with_samples(self.times, self.samples[:, c], samples)
            self._measure()

    def _moves_by_keys(self, c: int) -> bool:
        knots = self.knots[c]
        return knots is not None and len(knots.keys) > 1

    def _insert(self, together: Sequence[int], samples: Ints) -> None:
        """Keys on samples for channels that share them, which leave the curves as they are."""
        for knots in [self.knots[c] for c in together] if len(samples) else ():
            samples = samples if knots is None or len(knots.keys) == 1 else np.union1d(samples, knots.keys)
        for c in together if len(samples) else ():
            knots = self.knots[c]
            self.knots[c] = knots if knots is None else knots.with_keys(self.times, samples)

    def _want(self, wanted: Bools, at: int, share: Floats, asked: int) -> None:
        """Keys where something is off at `at`, for as many channels as are asked: those that have the largest `share`
        (C,) in it. Where there are keys at both ends of the step already, only slopes can be to blame: it becomes
        straight."""
        left, right = at // self.steps, -(-at // self.steps)
        here = round(at / self.steps)
        for c in np.argsort(-share):
            knots = self.knots[c]
            if asked == 0 or share[c] <= LITTLE * share.max():
                break
            if knots is None:
                continue
            if right > left and left in knots.keys and right in knots.keys:
                self.knots[c] = knots.with_straight(self.times, left)
                asked -= 1
            else:
                inside = (n for n in (here, left, right, left - 1, right + 1) if 0 < n < len(self.times) - 1)
                free = next((n for n in inside if n not in knots.keys), None)
                if free is not None:
                    wanted[free, c] = True
                elif here > 0 and here - 1 in knots.keys:
                    self.knots[c] = knots.with_straight(self.times, here - 1)
                asked -= 1

    def _spans(self, missed: Bools) -> list[tuple[int, int]]:
        """Samples from which to which something is to be mended."""
        last = len(self.times) - 1
        wide = _most_nearby(missed[None].astype(np.float64), 2 * NEAR * self.steps)[0] > 0.0
        return [(int(first) // self.steps, min(int(end) // self.steps, last)) for first, end in _runs(wide)]

    def result(self) -> tuple[Clip, FitReport]:
        """The fitted clip and what was measured on it."""
        fitted = self._fitted()
        counts = [len(fitted.curves[channel.name]) for channel in self.channels]
        frames = len(_frames(self.clip))
        off = _length(self.errors[:, :3], 1)
        at = np.unravel_index(off.argmax(), off.shape) if off.size else None
        return fitted, FitReport(
            tolerance_m=self.tolerance_m,
            mean_error_m=float(off.mean()) if off.size else 0.0,
            max_error_m=float(off.max(initial=0.0)),
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


def _runs(flags: Bools) -> Ints:
    """(r, 2) begin and end of runs of flags (n,) that are set."""
    return np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8))).reshape(-1, 2)


def _length(vectors: Floats, axis: int = -1) -> Floats:
    """How long vectors are."""
    return np.sqrt((vectors**2).sum(axis=axis))


def _most_nearby(values: Floats, reach: int) -> Floats:
    """The largest value (…, n) within `reach` of each."""
    made = values.copy()
    for by in range(1, min(reach, values.shape[-1] - 1) + 1):
        np.maximum(made[..., by:], values[..., :-by], out=made[..., by:])
        np.maximum(made[..., :-by], values[..., by:], out=made[..., :-by])
    return made


def _frames(clip: Clip) -> Floats:
    """All frames, and the end where it falls between frames."""
    times = clip.frame_times
    return times if clip.end - times[-1] < 1e-6 / clip.rate else np.append(times, clip.end)


def _sample_times(clip: Clip) -> Floats:
    """All frames, and what curves do between them where that is not straight: keys of dense ones, and quarters of their
    steps, and of those of others that are as short."""
    frames = _frames(clip)
    found = [frames[:1]]
    for curve in clip.curves.values():
        dense = len(curve) > DENSE * len(frames)
        steps = in_steps(curve.times, QUARTERS)[:-1].reshape(-1, QUARTERS)
        short = dense | (np.diff(curve.times) < 1.5 / clip.rate)
        found += [curve.times] if dense else []
        found.append(steps[(curve.interpolations[:-1] == BEZIER) & short].ravel())
    keys = np.unique(np.concatenate(found))
    nearest = frames[np.clip(np.searchsorted(frames, keys - 0.5 / clip.rate), 0, len(frames) - 1)]
    between = keys[(np.abs(keys - nearest) > 1e-6 / clip.rate) & (keys > frames[0]) & (keys < frames[-1])]
    return np.union1d(frames, between)


def _groups(channels: Sequence[Channel], align: Align) -> list[list[int]]:
    """Positions of the channels that share key times."""
    together: dict[object, list[int]] = {}
    for c, channel in enumerate(channels):
        joint = channel.drives[0].joint if channel.drives else channel.name
        together.setdefault({"channel": c, "joint": joint, "body": None}[align], []).append(c)
    return list(together.values())
