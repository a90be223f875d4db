"""Where a drag falls short: what would help most, proposed and never done: one key, or points that may turn.

A key on the channels of one joint helps in two ways. At the time of the drag it adds what tangents do not have, the
pose there. At another time it parts the segment, so that what is held on its one side no longer ties the tangents on
its other. Every candidate, a joint and a time, is solved on the evaluated motion before it is proposed.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, breaches, evaluate
from inbetweener.curves.edit import insert_key, move_key
from inbetweener.curves.value_limits import ROUNDING
from inbetweener.maths.search import Search, Stepped, restored
from inbetweener.maths.steps import EQUAL, FAR, shortest
from inbetweener.motion import Curves
from inbetweener.rig.freedom import channels_moving
from inbetweener.tangents.problem import Problem, build, changed_motion
from inbetweener.tangents.solve import Solution, solve
from inbetweener.tangents.tolerances import Tolerances
from inbetweener.tangents.workspace import Workspace

STEPS = 12
"""How many steps a candidate is given."""

HELPS = 0.9
"""What leaves more than this share of the error is not worth proposing."""


@dataclass(frozen=True, slots=True, eq=False)
class Suggestion:
    """A key that would help: on `channels`, which move `joint`, at `time`.

    values     what the new keys should be
    error      the remaining distance to the target in metres, or radians where only an orientation was wanted
    curves     a preview: the solution's curves with the keys in place and the other tangents adapted to them
    """

    joint: str
    channels: tuple[str, ...]
    time: float
    values: tuple[float, ...]
    error: float
    curves: Curves


@dataclass(frozen=True, slots=True)
class Release:
    """Constraints that would help by holding the positions of their points alone, and the error that would remain."""

    names: tuple[str, ...]
    error: float


def suggest_release(solution: Solution, position: Floats | None = None, turn: Floats | None = None) -> Release | None:
    """Which whole states keep the dragged point from its wish by not turning; None where letting them turn is no help.

    Those that were named as blockers are let go or, where they are not enough, all.
    """
    problem, request = solution.problem, solution.problem.request
    whole = [each for each in request.constraints if each.wanted == "both"]
    blocking = {each.name for each in solution.blockers}
    for chosen in ([each for each in whole if each.name in blocking], whole):
        if not chosen or solution.reached:
            continue
        freed = tuple(each.wanting("position") if each in chosen else each for each in request.constraints)
        found = solve(build(problem.motion, replace(request, constraints=freed), problem.settings), position, turn)
        if found.target_error <= HELPS * solution.target_error:
            return Release(tuple(each.name for each in chosen), found.target_error)
    return None


def suggest_key(solution: Solution, position: Floats | None = None, turn: Floats | None = None) -> Suggestion | None:
    """The key that brings the dragged point nearest to the wish it did not reach; None where no single key helps."""
    problem = solution.problem
    work = Workspace(problem)
    work.aim(position, turn)
    work.evaluate(solution.z)
    now = work.target_error
    if now <= problem.settings.reached:
        return None
    made = (*_poses(solution, work), *_partings(solution, position, turn))
    unit = 1.0 if problem.request.wanted == "orientation" else problem.height
    helpful = sorted((each for each in made if each.error <= HELPS * now * unit), key=lambda each: each.error)
    return next((each for each in helpful if _keeps_limits(solution, each.curves)), None)


def _joints(problem: Problem) -> dict[str, list[str]]:
    """The joints that move the dragged point, with those of their channels that are free; handles go by their names."""
    rig, request = problem.motion.rig, problem.request
    moving = {rig.channels[c].name for c in channels_moving(rig, request.point, request.wanted)}
    owners = {name: handle.name for handle in rig.handles for name in handle.channels}
    joints: dict[str, list[str]] = {}
    for name in problem.names:
        if name in moving:
            drives = rig.channel(name).drives
            joints.setdefault(drives[0].joint if drives else owners.get(name, name), []).append(name)
    return joints


def _partings(solution: Solution, position: Floats | None, turn: Floats | None) -> Iterator[Suggestion]:
    """Keys that leave the curves as they are: at quarters of the segment, and where constraints start and end."""
    problem, variables = solution.problem, solution.problem.variables
    request, settings = problem.request, problem.settings
    first, last = variables.window.times[variables.segments], variables.window.times[variables.segments + 1]
    edges = [edge for rule in problem.rules if rule.start < rule.end for edge in (rule.start, rule.end)]
    for joint, names in _joints(problem).items():
        mine = [problem.names.index(name) for name in names]
        start, end = float(first[mine].max()), float(last[mine].min())
        times = {start + share * (end - start) for share in (0.25, 0.5, 0.75)} | {t for t in edges if start < t < end}
        for time in sorted(times - {request.time}):
            keyed = {name: _keyed(problem.curves[name], time) for name in names}
            curves = problem.curves.replaced({name: curve for name, (curve, _) in keyed.items()})
            parted = build(changed_motion(problem.motion, request.layer, curves), request, settings)
            found = solve(parted, position, turn)
            values = tuple(float(curve.values[at]) for curve, at in keyed.values())
            if found.constraint_error <= max(settings.tolerance * problem.height, solution.constraint_error):
                yield Suggestion(joint, tuple(names), time, values, found.target_error, found.curves)


def _poses(solution: Solution, work: Workspace) -> Iterator[Suggestion]:
    """Keys at the time of the drag, with the values that help."""
    problem = solution.problem
    for joint, names in _joints(problem).items():
        attempt = _Attempt(work, solution, joint, names)
        attempt.solve()
        yield attempt.suggestion()


def _keeps_limits(solution: Solution, curves: Curves) -> bool:
    """Whether no curve leaves its limits further than it did at the start of the drag."""
    for name in solution.problem.names:
        channel = solution.problem.motion.rig.channel(name)
        before, after = (
            max((abs(b.by) for b in breaches(source[name], channel.lower, channel.upper)), default=0.0)
            for source in (solution.problem.curves, curves)
        )
        if after > before + ROUNDING:
            return False
    return True


def _bump(curve: Curve, time: float, moments: Floats) -> Floats:
    """How a curve moves (T,) with the value of a key inserted at `time`: exactly linear, as widths stay."""
    keyed, at = _keyed(curve, time)
    moved = move_key(keyed, at, value=float(keyed.values[at]) + 1.0).curve
    return evaluate(moved, moments) - evaluate(keyed, moments)


def _keyed(curve: Curve, time: float) -> tuple[Curve, int]:
    """The same curve with a key at `time`, and which key that is."""
    if time not in curve.times:
        curve = insert_key(curve, time).curve
    return curve, int(np.searchsorted(curve.times, time))


class _Attempt:
    """One candidate, solved: unknowns are the tangents of all other free curves and the new keys' values."""

    def __init__(self, work: Workspace, solution: Solution, joint: str, names: list[str]) -> None:
        self.work, self.joint, self.names = work, joint, names
        problem = work.problem
        variables, rig, time = problem.variables, problem.motion.rig, problem.request.time
        self.free = np.array([problem.names.index(name) for name in names])
        self.keys = [_keyed(solution.curves[name], time) for name in names]
        # (T, F): how the free curves move with the new keys' values.
        self.bumps = np.zeros((len(problem.items.moments), len(problem.names)))
        for i, name in zip(self.free, names, strict=True):
            self.bumps[:, i] = _bump(solution.curves[name], time, problem.items.moments)
        keyed = np.repeat(np.isin(np.arange(len(problem.names)), self.free), 4)
        self.lower, self.upper = (np.where(keyed, solution.z, bound) for bound in (variables.lower, variables.upper))
        now = np.array([curve.values[at] for curve, at in self.keys])
        channels = [rig.channel(name) for name in self.names]
        self.least = np.minimum(0.0, [c.lower for c in channels] - now)
        self.most = np.maximum(0.0, [c.upper for c in channels] - now)
        self.units = np.array([channel.unit(problem.height) for channel in channels])
        self.tolerances = Tolerances(problem)
        self.allowed = np.full_like(self.tolerances.each, np.inf)
        self.now = self._judged(solution.z, np.zeros(len(names)))
        self.allowed = np.maximum(self.tolerances.each, self.tolerances.offs(work.errors[work.dragged_rows :]))

    def solve(self) -> None:
        """As near as that goes, constraints held as well as before."""
        search = Search(self.now, self._stepped, 1.0 / RADIUS, most=STEPS)
        while search.advance() is not None:
            self.now = search.now

    def _judged(self, z: Floats, values: Floats) -> "_Tried":
        work = self.work
        self._evaluate(z, values)
        off = self.tolerances.offs(work.errors[work.dragged_rows :]) - self.allowed
        return _Tried(z, values, work.target_error, float(off.max(initial=0.0)))

    def _stepped(self, now: "_Tried", damping: float) -> "Stepped[_Tried] | None":
        new, promised = self._stepped_from(now, 1.0 / damping)
        if promised > WORTHWHILE * now.error:
            return Stepped(now)
        # Newton's next step finds the way back and on.
        new = restored(new, lambda off: self._stepped_from(off, 1.0 / damping)[0], lambda tried: tried.out, 0.0)
        return Stepped(new, now.error - promised)

    def _stepped_from(self, now: "_Tried", radius: float) -> "tuple[_Tried, float]":
        self._evaluate(now.z, now.values)
        z, values, promised = self._step(radius)
        return self._judged(z, values), promised

    def suggestion(self) -> Suggestion:
        """The attempt in the animator's words."""
        problem = self.work.problem
        unit = 1.0 if problem.request.wanted == "orientation" else problem.height
        before = [problem.curves[name] for name in problem.names]
        curves = dict(zip(problem.names, problem.variables.changed(before, self.now.z), strict=True))
        values = []
        for name, (curve, at), change in zip(self.names, self.keys, self.now.values, strict=True):
            values.append(float(curve.values[at] + change))
            curves[name] = move_key(curve, at, value=values[-1]).curve
        return Suggestion(
            self.joint,
            tuple(self.names),
            problem.request.time,
            tuple(values),
            self.now.error * unit,
            problem.curves.replaced(curves),
        )

    def _evaluate(self, z: Floats, values: Floats) -> None:
        problem, bumps = self.work.problem, self.bumps.copy()
        bumps[:, self.free] *= values
        self.work.offsets[:] = problem.offsets + problem.weights * bumps
        self.work.evaluate(z)
        self.at = z, values

    def _step(self, radius: float) -> tuple[Floats, Floats, float]:
        """One least-distance program around where the work is: new z, new values, the error it promises."""
        work, settings = self.work, self.work.problem.settings
        z, values = self.at
        n, extra, drawn, rows = len(z), len(values), work.dragged_rows, len(work.errors)
        matrix = np.zeros((rows, n + extra + drawn))
        matrix[:, :n] = work.derivatives
        by_channels = work.derivatives_by(work.problem.weights * self.bumps)
        matrix[:, n : n + extra] = by_channels[:, self.free] * self.units
        np.fill_diagonal(matrix[:drawn, n + extra :], -1.0 / np.sqrt(settings.pull))
        reach = radius * np.concatenate([np.ones(n), self.units])
        at = np.concatenate([z, values])
        scale = np.concatenate([np.ones(n), self.units, np.ones(drawn)])
        loose = np.full(drawn, FAR)
        low = np.maximum(np.concatenate([self.lower, self.least]) - at, -reach)
        high = np.minimum(np.concatenate([self.upper, self.most]) - at, reach)
        sense = np.zeros(n + extra + drawn + rows, np.int32)
        sense[n + extra + drawn : n + extra + 2 * drawn] = EQUAL
        strict = np.concatenate([np.zeros(drawn), self.tolerances.slack])
        # Mostly strict; where the rows contradict each other, "no worse than now" is always possible.
        for slack in (strict, np.concatenate([strict[:drawn], np.abs(work.errors[drawn:])])):
            lower = np.concatenate([np.concatenate([low, -loose]) / scale, work.errors - slack])
            upper = np.concatenate([np.concatenate([high, loose]) / scale, work.errors + slack])
            y, _, _ = shortest(matrix, lower, upper, sense)
            if y is not None:
                short = y[n + extra :] / np.sqrt(settings.pull)
                return z + y[:n], values + y[n : n + extra] * self.units, float(np.linalg.norm(short))
        return z, values, float(np.linalg.norm(work.errors[:drawn]))


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """Tangents and new keys' values, the error they leave, and how far a constraint is beyond what it may be."""

    z: Floats
    values: Floats
    error: float
    out: float

    @property
    def merit(self) -> float:
        """The error, where constraints hold."""
        return self.error if self.out == 0.0 else math.inf


WORTHWHILE = 0.98
"""A step must promise to leave less than this share of the error."""

RADIUS = 1.0
"""How far, in scaled variables, a first step may go."""
