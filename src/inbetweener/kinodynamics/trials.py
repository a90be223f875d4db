"""Trials: the loose states at all targets' times under many corrections at once, without making any curve."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, stacked_offsets
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.problem import SAME, Problem
from inbetweener.kinodynamics.reference import stepped
from inbetweener.kinodynamics.residuals import earlier

TOGETHER = 96
"""Moments simulated in one batch: enough for every core, few enough to stay in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One time at which there are targets, with everything that simulating it takes.

    times      (w,) the time itself and, where a speed is asked for, a step earlier
    values     (w, C) keyed channels there; bells (2K, w) the values of φ and ψ of all targets there
    reference  (N, C, 3) keyed channels along the windows; along (2K, N, 3) φ and ψ there
    rows       (w, n + 1) which of the N each window passes; counts (w,) how many steps each has
    targets    which of the K targets are at this time; affected (K,) which of them matter here
    """

    times: Floats
    values: Floats
    bells: Floats
    reference: Floats
    along: Floats
    rows: Ints
    counts: Ints
    targets: tuple[int, ...]
    affected: Bools

    def corrected(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Keyed channels (w, C), and along the windows (N, C, 3), with corrections (K, 2, C) added."""
        count, channels = self.reference.shape[:2]
        used = np.repeat(self.affected, 2)
        flat = coefficients.reshape(-1, channels)[used]
        added = self.along[used].reshape(len(flat), -1).T @ flat
        values = self.values + self.bells[used].T @ flat
        return values, self.reference + added.reshape(count, 3, channels).transpose(0, 2, 1)


class Trials:
    """Simulates corrections of a problem, and counts how often."""

    def __init__(self, problem: Problem, measured: LooseMotion | None = None) -> None:
        """Windows are as long as they are in the motion `measured`, where their length depends on the motion."""
        self.problem = problem
        self.windows = self.batches = 0
        self._moments = [_moment(problem, group, measured or problem.motion) for group in _at_once(problem)]

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
    ) -> Floats:
        """(V, K, 2, C): for corrections (V, K, 2, C), each target's state and the one a step earlier.

        The latter is simulated only where a speed is asked for. Where it is known of which target, `moved` (V,), each
        correction differs from the one that led to states `base` (K, 2, C), only what that can reach is simulated;
        and only what target `only` needs, where just that is wanted.
        """
        result = np.empty((len(coefficients), len(self.problem.targets), 2, coefficients.shape[-1]))
        if base is not None:
            result[:] = base
        asked = [
            (v, moment)
            for v in range(len(coefficients))
            for moment in self._moments
            if (moved is None or moment.affected[moved[v]]) and (only is None or only in moment.targets)
        ]
        for first in range(0, len(asked), TOGETHER):
            self._simulate(asked[first : first + TOGETHER], coefficients, result)
        return result

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
        )
        self.windows += len(swung)
        self.batches += 1
        at = 0
        for v, moment in asked:
            both = swung[[at, at + len(moment.times) - 1]]
            for k in moment.targets:
                result[v, k] = both
            at += len(moment.times)

    def residuals(self, states: Floats) -> list[Floats]:
        """For every target, what is missing (V, m) in states (V, K, 2, C)."""
        return [ask.residuals(states[:, k, 0], states[:, k, 1]) for k, ask in enumerate(self.problem.asks)]


def _at_once(problem: Problem) -> list[list[int]]:
    """Targets by time, in the order of time; those of one time together."""
    groups: list[list[int]] = []
    for k in sorted(range(len(problem.targets)), key=lambda k: problem.targets[k].time):
        if groups and problem.targets[k].time - problem.targets[groups[-1][0]].time < SAME:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def _moment(problem: Problem, group: list[int], measured: LooseMotion) -> Moment:
    motion, time = problem.motion, problem.targets[group[0]].time
    moving = any(problem.asks[k].moving for k in group)
    times = np.array([time, earlier(motion, time)] if moving else [time])
    counts = np.round(measured.window(times) / motion.loosened.step).astype(np.int64)
    passed, rows = motion.moments(times, counts)
    clip, step = motion.clip, motion.loosened.step
    along = np.concatenate([stepped(each.motion, passed, clip, step) for each in problem.shapes], axis=1)
    along = np.ascontiguousarray(along.swapaxes(0, 1))
    bells = np.concatenate([each.motion(times)[:, :, 0].T for each in problem.shapes])
    affected = along.any(axis=(1, 2)) | bells.any(axis=1)
    return Moment(
        times,
        motion.tight.channels(times),
        bells,
        motion.reference(passed),
        along,
        rows,
        counts,
        tuple(group),
        np.asarray(affected.reshape(-1, 2).any(axis=1), np.bool_),
    )
