"""Keys where a fit in progress is too far off, and where that does not suffice, samples that are followed."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, read_only
from inbetweener.motion.fit_samples import most_nearby, runs
from inbetweener.motion.fitting import NEAR, SETTLED_SWEEPS, SWEEPS, UNSEEN, Fitting

REPAIRS = 12
"""At most so many times are keys added where a joint is still too far off; one to five are common."""

PATIENCE = 5
"""After so many repairs near by, keys that are added keep to the value of the sample."""

MARGIN = 32
"""Samples around what is missed that are followed step by step at most."""

LITTLE = 0.05
"""Of what the worst channel does to a place that is too far off: who does less is not asked for more keys."""


SPENDINGS = 12
"""At most so many times are keys added where their number is given."""

EASINGS, SOFTER = 2, 2.0
"""How often jerks are eased, and how much more they count then."""

LEAST = 1e-12
"""Metres: less than atoms measure is nothing that numbers could be divided by."""

CLOSER = 0.97
"""Of what is missed by most: so near everything should come with the next keys, where their number is given."""


class Mending(Fitting):
    """A fit in progress that is mended."""

    @property
    def keys_a_channel(self) -> float:
        """Mean number of keys of the channels that have more than one."""
        own = [self.clip.curves[channel.name] for channel in self.channels]
        counts = [len(old if new is None else new.keys) for old, new in zip(own, self.knots, strict=True)]
        moving = [count for count in counts if count > 1]
        return sum(moving) / len(moving) if moving else 0.0

    def spend(self, poses: int) -> None:
        """As near as so many keys a channel lead: added where most is missed while there may be more, and each time
        all channels make up for what is left. In the end the tolerance is what is kept."""
        tried = np.zeros(len(self.times), np.int64)
        best, nearest = list(self.knots), self.off.max() * self.tolerance_m
        for _ in range(SPENDINGS):
            if nearest <= LEAST:
                # Nothing is missed: the clip's own curves had no more keys.
                break
            self.tolerance_m = CLOSER * nearest
            self.look(self.stride)
            self.make_up(sweeps=SETTLED_SWEEPS)
            if (now := self.off.max() * self.tolerance_m) < nearest:
                best, nearest = list(self.knots), now
            self._repair(tried)
            if self.keys_a_channel > poses:
                break
            if (now := self.off.max() * self.tolerance_m) < nearest:
                best, nearest = list(self.knots), now
        self.knots, self.tolerance_m = best, max(nearest, LEAST)
        self.look(self.stride)

    def mend(self) -> None:
        """More keys where something is too far off, again and again, and in the end all that it takes."""
        tried = np.zeros(len(self.times), np.int64)
        for _ in range(REPAIRS):
            if not (self.off > 1.0).any():
                return
            self._repair(tried)
        self.give_in()

    def ease(self) -> None:
        """What is jerked gets gentler where that leaves everything near enough: jerks count more there for once."""
        usual = self.seen
        for _ in range(EASINGS):
            jerked = np.flatnonzero(self.jerked().any(axis=0)) + 1 if len(self.clip.frame_times) > 2 else ()
            if not len(jerked) or (self.off > 1.0).any():
                return
            at = np.zeros(len(self.looked_at), np.bool_)
            at[self.at[self._on_frames()[jerked]]] = True
            for span in self._spans(at):
                before, count = list(self.knots), int(self.jerked().sum())
                self.seen = usual._replace(gentle=read_only(usual.gentle * np.float32(SOFTER)))
                self.make_up([span], 2 * SWEEPS)
                self.seen = usual
                if (self.off > 1.0).any() or self.jerked().sum() >= count:
                    self.knots = before
                    self._measure()

    def _repair(self, tried: Ints) -> None:
        """Keys for those who lead something astray; the more often was `tried` (S,), the more of them are asked."""
        missed = self.off > 1.0
        wanted = np.zeros(self.tolerances.shape, np.bool_)
        pinned = np.zeros(self.tolerances.shape, np.bool_)
        here = np.zeros(len(self.times), np.bool_)
        for p in np.flatnonzero(missed.any(axis=1)):
            for first, last in runs(missed[p]):
                at = first + int(np.argmax(self.off[p, first:last]))
                near = self._nearest(at)
                here[near] = True
                level = tried[max(near - NEAR, 0) : near + NEAR + 1].max()
                strayed = np.abs(self.made[at] - self.values[at])[self.columns]
                self._want(pinned if level >= PATIENCE else wanted, at, strayed * self.levers[p], 2**level)
        for group in self.groups:
            samples = np.flatnonzero(wanted[:, group].any(axis=1))
            if len(group) > 1:
                # Together they move so much that one key is enough for all that is missed near by.
                samples = samples[np.diff(samples // NEAR, prepend=-1) > 0]
            self._insert([c for c in group if self._moves_by_keys(c) or wanted[:, c].any()], samples)
        self._follow(pinned)
        tried[here] += 1
        self._measure()
        self.make_up(self._spans(np.asarray(missed.any(axis=0))), 2 * SWEEPS)

    def _follow(self, wanted: Bools) -> None:
        """Channels that are on their samples where that is `wanted` (S, C), and beyond the next ones as they were."""
        for together in self.joints:
            # Near the pole of a joint's order its angles make up for each other: one alone on its sample helps nobody.
            wanted[:, together] = np.asarray(wanted[:, together].any(axis=1))[:, None]
        for group in self.groups:
            samples = np.flatnonzero(wanted[:, group].any(axis=1))
            around = np.unique(np.clip(samples[:, None] + np.arange(-1, 2), 0, len(self.times) - 1))
            self._insert([c for c in group if wanted[:, c].any()], around)
        for c in np.flatnonzero(wanted.any(axis=0)):
            knots = self.knots[c]
            if knots is not None:
                self.knots[c] = knots.with_samples(self.times, self.samples[:, c], np.flatnonzero(wanted[:, c]))

    def give_in(self) -> None:
        """All channels follow their samples step by step where anything is missed, but for what is planted well enough;
        and in a margin around that grows as long as need be."""
        self.allowed = np.maximum(self.allowed, min(self.tolerance_m, UNSEEN))
        self.off = self.far / self.allowed + self.twisted / self.tolerance_m
        for margin in range(MARGIN):
            at = np.searchsorted(self.at, np.flatnonzero((self.off > 1.0).any(axis=0)), side="right") - 1
            if not len(at):
                break
            near = at[:, None] + np.arange(-margin, 2 + margin)
            wanted = np.zeros(self.tolerances.shape, np.bool_)
            wanted[np.clip(near, 0, len(self.times) - 1)] = True
            self._follow(wanted)
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
        left, right = self._sides(at)
        here = self._nearest(at)
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
                wanted[here, c] = True
                asked -= here not in knots.keys

    def _spans(self, missed: Bools) -> list[tuple[int, int]]:
        """Samples from which to which something is to be mended."""
        last, near = len(self.times) - 1, np.zeros(len(self.times), np.float64)
        near[np.searchsorted(self.at, np.flatnonzero(missed), side="right") - 1] = 1.0
        return [(int(first), min(int(end), last)) for first, end in runs(most_nearby(near, 2 * NEAR) > 0.0)]

    def _sides(self, at: int) -> tuple[int, int]:
        """The samples at or before, and at or after a step."""
        right = int(np.searchsorted(self.at, at))
        return right if self.at[right] == at else right - 1, right

    def _nearest(self, at: int) -> int:
        """The sample nearest to a step."""
        left, right = self._sides(at)
        return left if at - self.at[left] < self.at[right] - at else right
