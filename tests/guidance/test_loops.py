"""Guidance of clips that loop: the end flows into the start as smoothly as before."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.document.edits import guide
from inbetweener.guidance import GuideRequest, build
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.tangents.certificate import slope_error
from tests.guidance.arm import arm, curve
from tests.guidance.test_gradients import check

ROUND = {
    "upper.rz": curve([0.0, 0.3, 1.0], [-0.4, 0.9, -0.4]),
    "lower.ry": curve([0.0, 1.0], [0.2, 0.2]),
    "lower.rz": curve([0.0, 0.25, 0.8, 1.0], [0.2, 0.7, 0.1, 0.2]),
}


def joined(each: Curve, slope: float) -> Curve:
    """A curve that comes to its end as steeply as it leaves its start."""
    ins, outs = each.ins.copy(), each.outs.copy()
    ins[-1, 1], outs[0, 1] = slope * ins[-1, 0], slope * outs[0, 0]
    return each.with_tangents(ins, outs)


def loop(*, kinked: str = "") -> Motion:
    curves = {name: each if name == kinked else joined(each, 0.5) for name, each in ROUND.items()}
    return Motion(arm(), Clip("loop", 1.0, curves=Curves(curves), loops=True))


def seam(each: Curve) -> float:
    """By how much a curve is steeper where it starts than where it ends."""
    return float(each.outs[0, 1] / each.outs[0, 0] - each.ins[-1, 1] / each.ins[-1, 0])


def test_both_ends_of_a_loop_have_one_slope() -> None:
    once = Motion(arm(), replace(loop().clip, loops=False))
    free = len(build(once, GuideRequest(seamless=True)).parameters)
    assert len(build(loop(), GuideRequest()).parameters) == free
    assert len(build(loop(), GuideRequest(seamless=True)).parameters) == free - len(ROUND)


@pytest.mark.parametrize("step", [1e-4, 2e-5])
def test_gradients_know_of_both_ends(step: float) -> None:
    check(build(loop(), GuideRequest(regularise=0.2, seamless=True)), step)


def test_any_parameters_leave_the_loop_smooth() -> None:
    problem = build(loop(), GuideRequest(seamless=True))
    x = problem.parameters.start + np.random.default_rng(1).normal(0, 0.5, len(problem.parameters))
    curves = problem.curves_at(np.clip(x, problem.parameters.lower, problem.parameters.upper))
    for name, each in curves.items():
        assert abs(seam(each)) < 1e-12, name
        assert slope_error(each) < 1e-9
        assert each != loop().clip.curves[name]


def test_the_start_gives_the_same_curves_to_the_bit() -> None:
    problem = build(loop(), GuideRequest(seamless=True))
    assert problem.curves_at(problem.parameters.start.copy()) == loop().clip.curves


def test_a_kink_that_is_there_stays_the_animators() -> None:
    problem = build(loop(kinked="lower.rz"), GuideRequest(seamless=True))
    names, owners, sloped = problem.names, problem.parameters.owners, ~problem.parameters.is_width
    # Four keys, two of them within: their slopes and one of either end.
    assert (owners[sloped] == names.index("lower.rz")).sum() == 4
    assert (owners[sloped] == names.index("upper.rz")).sum() == 2


@pytest.mark.parametrize("rest", [{"start": 0.1}, {"end": 0.9}, {"frozen": frozenset({("upper.rz", 0)})}])
def test_an_end_that_stays_keeps_the_other(rest: dict[str, object]) -> None:
    problem = build(loop(), GuideRequest(channels=frozenset({"upper.rz"}), seamless=True, **rest))  # type: ignore[arg-type]
    x = problem.parameters.start + 0.05
    after, before = problem.curves_at(x)["upper.rz"], loop().clip.curves["upper.rz"]
    assert after != before
    np.testing.assert_array_equal(after.outs[0], before.outs[0])
    np.testing.assert_array_equal(after.ins[-1], before.ins[-1])


def test_a_spider_walks_on_without_a_jerk() -> None:
    before = example("spider-walk")
    free, kept = (guide(before, regularise=0.1, seamless=seamless, own=False) for seamless in (False, True))
    jerks = [max(abs(seam(each)) for each in made.document.clip().curves.values()) for made in (free, kept)]
    assert jerks[0] > 0.1
    assert jerks[1] < 1e-9
    assert kept.report.terms[0].percent < -5
