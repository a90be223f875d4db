"""Guidance against the derivative-free route of the paper: NLopt's BOBYQA on the very same cost.

`python -m benchmarks.guidance [--json]`

Scenes as in OptiMo, by the number of parameters; weightless torque, regularisation 0.1. BOBYQA starts where we start,
has the same bounds, asks for costs without derivatives, and is stopped after `PATIENCE` seconds; where it has not come
within 5 % of our cost by then — or, where our whole gain is less than that, to 95 % of our gain — that time counts, so
ratios are what is at least true.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

import nlopt
import numpy as np

from benchmarks.harness import Figure, main
from inbetweener.builtin import example
from inbetweener.guidance import Guide, GuideRequest, Meter, Problem, Torque, build
from inbetweener.guidance.objective import evaluate
from inbetweener.guidance.problem import look
from inbetweener.guidance.quadrature import gauss_nodes
from inbetweener.motion import Motion
from inbetweener.tangents import Contact

PATIENCE = 15.0
ROUNDS = 5
RESTARTS = 20
NEAR = 0.05
TICKS = 40

WAVING = ("chest", "upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r")
CONDUCTING = (*(f"arm_l.{a}" for a in "xyz"), *(f"upper_arm_r.r{a}" for a in "xyz"))


@dataclass(frozen=True)
class Scene:
    name: str
    chosen: Callable[[str], bool]
    start: float = -np.inf
    end: float = np.inf
    feet: tuple[float, float] | None = None


FOX = Scene("fox-tail", lambda name: name.startswith("tail"), 0.1, 1.4)
CONDUCTOR = Scene("conductor", lambda name: name in CONDUCTING, 0.1, 1.9)
HELLO = Scene("waving", lambda name: name.split(".")[0] in WAVING, 26 / 24, 34 / 24)
WHOLE = replace(HELLO, start=-np.inf, end=np.inf)
PLANTED = Scene("waving", lambda name: name.split(".")[0] in (*WAVING, "hips", "thigh_l", "thigh_r"),
                26 / 24, 26 / 24, (18 / 24, 34 / 24))  # fmt: skip


@cache
def motion_of(name: str) -> Motion:
    return example(name).motion()


def problem_of(scene: Scene, regularise: float = 0.1) -> Problem:
    motion = motion_of(scene.name)
    feet = [motion.rig.point(name) for name in ("foot_l", "foot_r")] if scene.feet else []
    return build(
        motion,
        GuideRequest(
            channels=frozenset(name for name in motion.clip.curves if scene.chosen(name)),
            start=scene.start,
            end=scene.end,
            regularise=regularise,
            constraints=tuple(Contact(foot, *scene.feet) for foot in feet) if scene.feet else (),
        ),
    )


def measure() -> list[Figure]:
    figures: list[Figure] = []
    for scene in (FOX, CONDUCTOR, HELLO):
        figures += against_bobyqa(scene)
    for scene in (FOX, CONDUCTOR, HELLO):
        figures.append(random_starts(scene))
    planted = problem_of(PLANTED)
    figures.append(
        Figure(f"{len(planted.parameters)} parameters, two contacts", 1e3 * whole_run(planted), "ms", at_most=500.0)
    )
    return [*figures, *map(cost_map, ("boxer", "conductor")), live_slider(), streaming()]


def cost_map(name: str) -> Figure:
    """Processor time of a whole cost map of one character, median; a drag has only the segments it changes measured."""
    document = example(name)
    motion, clip = document.motion(), document.clip()
    times = clip.start + (clip.end - clip.start) * (np.arange(120) + 0.5) / 120
    meter = Meter(document.rig, Torque(document.body()))
    seconds = []
    for _ in range(TICKS + 1):
        started = time.process_time()
        meter.measure(motion, times)
        seconds.append(time.process_time() - started)
    return Figure(f"cost map of the {name} at 120 times", 1e3 * float(np.median(seconds[1:])), "ms", at_most=5.0)


def whole_run(problem: Problem) -> float:
    """Seconds of a run from start to end, median."""
    seconds = []
    for _ in range(ROUNDS + 1):
        started = time.perf_counter()
        Guide(problem).finish()
        seconds.append(time.perf_counter() - started)
    return float(np.median(seconds[1:]))


def against_bobyqa(scene: Scene) -> list[Figure]:
    problem = problem_of(scene)
    count = len(problem.parameters)
    seconds = whole_run(problem)
    traces = []
    for _ in range(ROUNDS):
        run = Guide(problem)
        started = time.perf_counter()
        traces.append([(time.perf_counter() - started, iterate.cost) for iterate in run])
    first, last = run.path[0].cost, run.last.cost
    # Where the whole gain is below 5 % of the cost, there is nothing to race for: nearly all of the gain counts then.
    goal = min(last + NEAR * last, last + NEAR * (first - last) if first <= last + NEAR * last else np.inf)
    ours = float(np.median([next(t for t, cost in trace if cost <= goal) for trace in traces]))
    theirs = bobyqa(problem, problem.parameters.start, PATIENCE, goal)[0]
    label = f"{scene.name}, {count} parameters"
    return [
        Figure(f"{label}: whole run", 1e3 * seconds, "ms", at_most=150.0),
        Figure(f"{label}: cost left of 1", last / first, ""),
        Figure(
            f"{label}: BOBYQA's time to our cost + 5 %, in ours", theirs / max(ours, 1e-6), "×",
            at_least=50.0 if count >= 54 else None,
        ),
        Figure(f"{label}: true cost off the reported one", off(problem, run), "%", at_most=1.0),
    ]  # fmt: skip


def off(problem: Problem, run: Guide) -> float:
    """How far the reported cost is from that of a fine quadrature, in per cent."""
    curves = [curve for curve in problem.curves.values() if len(curve) > 1]
    times, weights = gauss_nodes(curves, *problem.parameters.span, finer=8)
    fine = look(problem.motion, problem.parameters, problem.wiring, problem.weight, times, weights)
    return 100.0 * abs(evaluate(problem, run.last.evaluation.x, fine).cost / run.last.cost - 1.0)


def bobyqa(problem: Problem, start: np.ndarray, most: float, goal: float = -np.inf) -> tuple[float, float]:
    """Seconds that BOBYQA takes to the goal, or all it is given; and the cost it reaches."""
    parameters = problem.parameters
    best = np.inf

    def cost(x: np.ndarray, gradient: np.ndarray) -> float:
        nonlocal best
        found = evaluate(problem, x, derive=False).cost
        best = min(best, found)
        return found

    solver = nlopt.opt(nlopt.LN_BOBYQA, len(parameters))
    solver.set_lower_bounds(parameters.lower)
    solver.set_upper_bounds(parameters.upper)
    solver.set_min_objective(cost)
    solver.set_maxtime(most)
    solver.set_stopval(goal)
    started = time.perf_counter()
    # Limited by rounding: as good as it gets, and the best cost was noted.
    with suppress(nlopt.RoundoffLimited):
        solver.optimize(np.clip(start, parameters.lower, parameters.upper))
    return time.perf_counter() - started, best


def random_starts(scene: Scene) -> Figure:
    """Of some random starts, on how many BOBYQA, given the time that we took, found a lower cost."""
    problem = problem_of(scene)
    # BOBYQA knows bounds only; so that both search the same box, ours is run without the limits of the channels too.
    none = problem.limits.keys[:0]
    problem = replace(problem, limits=replace(problem.limits, keys=none, low=none * 1.0, high=none * 1.0))
    random, parameters, worse = np.random.default_rng(3), problem.parameters, 0
    for _ in range(RESTARTS):
        x = parameters.start + np.where(
            parameters.is_width, random.uniform(-0.1, 0.1, len(parameters)), random.normal(0, 0.2, len(parameters))
        )
        x = np.clip(x, parameters.lower, parameters.upper)
        run = Guide(problem)
        run.begin(x)
        started = time.perf_counter()
        ours = run.finish().cost
        worse += bobyqa(problem, x, time.perf_counter() - started)[1] < ours * (1.0 - 1e-9)
    return Figure(f"{scene.name}: random starts of {RESTARTS} where BOBYQA is better", float(worse), "", at_most=0.0)


def live_slider() -> Figure:
    """One iterate after the slider was moved, as a page would ask for it."""
    problem = problem_of(HELLO)
    run = Guide(problem)
    run.finish()
    seconds = []
    for value in 0.1 * 2.0 ** np.sin(np.linspace(0, 6, TICKS)):
        started = time.perf_counter()
        run.reweigh(run.problem.reweighed(regularise=float(value)))
        run.step()
        seconds.append(time.perf_counter() - started)
    return Figure("slider tick at 78 parameters, median", 1e3 * float(np.median(seconds)), "ms", at_most=15.0)


def streaming() -> Figure:
    """Iterates a second at about 300 parameters."""
    problem = problem_of(WHOLE)
    run = Guide(problem)
    started = time.perf_counter()
    run.finish()
    rate = (len(run.path) - 1) / (time.perf_counter() - started)
    return Figure(f"iterates a second at {len(problem.parameters)} parameters", rate, "1/s", at_least=20.0)


if __name__ == "__main__":
    main("guidance", measure)
