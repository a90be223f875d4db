"""Modes of grids of cubes against closed forms for beams, a dense eigenproblem, and the patch test."""

import numpy as np
import pytest
from scipy.linalg import eigh

from inbetweener.kinodynamics.soft.grid import Grid
from inbetweener.kinodynamics.soft.modes import cube_stiffness, modes_of, stiffness_matrix

LONG, THICK = 20, 2


def beam() -> Grid:
    return Grid.filling(np.ones((THICK, LONG, THICK), np.bool_), np.zeros(3), 1.0)


def test_a_cantilever_swings_as_euler_and_bernoulli_say():
    grid = beam()
    modes = modes_of(grid, grid.places[:, 1] == 0, 0.0, 8)
    found = np.sqrt(modes.squares)
    # For Young's modulus and density of one: (β/L)² √(I/A), twice as the beam bends both ways.
    slender = np.sqrt(THICK**2 / 12)
    for pair, beta, within in (((0, 1), 1.87510, 0.01), ((2, 3), 4.69409, 0.05)):
        expected = (beta / LONG) ** 2 * slender
        np.testing.assert_allclose(found[list(pair)], expected, rtol=within)
    # Stretching along itself: π / 2L, exactly where nothing thins.
    assert np.abs(found / (np.pi / (2 * LONG)) - 1).min() < 2e-3


@pytest.mark.parametrize("count", [5, 12])
def test_modes_are_those_of_the_dense_problem(count: int):
    full = np.ones((3, 3, 3), np.bool_)
    full[1, 2, 1] = full[0, 1, 0] = False
    grid = Grid.filling(full, np.array([0.1, -0.2, 0.3]), 0.07)
    held = grid.places[:, 1] <= grid.places[:, 1].min() + 1e-9
    modes = modes_of(grid, held, 0.3, count)
    free = np.flatnonzero(np.repeat(~held, 3))
    stiffness = stiffness_matrix(grid, 0.3).toarray()[np.ix_(free, free)]
    masses = np.repeat(modes.masses, 3)
    squares, _ = eigh(stiffness, np.diag(masses[free]))
    np.testing.assert_allclose(modes.squares, squares[:count], rtol=1e-9)
    flat = modes.shapes.reshape(count, -1)
    np.testing.assert_allclose((flat * masses) @ flat.T, np.eye(count), atol=1e-9)
    np.testing.assert_array_equal(modes.shapes[:, held], 0.0)


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.45])
def test_moving_and_turning_as_a_whole_takes_no_force_and_nothing_else_is_free(poisson: float):
    squares = np.linalg.eigvalsh(cube_stiffness(poisson))
    assert np.abs(squares[:6]).max() < 1e-14
    assert squares[6] > 0.01


def test_an_even_strain_leaves_inner_nodes_in_balance():
    grid = beam()
    strain = np.array([[1.0, 0.2, 0.3], [0.2, 0.5, 0.1], [0.3, 0.1, -0.4]])
    forces = (stiffness_matrix(grid, 0.3) @ (grid.places @ strain).ravel()).reshape(-1, 3)
    inner = ((grid.places > 0) & (grid.places < [THICK, LONG, THICK])).all(axis=1)
    assert inner.any()
    assert np.abs(forces[inner]).max() < 1e-13
    assert np.abs(forces).max() > 0.1


def test_modes_repeat_to_the_bit():
    grid = beam()
    once, again = (modes_of(grid, grid.places[:, 1] == 0, 0.25, 10) for _ in range(2))
    np.testing.assert_array_equal(once.shapes, again.shapes)
