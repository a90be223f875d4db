"""Plant feet in motion that has a key on every frame: the least change, spread so smoothly over time that nothing pops.

Minimise  W ‖states − places‖² + ‖worth · d‖² + τ⁴ ‖worth · d″‖² + τ⁴ ‖(p(d) − p(0))″‖²  over the changes d of all
channels on all frames, p the places of all joints: W large, so that contacts hold; second differences weighed so that
a change comes and goes in about τ frames, more where there is more to change. What is jerked harder than before is
counted where it is seen: a leg that is nearly straight turns much to move its foot a little. Frames meet only their
neighbours, so the normal equations are a band and a clip of any length costs in proportion; and what lies so far apart
that no change reaches from one to the other is a stretch of its own.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.contacts.band import SECOND_DIFFERENCE, Rows, add_rows, blocks, stillness_band, times_band
from inbetweener.contacts.measure import spread, stature
from inbetweener.contacts.problem import NothingToHold, Watch, levers
from inbetweener.contacts.solve import error_rows, errors
from inbetweener.curves import Curve, evaluate
from inbetweener.maths.search import Search, Stepped
from inbetweener.motion import Constraint, Curves, Motion
from inbetweener.motion.fit import Progress
from inbetweener.rig import Rig

HOLD = 1e3
"""√W: how much more a state counts than a change of the motion, both in heights."""

PUSH = 1.0
"""What is below the ground or beyond a limit counts so much of that: it gives way where a contact would not hold."""

GENTLE = 2e-3
"""Metres a frame, each frame, that a change may add to the speed of what it moves: about a third of what is seen."""

SHORTEST = 0.04
"""Seconds in which a change comes and goes at least, and"""
FEWEST = 3.0
"""frames."""

REACH = 4.0
"""How many such times a change reaches beyond a contact; after that nothing is left of it."""

TRIES = 12
"""Gauss–Newton steps at most, paying or not; most need three."""

DAMPING = 1e-5
"""Of a step, at least: with less, legs that are nearly straight turn too far in one step, and it is in vain."""

ENOUGH = 0.03
"""Stop when a step improves the sum of squares by less than this share, or promises no more."""


CHUNK = 64
"""Frames whose derivatives are made at once: more do not stay in a processor's cache."""


class Planting:
    """Plants contacts of a motion, stretch by stretch.

    Who asks again with a few contacts changed gets what was found before with those stretches done anew.
    """

    def __init__(self, motion: Motion, kept: Sequence[Constraint] = (), progress: Progress | None = None) -> None:
        self._motion, self._progress = motion, progress
        self._stood = 0
        self._times = motion.clip.frame_times
        self._values = motion.channels(self._times)
        self._kept = [_as_before(motion, each, self._times, self._values) for each in kept]
        self._ground = float(motion.rig.posed(self._values).positions(motion.rig.places)[..., 1].min())
        self._least = max(FEWEST, SHORTEST * motion.clip.rate)
        self._change = np.zeros_like(self._values)
        self._planted: dict[tuple[Constraint, float], _Eased] = {}

    def curves(self, contacts: Sequence[Constraint], gentler: Sequence[float] = ()) -> Curves:
        """The curves of the motion whose contacts, each with a frame at least, stand at their mean places throughout.

        `gentler`, one number a contact, stretches the time in which its change comes and goes.
        """
        asked = list(zip(contacts, gentler or [1.0] * len(contacts), strict=True))
        now = {each: self._planted.get(each) or self._eased(*each) for each in asked}
        others = [
            *(now[each] for each in now.keys() - self._planted),
            *(was for each, was in self._planted.items() if each not in now),
        ]
        done = 0
        for first, last in _spans(others):
            met = [each for each in now.values() if each.first <= last + 2 and each.last >= first - 2]
            self._plant(first, last, met, [each for each in others if first <= each.first <= last])
            done += len(met)
            if self._progress and done > self._stood:
                self._stood = done
                self._progress(done, max(done, len(asked)))
        self._planted = now
        columns = np.flatnonzero(self._change.any(axis=0))
        return _moved(self._motion, columns, self._times, self._change[:, columns])

    def _plant(self, first: int, last: int, met: Sequence["_Eased"], others: Sequence["_Eased"]) -> None:
        """Change the frames from first to last so that all that is met stands; beside them all stays as it is now.

        So may channels do that move what is there, or was.
        """
        if not met:
            self._change[first : last + 1] = 0.0
            return
        span = slice(max(0, first - 2), last + 3)
        columns = free_channels(self._motion, [each.watch.rule for each in (*met, *others)])
        easing = np.full(len(self._times), self._least)
        for each in met:
            reached = slice(each.first, each.last + 1)
            easing[reached] = np.maximum(easing[reached], each.frames)
        frames = np.arange(len(self._times))[span]
        active = (frames >= first) & (frames <= last)
        watches = [_within(watch, span) for watch in (*(each.watch for each in met), *self._kept)]
        stretch = _Stretch(
            self._motion, self._values[span], self._change[span, columns], columns, active,
            [each for each in watches if len(each.at)], easing[span], self._least, self._ground,
        )  # fmt: skip
        search = Search(stretch.look(stretch.base), stretch.step, DAMPING, least=DAMPING, most=TRIES)
        deque(search.settling(1, ENOUGH), maxlen=0)
        self._change[span, columns] = search.now.change

    def _eased(self, contact: Constraint, gentler: float) -> "_Eased":
        watch = _standing(self._motion, contact, self._times, self._values)
        # An offset d that comes and goes in τ frames adds about d/τ² to the acceleration.
        slide = spread(contact.seen(self._motion.rig.posed(self._values[watch.at]))[0])
        frames = gentler * max(self._least, np.sqrt(slide / GENTLE))
        reach = int(np.ceil(REACH * frames))
        return _Eased(
            watch, frames, max(0, int(watch.at[0]) - reach), min(len(self._times) - 1, int(watch.at[-1]) + reach)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Eased:
    """What shall stand, in how many frames its change comes and goes, and the frames from first to last that change."""

    watch: Watch
    frames: float
    first: int
    last: int


def _within(watch: Watch, span: slice) -> Watch:
    """What is watched on the frames of a span, counted from its beginning."""
    inside = (watch.at >= span.start) & (watch.at < span.stop)
    return replace(
        watch, at=watch.at[inside] - span.start, positions=watch.positions[inside], turns=watch.turns[inside]
    )


def _spans(eased: Sequence[_Eased]) -> list[tuple[int, int]]:
    """First and last frames of what changes; one where two, with two more frames at either end, meet."""
    spans: list[tuple[int, int]] = []
    for each in sorted(eased, key=lambda each: each.first):
        if spans and each.first <= spans[-1][1] + 4:
            spans[-1] = spans[-1][0], max(spans[-1][1], each.last)
        else:
            spans.append((each.first, each.last))
    return spans


def frames_of(rule: Constraint, times: Floats) -> Ints:
    """The frames, of those at times (T,), on which it holds."""
    return np.flatnonzero((times >= rule.start - 1e-9) & (times <= rule.end + 1e-9))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Everything at one change (T, F): how it pulls at all that is quadratic (T·F,), rows, the cost."""

    change: Floats
    pull: Floats
    rows: list[Rows]
    merit: float


class _Stretch:
    """The problem on some frames, and damped Gauss–Newton steps that solve it.

    base    (T, F) how channels have been changed before; so they stay on frames that are not active (T,)
    easing  (T,) frames in which a change comes and goes
    """

    def __init__(
        self, motion: Motion, values: Floats, base: Floats, columns: Ints, active: Bools,
        watches: Sequence[Watch], easing: Floats, least: float, ground: float,
    ) -> None:  # fmt: skip
        self.rig, self.values, self.base, self.columns, self.watches = motion.rig, values, base, columns, watches
        self.height = stature(motion)
        # What changes gently weighs more: so must what holds.
        self.hold = HOLD * float(easing.max() / FEWEST) ** 2
        stiffness = np.array([motion.rig.channels[c].stiffness for c in columns])
        worth = levers(motion, values, columns) / self.height * stiffness
        # All but what holds, and is pushed back, is a form of second degree in what is changed now:
        # by · quadratic · by + 2 by · linear + constant.
        self.quadratic = stillness_band(worth, least, len(values))
        self.linear = times_band(self.quadratic, base)
        self.constant = float(self.linear @ base.ravel())
        self.body = _Body(motion.rig, values, columns, easing**2 / self.height, self.height, ground)
        poses = values.copy()
        poses[:, columns] += base
        self.constant += self.body.add_jerk(self.quadratic, self.linear, poses)
        # Where nothing may change, a change costs beyond all measure.
        self.quadratic[:, -1] += (np.where(active, 0.0, 1e12)[:, None] * worth**2).ravel()

    def look(self, change: Floats) -> _Look:
        """What is there after a change."""
        rig, height, columns = self.rig, self.height, self.columns
        poses = self.values.copy()
        poses[:, columns] += change
        rows = [
            (
                watch.at,
                self.hold * error_rows(rig, height, poses[watch.at], watch, columns),
                self.hold * errors(rig, height, poses[watch.at], watch),
            )
            for watch in self.watches
        ]
        push = PUSH * self.hold
        others = (*self.body.below(poses), *_beyond_limits(rig, poses, self.values, columns))
        rows += [(at, push * each, push * off) for at, each, off in others]
        by = change - self.base
        pull = times_band(self.quadratic, by) + self.linear
        cost = float(by.ravel() @ (pull + self.linear)) + self.constant
        return _Look(change, pull, rows, cost + sum(float((off**2).sum()) for _, _, off in rows))

    def step(self, now: _Look, damping: float) -> Stepped[_Look] | None:
        """Where the damped step leads, itself where that is not worth going; None where it cannot be told."""
        from scipy.linalg import LinAlgError, solveh_banded

        band, gradient = self.quadratic.copy(), now.pull.copy()
        for each in now.rows:
            add_rows(band, gradient, *each)
        damped = damping * band[:, -1]
        band[:, -1] += damped
        try:
            by = -solveh_banded(band.T, gradient, overwrite_ab=True, check_finite=False)
        except LinAlgError:
            return None
        promised = float(by @ (damped * by - gradient))
        if promised < ENOUGH * now.merit:
            return Stepped(now)
        return Stepped(self.look(now.change + by.reshape(now.change.shape)), promised)


def free_channels(motion: Motion, contacts: Sequence[Constraint]) -> Ints:
    """(F,) the channels that move or turn a contact's point and have a curve.

    What turns it alone keeps still what it carries along: a toe whose ball is held need not jolt.
    """
    moving = {c for contact in contacts for c in contact.wanting("both").channels(motion.rig)}
    channels = motion.rig.channels
    found = sorted(c for c in moving if channels[c].poses and channels[c].name in motion.clip.curves)
    if not found:
        points = ", ".join(dict.fromkeys(str(contact.point) for contact in contacts))
        raise NothingToHold(f"{points} cannot be held: no channel that moves them has a key; key them first")
    return np.array(found, np.int64)


def _standing(motion: Motion, contact: Constraint, times: Floats, values: Floats) -> Watch:
    at = frames_of(contact, times)
    positions, turns = contact.seen(motion.rig.posed(values[at]))
    place = positions.mean(axis=0)
    middle = int(np.argmin(np.linalg.norm(positions - place, axis=1)))
    return Watch(contact, at, np.tile(place, (len(at), 1)), np.tile(turns[middle], (len(at), 1, 1)))


def _as_before(motion: Motion, rule: Constraint, times: Floats, values: Floats) -> Watch:
    at = frames_of(rule, times)
    return Watch(rule, at, *rule.seen(motion.rig.posed(values[at])))


class _Body:
    """All joints and points: what they gain in acceleration, weighed, and whether they are pushed below the ground.

    The ground is the lowest that the body ever was.
    """

    def __init__(self, rig: Rig, values: Floats, columns: Ints, weights: Floats, height: float, ground: float) -> None:
        self.rig, self.columns, self.weights, self.height = rig, columns, weights[1:-1], height
        self.ground = ground
        self.places = rig.places
        self.before = self._positions(values)
        self.chosen = self._telling()
        self.moved = [self.places[p] for p in self.chosen]

    def _telling(self) -> Ints:
        """Places that tell how all of the body is jerked: joints that turn, and the ends of what they carry along."""
        turned = {drive.joint for c in self.columns for drive in self.rig.channels[c].drives}
        parents = {joint.parent for joint in self.rig.joints}
        ends = {joint.name for j, joint in enumerate(self.rig.joints) if j not in parents}
        return np.array([p for p, place in enumerate(self.places) if place.joint in turned | ends], np.int64)

    def _positions(self, poses: Floats) -> Floats:
        return self.rig.posed(poses).positions(self.places)

    def add_jerk(self, quadratic: Floats, linear: Floats, poses: Floats) -> float:
        """Add the squares of all second differences that were not there before, weighed, as they change from here on.

        The constant part is returned. Places move in proportion to small changes; pops are looked for where they are.
        """
        frames, free = len(poses), len(self.columns)
        if frames < 3:
            return 0.0
        rows = np.empty((frames, 3 * len(self.moved), free))
        for first in range(0, frames, CHUNK):
            some = slice(first, first + CHUNK)
            moves = self.rig.jacobians(poses[some], self.moved)[:, :, :3][..., self.columns]
            rows[some] = moves.reshape(len(moves), -1, free)
        change = (self._positions(poses) - self.before)[:, self.chosen].reshape(frames, -1)
        jerk = self.weights[:, None] * np.diff(change, 2, axis=0)
        pull = self.weights[:, None] * jerk
        made = linear.reshape(frames, free)
        for shift, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            made[shift : shift + frames - 2] += (
                factor * np.matmul(pull[:, None], rows[shift : shift + frames - 2])[:, 0]
            )
        square = (self.weights**2)[:, None, None]
        for offset in range(3):
            met = np.matmul(rows[offset:].transpose(0, 2, 1), rows[: frames - offset])
            if offset == 0:
                met = np.tril(met)
            weights = np.zeros((frames - offset, 1, 1))
            for shift, apart, factor in SECOND_DIFFERENCE:
                if apart == offset:
                    weights[shift - offset : shift - offset + frames - 2] += factor * square
            blocks(quadratic, free, offset)[:] += weights * met
        return float((jerk**2).sum())

    def below(self, poses: Floats) -> Iterator[Rows]:
        """What is below the ground, place by place."""
        under = self._positions(poses)[..., 1] - self.ground
        for p in np.flatnonzero((under < 0.0).any(axis=0)):
            at = np.flatnonzero(under[:, p] < 0.0)
            moves = self.rig.jacobians(poses[at], [self.places[p]])[:, 0, 1:2][..., self.columns]
            yield at, moves / self.height, under[at, p, None] / self.height


def _beyond_limits(rig: Rig, poses: Floats, before: Floats, columns: Ints) -> Iterator[Rows]:
    """Channels that are farther beyond their limits than they were before."""
    for f, c in enumerate(columns):
        low, high = np.minimum(rig.channels[c].lower, before[:, c]), np.maximum(rig.channels[c].upper, before[:, c])
        off = np.minimum(poses[:, c] - low, 0.0) + np.maximum(poses[:, c] - high, 0.0)
        at = np.flatnonzero(off)
        if len(at):
            rows = np.zeros((len(at), 1, len(columns)))
            rows[:, 0, f] = 1.0
            yield at, rows, off[at, None]


def _moved(motion: Motion, columns: Ints, times: Floats, change: Floats) -> Curves:
    """The curves with their keys moved; between frames as the frames beside them. Who lacks keys gets one a frame."""
    made = {}
    for f, c in enumerate(columns):
        by = change[:, f]
        if np.abs(by).max(initial=0.0) > 0.0:
            name = motion.rig.channels[c].name
            curve = motion.clip.curves[name]
            if np.isin(times, curve.times).all():
                made[name] = replace(curve, values=frozen(curve.values + np.interp(curve.times, times, by)))
            else:
                made[name] = Curve.sampled(times, evaluate(curve, times) + by)
    return motion.clip.curves.replaced(made)
