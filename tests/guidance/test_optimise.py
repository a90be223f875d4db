"""A run: every iterate better than the last, keys kept, and all of it there to go back to."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import least_squares

from inbetweener.guidance import Guide, GuideRequest, Smoothness, Weighted, build, guide
from inbetweener.guidance.objective import evaluate
from inbetweener.tangents.certificate import slope_error
from tests.guidance.arm import swing

MOTION = swing()


def test_every_iterate_is_better_than_the_last() -> None:
    costs = [iterate.cost for iterate in guide(build(MOTION, GuideRequest(regularise=0.05)))]
    assert len(costs) > 5
    assert all(after < before for before, after in pairwise(costs))
    assert costs[0] == pytest.approx(1.0)
    assert costs[-1] < 0.7


def test_no_key_moves_and_ties_stay_tied() -> None:
    last = guide(build(MOTION, GuideRequest())).finish()
    for name, before in MOTION.clip.curves.items():
        after = last.curves[name]
        assert np.array_equal(before.times, after.times)
        assert np.array_equal(before.values, after.values)
        assert np.array_equal(before.tied, after.tied)
        assert slope_error(after) < 1e-9


def test_the_same_run_twice_is_the_same_to_the_bit() -> None:
    first, second = (guide(build(MOTION, GuideRequest())).finish() for _ in range(2))
    assert np.array_equal(first.evaluation.x, second.evaluation.x)


def test_a_run_that_is_left_midway_keeps_what_it_had() -> None:
    run = guide(build(MOTION, GuideRequest()))
    for iterate in run:
        if iterate.number == 3:
            break
    assert [each.number for each in run.path] == [0, 1, 2, 3]
    assert run.path[0].curves == MOTION.clip.curves
    assert run.finish().cost < run.path[3].cost


def test_rolling_back_goes_on_from_there() -> None:
    run = guide(build(MOTION, GuideRequest()))
    run.finish()
    earlier = run.path[2]
    assert run.roll_back(2) is earlier
    assert run.last is earlier
    assert run.step().cost < earlier.cost  # type: ignore[union-attr]


def test_a_slider_goes_on_from_where_the_run_is() -> None:
    run = guide(build(MOTION, GuideRequest(regularise=2.0)))
    stiff = run.finish()
    run.reweigh(run.problem.reweighed(regularise=0.05))
    assert np.array_equal(run.last.evaluation.x, stiff.evaluation.x)
    loose = run.finish()
    fresh = guide(build(MOTION, GuideRequest(regularise=0.05))).finish()
    assert loose.terms["torque"] < stiff.terms["torque"]
    assert loose.cost <= 1.05 * fresh.cost


def test_a_term_that_was_not_there_joins_a_run_where_it_is() -> None:
    run = guide(build(MOTION, GuideRequest(regularise=0.05)))
    rested = run.finish()
    torque, jerk = run.problem.request.terms[0], Weighted(Smoothness("jerk"), 0.5)
    joined = run.problem.reweighed(terms=(torque, jerk))
    fresh = build(MOTION, GuideRequest(regularise=0.05, terms=(torque, jerk)))
    assert joined.units == fresh.units
    assert run.reweigh(joined).terms["torque"] == rested.terms["torque"]
    assert np.array_equal(run.last.evaluation.x, rested.evaluation.x)
    together = run.finish()
    assert together.terms["jerk"] < run.path[rested.number + 1].terms["jerk"]
    assert together.cost <= 1.05 * guide(fresh).finish().cost
    # Away again, and known by its name while it is there.
    assert set(run.problem.reweighed(weights={"jerk": 0.0}).request.terms) == {torque, Weighted(jerk.term, 0.0)}
    assert run.reweigh(joined.reweighed(terms=(torque,))).terms.keys() == rested.terms.keys()
    assert run.problem.units == rested.problem.units


def test_heights_alone_are_a_linear_problem_solved_at_once() -> None:
    # With widths held, accelerations are linear in the slopes: the least squares have one answer, and scipy finds it.
    problem = build(MOTION, GuideRequest(terms=(Weighted(Smoothness("acceleration")),), regularise=0.0))
    parameters = problem.parameters
    run = Guide(problem)
    kept = (
        np.where(parameters.is_width, parameters.start, -np.inf),
        np.where(parameters.is_width, parameters.start, np.inf),
    )
    run._box = lambda: kept  # type: ignore[method-assign]
    last = run.finish()
    free = np.flatnonzero(~parameters.is_width)

    def residuals(slopes: np.ndarray) -> np.ndarray:
        x = parameters.start.copy()
        x[free] = slopes
        share = evaluate(problem, x).shares[0]
        motion = parameters.motion(x, problem.nodes.times)[0][..., 2]
        return np.sign(motion).ravel() * np.sqrt(share.density).ravel()

    oracle = least_squares(residuals, parameters.start[free], xtol=1e-14, ftol=1e-14, gtol=1e-12)
    assert last.cost == pytest.approx(2.0 * oracle.cost, rel=1e-6)
