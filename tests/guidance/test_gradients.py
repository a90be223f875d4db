"""The gradient of the whole cost, term by term, against central differences at two step sizes."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.dynamics import EARTH, Body
from inbetweener.guidance import (
    Balance,
    FollowThrough,
    GuideRequest,
    Kernel,
    Limits,
    Obstacles,
    Problem,
    Slide,
    Smoothness,
    Style,
    Term,
    Torque,
    Weighted,
    build,
)
from inbetweener.guidance.objective import evaluate
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Curves, Layer, Motion
from inbetweener.rig import Handle, Point
from inbetweener.rig.masses import boxes
from inbetweener.tangents import Contact
from tests.guidance.arm import arm, curve, swing

RIG = arm(1.0)
MOTION = swing(RIG)
TIP = RIG.point("tip")
CONTACTS = (Contact(TIP, 0.2, 0.7), Contact(Point("lower"), 0.4, 0.9))
OTHER = swing(RIG)
TERMS: dict[str, Term] = {
    "torque": Torque.of(RIG),
    "torque under gravity": Torque.of(RIG, gravity=EARTH, floating=False),
    "follow-through": FollowThrough.of(Body.of(RIG), MOTION),
    "jerk": Smoothness("jerk"),
    "acceleration": Smoothness("acceleration"),
    "limits": Limits(0.4),
    "slide": Slide.of(MOTION, CONTACTS),
    "balance": Balance(boxes(RIG), CONTACTS, reach=0.02),
    "obstacles": Obstacles(
        (
            (Sphere(0.3), Transform((0.5, 1.2, 0.1))),
            (Box((0.1, 0.2, 0.3)), Transform((0.6, 0.8, 0.0))),
            (Capsule(0.1, 0.2), Transform((0.3, 1.3, 0.0))),
        ),
        (TIP, Point("wrist")),
        clearance=0.1,
    ),
    "style": Style(Motion(RIG, replace(OTHER.clip, curves=Curves({"upper.rx": curve([0.0, 1.0], [0.3, 0.1])})))),
    "flow": Style(Motion(RIG, OTHER.clip), of_velocities=True),
}


def check(problem: Problem, step: float, tolerance: float = 1e-5) -> None:
    random = np.random.default_rng(7)
    bounds = problem.parameters.lower, problem.parameters.upper
    x = np.clip(problem.parameters.start + random.normal(0, 0.1, len(problem.parameters)), *bounds)
    exact = 2.0 * evaluate(problem, x).gradient
    found = np.zeros_like(exact)
    for p in range(len(x)):
        unit = np.eye(len(x))[p] * step
        found[p] = (evaluate(problem, x + unit).cost - evaluate(problem, x - unit).cost) / (2 * step)
    assert np.abs(exact).max() > 0
    np.testing.assert_allclose(exact, found, atol=tolerance * np.abs(found).max())


@pytest.mark.parametrize("step", [1e-4, 2e-5])
@pytest.mark.parametrize("name", TERMS)
def test_each_term(name: str, step: float) -> None:
    request = GuideRequest(terms=(Weighted(TERMS[name]),), regularise=0.0, kernels=(Kernel(0.6, 0.1),))
    check(build(MOTION, request), step, tolerance=1e-4 if name == "obstacles" else 2e-5)


@pytest.mark.parametrize("step", [1e-4, 2e-5])
def test_the_regularisers(step: float) -> None:
    terms = (Weighted(Smoothness(), 0.0),)
    check(build(MOTION, GuideRequest(terms=terms, regularise=1.0, joints={"lower": 5.0})), step)


def test_curves_of_a_layer() -> None:
    layer = Layer("more", Curves({"upper.ry": curve([0.0, 0.4, 1.0], [0.0, 0.5, 0.1])}), weight=0.7)
    motion = Motion(RIG, replace(MOTION.clip, layers=(layer,)))
    problem = build(motion, GuideRequest(layer="more", regularise=0.3))
    assert problem.names == ("upper.ry",)
    check(problem, 1e-4)


@pytest.mark.parametrize("name", ["torque", "follow-through"])
def test_a_handle_that_turns_the_arm(name: str) -> None:
    rig = RIG.with_handle(Handle("reach", ("upper", "lower"), Point("wrist"), hinge=(0.0, 0.0, 1.0)))
    curves = {
        "reach.x": curve([0.0, 0.5, 1.0], [0.6, 0.5, 0.4]),
        "reach.y": curve([0.0, 0.5, 1.0], [0.9, 1.2, 1.3]),
        "reach.z": curve([0.0, 0.5, 1.0], [0.1, 0.2, 0.0]),
    }
    motion = Motion(rig, replace(MOTION.clip, curves=Curves(curves)))
    term = Torque.of(rig) if name == "torque" else FollowThrough.of(Body.of(rig), motion)
    problem = build(motion, GuideRequest(terms=(Weighted(term),), regularise=0.2))
    assert len(problem.parameters) == 21
    check(problem, 1e-4, tolerance=1e-4)
