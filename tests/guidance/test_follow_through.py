"""Follow-through: a cost that knows the direction of time, measured on the motions that it leads to."""

import numpy as np
import pytest

from benchmarks.gestures.follow_through import LIMP, SWEEP, TORQUE, guided, lags, scene
from inbetweener.builtin import example
from inbetweener.dynamics import WEIGHTLESS, Movement
from inbetweener.guidance import FollowThrough, Meter
from tests.dynamics.mujoco_twin import Twin

SCENE = scene()


def test_squared_torque_cannot_tell_following_from_leading() -> None:
    right, left, rest = lags(guided(SCENE, TORQUE).motion())
    assert right > 0.05
    assert left == pytest.approx(0.0, abs=2e-3)
    assert rest == pytest.approx(-right, abs=2e-3)


def test_with_follow_through_the_tip_comes_late_in_every_sweep() -> None:
    motion = guided(SCENE, LIMP).motion()
    tips = [lags(motion, tip=f"tail_{n}") for n in (3, 5, 7, 9)]
    # A wave that runs out along the tail: each joint comes later than the one before it.
    assert (np.diff(tips, axis=0) > 0.0).all()
    assert min(tips[0]) > 0.0
    assert min(tips[-1]) > 0.05


def test_slow_and_fast_tails_lag_by_the_same_share() -> None:
    slow = lags(guided(scene(3 * SWEEP), LIMP).motion(), 3 * SWEEP)
    np.testing.assert_allclose(slow, 3 * np.array(lags(guided(SCENE, LIMP).motion())), rtol=0.02)


def test_the_fox_follows_through_on_its_way_back_too() -> None:
    fox = example("fox-tail")
    plain, limp = (lags(guided(fox, terms).motion(), 0.75, 2) for terms in (TORQUE, LIMP))
    assert plain[0] > 0.05 > -0.05 > plain[1]
    assert min(limp) > 0.05


def test_it_measures_how_much_faster_joints_turn_than_they_would_give_way() -> None:
    """q̇ + D⁻¹ τ with D in proportion to M(q₀)ⱼⱼ, by MuJoCo's forces."""
    document, motion = SCENE, SCENE.motion()
    body, times = document.body(), np.linspace(0.05, 1.45, 15)
    term = FollowThrough.of(body, motion)
    found = Meter(document.rig, term).measure(motion, times)
    twin, movement = Twin(body, WEIGHTLESS), Movement.at(motion, times)
    # Pitch and yaw, which it has channels for.
    dofs = [9 * document.rig.joint_index("tail_4") + n for n in (3, 4)]
    pushed = np.eye(9 * len(document.rig.joints))[dofs]
    rest = Movement(np.tile(document.rig.rest_dofs, (2, 1)), np.zeros_like(pushed), pushed, None)
    carried = np.diag(twin.inverse(rest)[:, dofs])
    gives = term.tempo / 40.0 / carried * twin.inverse(movement)[:, dofs]
    expected = np.linalg.norm(movement.velocities[:, dofs] + gives, axis=1)
    assert expected.max() > 0.5
    np.testing.assert_allclose(found.values[found.labels.index("tail_4")], expected, rtol=1e-6)
    assert found.unit == "rad/s"
