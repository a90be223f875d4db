"""What cannot be is named in one line, and nothing is lost."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.dynamics import Body
from inbetweener.errors import InvalidDocument, InvalidRig, UnknownName
from inbetweener.guidance import (
    GuideRequest,
    InvalidRequest,
    Kernel,
    NothingToGuide,
    Residuals,
    TermFailed,
    Torque,
    Weighted,
    build,
    guide,
)
from inbetweener.guidance.moments import Moments
from inbetweener.motion import Curves, Motion
from inbetweener.rig.masses import boxes
from tests.guidance.arm import arm, swing

MOTION = swing()


@dataclass
class Fragile:
    """A user's term that works so many times, and then gives NaN."""

    times: int
    name: str = "fragile"

    def residuals(self, moments: Moments) -> Residuals:
        self.times -= 1
        values = moments.accelerations / 10.0 if self.times >= 0 else moments.accelerations * np.nan
        return Residuals(values, by_acceleration=np.broadcast_to(np.eye(4) / 10.0, (*values.shape, 4)))


def test_a_term_that_gives_no_number_is_named() -> None:
    with pytest.raises(TermFailed, match=r"'fragile' is not a finite number at .* s"):
        build(MOTION, GuideRequest(terms=(Weighted(Fragile(0)),)))


def test_a_term_that_fails_midway_leaves_what_was_found() -> None:
    run = guide(build(MOTION, GuideRequest(terms=(Weighted(Fragile(4)),), regularise=0.0)))
    with pytest.raises(TermFailed, match="fragile"):
        run.finish()
    assert len(run.path) == 3
    assert run.path[0].curves == MOTION.clip.curves
    assert run.last.cost < run.path[0].cost


def test_a_term_of_the_wrong_shape_is_named() -> None:
    class Flat:
        name = "flat"

        def residuals(self, moments: Moments) -> Residuals:
            return Residuals(np.zeros(3))

    with pytest.raises(TermFailed, match="'flat' gave values of shape"):
        build(MOTION, GuideRequest(terms=(Weighted(Flat()),)))


def test_joints_without_mass_cost_nothing_and_alone_are_named() -> None:
    model = boxes(MOTION.rig)
    light = replace(
        model, masses=model.masses * [1, 1, 0, 0], inertias=model.inertias * np.array([1, 1, 0, 0])[:, None, None]
    )
    torque = Torque(Body(MOTION.rig, light))
    problem = build(MOTION, GuideRequest(terms=(Weighted(torque),)))
    assert {dof.partition(".")[0] for plan in torque._plans.values() for dof in plan.dofs} == {"upper"}
    assert problem is not None
    with pytest.raises(InvalidRig, match="'lower' and all below it weigh nothing"):
        build(MOTION, GuideRequest(channels=frozenset({"lower.rz"}), terms=(Weighted(torque),)))


def test_single_keys_leave_nothing_to_guide() -> None:
    alone = Motion(arm(), replace(MOTION.clip, curves=Curves({"upper.rz": Curve.constant(0.3)})))
    with pytest.raises(NothingToGuide, match="one key each"):
        build(alone, GuideRequest())


def test_no_keys_and_no_bezier_segments_are_told_apart() -> None:
    with pytest.raises(NothingToGuide, match="has keys"):
        build(MOTION, GuideRequest(channels=frozenset({"upper.ry"})))
    straight = Curve.sampled([0.0, 0.5, 1.0], [0.0, 1.0, 0.0])
    with pytest.raises(NothingToGuide, match="no Bezier segment"):
        build(Motion(arm(), replace(MOTION.clip, curves=Curves({"upper.rz": straight}))), GuideRequest())


def test_unknown_names_are_told() -> None:
    with pytest.raises(UnknownName, match="did you mean upper"):
        build(MOTION, GuideRequest(joints={"uper": 2.0}))
    with pytest.raises(UnknownName, match=r"upper\.rx"):
        build(MOTION, GuideRequest(channels=frozenset({"upper.rxx"})))
    problem = build(MOTION, GuideRequest())
    with pytest.raises(UnknownName, match="did you mean torque"):
        problem.reweighed(weights={"torqe": 2.0})
    with pytest.raises(UnknownName, match="did you mean lower"):
        problem.reweighed(joints={"lowr": 2.0})


@pytest.mark.parametrize(
    "make",
    [
        lambda: GuideRequest(regularise=-1.0),
        lambda: GuideRequest(regularise=np.nan),
        lambda: GuideRequest(joints={"upper": -2.0}),
        lambda: Kernel(0.5, 0.0),
        lambda: Kernel(np.nan, 0.1),
        lambda: Weighted(Fragile(1), -0.1),
    ],
)
def test_numbers_that_make_no_sense_are_refused(make: object) -> None:
    with pytest.raises((InvalidRequest, InvalidDocument)):
        make()  # type: ignore[operator]
