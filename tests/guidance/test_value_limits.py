"""Limits of channels: no curve leaves them, whatever a step would like."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves.limits import breaches, value_ranges
from inbetweener.guidance import GuideRequest, build, guide
from tests.guidance.arm import arm, swing

MOTION = swing(arm(0.72))
PROBLEM = build(MOTION, GuideRequest(regularise=0.0))


def test_without_its_limit_the_arm_would_bend_further() -> None:
    free = guide(build(swing(), GuideRequest(regularise=0.0))).finish()
    assert value_ranges(free.curves["lower.rz"])[:, 1].max() > 0.73


def test_every_iterate_keeps_its_limits_exactly() -> None:
    for iterate in guide(PROBLEM):
        assert not [b for b in breaches(iterate.curves["lower.rz"], -0.72, 0.72) if abs(b.by) > 1e-9]


def test_a_breach_that_was_there_may_stay_but_not_grow() -> None:
    motion = swing(arm(0.6))
    before = value_ranges(motion.clip.curves["lower.rz"])
    after = value_ranges(guide(build(motion, GuideRequest(regularise=0.0))).finish().curves["lower.rz"])
    assert before[:, 1].max() > 0.6
    assert (after[:, 1] <= np.maximum(before[:, 1], 0.6) + 1e-9).all()


@given(st.integers(0, 10_000))
def test_any_parameters_are_brought_in(seed: int) -> None:
    parameters = PROBLEM.parameters
    random = np.random.default_rng(seed)
    x = np.where(parameters.is_width, random.uniform(0.15, 0.65, len(parameters)), random.normal(0, 3, len(parameters)))
    inside = PROBLEM.limits.brought_in(x)
    assert len(PROBLEM.limits.beyond(inside).u) == 0
    widths = parameters.is_width
    assert np.array_equal(inside[widths], x[widths])
    assert (np.abs(inside[~widths]) <= np.abs(x[~widths])).all()
