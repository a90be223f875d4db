"""Move a point to its target by tangents alone, constraints held on the evaluated motion."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.curves.value_limits import Extremes
from inbetweener.maths.blocker import Blocker, ranked
from inbetweener.maths.search import Search, Stepped, restored
from inbetweener.motion import Curves
from inbetweener.tangents.clear import CLEAR_ROOM, ClearCuts
from inbetweener.tangents.problem import Problem
from inbetweener.tangents.program import CUT_ROOM, Answer, Program
from inbetweener.tangents.tolerances import Tolerances
from inbetweener.tangents.value_limits import LimitCuts
from inbetweener.tangents.workspace import Workspace


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Where a drag got to.

    position (3,), turn (3, 3)  the state reached
    z                           scaled tangent variables, to start the next solve from
    target_error                metres, or radians where only an orientation was wanted
    constraint_error            the worst constraint at the watched times: metres, turns as radians
    holds                       all of them are within their tolerances at these times
    limit_error                 how far any free curve leaves its limits, beyond what it did at the start
    """

    problem: Problem
    z: Floats
    position: Floats
    turn: Floats
    target_error: float
    constraint_error: float
    holds: bool
    limit_error: float
    iterations: int
    reached: bool
    blockers: tuple[Blocker, ...]

    @property
    def curves(self) -> Curves:
        """The edited curves, with the new tangents; keys are where they were."""
        problem = self.problem
        before = [problem.curves[name] for name in problem.names]
        return problem.curves.replaced(dict(zip(problem.names, problem.variables.changed(before, self.z), strict=True)))


@dataclass(slots=True, eq=False)
class _Place:
    """Tangents z (4F,) on the way.

    error   how far the dragged state is from its target
    offs    (constraints,) how far each is off
    broken  how far the worst of these is beyond its tolerance
    beyond  how far the worst curve leaves its limits
    out     how far anything is beyond what it may be: a constraint or a curve
    merit   the error, and a fine for constraints that were broken before and can still come nearer
    """

    z: Floats
    error: float
    offs: Floats
    broken: float
    beyond: float
    out: float
    merit: float


class _Asked(NamedTuple):
    """The answer of a program with its cuts: extremes beyond limits, and pairs (K,) that stay apart."""

    answer: Answer
    at: Extremes
    pairs: Ints


class _Found(NamedTuple):
    """Where a search ended, the programs it took, and the last one of them."""

    place: _Place
    programs: int
    asked: _Asked | None


class Solver:
    """Keeps what consecutive solves of one drag share: arrays, the working set, cuts for limits."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.clear = None if problem.apart is None else ClearCuts(problem, problem.apart)
        below = CUT_ROOM if self.clear is None else CUT_ROOM + CLEAR_ROOM
        self.workspace = Workspace(problem, beside=problem.items.dragged_rows, below=below)
        self.program = Program(problem, self.workspace.matrix, self.workspace.errors)
        self.limits = LimitCuts(problem.variables, self.workspace.ins, self.workspace.outs)
        self.tolerances = Tolerances(problem, 0 if problem.apart is None else len(problem.apart.pairs))
        self._at_ease, self._unbounded = np.zeros_like(self.tolerances.each), np.full_like(self.tolerances.each, np.inf)
        self._allowed = self._unbounded
        self._share = self._advance = 0.0
        self._damped, self._boxed = 0.0, False
        self._way = self._programs = 0
        self._asked: _Asked | None = None
        self._tried_from: _Place | None = None
        self._left, self._on, self._broken = 0.0, False, bool(problem.variables.together.any())

    def solve(self, position: npt.ArrayLike | None, turn: npt.ArrayLike | None, start: Floats) -> Solution:
        """From tangents `start` that are acceptable, towards a target; never to a state that is not acceptable."""
        settings, work = self.problem.settings, self.workspace
        if self._broken:
            work.evaluate(np.zeros(len(start)))
        work.aim(_array(position), _array(turn))
        if self._broken:
            self.program.draw_together(work.target_error)
        self.program.pivots = 0
        self._on = settings.reached < self._left and work.target_error < self._left + settings.first_step
        found = self._nearest(start)
        self._left = found.place.error
        return self._solution(found)

    def _nearest(self, start: Floats) -> _Found:
        """What one search finds, or another where the first did not go straight for where it ended."""
        reached = self.problem.settings.reached
        self._allowed = self._unbounded
        begun = self._judged(start)
        if self._on:
            # At the edge of what is reachable short steps lead on, from where the last move got.
            found = self._search(begun, min(self._damped, SHY))
            if not reached < found.place.error < 0.5 * self._left:
                return found
            # It comes back into reach.
            self._on, begun = False, found.place
        # What leads broken constraints back is long in few variables: damped it is lost, in a box it is not.
        boxed = begun.broken > 0.0
        found = self._search(begun, 1.0 if boxed else 0.0, boxed=boxed)
        if found.place.error <= reached or found.programs <= MOST_DIRECT:
            return found
        # Long steps may end in a dead end that short ones go round.
        again = self._search(begun, SHORT if boxed else 1.0 / RADIUS, boxed=not boxed)
        nearer = min(found, again, key=lambda each: each.place.error)
        return nearer._replace(programs=found.programs + again.programs)

    def _search(self, begun: _Place, damping: float, *, boxed: bool = False) -> _Found:
        """The nearest acceptable state that steps lead to, damped or, slower, within a box that shrinks.

        A constraint that is broken to begin with may stay so, no worse: that is its own bound and nobody else's.
        """
        self._allowed = self._unbounded
        self._share, self._advance = 0.0, self.problem.settings.first_step
        self._way, self._programs, self._asked, self._damped, self._boxed = 0, 0, None, SHY, boxed
        self._tried_from = None
        search = Search(begun, self._stepped, damping, hopeless=1.0 / LEAST_RADIUS if boxed else HOPELESS)
        self._allowed = self._allowed_from(begun)
        while not self._done(before := search.now) and (place := search.advance()) is not None:
            self._allowed = self._allowed_from(place)
            self._advance *= 2.0
            self._damped = SHY if boxed else search.damping
            if place.error > SLOW * before.error:
                self._share = 0.5 * (1.0 + self._share)
        return _Found(search.now, self._programs, self._asked)

    def _allowed_from(self, place: _Place) -> Floats:
        """How far each constraint may be off from this place on: no farther than it ever was, or its tolerance."""
        if place.offs is self._at_ease:
            return self.tolerances.each
        return np.maximum(self.tolerances.each, np.minimum(self._allowed, place.offs))

    def _judged(self, z: Floats) -> _Place:
        """What tangents are worth, on the evaluated motion."""
        work = self.workspace
        if work.z is not z:
            work.evaluate(z)
        error, beyond = work.target_error, self.limits.worst()
        if self.clear is None and work.constraint_error <= self.tolerances.strictest:
            return _Place(z, error, self._at_ease, 0.0, beyond, beyond, error)
        offs = self.tolerances.offs(work.errors[work.dragged_rows :])
        if self.clear is not None:
            offs = np.concatenate([offs, self.clear.offs(z)])
        out, broken = max(beyond, float((offs - self._allowed).max())), self.tolerances.beyond(offs)
        return _Place(z, error, offs, broken, beyond, out, error + OFF_WORTH * broken)

    def _done(self, place: _Place) -> bool:
        return place.error <= self.problem.settings.reached and place.broken == 0.0

    def _stepped(self, now: _Place, damping: float) -> Stepped[_Place] | None:
        """A program around tangents, and programs that lead what it left back onto the constraints."""
        settings = self.problem.settings
        self.program.radius, inverse = (1.0 / damping, damping) if self._boxed else (settings.radius, 0.0)
        damping -= inverse
        # After a step that did not pay, shorter ones promise little just because they are short.
        share_of_way = WORTHWHILE * min(now.error, 1.0) if now is not self._tried_from else 0.0
        self._tried_from, promised = now, 0.0
        # Staying near the start may weigh more than what is left of the way: then look at that alone.
        for share in dict.fromkeys((self._share, 1.0)):
            self._share = share
            answer, strict = self._step(now, self._advance, share, damping)
            if answer is None:
                return Stepped(now)
            self._asked = _Asked(answer, self.limits.at, NOBODY if self.clear is None else self.clear.pairs)
            promised = now.error - answer.error + (OFF_WORTH * now.broken if strict else 0.0)
            if promised >= max(0.1 * settings.reached, share_of_way):
                break
        else:
            return Stepped(now)
        # Newton's next steps mostly find the way back and on; where they do not, the way back alone is looked for.
        place = self._judged(answer.z)
        if place.out > 0.0:
            for length, share in ((self._advance, 0.5 * (1.0 + self._share)), (0.0, 1.0)):
                back = partial(self._led_back, length, share, damping, now.error + promised)
                place = restored(place, back, lambda off: off.out, 0.0)
            if place.out > 0.0:
                self._share = max(0.5, self._share)
                place = replace(place, merit=math.inf)
        if place.merit < now.merit:
            # It pays: nobody asks what damping would have changed it.
            return Stepped(place, promised)
        if self._boxed:
            return Stepped(place, promised, 1.0 / max(float(np.abs(answer.z - now.z).max()), 1e-300))
        # Damping that weighs as much as what a step was to bring makes it about half as long.
        way = min(now.error, self._advance)
        gained = way**2 - max(answer.error - now.error + way, 0.0) ** 2
        return Stepped(place, promised, gained / max(float(np.square(answer.z - now.z).sum()), 1e-300))

    def _led_back(self, length: float, share: float, damping: float, most: float, off: _Place) -> _Place | None:
        """Constraints brought back, and the dragged state led on by `length`, as nearly as that goes.

        None where it is `most` away from its target already: such a way round does not pay.
        """
        if off.error > most:
            return None
        answer, _ = self._step(off, length, share, damping)
        return None if answer is None else self._judged(answer.z)

    def _step(self, at: _Place, length: float, share: float, damping: float) -> tuple[Answer | None, bool]:
        """One program around a place, solved; and whether it brings all constraints within their tolerances."""
        work, program, z = self.workspace, self.program, at.z
        settings, share_of_work = self.problem.settings, UNDER_HAND if self._on else 1.0
        most = max(share_of_work * settings.iterations, min(MOST_DIRECT, settings.iterations))
        if self._programs >= most or program.pivots >= share_of_work * settings.effort:
            return None, False
        self._programs += 1
        if work.z is not z:
            work.evaluate(z)
        answer, strict = self._solve_program(z, share, damping, length)
        for _ in range(CUT_ROUNDS):
            if answer is None or not len(self.limits.limits.keys):
                break
            work.write(answer.z)
            if not self.limits.add():
                break
            answer, strict = self._solve_program(z, share, damping, length)
        return answer, strict

    def _solve_program(self, z: Floats, share: float, damping: float, length: float) -> tuple[Answer | None, bool]:
        """The program around z, with the cuts known so far."""
        work, program = self.workspace, self.program
        program.linearise(z, share, damping, length, self.tolerances.slack)
        self._cut(z, strict=True)
        if self._way == 0 and (answer := program.solve()) is not None:
            return answer, True
        errors = np.abs(work.errors[work.dragged_rows :])
        broken = (self._allowed > self.tolerances.each)[self.tolerances.owners]
        for way in range(max(self._way, 1) if broken.any() else len(WAYS) - 1, len(WAYS)):
            slack = np.maximum(self.tolerances.slack, np.where(broken, *WAYS[way]) * errors)
            program.linearise(z, share, damping, length, slack)
            if self.clear is not None:
                self._cut(z, strict=False)
            answer = program.solve()
            if answer is not None:
                # What contradicts itself once mostly goes on to: only the last resort is not begun with.
                self._way = min(way, len(WAYS) - 2) if broken.any() else 0
                return answer, False
        return None, False

    def _cut(self, z: Floats, *, strict: bool) -> None:
        """Give the program its cuts around z: for value limits, and for what stays apart."""
        cuts = []
        if len(self.limits.at.u):
            self.workspace.write(z)
            cuts.append(self.limits.rows(z))
        if self.clear is not None:
            cuts.append(self.clear.rows(z, strict=strict))
        if cuts:
            self.program.set_cuts(*map(np.concatenate, zip(*cuts, strict=True)))

    def _solution(self, found: _Found) -> Solution:
        problem, work, z, asked = self.problem, self.workspace, found.place.z, found.asked
        if work.z is not z:
            work.evaluate(z)
        dragged, reached = work.dragged, self._done(found.place)
        unit = 1.0 if problem.request.wanted == "orientation" else problem.height
        z.flags.writeable = False
        return Solution(
            problem,
            z,
            work.positions[dragged].copy(),
            work.turns[dragged].copy(),
            work.target_error * unit,
            work.constraint_error * problem.height,
            found.place.broken == 0.0,
            found.place.beyond,
            found.programs,
            reached,
            () if reached or asked is None else self._blockers(*asked),
        )

    def _blockers(self, answer: Answer, at: Extremes, pairs: Ints) -> tuple[Blocker, ...]:
        """Whose rows and bounds push back, by the size of their multipliers."""
        problem, program, multipliers = self.problem, self.program, answer.multipliers
        push: dict[str, float] = {}

        def count(name: str, force: float) -> None:
            if force > 0.0:
                push[name] = push.get(name, 0.0) + force

        rows = np.abs(multipliers[program.n + program.residuals :])
        for row, owner in enumerate(problem.items.row_owners()):
            if owner >= 0:
                count(problem.owner_name(int(owner)), float(rows[row]))
        for cut, (curve, by) in enumerate(zip(self.limits.limits.curves[at.segments], at.by, strict=True)):
            if program.rows + cut < len(rows):
                which = "upper" if by > 0 else "lower"
                count(f"{which} limit of {problem.names[curve]}", float(rows[program.rows + cut]))
        if self.clear is not None:
            # A smaller program may have followed, on the way back: then there are fewer rows.
            for pair, force in zip(pairs, rows[program.rows + len(at.u) :], strict=False):
                count(f"clear of {self.clear.apart.clear_of[pair]}", float(force))
        for variable in np.flatnonzero(multipliers[: program.n]):
            count(f"tangent width of {problem.names[variable // 4]}", float(abs(multipliers[variable])))
        return ranked(push, least=0.05)


NOBODY: Ints = np.zeros(0, np.int64)

SHY, HOPELESS = 0.01, 1e2
"""How much the steps of drags that are held back already are damped at first; and when damping leads nowhere."""

SHORT, RADIUS, LEAST_RADIUS = 0.1, 0.2, 1e-3
"""How a second search is damped, or how far its steps go at first; and how short they are where they lead nowhere."""

UNDER_HAND = 0.4
"""The share of steps and work for a short move after one that fell short: it goes on from there, as will the next."""

MOST_DIRECT = 4
"""A search that took more programs than this did not go straight for where it ended."""

SLOW = 0.3
"""Where a step leaves more than this of the way, later ones hold on to the present tangents more."""

WORTHWHILE = 2e-4
"""A step that promises less than this share of the remaining way, or of the height if that is less, is not taken."""

CUT_ROUNDS = 4
"""How often a step is solved again with further cuts before it is judged."""

OFF_WORTH = 10.0
"""How much worse it is to leave a constraint than to stay behind the target, by the same distance."""

WAYS = ((0.0, 0.0), (0.9, 0.0), (1.0, 0.0), (1.0, 1.0))
"""How much of what they are off may stay of constraints that were broken before, and of others, tried in turn until
rows do not contradict each other. Mostly nothing; else what was broken comes a little nearer, or stays as it is. That
all stay is always possible, but leaves no room for what the rows do not see."""


def solve(
    problem: Problem,
    position: npt.ArrayLike | None = None,
    turn: npt.ArrayLike | None = None,
    *,
    start: Floats | None = None,
) -> Solution:
    """Solve once, from the tangents before the drag by default."""
    return Solver(problem).solve(position, turn, np.zeros(len(problem.variables)) if start is None else start)


def _array(values: npt.ArrayLike | None) -> Floats | None:
    return None if values is None else np.asarray(values, np.float64)
