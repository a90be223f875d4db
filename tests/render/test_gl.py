import numpy as np
import pytest

from inbetweener.document import Document
from inbetweener.render import Camera, Look, Renderer, render_frame
from inbetweener.render.scene import STYLES

SIZE = (240, 136)


@pytest.mark.usefixtures("gl")
@pytest.mark.parametrize("style", STYLES)
def test_both_ways_of_drawing_give_one_picture(swaying, style):
    look = {"size": SIZE, "style": style, "points": ("tip",), "onion": 3}
    a, b = (render_frame(swaying, 0.3, backend=name, **look).astype(int) for name in ("gl", "software"))
    assert np.abs(a - b).mean() < 1.0
    assert (np.abs(a - b).max(axis=-1) > 40).mean() < 0.02


@pytest.mark.usefixtures("gl")
def test_silhouettes_agree(swaying):
    empty = render_frame(Document(view=None), 0.0, size=SIZE, ground=False, backend="software").astype(int)
    outlines = []
    for backend in ("gl", "software"):
        picture = render_frame(swaying, 0.3, size=SIZE, ground=False, backend=backend).astype(int)
        outlines.append(np.abs(picture - empty).max(axis=-1) > 12)
    both, either = (outlines[0] & outlines[1]).sum(), (outlines[0] | outlines[1]).sum()
    assert either > 500
    assert both / either > 0.97


@pytest.mark.usefixtures("gl")
def test_buffers_of_an_earlier_frame_leave_no_trace(swaying):
    look = Look(points=("tip",), onion=(0, 12))
    with Renderer(swaying, None, look, SIZE, "gl") as reused, Renderer(swaying, None, look, SIZE, "gl") as fresh:
        reused.frame(0.0)
        reused.frame(1.0)
        assert np.array_equal(reused.frame(0.5), fresh.frame(0.5))


@pytest.mark.usefixtures("gl")
def test_two_renderers_side_by_side_draw_what_each_would_alone(swaying: Document):
    near, far = (Look(camera=Camera((0.0, high, 4.0), (0.0, 0.5, 0.0))) for high in (0.6, 3.0))
    with Renderer(swaying, None, near, SIZE, "gl") as one, Renderer(swaying, None, far, SIZE, "gl") as other:
        drawn = [[each.frame(time) for time in (0.0, 0.3)] for each in (one, other)]
        again = [[each.frame(time) for each in (one, other)] for time in (0.0, 0.3)]
    for number, look in enumerate((near, far)):
        with Renderer(swaying, None, look, SIZE, "gl") as alone:
            for at, time in enumerate((0.0, 0.3)):
                picture = alone.frame(time)
                np.testing.assert_array_equal(drawn[number][at], picture)
                np.testing.assert_array_equal(again[at][number], picture)
    assert (drawn[0][0] != drawn[1][0]).any()
