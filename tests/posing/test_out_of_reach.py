"""Targets that cannot be reached: the nearest pose, who blocks, how far short."""

import math

import numpy as np
import pytest

from inbetweener.posing import Pin, PoseDrag, PoseRequest, Pull, State, build, certify, solve, state_of
from inbetweener.rig import Point
from tests.posing.figures import flat_arm, human, planted


@pytest.mark.parametrize("angle", [0.3, 1.5, -2.0])
@pytest.mark.parametrize("bones", [2, 3, 5])
def test_a_limb_stretches_towards_a_target_beyond_it(angle, bones):
    rig, pose = flat_arm(bones)
    far = (bones + 1.5) * np.array([math.cos(angle), math.sin(angle), 0.0])
    solution = solve(build(rig, pose, PoseRequest((Pull(rig.point("tip")),))), State(far))
    assert not solution.reached
    # Closed form: straight towards the target, short by what the bones lack.
    assert solution.distances[0] == pytest.approx(1.5, abs=2e-3)
    assert np.allclose(solution.positions[0], far * bones / (bones + 1.5), atol=0.1)
    assert solution.blockers == ()


def test_a_limit_is_named():
    rig, _ = flat_arm(2, limits={"rz": (-0.4, 0.4)})
    solution = solve(build(rig, np.zeros(2), PoseRequest((Pull(rig.point("tip")),))), State((0.0, 2.0, 0.0)))
    assert not solution.reached
    assert np.allclose(solution.channels, [0.4, 0.4], atol=1e-9)
    assert {b.name for b in solution.blockers} == {"upper limit of bone_0.rz", "upper limit of bone_1.rz"}
    assert sum(b.share for b in solution.blockers) == pytest.approx(1.0)
    reach = np.array([math.cos(0.4) + math.cos(0.8), math.sin(0.4) + math.sin(0.8), 0.0])
    assert solution.distances[0] == pytest.approx(np.linalg.norm(reach - (0.0, 2.0, 0.0)), abs=1e-9)
    assert certify(solution).imbalance < 1e-6


def test_a_pin_is_named():
    rig, pose = flat_arm(3)
    middle = Point("bone_1", (1.0, 0.0, 0.0), "middle")
    problem = build(rig, pose, PoseRequest((Pull(rig.point("tip")),), (Pin(middle),)))
    centre = state_of(rig, pose, middle).position
    far = centre + np.array([0.0, 3.0, 0.0])
    solution = solve(problem, State(far))
    assert [b.name for b in solution.blockers] == ["middle pin"]
    assert solution.distances[0] == pytest.approx(2.0, abs=2e-3)
    assert certify(solution).pins[0].distance <= 1e-4 * problem.height


def test_the_nearest_pose_is_a_stationary_point():
    rig = human()
    solution = solve(
        build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), planted())), State((1.5, 1.6, 0.5))
    )
    proof = certify(solution)
    assert not solution.reached
    assert proof.imbalance < 0.05
    assert all("pin" in b.name or "limit" in b.name for b in solution.blockers)
    assert solution.blockers[0].name in {"heel_r pin", "heel_l pin"}


def test_never_worse_than_the_beginning_and_back_in_reach_it_arrives():
    rig = human()
    drag = PoseDrag(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), planted()))
    start = drag.start[0].position
    random = np.random.default_rng(3)
    for _ in range(40):
        wish = start + random.normal(scale=1.0, size=3)
        solution = drag.to(State(wish))
        assert solution.distances[0] <= np.linalg.norm(wish - start) + 1e-12
        assert solution.pin_error <= 1e-4
    assert drag.to(State(start + np.array([0.0, 0.1, 0.1]))).reached


def test_a_heavier_pull_gets_nearer():
    rig, pose = flat_arm(2)
    elbow = Point("bone_1", (0.0, 0.0, 0.0), "elbow")
    missed = []
    for weight in (0.1, 1.0, 10.0):
        request = PoseRequest((Pull(rig.point("tip"), weight=weight), Pull(elbow)))
        solution = solve(build(rig, pose, request), State((0.0, 2.0, 0.0)), State((1.0, 0.0, 0.0)))
        missed.append(solution.distances)
    assert missed[0][0] > missed[1][0] > missed[2][0]
    assert missed[0][1] < missed[1][1] < missed[2][1]
