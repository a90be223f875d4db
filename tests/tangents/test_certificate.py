"""A certificate measures afresh: it must notice what is wrong, not repeat what the solver says."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Tangent
from inbetweener.curves.edit import break_tangents, set_tangent
from inbetweener.rig import Point
from inbetweener.tangents import Drag, DragRequest, Lock, Pin, certify
from inbetweener.tangents.certificate import slope_error
from tests.rig.specimens import person
from tests.tangents.figures import even_curve, swing

HAND, OTHER = Point("hand_l", (0.08, 0.0, 0.0)), Point("hand_r")


def test_tells_target_and_constraints_in_metres_and_radians() -> None:
    motion = swing(person(), seed=1)
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(Pin(OTHER, "both"), Lock(0.6))))
    target = drag.start_position + np.array([0.02, 0.02, 0.0])
    drag.to(target)
    certificate = drag.certificate()
    assert certificate.reached
    assert certificate.target_distance == pytest.approx(np.linalg.norm(drag.solution.position - target), abs=1e-9)
    assert [held.name for held in certificate.constraints] == ["hand_r pin", "lock at 0.6 s"]
    assert certificate.iterations == drag.solution.iterations


def test_notices_a_solution_that_breaks_its_pin() -> None:
    """The same request without the pin moves the hand; judged by the request with it, that is a breach."""
    motion = swing(person(), seed=1)
    loose = Drag(motion, DragRequest(HAND, 0.7))
    loose.to(loose.start_position + np.array([0.08, 0.06, 0.0]))
    strict = replace(loose.problem, request=replace(loose.problem.request, constraints=(Pin(OTHER),)))
    certificate = certify(replace(loose.solution, problem=strict))
    times = np.linspace(*loose.problem.variables.span, 400)
    after = type(motion)(motion.rig, replace(motion.clip, curves=loose.commit()))
    worst = np.linalg.norm(after.states(times, OTHER)[0] - motion.states(times, OTHER)[0], axis=1).max()
    assert worst > 1e-3
    assert certificate.constraints[0].distance == pytest.approx(worst, rel=0.01)
    assert loose.problem.variables.span[0] <= certificate.constraints[0].time <= loose.problem.variables.span[1]


def test_slope_error_sees_tied_keys_only() -> None:
    curve = even_curve([0.0, 1.0, 0.0], slope=0.5)
    assert slope_error(curve) == 0.0
    broken = set_tangent(break_tangents(curve, [1]).curve, 1, "in", Tangent(0.1, 0.2)).curve
    assert slope_error(broken) == 0.0
    assert slope_error(replace(broken, tied=np.array([True, True, True]))) == pytest.approx(1.5)
