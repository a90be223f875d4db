"""Sparse keys for a whole clip, within a tolerance in metres on every joint and named point."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.curves import BEZIER, Curve
from inbetweener.curves.fitting import ROUNDS, fit_aligned
from inbetweener.errors import InvalidDocument
from inbetweener.motion.clip import Clip
from inbetweener.motion.constraints import Constraint
from inbetweener.motion.motion import Motion
from inbetweener.rig import Channel, Point, Rig

Align = Literal["channel", "joint", "body"]
"""Which channels share their key times: none, those of one joint, or all."""

Progress = Callable[[int, int], None]
"""Called with work done and work in all."""

SHARE = 0.3
"""What a channel may take of the joints' tolerance at first; the errors along a chain partly cancel."""

SETTLING = 3
"""Fits of everything, the share set from the errors of the one before."""

REPAIRS = 16
"""At most so many times are keys added where a joint is still too far off; two to five are common."""

QUARTERS = 4
"""Steps from one sample to the next in which points are looked at."""

PLANTED = 0.0004
"""Metres by which a point may be off while it is planted: what it slides then nobody sees."""

PATIENCE = 8
"""Repairs after which whatever is still missed is followed step by step."""

BLAME = 0.25
"""Of what the worst channel does to a point that is too far off: who does less is not asked for more keys."""

LEAST_LEVER = 0.03
"""A turn moves something at least this far from its axis, relative to the body's size: flesh, or a hand's end."""

SHAPE_TOLERANCE = 0.01
"""For channels that move no joint, such as blend shapes: a hundredth of their unit."""


DENSE = 0.5
"""Keys of a curve a frame, on average, above which motion counts as dense, if it is longer than"""
LEAST_FRAMES = 8


def is_dense(clip: Clip) -> bool:
    """Whether a clip is captured or baked motion: keys on most frames, and little between them to be shaped."""
    moving = [len(curve) for curve in clip.curves.values() if len(curve) > 1]
    frames = len(clip.frame_times)
    return frames > LEAST_FRAMES and bool(moving) and sum(moving) / len(moving) > DENSE * frames


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


def fit_clip(
    rig: Rig,
    clip: Clip,
    tolerance_m: float = 0.005,
    align: Align = "channel",
    progress: Progress | None = None,
    *,
    planted: Sequence[Constraint] = (),
) -> tuple[Clip, FitReport]:
    """The clip with its base curves replaced by sparse ones, no joint farther off than `tolerance_m` at any time.

    Named points, such as the tips of hands and feet, count like joints. Each channel gets a tolerance from how far it
    moves the points below it; these are then measured, and the channels refitted with less tolerance around the
    frames where one is too far off. What is `planted` stays within PLANTED of where it stands. A curve that has no more
    keys than its fit is kept as it is, and so are the layers; of others nothing outside the clip's time is kept.
    """
    if not tolerance_m > 0:
        raise InvalidDocument(f"clip {clip.name!r}: a fit needs a tolerance above zero, not {tolerance_m:g} m")
    fit = _Fit(rig, clip, tolerance_m, align, planted)
    total = (SETTLING + 1) * len(fit.groups)
    for step in range(SETTLING + REPAIRS):
        rounds = 1 if step + 1 < SETTLING else ROUNDS
        for done, _ in enumerate(fit.refit(rounds, only_add=step >= SETTLING), 1):
            if progress:
                progress(min(step, SETTLING) * len(fit.groups) + done, total)
        if step + 1 < SETTLING:
            fit.settle()
        elif not fit.tighten(at_any_price=step >= SETTLING + PATIENCE):
            break
    if progress:
        progress(total, total)
    return fit.result()


class _Fit:
    """A fit in progress at samples (S,), frames and the few keys between them: tolerances (S, C) of the fitted channels
    and their curves; how far channels (Q, C) and points (Q, P) are off at samples and the quarters between."""

    def __init__(
        self, rig: Rig, clip: Clip, tolerance_m: float, align: Align, planted: Sequence[Constraint] = ()
    ) -> None:
        self.rig, self.clip, self.tolerance_m = rig, clip, tolerance_m
        motion = Motion(rig, clip)
        self.columns = [c for c, channel in enumerate(rig.channels) if channel.name in clip.curves]
        self.channels = [rig.channels[c] for c in self.columns]
        self.frames = len(_frames(clip))
        self.times = _sample_times(clip)
        self.looked_at = _with_quarters(self.times)
        self.values = motion.channels(self.looked_at)
        standing = [(part, each) for each in planted for part, _ in each.point.parts]
        self.places = list(dict.fromkeys((*rig.places, *(part for part, _ in standing))))
        self.allowed = np.full((len(self.looked_at), len(self.places)), tolerance_m)
        for part, rule in standing:
            meanwhile = (self.looked_at >= rule.start - 1e-9) & (self.looked_at <= rule.end + 1e-9)
            self.allowed[meanwhile, self.places.index(part)] = min(tolerance_m, PLANTED)
        self.positions = rig.posed(self.values).positions(self.places)
        self.samples = motion.base.evaluate(self.times)[:, self.columns]
        self.levers = _levers(rig, self.values, self.places)[:, self.columns]
        self.groups = _groups(self.channels, align)
        reach = self._reach()
        self.moves = reach > 0
        # Off by the most, a channel alone would move a joint just as far as is allowed.
        self.most = np.where(self.moves, tolerance_m / np.where(self.moves, reach, 1.0), SHAPE_TOLERANCE)
        self.share = SHARE
        self.tolerances = np.tile(np.where(self.moves, self.share, 1.0) * self.most, (len(self.times), 1))
        self.stale = np.full(len(self.columns), True)
        self.broken = np.zeros(self.tolerances.shape, np.bool_)
        self.curves: dict[str, Curve] = {}
        self.off = np.zeros(self.positions.shape[:2])
        self.strayed = np.zeros((len(self.looked_at), len(self.columns)))

    def _reach(self) -> Floats:
        """(C,) how far, in metres for one unit of its own, a channel moves anything."""
        reach = self.levers.max(axis=0, initial=0.0)
        size = np.ptp(self.positions[0], axis=0).max(initial=0.0) if self.positions.size else 0.0
        turns = np.array([channel.kind == "rotation" for channel in self.channels], np.bool_)
        return np.where(turns, np.maximum(reach, LEAST_LEVER * size), reach)

    def refit(self, rounds: int, *, only_add: bool) -> Iterator[None]:
        """New curves for every group with a channel whose tolerance changed; then all points are measured."""
        for group in self.groups:
            if self.stale[group].any():
                names = [self.channels[c].name for c in group]
                kept = np.unique([t for name in names for t in self.curves[name].times]) if only_add else None
                made = fit_aligned(
                    self.times,
                    self.samples[:, group],
                    self.tolerances[:, group],
                    None if kept is None else np.flatnonzero(np.isin(self.times, kept)),
                    self.broken[:, group],
                    straight=True,
                    rounds=rounds,
                )
                before = [self.clip.curves[name] for name in names]
                sparse = all(len(old) <= len(new) for old, new in zip(before, made, strict=True))
                self.curves.update(zip(names, before if sparse else made, strict=True))
            yield
        self.stale[:] = False
        fitted = Motion(self.rig, self._fitted())
        values = fitted.channels(self.looked_at)
        self.strayed = np.abs(values - self.values)[:, self.columns]
        self.off = np.linalg.norm(self.rig.posed(values).positions(self.places) - self.positions, axis=-1)

    def settle(self) -> None:
        """Scale all tolerances so that in nine frames of ten everything should be near enough.

        Keys grow as tolerance^(−1/4) and errors add in squares, so the fewest keys in all come from giving each
        channel a share in proportion to the root of the keys it needs.
        """
        usual = np.quantile(self.off[::QUARTERS].max(axis=1, initial=0.0), 0.9)
        if usual > 0:
            scale = np.clip(self.tolerance_m / usual, 0.25, 4.0)
            counts = np.array([len(self.curves[channel.name]) for channel in self.channels], np.float64)
            busy = np.sqrt(counts / counts.mean())
            self.share *= scale
            share = np.where(self.moves, np.minimum(self.share * busy, 1.0), 1.0)
            self.tolerances[:] = share * self.most
            self.stale[:] = True

    def tighten(self, *, at_any_price: bool) -> bool:
        """Less tolerance for the channels that lead a point too far astray, around those times; False if none is."""
        missed = self.off > self.allowed
        if not missed.any():
            return False
        factor = np.ones_like(self.tolerances)
        for j in np.flatnonzero(missed.any(axis=0)):
            at = np.flatnonzero(missed[:, j])
            share = self.strayed[at] * self.levers[j]
            # Who has a small part in it is not asked to mend it.
            guilty = share > (0.0 if at_any_price else BLAME) * share.max(axis=1, keepdims=True)
            room = np.where(guilty, (self.allowed[at, j] / self.off[at, j])[:, None], 1.0)
            for sample in (at // QUARTERS, (at + QUARTERS - 1) // QUARTERS):
                np.minimum.at(factor, sample, room)
            self._break(at, guilty, only_between_keys=not at_any_price)
        # A little more than asked for, and on the frames beside, so that a repair does not only move the worst frame.
        factor = _least_nearby(np.where(factor < 1.0, 0.8 * factor, 1.0))
        self.tolerances *= factor
        self.stale[:] = (factor < 1.0).any(axis=0)
        return True

    def _break(self, at: Ints, guilty: Bools, *, only_between_keys: bool) -> None:
        """Corners around steps that are missed though there are keys at both ends: only the slopes can be to blame."""
        within = at % QUARTERS > 0
        for c in np.flatnonzero(guilty[within].any(axis=0)):
            first = at[within & guilty[:, c]] // QUARTERS
            if only_between_keys:
                keyed = np.isin(self.times, self.curves[self.channels[c].name].times)
                first = first[keyed[first] & keyed[first + 1]]
            self.broken[first, c] = self.broken[first + 1, c] = True

    def result(self) -> tuple[Clip, FitReport]:
        """The fitted clip and what was measured on it."""
        counts = [len(curve) for curve in self.curves.values()]
        frames = self.frames
        at = np.unravel_index(self.off.argmax(), self.off.shape) if self.off.size else None
        return self._fitted(), FitReport(
            tolerance_m=self.tolerance_m,
            mean_error_m=float(self.off.mean()) if self.off.size else 0.0,
            max_error_m=float(self.off.max(initial=0.0)),
            worst_point=str(self.places[at[1]]) if at else "",
            worst_time=float(self.looked_at[at[0]]) if at else self.clip.start,
            frames=frames,
            key_count=sum(counts),
            key_share=float(np.mean(counts)) / frames if counts else 0.0,
        )

    def _fitted(self) -> Clip:
        return replace(self.clip, curves=self.clip.curves.replaced(self.curves))


def _frames(clip: Clip) -> Floats:
    """All frames, and the end where it falls between frames."""
    times = clip.frame_times
    return times if clip.end - times[-1] < 1e-6 / clip.rate else np.append(times, clip.end)


def _sample_times(clip: Clip) -> Floats:
    """All frames, and what dense curves do between them where that is not straight: keys, and quarters of steps."""
    frames = _frames(clip)
    dense = [curve for curve in clip.curves.values() if len(curve) > DENSE * len(frames)]
    if not dense:
        return frames
    shaped = [_with_quarters(curve.times)[:-1].reshape(-1, QUARTERS) for curve in dense]
    curved = [steps[curve.interpolations[:-1] == BEZIER].ravel() for steps, curve in zip(shaped, dense, strict=True)]
    keys = np.unique(np.concatenate([*(curve.times for curve in dense), *curved]))
    nearest = frames[np.clip(np.searchsorted(frames, keys - 0.5 / clip.rate), 0, len(frames) - 1)]
    between = keys[(np.abs(keys - nearest) > 1e-6 / clip.rate) & (keys > frames[0]) & (keys < frames[-1])]
    return np.union1d(frames, between)


def _with_quarters(times: Floats) -> Floats:
    """Times, and three more between each two."""
    shares = np.arange(QUARTERS) / QUARTERS
    return np.append((times[:-1, None] + np.diff(times)[:, None] * shares).ravel(), times[-1])


def _levers(rig: Rig, values: Floats, places: Sequence[Point]) -> Floats:
    """(P, C) how far each channel moves each point, in metres for one unit, the most over frames spread evenly."""
    some = values[np.unique(np.linspace(0, len(values) - 1, 40).astype(np.int64))]
    jacobians = rig.jacobians(some, places)
    return np.linalg.norm(jacobians[:, :, :3], axis=2).max(axis=0, initial=0.0)


def _groups(channels: Sequence[Channel], align: Align) -> list[list[int]]:
    """Positions of the channels that share key times."""
    together: dict[object, list[int]] = {}
    for c, channel in enumerate(channels):
        joint = channel.drives[0].joint if channel.drives else channel.name
        together.setdefault({"channel": c, "joint": joint, "body": None}[align], []).append(c)
    return list(together.values())


def _least_nearby(factor: Floats, reach: int = 4) -> Floats:
    """The smallest factor within `reach` frames of each frame (F, C)."""
    padded = np.pad(factor, ((reach, reach), (0, 0)), constant_values=1.0)
    return sliding_window_view(padded, 2 * reach + 1, axis=0).min(axis=-1)
