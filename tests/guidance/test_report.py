"""What a run says about itself is what can be measured."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.dynamics import EARTH, WEIGHTLESS, Movement
from inbetweener.guidance import GuideRequest, build, guide, heat, report
from tests.dynamics.mujoco_twin import Twin
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


def test_the_summary_says_what_torque_counted_and_what_the_other_way_of_counting_has() -> None:
    """A run may save half of what moving takes, and nothing of what holding up takes."""
    fox = ib.example("fox-tail")
    plain, heavy = (edits.guide(fox, channels="tail*", regularise=0.1, gravity=on) for on in (False, True))
    assert "Counted: torque without gravity, root free, weighed by boxes; with gravity it changed by" in str(plain)
    assert "Counted: torque with gravity, root free" in str(heavy)

    def squares(gravity: bool, document: Document) -> float:
        motion = document.motion()
        times = (np.arange(3000) + 0.5) / 3000 * motion.clip.end
        twin = Twin(document.body(), EARTH if gravity else WEIGHTLESS)
        torques = twin.inverse(Movement.at(motion, times[::30]))
        joints = [document.rig.joint_index(f"tail_{n}") for n in range(1, 10)]
        return float((torques.reshape(100, -1, 9)[:, joints, 3:6] ** 2).sum())

    light = [squares(False, each) for each in (fox, plain.document)]
    weighty = [squares(True, each) for each in (fox, plain.document)]
    assert light[1] < 0.45 * light[0]
    assert weighty[1] == pytest.approx(weighty[0], rel=0.06)


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
