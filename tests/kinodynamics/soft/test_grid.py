"""Grids around surfaces: they hold all of it, fill what it encloses, and carry places as cubes do."""

import numpy as np

from inbetweener.kinodynamics.soft.grid import Grid
from tests.kinodynamics.soft.bodies import rod

BOX = rod()


def around(cells: int) -> Grid:
    return Grid.around(BOX.vertices.astype(np.float64), BOX.triangles.astype(np.int64), cells)


def test_a_closed_surface_is_filled():
    grid = Grid.around(BOX.vertices.astype(np.float64), BOX.triangles.astype(np.int64), 40)
    counts = np.ptp(grid.numbers, axis=0) + 1
    assert counts[1] == 40
    assert counts[0] == counts[2] >= 5
    assert len(grid.cells) == counts.prod()


def test_an_open_surface_stays_a_shell():
    walls = BOX.triangles[2:-2].astype(np.int64)
    shell = Grid.around(BOX.vertices.astype(np.float64), walls, 40)
    assert len(shell.cells) < len(around(40).cells)


def test_places_are_carried_by_linear_fields_exactly():
    grid, places = around(9), BOX.vertices.astype(np.float64)
    slopes = np.array([[[0.3, -0.2, 0.5], [1.0, 0.1, 0.0], [0.2, 0.7, -0.4]], np.eye(3)])
    np.testing.assert_allclose(grid.carried(grid.places @ slopes, places), places @ slopes, atol=1e-12)


def test_places_beyond_the_grid_go_with_its_border():
    grid = around(9)
    far, near = np.array([[9.0, 9.0, 9.0]]), grid.places.max(axis=0)[None]
    np.testing.assert_allclose(grid.carried(grid.places[None], far)[0], near, atol=1e-12)


def test_what_hangs_on_nothing_is_left_out():
    full = np.zeros((4, 6, 4), np.bool_)
    full[:2, :4, :2] = True
    full[3, 5, 3] = True
    grid = Grid.filling(full, np.zeros(3), 1.0)
    kept = grid.hanging_on(grid.places[:, 1] == 0)
    assert len(kept.cells) == 16
    np.testing.assert_array_equal(kept.places[kept.cells].min(axis=1), kept.numbers)
