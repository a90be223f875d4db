"""Nodes integrate exactly what they should, never fall on keys, and leave an optimiser nowhere to hide."""

import numpy as np
import pytest

from inbetweener.guidance import GuideRequest, build, guide
from inbetweener.guidance.objective import evaluate
from inbetweener.guidance.problem import look
from inbetweener.guidance.quadrature import gauss_nodes
from tests.guidance.arm import swing

MOTION = swing()
CURVES = list(MOTION.clip.curves.values())


def test_polynomials_between_keys_are_integrated_exactly() -> None:
    times, weights = gauss_nodes(CURVES, 0.0, 1.0)
    for degree in range(12):
        assert weights @ times**degree == pytest.approx(1.0 / (degree + 1), rel=1e-13)


def test_no_node_falls_on_a_key() -> None:
    times, _ = gauss_nodes(CURVES, 0.0, 1.0)
    keys = np.concatenate([curve.times for curve in CURVES])
    assert np.abs(times[:, None] - keys).min() > 1e-4


@pytest.mark.parametrize("regularise", [0.0, 0.1, 1.0])
def test_the_true_cost_is_the_reported_one(regularise: float) -> None:
    problem = build(MOTION, GuideRequest(regularise=regularise))
    last = guide(problem).finish()
    times, weights = gauss_nodes(CURVES, *problem.parameters.span, finer=8)
    fine = look(MOTION, problem.parameters, problem.wiring, problem.weight, times, weights)
    true = evaluate(problem, last.evaluation.x, fine).cost
    assert last.cost < 0.95
    assert true == pytest.approx(last.cost, rel=0.01)
