"""Many parameters: the same cost, slopes and curvature as of few, summed up in the envelope of those that meet."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.guidance import Guide, GuideRequest, Problem, build
from inbetweener.guidance.objective import evaluate
from inbetweener.maths.envelope import Envelope
from inbetweener.tangents import Contact


def waving(**wishes: object) -> Problem:
    motion = example("waving").motion()
    some = [
        name for name in motion.clip.curves if name.split(".")[0] in ("chest", "upper_arm_l", "upper_arm_r", "hips")
    ]
    return build(motion, GuideRequest(channels=frozenset(some), regularise=0.1, **wishes))  # type: ignore[arg-type]


PROBLEM = waving()


def test_the_envelope_has_all_that_the_dense_matrix_has() -> None:
    assert PROBLEM.profile is not None
    assert PROBLEM.profile.size < 0.4 * len(PROBLEM.parameters) ** 2
    x = PROBLEM.parameters.start + 0.05 * np.sin(np.arange(len(PROBLEM.parameters)))
    large, small = evaluate(PROBLEM, x), evaluate(replace(PROBLEM, profile=None), x)
    assert isinstance(large.matrix, Envelope)
    assert isinstance(small.matrix, np.ndarray)
    assert large.cost == small.cost
    assert np.array_equal(large.gradient, small.gradient)
    among = np.stack([large.matrix @ unit for unit in np.eye(len(x))])
    assert np.array_equal(among, small.matrix)


def test_the_gradient_is_that_of_the_cost() -> None:
    random, count = np.random.default_rng(5), len(PROBLEM.parameters)
    x, way = PROBLEM.parameters.start + 0.02 * random.normal(size=count), random.normal(size=count)
    exact = 2.0 * float(evaluate(PROBLEM, x).gradient @ way)
    found = [
        (evaluate(PROBLEM, x + h * way, derive=False).cost - evaluate(PROBLEM, x - h * way, derive=False).cost)
        / (2 * h)
        for h in (1e-4, 1e-5)
    ]
    assert exact != 0.0
    assert found == pytest.approx([exact, exact], rel=1e-4)


def test_contacts_hold_on_the_way_down_and_it_can_be_gone_back() -> None:
    point = PROBLEM.motion.rig.point("foot_l")
    problem = waving(constraints=(Contact(point, 0.8, 1.4),), end=1.5)
    run = Guide(problem)
    costs = [iterate.cost for iterate, _ in zip(run, range(8), strict=False)]
    assert np.all(np.diff(costs) < 0.0)
    assert costs[-1] < 0.6
    assert problem.held.active
    assert problem.held.worst(run.last.evaluation.x) <= max(1e-4, run.path[0].offs.max())
    # The normal equations of the way are not kept.
    assert len(run.path[1].evaluation.gradient) == 0
    assert run.roll_back(2).number == 2
    assert run.step().cost < costs[2]  # type: ignore[union-attr]
