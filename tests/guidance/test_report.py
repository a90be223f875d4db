"""What a run says about itself is what can be measured."""

import numpy as np
import pytest

from inbetweener.guidance import GuideRequest, build, guide, heat, report
from tests.guidance.arm import swing

MOTION = swing()
RUN = guide(build(MOTION, GuideRequest(regularise=0.05)))
RUN.finish()


def test_the_furthest_joint_is_measured_on_the_motion() -> None:
    joint, distance, when = report(RUN.path).furthest
    index = MOTION.rig.joint_index(joint)
    apart = RUN.last.motion.joint_positions([when])[0] - MOTION.joint_positions([when])[0]
    assert np.linalg.norm(apart[index]) == pytest.approx(distance, rel=1e-9)
    assert np.linalg.norm(apart, axis=1).max() == pytest.approx(distance, rel=1e-9)


def test_the_summary_speaks_of_torque_and_of_the_path() -> None:
    found = report(RUN.path)
    change = next(c for c in found.terms if c.term == "torque")
    assert change.percent < -20
    assert f"torque −{abs(change.percent):.0f} %" in found.summary
    assert "cm at most" in found.summary
    assert found.summary.endswith(".")


def test_heat_adds_up_to_the_cost() -> None:
    times = np.linspace(0.0, 1.0, 4001)[:-1] + 1.25e-4
    map_ = heat(RUN.problem, RUN.last.evaluation.x, times)
    rows = [i for i, term in enumerate(map_.terms) if term == "torque"]
    assert {map_.labels[i] for i in rows} == {"upper", "lower"}
    assert map_.values[rows].mean(axis=1).sum() == pytest.approx(RUN.last.terms["torque"], rel=0.01)


def test_nothing_to_gain_is_said() -> None:
    still = guide(build(MOTION, GuideRequest(joints={"upper": np.inf, "lower": np.inf, "base": np.inf})))
    still.finish()
    assert report(still.path).summary == "nothing to gain: no joint moved."
