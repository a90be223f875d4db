"""A rig that mixes joints and an IK handle is posed like any other."""

import functools

import numpy as np

from inbetweener.posing import Pin, PoseDrag, Pull, Request, State, build, certify, solve, state_of
from inbetweener.posing.workspace import Workspace
from inbetweener.rig import Handle, Point, Rig
from tests.posing.figures import human, planted


@functools.cache
def handled() -> Rig:
    """The human example whose left arm hangs on a handle at the wrist."""
    return human().with_handle(Handle("grip_l", ("upper_arm_l", "forearm_l"), Point("hand_l"), (0.0, -1.0, 0.0)))


def start() -> np.ndarray:
    """The hand in front of the body, the elbow bent."""
    pose = handled().defaults.copy()
    for name, value in {"grip_l.x": 0.3, "grip_l.y": 1.1, "grip_l.z": 0.3, "grip_l.blend": 1.0}.items():
        pose[handled().channel_index(name)] = value
    return pose


def test_pulling_the_hand_moves_the_handle():
    rig = handled()
    wrist = rig.point("hand_l")
    problem = build(rig, start(), Request((Pull(wrist),), planted()))
    wish = state_of(rig, start(), wrist).position + np.array([0.05, 0.1, 0.05])
    solution = solve(problem, State(wish))
    assert solution.reached
    assert {"grip_l.x", "grip_l.y", "grip_l.z"} <= set(problem.names)
    assert "grip_l.blend" not in problem.names
    moved = solution.channels[[rig.channel_index(f"grip_l.{axis}") for axis in "xyz"]]
    assert np.linalg.norm(moved - wish) < 0.02


def test_the_body_moves_and_the_hand_stays_on_its_handle():
    rig = handled()
    drag = PoseDrag(rig, start(), Request((Pull(rig.point("chest")),), (*planted(), Pin(rig.point("hand_l")))))
    begin = drag.start[0].position
    for share in np.linspace(0.0, 1.0, 11)[1:]:
        solution = drag.to(State(begin + share * np.array([0.05, -0.08, 0.06])))
        assert solution.reached
    proof = certify(solution)
    assert all(pin.distance <= 1e-4 * solution.problem.height for pin in proof.pins)
    assert proof.others_kept


def test_derivatives_through_the_handle():
    rig = handled()
    work = Workspace(build(rig, start(), Request((Pull(Point("hand_l", (0.05, 0.0, 0.0)), "both"),))))
    z = np.random.default_rng(8).normal(scale=0.02, size=len(work.problem.scale))
    work.evaluate(z)
    exact = work.derivatives.copy()
    for h, close in ((1e-5, 1e-7), (1e-4, 1e-5)):
        numeric = []
        for v in range(len(z)):
            step = np.zeros_like(z)
            step[v] = h
            work.evaluate(z + step, derivatives=False)
            there, turned = work.positions[0].copy(), work.turns[0].copy()
            work.evaluate(z - step, derivatives=False)
            spin = (turned @ work.turns[0].T - work.turns[0] @ turned.T) / (4 * h)
            moved = (there - work.positions[0]) / (2 * h * work.problem.height)
            numeric.append([*moved, spin[2, 1], spin[0, 2], spin[1, 0]])
        assert not np.array_equal(exact, np.array(numeric).T)
        assert np.abs(exact - np.array(numeric).T).max() <= close
