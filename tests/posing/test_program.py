"""The least-distance program against an independent solver, and its own optimality conditions."""

import numpy as np
import piqp
import pytest

from inbetweener.posing import Pin, PoseRequest, Pull, Solver, build
from tests.posing.figures import BOTH_ARMS, human, planted, random_pose, target


def programs(count: int, damping: float):
    """Solvers standing at random poses, with the program around them set up."""
    rig, random = human(), np.random.default_rng(40)
    request = PoseRequest(
        (Pull(rig.point("palm_l"), "both", 2.0), Pull(rig.point("palm_r"))), (*planted(), Pin(rig.point("hips")))
    )
    for _ in range(count):
        start, goal = random_pose(rig, random, BOTH_ARMS), random_pose(rig, random, BOTH_ARMS)
        solver = Solver(build(rig, start, request))
        work, program = solver.workspace, solver.program
        work.aim([target(rig, goal, "palm_l", turned=True), target(rig, goal, "palm_r")])
        z = program.clipped(random.normal(scale=0.1, size=program.n))
        work.evaluate(z)
        program.linearise(z, 0.3, 1.0, damping)
        yield solver, z


def plain(solver, z, damping):
    """The same step as anyone would write it: P, c of w‖JΔz − advance‖² + ‖z‖² + λ‖Δz‖², rows and bounds on z."""
    work, program, problem = solver.workspace, solver.program, solver.problem
    m, lam = problem.pulled_rows, damping * problem.settings.pull
    weights = (
        np.array([pull.weight for pull in problem.request.pulls])[problem.watched.owners[:m]] * problem.settings.pull
    )
    J, P = work.derivatives[:m], work.derivatives[m:]
    hessian = J.T @ (weights[:, None] * J) + (1.0 + lam) * np.eye(program.n)
    linear = -J.T @ (weights * (0.3 * work.errors[:m] + J @ z)) - lam * z
    room = np.maximum(0.4 * problem.settings.tolerance, np.abs(work.errors[m:]))
    middle = work.errors[m:] + P @ z
    lower, upper = np.maximum(program.lowest, z - program.step), np.minimum(program.highest, z + program.step)
    return hessian, linear, P, middle - room, middle + room, lower, upper


@pytest.mark.parametrize("damping", [0.0, 1e-6, 1e-3, 0.1])
def test_agrees_with_piqp_on_the_plain_program(damping):
    for solver, z in programs(12, damping):
        answer = solver.program.solve()
        hessian, linear, rows, low, high, lower, upper = plain(solver, z, damping)
        scale = 1.0 + damping * solver.problem.settings.pull
        peer = piqp.DenseSolver()
        # To the last digit: it stops where it cannot get any better, and then says that it ran out of steps.
        peer.settings.eps_abs, peer.settings.eps_rel, peer.settings.max_iter = 1e-13, 0.0, 500
        peer.settings.eps_duality_gap_abs, peer.settings.eps_duality_gap_rel = 1e-13, 0.0
        peer.setup(hessian / scale, linear / scale, None, None, rows, low, high, lower, upper)
        peer.solve()
        assert np.abs(answer.z - peer.result.x).max() <= 1e-6


def test_multipliers_prove_the_answer():
    """z + Aᵀλ = 0, and a multiplier only where its bound is met, of the right sign."""
    seen = 0
    for solver, _ in programs(10, 1e-3):
        program = solver.program
        answer = program.solve()
        n, m = program.n, program.residuals
        shifted = answer.z - program.origin
        equal = program.upper[n + m : n + 2 * m]
        whole = np.concatenate([shifted, program.matrix[:m, :n] @ shifted - equal])
        balance = whole + answer.multipliers[: n + m] + program.matrix.T @ answer.multipliers[n + m :]
        assert np.abs(balance).max() <= 1e-9
        at = np.concatenate([whole, program.matrix @ whole])
        for i in np.flatnonzero(answer.multipliers):
            bound = program.upper[i] if answer.multipliers[i] > 0 else program.lower[i]
            assert abs(at[i] - bound) <= 1e-6
        seen += int((answer.multipliers[:n] != 0.0).sum())
    assert seen > 10  # limits were at work


def test_contradicting_rows_are_noticed():
    solver, z = next(programs(1, 0.0))
    program, work = solver.program, solver.workspace
    work.errors[solver.problem.pulled_rows :] = 1e3
    program.linearise(z, 1.0, 0.0)
    assert program.solve() is None
