"""The optimiser: bounded Levenberg–Marquardt, one iterate at a time, each a sound motion no worse than the last."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.guidance.curvature import Curvature
from inbetweener.guidance.held import TOLERANCE
from inbetweener.guidance.objective import Evaluation, evaluate
from inbetweener.guidance.problem import Problem
from inbetweener.maths.envelope import Envelope
from inbetweener.maths.search import Search, Stepped, restored
from inbetweener.maths.steps import Bounds, bound_step, box_step, factorised
from inbetweener.motion import Curves, Motion
from inbetweener.motion.clear import AIM

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

MOST = 200
"""Steps of one run."""

COLD, WARM = 0.1, 1e-4
"""How much the first step is damped, at the start and after a slider was moved."""

PATIENCE, SETTLED = 4, 1e-3
"""A run is done when so many steps together gained less than this share of the cost."""

CUT_ROUNDS = 4
"""How often a step is solved again with cuts for limits that it would break."""

ADVANCE, MOST_OUT = 0.05, 60
"""How far a step leads what is deep inside of something out of it, in heights, and how many such steps there are."""

PATIENT_OUT, PAYS = 8, 0.99
"""So many of these steps in a row that each leave more than this of the depth are the last: what key poses have inside
of something no tangent leads out."""

LED_OUT = 1e-2
"""How much such steps are damped, as a share of what a parameter costs."""

STILL = 1e-9
"""A step that changes no parameter by more than this is none."""


_Watched = tuple[Floats, Bounds, Bounds]
"""Rows (K, P), and bounds (K,) on rows · step: as wished, and as will do where that cannot be."""


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """A motion on the way: its number, its cost, and how far each watched constraint is off, in heights or radians."""

    problem: Problem
    number: int
    evaluation: Evaluation
    offs: Floats

    @property
    def cost(self) -> float:
        """All terms and regularisers together."""
        return self.evaluation.cost

    @property
    def merit(self) -> float:
        """The cost: constraints hold on every iterate."""
        return self.evaluation.cost

    @property
    def terms(self) -> dict[str, float]:
        """What each term, and each regulariser, contributes."""
        return {share.name: share.cost for share in self.evaluation.shares}

    @property
    def curves(self) -> Curves:
        """The edited curves, with new tangents on their old keys."""
        return self.problem.curves_at(self.evaluation.x)

    @property
    def motion(self) -> Motion:
        """The motion that they make."""
        return self.problem.motion_at(self.evaluation.x)


class Guide:
    """A run: iterate over it to go on, stop whenever you like. The whole way is kept, to go back to any of it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.path: list[Iterate] = []
        self._damping = COLD
        self._curvature = self._unlearnt()
        self._slopes: tuple[Problem, Evaluation] | None = None

    @property
    def last(self) -> Iterate:
        """Where the run is now."""
        return self.path[-1] if self.path else self.begin()

    def reweigh(self, problem: Problem) -> Iterate:
        """Go on with other sliders (`Problem.reweighed`) from where the run is."""
        x = self.last.evaluation.x
        self.problem, self._damping = problem, WARM
        self.path.append(self._iterate(np.clip(x, *self._box())))
        return self.path[-1]

    def roll_back(self, number: int) -> Iterate:
        """Go on from an earlier iterate; those after it are forgotten, and what they taught."""
        del self.path[number + 1 :]
        self.problem, self._damping = self.path[-1].problem, COLD
        self._curvature = self._unlearnt()
        return self.path[-1]

    def finish(self) -> Iterate:
        """Go on until nothing gets better."""
        for _ in self:
            pass
        return self.last

    def __iter__(self) -> Iterator[Iterate]:
        yield self.last
        costs = [self.last.cost]
        for _ in range(MOST):
            after = self.step()
            if after is None:
                return
            yield after
            costs.append(after.cost)
            if len(costs) > PATIENCE and costs[-1 - PATIENCE] - after.cost < SETTLED * after.cost:
                return

    def step(self) -> Iterate | None:
        """The next iterate: better than the last one, or None where no step is."""
        with _alone():
            return self._step()

    def _step(self) -> Iterate | None:
        now, problem = self.last, self.problem
        evaluation = self._sloped(now)
        diagonal = _diagonal(evaluation.matrix)
        scale = np.maximum(diagonal, 1e-9 * diagonal.max(initial=1e-300))
        curved = self._curvature.added_to(evaluation.matrix)
        rows = self._watched(evaluation.x) if problem.is_bound else None
        # A constraint that is broken may stay so, no worse: that is its own bound, and nobody else's.
        allowed = np.maximum(TOLERANCE, now.offs)

        def stepped(_: Iterate, damping: float) -> Stepped[Iterate] | None:
            x = self._proposal(evaluation, _raised(curved, damping * scale), rows, allowed)
            if x is None:
                return None
            change = x - evaluation.x
            if np.abs(change).max() < STILL:
                return Stepped(now)
            offs = problem.offs(x)
            if (offs > allowed).any():
                return None
            # Slopes of many parameters take their time: only where a step pays.
            if problem.is_large and not (costs := evaluate(problem, x, derive=False)).cost < now.cost:
                return Stepped(Iterate(problem, len(self.path), costs, offs))
            promised = -float(2.0 * evaluation.gradient @ change + change @ (curved @ change))
            return Stepped(self._iterate(x, offs), promised)

        search = Search(now, stepped, self._damping)
        new = search.advance()
        if new is not None:
            after = self._sloped(new)
            self._damping = search.damping
            self._curvature.learn(new.evaluation.x - evaluation.x, after.gradient - evaluation.gradient, after.matrix)
            self.path.append(new)
        return new

    def begin(self, x: Floats | None = None) -> Iterate:
        """Forget the way so far and begin where the motion is, or at other parameters; constraints first."""
        start = self.problem.parameters.start if x is None else self.problem.limits.brought_in(np.clip(x, *self._box()))
        with _alone():
            if self.problem.clear.active:
                start = self._led_out(start)
            if self.problem.is_bound:
                start = self._restored(start, np.full(len(self.problem.offs(start)), TOLERANCE))
        self.path = []
        self.path.append(self._iterate(start))
        self._damping, self._curvature = COLD, self._unlearnt()
        return self.path[0]

    def _unlearnt(self) -> Curvature:
        return Curvature(0 if self.problem.is_large else len(self.problem.parameters))

    def _iterate(self, x: Floats, offs: Floats | None = None) -> Iterate:
        self._slopes = self.problem, evaluate(self.problem, x)
        found = self.problem.offs(x) if offs is None else offs
        return Iterate(self.problem, len(self.path), self._slopes[1].without_slopes, found)

    def _sloped(self, iterate: Iterate) -> Evaluation:
        """An iterate with its normal equations, which are kept of the last one alone."""
        problem, x = iterate.problem, iterate.evaluation.x
        if self._slopes is None or self._slopes[0] is not problem or self._slopes[1].x is not x:
            self._slopes = problem, evaluate(problem, x)
        return self._slopes[1]

    def _box(self) -> Bounds:
        parameters = self.problem.parameters
        kept = np.isinf(self.problem.factors)
        start = parameters.start
        return np.where(kept, start, parameters.lower), np.where(kept, start, parameters.upper)

    def _bounds(self, x: Floats) -> Bounds:
        low, high = self._box()
        return np.minimum(low - x, 0.0), np.maximum(high - x, 0.0)

    def _watched(self, x: Floats) -> _Watched:
        """Rows of what holds and of what comes near, and how far a step may lead along them."""
        held, clear = self.problem.held, self.problem.clear
        (errors, rows), (distances, nearing) = held.errors(x, derive=True), clear.near(x)
        # Within half the tolerance where that can be; and no worse than now where it cannot.
        room = 0.5 * held.tolerances()
        wide, far = np.maximum(room, np.abs(errors)), np.full(len(distances), np.inf)
        return (
            np.concatenate([rows, nearing]),
            (np.concatenate([-room - errors, AIM - distances]), np.concatenate([room - errors, far])),
            (np.concatenate([-wide - errors, np.minimum(-distances, 0.0)]), np.concatenate([wide - errors, far])),
        )

    def _proposal(
        self, evaluation: Evaluation, matrix: Floats | Envelope, watched: _Watched | None, allowed: Floats
    ) -> Floats | None:
        """Where a damped step leads: inside all bounds and limits, and back on the constraints; None where nowhere.

        `watched` are rows of the constraints, where there are any, with what is wished of them and what will do;
        `allowed` (constraints,) how far each may be off.
        """
        x, limits = evaluation.x, self.problem.limits
        bounds, factor = self._bounds(x), factorised(matrix)
        if factor is None:
            return None
        rows, low, high = np.zeros((0, len(x))), np.zeros(0), np.zeros(0)
        if watched is not None:
            rows, (low, high), will_do = watched
            change = bound_step(factor, evaluation.gradient, bounds, rows, low, high)
            if change is None:
                low, high = will_do
                change = bound_step(factor, evaluation.gradient, bounds, rows, low, high)
        else:
            change = box_step(matrix, evaluation.gradient, bounds)
        for _ in range(CUT_ROUNDS):
            if change is None:
                return None
            found = limits.beyond(x + change)
            if not len(found.u):
                break
            cut, most = limits.cuts(x, found)
            rows, low = np.concatenate([rows, cut]), np.concatenate([low, np.full(len(most), -np.inf)])
            high = np.concatenate([high, np.maximum(most, 0.0)])
            change = bound_step(factor, evaluation.gradient, bounds, rows, low, high)
        if change is None:
            return None
        new = limits.brought_in(x + change)
        return self._restored(new, allowed) if self.problem.is_bound else new

    def _led_out(self, x: Floats) -> Floats:
        """x led out of all that the body should be clear of, by short steps that change as little as may be."""
        held, clear, limits = self.problem.held, self.problem.clear, self.problem.limits
        stay = evaluate(self.problem.reweighed(terms=(), regularise=1.0), x).matrix
        stay = _raised(stay, 1e-2 * _diagonal(stay).mean())
        best, depth, lost = x, clear.depth(x), 0
        for _ in range(MOST_OUT):
            if depth == 0.0 or lost > PATIENT_OUT:
                break
            (errors, rows), (gaps, nearing) = held.errors(x, derive=True), clear.near(x, out=True)
            close = gaps < AIM
            wanted = np.concatenate([-errors, np.minimum(AIM - gaps[close], ADVANCE)])
            every = np.concatenate([rows, nearing[close]])
            matrix = self.problem.squares(every)
            share = LED_OUT * float(_diagonal(matrix).sum() / _diagonal(stay).sum())
            matrix = matrix + stay * share  # type: ignore[operator]
            # The shortest way out may be another for now, and become longer: no single step need look better.
            x = limits.brought_in(x + box_step(matrix, -every.T @ wanted, self._bounds(x)))
            left = clear.depth(x)
            lost = 0 if left < PAYS * depth else lost + 1
            if left < depth:
                best, depth = x, left
        return best

    def _restored(self, x: Floats, allowed: Floats) -> Floats:
        """x led back onto the constraints by the shortest ways, as near as may be."""
        held, clear, limits = self.problem.held, self.problem.clear, self.problem.limits
        # What can hold goes a little further than it must: later steps are glad of the room.
        bound = np.where(allowed > TOLERANCE, allowed, 0.8 * TOLERANCE)

        def back(x: Floats) -> Floats:
            (errors, rows), (gaps, nearing) = held.errors(x, derive=True), clear.near(x, out=True)
            close = gaps < AIM
            errors, rows = np.concatenate([errors, gaps[close] - AIM]), np.concatenate([rows, nearing[close]])
            # A least-squares step under bounds, a little damped: rows outnumber what can be turned.
            matrix = self.problem.squares(rows)
            matrix = _raised(matrix, 1e-8 * max(float(_diagonal(matrix).mean()), 1e-300))
            return limits.brought_in(x + box_step(matrix, rows.T @ errors, self._bounds(x)))

        return restored(x, back, lambda x: float((self.problem.offs(x) - bound).max(initial=0.0)), 0.0)


def _diagonal(matrix: Floats | Envelope) -> Floats:
    return matrix.diagonal if isinstance(matrix, Envelope) else np.diag(matrix)


def _raised(matrix: Floats | Envelope, diagonal: Floats | float) -> Floats | Envelope:
    """The matrix with so much more on its diagonal."""
    if isinstance(matrix, Envelope):
        return matrix.raised(diagonal)
    made = matrix.copy()
    made[np.diag_indices_from(made)] += diagonal
    return made


@cache
def _threads() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _alone() -> AbstractContextManager[object]:
    """Matrices of a hundred rows gain nothing from threads, and lose much where these wait for a busy core."""
    return _threads().limit(limits=1, user_api="blas")


def guide(problem: Problem) -> Guide:
    """A run over a problem: `for iterate in guide(problem): …`."""
    return Guide(problem)
