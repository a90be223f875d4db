import numpy as np
import pytest

from inbetweener.arrays import frozen
from inbetweener.document import Document, Prop
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.render import Camera, kernels, render_frame
from inbetweener.render.software import SoftwareBackend


def draw(screen, triangles, size=(40, 30)):
    nearness = np.zeros(size[::-1], np.float32)
    seen = np.full(size[::-1], -1, np.int32)
    kernels.rasterise(kernels.Seen(frozen(screen), nearness, seen), np.array(triangles, np.int32), 0.01)
    return nearness, seen


def test_a_triangle_covers_exactly_the_cells_whose_middle_is_inside():
    corners = np.array([[3.2, 2.1], [33.7, 9.9], [12.4, 27.3]])
    _, seen = draw(np.column_stack([corners, [1.0, 1.0, 1.0]]), [[0, 1, 2]])
    rows, columns = np.mgrid[:30, :40] + 0.5
    inside = np.ones(rows.shape, bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (b[0] - a[0]) * (rows - a[1]) - (b[1] - a[1]) * (columns - a[0]) >= 0
    assert inside.sum() > 100
    assert np.array_equal(seen == 0, inside)


def test_the_nearest_triangle_wins_whatever_the_order():
    screen = [[0, 0, 2.0], [40, 0, 2.0], [0, 30, 2.0], [0, 0, 1.0], [20, 0, 1.0], [0, 15, 1.0]]
    _, far_first = draw(screen, [[0, 1, 2], [3, 4, 5]])
    _, near_first = draw(screen, [[3, 4, 5], [0, 1, 2]])
    assert far_first[2, 2] == 1
    assert near_first[2, 2] == 0
    assert np.array_equal(far_first == 1, near_first == 0)


def test_inverse_depth_is_that_of_the_plane():
    # A plane tilted in depth: inverse depth is linear across the screen.
    nearness, seen = draw([[0, 0, 1.0], [80, 0, 2.0], [0, 60, 4.0]], [[0, 1, 2]])
    rows, columns = np.mgrid[:30, :40] + 0.5
    expected = 1 + (0.5 - 1) * columns / 80 + (0.25 - 1) * rows / 60
    assert nearness[seen == 0] == pytest.approx(expected[seen == 0], abs=1e-6)


def test_triangles_behind_the_eye_are_left_out():
    assert (draw([[0, 0, 1.0], [40, 0, 1.0], [0, 30, -1.0]], [[0, 1, 2]])[1] == -1).all()


def test_a_ball_lands_where_it_is_projected():
    ball = Document(props=(Prop("ball", Sphere(0.5), Transform((0.6, 0.2, 0.0)), colour=(0.9, 0.9, 0.9)),))
    camera = Camera((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), fov=2 * np.arctan(0.2))
    picture = render_frame(ball, 0.0, size=(160, 120), camera=camera, ground=False, backend="software")
    rows, columns = np.nonzero(picture.min(axis=-1) > 90)
    # Four metres high at ten metres: thirty pixels a metre.
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx((80 + 18, 60 - 6), abs=0.5)
    assert len(rows) == pytest.approx(np.pi * 15**2, rel=0.05)


def test_the_same_picture_to_the_bit(swaying):
    look = {"size": (96, 64), "style": "x-ray", "points": ("tip",), "onion": 2, "backend": "software"}
    assert np.array_equal(render_frame(swaying, 0.4, **look), render_frame(swaying, 0.4, **look))


def test_buffers_of_an_earlier_frame_leave_no_trace(swaying):
    from inbetweener.render.scene import Look
    from inbetweener.render.stage import Stage

    stage = Stage(swaying, look=Look(points=("tip",)))
    camera = stage.framed(1.5)
    reused = SoftwareBackend((60, 40))
    reused.draw(stage.scene(0.0, camera))
    assert np.array_equal(
        reused.draw(stage.scene(0.5, camera)), SoftwareBackend((60, 40)).draw(stage.scene(0.5, camera))
    )
