import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.document import View, edits
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.render import render_frame
from inbetweener.render.camera import MARGIN, PRESETS, Camera, framing

clouds = arrays(np.float64, st.tuples(st.integers(2, 20), st.just(3)), elements=st.floats(-50, 50))


@given(clouds, st.sampled_from(PRESETS), st.floats(0.4, 3.0))
def test_framing_shows_every_point_and_leaves_air(cloud, preset, aspect):
    camera = framing(cloud, aspect, preset)
    height = 1000
    width = height * aspect
    column, row, depth = camera.pixels(cloud, (width, height)).T
    assert (depth > 0).all()
    assert np.abs(2 * column / width - 1).max() <= MARGIN + 1e-6
    assert np.abs(2 * row / height - 1).max() <= MARGIN + 1e-6


def test_framing_goes_no_farther_than_it_must():
    cloud = np.random.default_rng(1).normal(size=(200, 3))
    for preset in PRESETS:
        camera = framing(cloud, 1.5, preset)
        column, row, _ = camera.pixels(cloud, (1500, 1000)).T
        # On the tighter axis, the outermost points touch the margin on both sides.
        spans = [(np.min(2 * v / n - 1), np.max(2 * v / n - 1)) for v, n in ((column, 1500), (row, 1000))]
        assert any(np.allclose(span, (-MARGIN, MARGIN), atol=1e-6) for span in spans), preset


def test_pixels_of_known_places():
    camera = Camera((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), fov=2 * np.arctan(0.5))
    # At ten metres the picture is ten metres high: a pixel is a tenth of a metre.
    pixels = camera.pixels([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 5]], (200, 100))
    assert pixels == pytest.approx(np.array([[100, 50, 10], [110, 50, 10], [100, 40, 10], [100, 50, 5]]))
    assert camera.pixel_size(100) == pytest.approx(0.1)


@given(arrays(np.float64, 3, elements=st.floats(-10, 10)), arrays(np.float64, 3, elements=st.floats(-10, 10)))
def test_axes_are_a_right_handed_frame_even_straight_down(eye, target):
    axes = Camera(tuple(eye), tuple(target)).axes()
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_a_document_view_becomes_the_same_camera():
    assert Camera.of(View((1.0, 2.0, 3.0), (0.0, 1.0, 0.0), 0.4)) == Camera((1.0, 2.0, 3.0), (0.0, 1.0, 0.0), 0.4)


def test_unknown_preset_lists_the_known_ones():
    with pytest.raises(UnknownName, match="three-quarter"):
        framing(np.zeros((1, 3)), 1.0, "three-quarters")


def test_the_camera_of_the_scene_is_where_its_keys_have_it(swaying):
    near = edits.camera(swaying, (0.0, 1.0, 3.0), (0.0, 1.0, 0.0), fov=0.5, frame=0).document
    document = edits.camera(near, (3.0, 1.0, 0.0), fov=0.5, frame=24).document
    look = {"size": (96, 64), "backend": "software"}
    for time, eye in ((0.0, (0.0, 1.0, 3.0)), (1.0, (3.0, 1.0, 0.0))):
        still = render_frame(swaying, time, camera=Camera(eye, (0.0, 1.0, 0.0), 0.5), **look)
        assert np.array_equal(render_frame(document, time, camera="scene", **look), still)
    with pytest.raises(InvalidDocument, match="has no scene camera; key one"):
        render_frame(swaying, 0.0, camera="scene", **look)
