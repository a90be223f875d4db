"""Trials: the loose states at all targets' times under many corrections at once, without making any curve."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints, stacked_offsets
from inbetweener.dynamics.movement import Movement
from inbetweener.kinodynamics import kernels
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import SAME, Problem
from inbetweener.kinodynamics.reference import stepped
from inbetweener.kinodynamics.residuals import HoldAsk

TOGETHER = 96
"""Windows simulated in one batch, about: enough for every core, few enough to stay in memory."""


ABREAST = 24
"""Corrections whose simulations along a stretch are worked out together."""

Slot = tuple[int, int, float]
"""A target, which of its states, and when that is."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """Times that targets ask about together, with everything that simulating them takes.

    times      (w,) a time itself and, where a speed is asked for, a step earlier; or all of a stretch
    parts      (u,) which of all parts of all corrections matter here
    values     (w, C) keyed channels there; bells (u, w) the values of these parts
    reference  (N, C, 3) keyed channels along the windows; along (u, N, 3) these parts
    rows       (w, n + 1) which of the N each window passes; counts (w,) how many steps each has; ends (w, 1) which
               of the N it shows
    slots      the states that are asked for, and which of the windows each is
    """

    times: Floats
    parts: Ints
    values: Floats
    bells: Floats
    reference: Floats
    along: Floats
    rows: Ints
    counts: Ints
    ends: Ints
    slots: tuple[tuple[int, int, int], ...]

    def corrected(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Keyed channels (w, C), and along the windows (N, C, 3), with corrections (K, B, C) added."""
        count, channels = self.reference.shape[:2]
        flat = coefficients.reshape(-1, channels)[self.parts]
        # Few channels are corrected at all.
        moved = np.flatnonzero(flat.any(axis=0))
        values, reference = self.values + self.bells.T @ flat, self.reference.copy()
        added = np.ascontiguousarray(flat[:, moved].T) @ self.along.reshape(len(flat), -1)
        reference[:, moved] += added.reshape(len(moved), count, 3).swapaxes(0, 1)
        return values, reference


class Trials:
    """Simulates corrections of a problem, and counts how often."""

    def __init__(self, problem: Problem, measured: LooseMotion | None = None) -> None:
        """Windows are as long as they are in the motion `measured`, where their length depends on the motion."""
        self.problem = problem
        self.windows = self.batches = 0
        self._moments = [_moment(problem, slots, measured or problem.motion) for slots in _at_once(problem)]
        self._whole = [_whole(problem, moment) for moment in self._moments]
        self._states = max((len(ask.times) for ask in problem.asks), default=1)

    @property
    def lengths(self) -> list[list[int]]:
        """Steps of every window, to see whether they have changed."""
        return [moment.counts.tolist() for moment in self._moments]

    def states(
        self,
        coefficients: Floats,
        base: Floats | None = None,
        moved: Ints | None = None,
        only: int | None = None,
        at_once: bool = False,
    ) -> Floats:
        """(V, K, W, C): for corrections (V, K, B, C), the states of each target's times.

        With `at_once`, those of a stretch are of one simulation all along it: what differs between two corrections is
        the same there as in windows that are long enough, and costs far less.

        Where it is known by which part of all, `moved` (V,), each correction differs from the one that led to states
        `base` (K, W, C), only what that can reach is simulated; and only what target `only` needs, where just that is
        wanted.
        """
        result = np.zeros((len(coefficients), len(self.problem.targets), self._states, coefficients.shape[-1]))
        if base is not None:
            result[:] = base
        asked: list[tuple[int, Moment]] = []
        for moment, whole in zip(self._moments, self._whole, strict=True):
            wanted = [v for v in range(len(coefficients)) if moved is None or moved[v] in moment.parts]
            if whole is not None and at_once:
                for first in range(0, len(wanted), ABREAST):
                    self._trace(whole, wanted[first : first + ABREAST], coefficients, result)
            elif only is None or only in [k for k, _, _ in moment.slots]:
                asked += [(v, moment) for v in wanted]
        # Few at a time where each has many windows.
        while asked:
            count = 1 + int(np.searchsorted(np.cumsum([len(moment.times) for _, moment in asked[1:]]), TOGETHER))
            self._simulate(asked[:count], coefficients, result)
            asked = asked[count:]
        return result

    def _trace(self, whole: Moment, wanted: list[int], coefficients: Floats, result: Floats) -> None:
        """One simulation all along a stretch for each of some corrections, written into `result`."""
        motion, loosened = self.problem.motion, self.problem.motion.loosened
        references = np.concatenate([whole.corrected(coefficients[v])[1] for v in wanted])
        starts = len(whole.reference) * np.arange(len(wanted))
        rows = whole.rows[0] + starts[:, None]
        ends = [len(rows[0]) - 1 - row for _, _, row in whole.slots]
        picked = rows[:, ends]
        values = np.ascontiguousarray(references[picked.ravel(), :, 0])
        swung = values.copy()
        if len(loosened.swinging.dofs):
            keyed = Movement.of(motion.rig.keyed, references, differentiable=False)
            drag = loosened.looseness.drag
            places, *_ = loosened.simulation.traces(keyed, rows, loosened.springs, loosened.step, drag)
            loosened.put_swung(places[:, ends].reshape(len(values), -1), values, swung)
        if len(loosened.following.channels):
            found, rates = np.empty((2, len(rows), rows.shape[1], len(loosened.following.channels)))
            for row, place, rate in zip(rows, found, rates, strict=True):
                kernels.trace(loosened.keyed(references[row]), place, rate)
            shown = np.clip(found[:, ends].reshape(len(values), -1), *loosened.following_limits)
            swung[:, loosened.following.channels] = shown
        for v, states in zip(wanted, swung.reshape(len(wanted), len(ends), -1), strict=True):
            for (k, number, _), state in zip(whole.slots, states, strict=True):
                result[v, k, number] = state
        self.windows += len(wanted)
        self.batches += 1

    def _simulate(self, asked: list[tuple[int, Moment]], coefficients: Floats, result: Floats) -> None:
        """One batch: every moment under the correction that it is asked for, written into `result`."""
        made = [moment.corrected(coefficients[v]) for v, moment in asked]
        starts = stacked_offsets(len(reference) for _, reference in made)
        longest = max(moment.rows.shape[1] for _, moment in asked)
        # Windows end with their own moments; what is put before them is never looked at.
        rows = [
            np.pad(moment.rows + start, ((0, 0), (longest - moment.rows.shape[1], 0)), mode="edge")
            for (_, moment), start in zip(asked, starts, strict=False)
        ]
        swung = self.problem.motion.follow(
            np.concatenate([values for values, _ in made]),
            np.concatenate([reference for _, reference in made]),
            np.concatenate(rows),
            np.concatenate([moment.counts for _, moment in asked]),
            np.concatenate([moment.ends + start for (_, moment), start in zip(asked, starts, strict=False)]),
        )
        self.windows += len(swung)
        self.batches += 1
        at = 0
        for v, moment in asked:
            for k, number, row in moment.slots:
                result[v, k, number] = swung[at + row]
            at += len(moment.times)

    def residuals(self, states: Floats) -> list[Floats]:
        """For every target, what is missing (V, m) in states (V, K, W, C)."""
        return [ask.residuals(states[:, k]) for k, ask in enumerate(self.problem.asks)]


def _at_once(problem: Problem) -> list[list[Slot]]:
    """States that are simulated together: those of one time and of the step before it, and all of a stretch."""
    groups: list[list[Slot]] = []
    for k in sorted(range(len(problem.asks)), key=lambda k: problem.targets[k].time):
        slots = [(k, number, float(time)) for number, time in enumerate(problem.asks[k].times)]
        if groups and slots[0][2] - groups[-1][0][2] < SAME and not isinstance(problem.asks[k], HoldAsk):
            groups[-1] += slots
        else:
            groups.append(slots)
    return groups


def _moment(problem: Problem, slots: list[Slot], measured: LooseMotion) -> Moment:
    motion = problem.motion
    times, rows_of = np.unique([time for _, _, time in slots], return_inverse=True)
    counts = np.round(measured.window(times) / motion.loosened.step).astype(np.int64)
    passed = motion.moments(times, counts)
    along = stepped(problem.motions, passed, motion.clip, motion.loosened.step).swapaxes(0, 1)
    bells = problem.motions(times)[:, :, 0].T
    parts = np.flatnonzero(along.any(axis=(1, 2)) | bells.any(axis=1))
    return Moment(
        times,
        parts,
        motion.tight.channels(times),
        bells[parts],
        motion.reference(passed),
        np.ascontiguousarray(along[parts]),
        passed.rows,
        counts,
        passed.ends,
        tuple((k, number, int(row)) for (k, number, _), row in zip(slots, rows_of, strict=True)),
    )


def _whole(problem: Problem, moment: Moment) -> Moment | None:
    """One long window over a stretch, from where the first of its windows begins; None where there is no stretch, or
    things collide. Its slots say how many steps before its end their states are.
    """
    motion, step = problem.motion, problem.motion.loosened.step
    if len(moment.times) < 3 or motion.loosened.looseness.collide:
        return None
    steps = np.round((moment.times[-1] - moment.times) / step).astype(np.int64)
    times, counts = moment.times[-1:], np.array([int((steps + moment.counts).max())])
    passed = motion.moments(times, counts)
    along = stepped(problem.motions, passed, motion.clip, step).swapaxes(0, 1)
    parts = np.flatnonzero(along.any(axis=(1, 2)))
    return Moment(
        times,
        parts,
        motion.tight.channels(times),
        np.zeros((len(parts), 1)),
        motion.reference(passed),
        np.ascontiguousarray(along[parts]),
        passed.rows,
        counts,
        passed.ends,
        tuple((k, number, int(steps[row])) for k, number, row in moment.slots),
    )
