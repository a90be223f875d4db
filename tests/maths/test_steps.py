"""One step under bounds and rows against an oracle for quadratic programs."""

import numpy as np
import piqp
import pytest
from scipy import sparse

from inbetweener.maths.steps import bound_step, box_step, damped_step


def program(seed: int, count: int = 12, rows: int = 5) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    root = random.normal(size=(count, count))
    matrix, gradient = root @ root.T + 0.1 * np.eye(count), 3.0 * random.normal(size=count)
    lower, upper = -random.uniform(0.0, 0.4, count), random.uniform(0.0, 0.4, count)
    lower[:2], upper[:2] = 0.0, 0.0  # frozen
    upper[2] = np.inf
    through = random.normal(size=(rows, count))
    return matrix, gradient, lower, upper, through, np.full(rows, -0.05), random.uniform(0.0, 0.1, rows)


@pytest.mark.parametrize("seed", range(12))
def test_the_least_under_bounds_and_rows(seed: int) -> None:
    matrix, gradient, lower, upper, rows, low, high = program(seed)
    found = bound_step(np.linalg.cholesky(matrix), gradient, (lower, upper), rows, low, high)
    assert found is not None
    assert ((lower <= found) & (found <= upper)).all()
    assert ((rows @ found >= low - 1e-8) & (rows @ found <= high + 1e-8)).all()
    oracle = piqp.DenseSolver()
    oracle.settings.eps_abs, oracle.settings.eps_rel = 1e-11, 1e-11
    oracle.setup(matrix, gradient, None, None, rows, low, high, lower, upper)
    assert oracle.solve() == piqp.PIQP_SOLVED
    np.testing.assert_allclose(found, oracle.result.x, rtol=0, atol=1e-7)
    # Most bounds are met by somebody, and without them the answer would be another one.
    free = -np.linalg.solve(matrix, gradient)
    assert not ((lower <= free) & (free <= upper)).all()


def test_rows_that_contradict_bounds_have_no_step() -> None:
    matrix, gradient, lower, upper, *_ = program(1)
    lower[2] = upper[2] = 0.0
    row = np.eye(len(matrix))[2:3]
    assert (
        bound_step(np.linalg.cholesky(matrix), gradient, (lower, upper), row, np.array([0.5]), np.array([1.0])) is None
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_box_alone_is_kept_and_nobody_finds_less_than_the_least(seed: int) -> None:
    matrix, gradient, lower, upper, *_ = program(seed)
    none = np.zeros((0, len(lower)))
    boxed, best = (
        box_step(matrix, gradient, (lower, upper)),
        bound_step(np.linalg.cholesky(matrix), gradient, (lower, upper), none, np.zeros(0), np.zeros(0)),
    )
    assert best is not None
    assert ((lower <= boxed) & (boxed <= upper)).all()
    values = [0.5 * d @ matrix @ d + gradient @ d for d in (best, boxed)]
    assert values[0] <= values[1] + 1e-12
    assert values[0] < 0.0


@pytest.mark.parametrize("seed", range(6))
def test_a_sparse_box_step_is_the_dense_one(seed: int) -> None:
    matrix, gradient, lower, upper, *_ = program(seed)
    dense, thin = (box_step(each, gradient, (lower, upper)) for each in (matrix, sparse.csc_array(matrix)))
    assert np.abs(dense).max() > 0.05
    np.testing.assert_allclose(thin, dense, atol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.1, 1.0])
def test_a_damped_step_is_the_least_of_residual_and_length(damping: float) -> None:
    random = np.random.default_rng(3)
    jacobian, residual = random.normal(size=(5, 7)), random.normal(size=5)
    step = damped_step(jacobian, residual, damping)
    floor = damping * np.linalg.norm(jacobian, 2)
    tall = np.concatenate([jacobian, floor * np.eye(7)])
    least = np.linalg.lstsq(tall, -np.concatenate([residual, np.zeros(7)]), rcond=None)[0]
    np.testing.assert_allclose(step, least, atol=1e-9)
