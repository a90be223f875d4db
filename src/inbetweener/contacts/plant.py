"""Plant feet in motion that has a key on every frame: the least change, spread so smoothly over time that nothing pops.

Minimise  W ‖states − places‖² + ‖worth · d‖² + τ⁴ ‖worth · d″‖² + τ⁴ ‖(p(d) − p(0))″‖²  over the changes d of all
channels on all frames, p the places of all joints: W large, so that contacts hold; second differences weighed so that
a change comes and goes in about τ frames, more where there is more to change. What is jerked harder than before is
counted where it is seen: a leg that is nearly straight turns much to move its foot a little. Frames meet only their
neighbours, so the normal equations are a band and a clip of any length costs in proportion.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.contacts.measure import spread
from inbetweener.contacts.problem import NothingToHold, Watch, levers
from inbetweener.contacts.solve import error_rows, errors
from inbetweener.curves import Curve, evaluate
from inbetweener.maths.search import Search, Stepped
from inbetweener.motion import Constraint, Curves, Motion
from inbetweener.rig import Rig, chains

HOLD = 1e3
"""√W: how much more a state counts than a change of the motion, both in heights."""

PUSH = 0.3
"""What is below the ground or beyond a limit counts so much of that: it gives way where a contact would not hold."""

GENTLE = 2e-3
"""Metres a frame, each frame, that a change may add to the speed of what it moves: about a third of what is seen."""

SHORTEST = 0.04
"""Seconds in which a change comes and goes at least, and"""
FEWEST = 3.0
"""frames."""

REACH = 4.0
"""How many such times a change reaches beyond a contact; after that nothing is left of it."""

ROUNDS = 8
"""Gauss–Newton steps at most; three are usual."""

FIRST = 1e-6
"""Damping to begin with."""

ENOUGH = 1e-3
"""Stop when a step improves the sum of squares by less than this share."""


def plant(
    motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint] = (), gentler: Sequence[float] = ()
) -> Curves:
    """The curves of a motion whose contacts, each with a frame at least, stand at their mean places on every frame.

    `gentler`, one number a contact, stretches the time in which its change comes and goes.
    """
    planting = _Planting(motion, contacts, kept, gentler or np.ones(len(contacts)))
    search = Search(planting.look(np.zeros(planting.shape)), planting.step, FIRST)
    deque(islice(search.settling(1, ENOUGH), ROUNDS), maxlen=0)
    return _moved(motion, planting.columns, planting.times, search.now.change)


def frames_of(rule: Constraint, times: Floats) -> Ints:
    """The frames, of those at times (T,), on which it holds."""
    return np.flatnonzero((times >= rule.start - 1e-9) & (times <= rule.end + 1e-9))


Rows = tuple[Ints, Floats, Floats]
"""Frames (m,), how something there moves with the channels (m, r, F), and by how much it is off (m, r)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Everything at one change (T, F): poses, rows, how much harder places are jerked (T − 2, P, 3), the cost."""

    change: Floats
    poses: Floats
    rows: list[Rows]
    jerk: Floats
    merit: float


class _Planting:
    """The problem, and damped Gauss–Newton steps that solve it."""

    def __init__(
        self,
        motion: Motion,
        contacts: Sequence[Constraint],
        kept: Sequence[Constraint],
        gentler: Sequence[float] | Floats,
    ) -> None:
        self.motion, self.times, self.columns = motion, motion.clip.frame_times, _free(motion, contacts)
        self.values = motion.channels(self.times)
        self.shape = len(self.times), len(self.columns)
        self.height = max(chains.height(motion.rig), 1e-9)
        standing = [_standing(motion, each, self.times, self.values) for each in contacts]
        self.watches = [*standing, *(_as_before(motion, each, self.times, self.values) for each in kept)]
        least = max(FEWEST, SHORTEST * motion.clip.rate)
        easing, active = _easing(standing, motion, self.values, least, gentler)
        # What changes gently weighs more: so must what holds.
        self.hold = HOLD * float(easing.max() / FEWEST) ** 2
        stiffness = np.array([motion.rig.channels[c].stiffness for c in self.columns])
        self.still = _stillness(levers(motion, self.values, self.columns) / self.height * stiffness, least, active)
        self.body = _Body(motion.rig, self.values, self.columns, easing**2 / self.height, self.height)
        self._linear: tuple[_Look, Floats, Floats] | None = None

    def look(self, change: Floats) -> _Look:
        """What is there after a change."""
        rig, height, columns = self.motion.rig, self.height, self.columns
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
        jerk = self.body.jerk(poses)
        cost = float(_times_band(self.still, change) @ change.ravel()) + float((jerk**2).sum())
        return _Look(change, poses, rows, jerk, cost + sum(float((off**2).sum()) for _, _, off in rows))

    def step(self, now: _Look, damping: float) -> Stepped[_Look] | None:
        """Where the damped step leads; None where it cannot be told."""
        from scipy.linalg import LinAlgError, solveh_banded

        if self._linear is None or self._linear[0] is not now:
            band, gradient = self.still.copy(), _times_band(self.still, now.change)
            self.body.add_jerk(band, gradient, now)
            for each in now.rows:
                _add(band, gradient, *each)
            self._linear = now, band, gradient
        _, band, gradient = self._linear
        damped = band.copy()
        damped[-1] *= 1.0 + damping
        try:
            by = -solveh_banded(damped, gradient, overwrite_ab=True, check_finite=False)
        except LinAlgError:
            return None
        change = by.reshape(self.shape)
        return Stepped(self.look(now.change + change), -float(by @ (2.0 * gradient + _times_band(band, change))))


def _free(motion: Motion, contacts: Sequence[Constraint]) -> Ints:
    """Channels that move a contact's point and have a curve."""
    moving = {c for contact in contacts for c in contact.channels(motion.rig)}
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


def _easing(
    watches: Sequence[Watch], motion: Motion, values: Floats, least: float, gentler: Sequence[float] | Floats
) -> tuple[Floats, Bools]:
    """Frames (T,) in which a change comes and goes around each frame, and which frames (T,) may change."""
    frames = np.full(len(values), least)
    active = np.zeros(len(values), np.bool_)
    for watch, by in zip(watches, gentler, strict=True):
        # An offset d that comes and goes in τ frames adds about d/τ² to the acceleration.
        slide = spread(watch.rule.seen(motion.rig.posed(values[watch.at]))[0])
        eased = by * max(least, np.sqrt(slide / GENTLE))
        reach = int(np.ceil(REACH * eased))
        span = slice(max(0, watch.at[0] - reach), watch.at[-1] + reach + 1)
        active[span] = True
        frames[span] = np.maximum(frames[span], eased)
    return frames, active


def _stillness(worth: Floats, frames_eased: float, active: Bools) -> Floats:
    """The band (3F, T·F), diagonal last, of ‖worth · d‖² + τ⁴ ‖worth · d″‖², with d nought where not active."""
    frames, free = len(active), len(worth)
    band = np.zeros((3 * free, frames, free))
    square = worth**2
    # Where nothing may change, a change costs beyond all measure.
    band[-1] = square * np.where(active, 1.0, 1e12)[:, None]
    for shift, offset, factor in SECOND_DIFFERENCE:
        band[-1 - offset * free, shift : shift + frames - 2] += factor * frames_eased**4 * square
    return band.reshape(3 * free, frames * free)


SECOND_DIFFERENCE = (
    (0, 0, 1.0),
    (1, 0, 4.0),
    (2, 0, 1.0),
    (1, 1, -2.0),
    (2, 1, -2.0),
    (2, 2, 1.0),
)
"""Its square over three frames: by how many frames the later of two lies behind the first, how far it is from the
earlier, and the factor of their product."""


def _times_band(band: Floats, change: Floats) -> Floats:
    """A symmetric band times (T, F) changes, as (T·F,)."""
    x = change.ravel()
    made = band[-1] * x
    for k in range(1, len(band)):
        row = band[-1 - k, k:]
        if row.any():
            made[k:] += row * x[:-k]
            made[:-k] += row * x[k:]
    return made


def _add(band: Floats, gradient: Floats, at: Ints, rows: Floats, off: Floats) -> None:
    """Add the normal equations of rows (m, r, F) of frames `at` (m,) that are off (m, r); they stay within a frame."""
    free = rows.shape[2]
    normal = np.matmul(rows.transpose(0, 2, 1), rows)
    gradient.reshape(-1, free)[at] += np.matmul(off[:, None], rows)[:, 0]
    stored = band.reshape(len(band), -1, free)
    for g in range(free):
        for f in range(g + 1):
            stored[-1 - (g - f), at, g] += normal[:, f, g]


class _Body:
    """All joints and points: what they gain in acceleration, weighed, and whether they are pushed below the ground.

    The ground is the lowest that the body ever was.
    """

    def __init__(self, rig: Rig, values: Floats, columns: Ints, weights: Floats, height: float) -> None:
        self.rig, self.columns, self.weights, self.height = rig, columns, weights[1:-1], height
        self.places = rig.places
        self.before = self._positions(values)
        self.ground = float(self.before[..., 1].min())
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

    def jerk(self, poses: Floats) -> Floats:
        """(T − 2, P, 3) second differences that were not there before, weighed."""
        change = (self._positions(poses) - self.before)[:, self.chosen]
        return self.weights[:, None, None] * np.diff(change, 2, axis=0)

    def add_jerk(self, band: Floats, gradient: Floats, look: _Look) -> None:
        """Add the normal equations of all second differences."""
        frames, free = look.change.shape
        moves = self.rig.jacobians(look.poses, self.moved)[:, :, :3][..., self.columns]
        rows = np.ascontiguousarray(moves.reshape(frames, -1, free))
        pull = self.weights[:, None] * look.jerk.reshape(-1, rows.shape[1])
        made = gradient.reshape(frames, free)
        for shift, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            made[shift : shift + frames - 2] += (
                factor * np.matmul(pull[:, None], rows[shift : shift + frames - 2])[:, 0]
            )
        products = [np.matmul(rows[: frames - k].transpose(0, 2, 1), rows[k:]) for k in range(3)]
        blocks = [np.zeros_like(each) for each in products]
        square = (self.weights**2)[:, None, None]
        for shift, offset, factor in SECOND_DIFFERENCE:
            first = shift - offset
            span = slice(first, first + frames - 2)
            blocks[offset][span] += factor * square * products[offset][span]
        stored = band.reshape(len(band), frames, free)
        for offset, block in enumerate(blocks):
            for g in range(free):
                for f in range(free if offset else g + 1):
                    stored[-1 - (offset * free + g - f), offset:, g] += block[:, f, g]

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
