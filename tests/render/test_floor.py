import numpy as np
import pytest

from inbetweener.render import Camera, kernels, shapes
from inbetweener.render.floor import Floor, backdrop, floor_height, grid_step, shadowed
from inbetweener.render.shapes import Batch

UP = np.array([0.0, 1.0, 0.0])


def ball(height):
    vertices, normals, triangles = shapes.ball()
    return Batch.painted(0.2 * vertices + [3.0, height, -2.0], normals, triangles, (1.0, 1.0, 1.0))


def test_a_shadow_lies_under_its_body_and_pales_with_height():
    darkest = []
    for height in (0.2, 0.8, 3.0):
        shadow, corner, width = shadowed(ball(height), 0.0, 1.0, UP)
        texels = np.arange(len(shadow)) + 0.5
        middle = np.array([texels @ shadow.sum(axis=0), texels @ shadow.sum(axis=1)]) / shadow.sum()
        assert np.asarray(corner) + middle * width / len(shadow) == pytest.approx([3.0, -2.0], abs=0.01)
        assert shadow[0].max() < 0.01
        darkest.append(shadow.max())
    assert darkest[0] > darkest[1] > darkest[2] > 0.02


def test_a_slanted_light_moves_the_shadow_away_from_it():
    light = np.array([0.6, 0.8, 0.0])
    shadow, corner, width = shadowed(ball(1.0), 0.0, 1.0, light)
    columns = shadow.sum(axis=0)
    middle = corner[0] + (np.arange(len(columns)) + 0.5) @ columns / columns.sum() * width / len(columns)
    assert middle < 2.8


def test_far_grid_lines_blend_to_their_mean_instead_of_flickering():
    coverage = [kernels.lines(x, 7.3, 0.1) for x in np.linspace(0, 1, 101)]
    assert np.ptp(coverage) < 0.02
    assert np.mean(coverage) == pytest.approx(0.1, abs=0.01)
    # Close up a line is a line.
    assert kernels.lines(0.0, 0.01, 0.1) == pytest.approx(1.0)
    assert kernels.lines(0.5, 0.01, 0.1) == pytest.approx(0.0)


def test_the_floor_is_as_deep_as_the_plane_and_ends_at_the_horizon():
    camera = Camera((0.0, 2.0, 5.0), (0.0, 2.0, 0.0), fov=1.0)
    picture = backdrop(camera, Floor(0.0, (0.0, 0.0), 5.0, 0.5), (64, 48))
    assert (picture[:24, :, 3] == 0).all()
    assert (picture[24:, :, 3] > 0).all()
    row = 40
    slope = (row + 0.5 - 24) / camera.focal(48)
    assert 1 / picture[row, :, 3] == pytest.approx(2.0 / slope, rel=1e-6)
    assert (backdrop(camera, None, (64, 48))[..., 3] == 0).all()


@pytest.mark.parametrize(
    ("low", "size", "height"), [(-0.02, 1.8, 0.0), (1.0, 1.0, 0.0), (-0.9, 1.8, -0.9), (500, 2, 500)]
)
def test_the_floor_is_at_zero_unless_the_character_lives_elsewhere(low, size, height):
    assert floor_height(low, size) == height


@pytest.mark.parametrize(("size", "step"), [(1.8, 0.5), (0.18, 0.05), (100.0, 20.0), (4.0, 1.0)])
def test_grid_steps_are_round(size, step):
    assert grid_step(size) == pytest.approx(step)
