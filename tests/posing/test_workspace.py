"""Derivatives of watched states by the scaled channels, against central differences at two step sizes."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.posing import PoseRequest, Pull, State, build
from inbetweener.posing.workspace import Workspace
from inbetweener.rig import BlendedPoint, Point, Rig
from tests.rig.specimens import person, random_poses, random_rig


def workspace(rig, pose):
    """A blended point's whole state and a plain point's position, by every channel that there is."""
    last, other = rig.joints[-1].name, rig.joints[-2].name
    blended = BlendedPoint(((Point(last, (0.1, 0.2, 0.3)), 0.6), (Point(other, (0.3, -0.1, 0.2)), 0.4)))
    every = frozenset(channel.name for channel in rig.channels)
    request = PoseRequest((Pull(blended, "both"), Pull(Point(other, (0.1, 0.0, 0.2)))), channels=every)
    return Workspace(build(rig, pose, request))


def differences(work, z, h):
    """(9, n): of position and orientation of the first state, then the position of the second."""
    columns = []
    for v in range(len(z)):
        step = np.zeros_like(z)
        step[v] = h
        work.evaluate(z + step)
        there, turned = work.positions.copy(), work.turns[0].copy()
        work.evaluate(z - step)
        moved = (there - work.positions) / (2 * h * work.problem.height)
        spin = (turned @ work.turns[0].T - work.turns[0] @ turned.T) / (4 * h)
        columns.append([*moved[0], spin[2, 1], spin[0, 2], spin[1, 0], *moved[1]])
    return np.array(columns).T


@pytest.mark.parametrize("rig", [person(4), random_rig(3), random_rig(5)], ids=["unscaled", "scaled", "scaled too"])
def test_derivatives_match_central_differences(rig):
    work = workspace(rig, random_poses(rig, 1, 5)[0])
    z = np.random.default_rng(6).normal(scale=0.1, size=len(work.problem.scale))
    work.evaluate(z)
    exact = work.derivatives.copy()
    assert np.abs(exact).max() > 0.1
    for h, close in ((1e-5, 1e-8), (1e-4, 1e-6)):
        numeric = differences(work, z, h)
        assert not np.array_equal(exact, numeric)
        assert np.abs(exact - numeric).max() <= close


def test_scales_of_an_unscaled_rig_have_derivatives_too():
    rig = random_rig(7)
    joints = tuple(replace(joint, rest=replace(joint.rest, scale=(1.0, 1.0, 1.0))) for joint in rig.joints)
    plain = Rig(joints, tuple(replace(c, default=1.0) if c.kind == "scale" else c for c in rig.channels), rig.points)
    work = workspace(plain, plain.defaults)
    z = np.zeros(len(work.problem.scale))
    work.evaluate(z)
    exact = work.derivatives.copy()
    scales = [name.endswith((".sx", ".sy", ".sz")) for name in work.problem.names]
    assert np.abs(exact[:, scales]).max() > 0.01
    assert np.abs(exact - differences(work, z, 1e-5)).max() <= 1e-8


def test_errors_are_target_minus_state():
    rig = person(4)
    work = workspace(rig, random_poses(rig, 1, 5)[0])
    wish = work.start_positions[0] + [0.3, -0.2, 0.1]
    work.aim([State(wish), State()])
    work.evaluate(np.zeros(len(work.problem.scale)))
    assert np.allclose(work.errors[:3] * work.problem.height, [0.3, -0.2, 0.1], atol=1e-12)
    assert np.allclose(work.errors[3:], 0.0, atol=1e-12)
    assert work.pulled_error * work.problem.height == pytest.approx(np.sqrt(0.14))
