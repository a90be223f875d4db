"""The quadratic program against an independent solver, and its optimality conditions."""

import numpy as np
import piqp
import pytest

from inbetweener.tangents.problem import build
from inbetweener.tangents.program import Answer, Program
from inbetweener.tangents.solve import Solver
from tests.tangents import grid
from tests.tangents.grid import Cell

CELLS = [Cell("A", 72, 7), Cell("B", 72, 2), Cell("C", 120, 7), Cell("D", 72, 20), Cell("E", 168, 7), Cell("F", 72, 7)]


def posed(cell: Cell, share: float, radius: float) -> tuple[Program, Answer]:
    """The program of one step of six centimetres, and its answer."""
    motion = grid.motion_of(cell, seed=1)
    problem = build(motion, grid.request_of(cell, motion, np.random.default_rng(2)))
    solver = Solver(problem)
    work, program = solver.workspace, solver.program
    work.aim(work.positions[work.dragged] + [0.04, 0.03, -0.03], None)
    z = np.clip(
        0.05 * np.random.default_rng(3).normal(size=program.n), problem.variables.lower, problem.variables.upper
    )
    work.evaluate(z)
    slack = np.full(program.rows - 3, 4e-5) + np.abs(work.errors[3:])
    program.linearise(z, share, radius, np.inf, slack)
    answer = program.solve()
    assert answer is not None
    return program, answer


def independent(program: Program) -> np.ndarray:
    """The same shortest vector by an interior-point method."""
    n, first, rows = program.n, program.first, program.rows
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-12
    held = slice(first + 3, first + rows)
    solver.setup(
        np.eye(first),
        np.zeros(first),
        program.matrix[:3],
        program.lower[first : first + 3],
        program.matrix[3:rows] if rows > 3 else None,
        program.lower[held] if rows > 3 else None,
        program.upper[held] if rows > 3 else None,
        program.lower[:first],
        program.upper[:first],
    )
    assert solver.solve() == piqp.PIQP_SOLVED
    return np.array(solver.result.x)[:n]


def objective(program: Program, z: np.ndarray) -> float:
    """[TSO] Eq. 10 as it stands there: w_m‖J_s Δθ − Δs′‖² + w_d‖D Δθ‖²."""
    y = z - program.centre
    left = program.matrix[:3, : program.n] @ y - program.lower[program.first : program.first + 3]
    return float(y @ y + program.problem.settings.pull * (left @ left))


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize(("share", "radius"), [(0.0, 1.0), (0.75, 0.05)])
def test_agrees_with_an_independent_solver(cell: Cell, share: float, radius: float) -> None:
    program, answer = posed(cell, share, radius)
    theirs = program.centre + independent(program)
    assert np.abs(answer.z).max() > 0.01
    np.testing.assert_allclose(answer.z, theirs, rtol=0, atol=1e-6)
    assert objective(program, answer.z) == pytest.approx(objective(program, theirs), rel=1e-8)
    assert objective(program, answer.z) < objective(program, answer.z + 1e-3 * (program.centre - answer.z))


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("radius", [1.0, 0.05])
def test_meets_the_optimality_conditions(cell: Cell, radius: float) -> None:
    program, answer = posed(cell, 0.5, radius)
    y = answer.z - program.centre
    left = program.matrix[:3, : program.n] @ y - program.lower[program.first : program.first + 3]
    r = program.pull * left
    point = np.concatenate([y, r])
    size = program.first + program.rows
    values = np.concatenate([point, program.matrix[: program.rows] @ point])
    lower, upper = program.lower[:size], program.upper[:size]
    # Primal: within all bounds.
    assert (lower - values).max() < 1e-6
    assert (values - upper).max() < 1e-6
    # Stationary: x + Aᵀλ = 0.
    rows = np.vstack([np.eye(program.first), program.matrix[: program.rows]])
    gradient = point + rows.T @ answer.multipliers
    assert np.abs(gradient).max() < 1e-6 * max(1.0, np.abs(point).max())
    # Complementary, with the right signs.
    held = np.delete(np.arange(size), np.arange(program.first, program.first + 3))
    for i in held[np.abs(answer.multipliers[held]) > 1e-9]:
        assert abs(values[i] - (upper[i] if answer.multipliers[i] > 0 else lower[i])) < 1e-6


def test_promises_the_error_that_its_linear_rows_leave() -> None:
    program, answer = posed(Cell("E", 72, 7), 0.5, 0.02)
    moved = program.matrix[:3, : program.n] @ (answer.z - program.centre)
    short = program.lower[program.first : program.first + 3] - moved
    assert np.linalg.norm(short) > 1e-3
    assert answer.error == pytest.approx(np.linalg.norm(short), rel=1e-6)


def test_contradicting_rows_have_no_answer() -> None:
    program, _ = posed(Cell("E", 72, 7), 0.0, 1.0)
    row = program.first + 3
    program.matrix[4] = program.matrix[3]
    program.lower[row], program.upper[row] = 0.1, 0.2
    program.lower[row + 1], program.upper[row + 1] = 0.3, 0.4
    assert program.solve() is None
