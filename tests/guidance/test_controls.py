"""What an animator steers with: regularisation, single joints, kernels, and that sliders mean the same everywhere."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.guidance import GuideRequest, Kernel, build, guide
from inbetweener.guidance.objective import evaluate
from inbetweener.guidance.request import cost_weights
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Joint
from tests.guidance.arm import arm, swing

MOTION = swing()


def away(motion: Motion) -> float:
    times = np.linspace(0.0, 1.0, 100)
    return float(np.linalg.norm(motion.joint_positions(times) - MOTION.joint_positions(times), axis=-1).max())


def test_more_regularisation_stays_nearer() -> None:
    """[OM] Fig. 6, from naive, with none at all, to strong."""
    lasts = [guide(build(MOTION, GuideRequest(regularise=r))).finish() for r in (0.0, 0.01, 0.1, 1.0, 10.0)]
    distances = [away(last.motion) for last in lasts]
    torques = [last.terms["torque"] for last in lasts]
    assert distances == sorted(distances, reverse=True)
    assert torques == sorted(torques)
    assert distances[-1] < 0.3 * distances[0]


def test_a_joint_with_a_factor_changes_less_and_with_an_infinite_one_not_at_all() -> None:
    def change(factor: float) -> float:
        last = guide(build(MOTION, GuideRequest(joints={"lower": factor}, regularise=0.1))).finish()
        before, after = MOTION.clip.curves["lower.rz"], last.curves["lower.rz"]
        return float(np.abs(after.outs - before.outs).max())

    assert change(100.0) < 0.3 * change(1.0)
    assert change(np.inf) == 0.0


def test_kernels_are_bells_that_never_turn_costs_round() -> None:
    times = np.linspace(0.0, 1.0, 101)
    assert np.array_equal(cost_weights((), times), np.ones(101))
    one = cost_weights((Kernel(0.5, 0.1),), times)
    assert one[50] == 0.0
    assert one[60] == pytest.approx(1.0 - np.exp(-0.5))
    assert cost_weights((Kernel(0.5, 0.1), Kernel(0.5, 0.1)), times).min() == 0.0


def test_where_a_kernel_is_torque_may_grow() -> None:
    def torque_near(last: object) -> float:
        share = evaluate(problem, last.evaluation.x).shares[0]  # type: ignore[attr-defined]
        return float(share.density[np.abs(problem.nodes.times - 0.5) < 0.1].sum())

    problem = build(MOTION, GuideRequest(regularise=0.1))
    plain = guide(problem).finish()
    eased = guide(problem.reweighed(kernels=(Kernel(0.5, 0.12),))).finish()
    assert torque_near(eased) > 1.2 * torque_near(plain)


@pytest.mark.parametrize(("size", "pace"), [(10.0, 1.0), (1.0, 3.0), (0.2, 0.5)])
def test_a_slider_means_the_same_for_other_sizes_and_paces(size: float, pace: float) -> None:
    rig = arm()
    joints = tuple(
        Joint(j.name, j.parent, Transform(tuple(size * v for v in j.rest.translation)), j.order)  # type: ignore[arg-type]
        for j in rig.joints
    )
    points = tuple(replace(p, offset=tuple(size * v for v in p.offset)) for p in rig.points)

    def resized(name: str, curve: Curve) -> Curve:
        factor = np.array([pace, size if ".t" in name else 1.0])
        return Curve(
            curve.times * pace, curve.values * factor[1], curve.ins * factor, curve.outs * factor,
            curve.interpolations, curve.tied,
        )  # fmt: skip

    curves = Curves({name: resized(name, curve) for name, curve in MOTION.clip.curves.items()})
    other = Motion(replace(rig, joints=joints, points=points), replace(MOTION.clip, end=pace, curves=curves))
    first, second = (guide(build(m, GuideRequest(regularise=0.3))).finish() for m in (MOTION, other))
    assert second.cost == pytest.approx(first.cost, rel=1e-4)
    np.testing.assert_allclose(second.evaluation.x, first.evaluation.x, atol=0.02)
