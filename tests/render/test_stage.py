from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document import Document, View
from inbetweener.motion import Clip, Curves
from inbetweener.render import Camera, Look, render_frame
from inbetweener.render.camera import PRESETS
from inbetweener.render.stage import Stage
from tests.render.conftest import tentacle


def vertices(stage, time):
    return stage.body.vertices(stage.body.pose(time))


def assert_inside(stage, size=(320, 180)):
    framed = stage.framed(size[0] / size[1])
    for time in stage.clip.frame_times:
        camera = stage.scene(time, framed).camera
        column, row, depth = camera.pixels(vertices(stage, time), size).T
        assert (depth > 0).all()
        assert 0 <= column.min()
        assert column.max() <= size[0]
        assert 0 <= row.min()
        assert row.max() <= size[1]


@pytest.mark.parametrize("preset", PRESETS)
def test_framing_keeps_every_vertex_of_every_frame_in_the_picture(swaying, preset):
    assert_inside(Stage(swaying, look=Look(camera=preset)))


def test_a_character_that_travels_is_followed_and_stays_large(swaying):
    clip = swaying.clips[0]
    far = replace(clip, curves=clip.curves.replaced({"root.tz": Curve.sampled([0.0, 1.0], [0.0, 30.0])}))
    stage = Stage(replace(swaying, clips=(far,)))
    assert_inside(stage)
    pixels = stage.scene(0.5, stage.framed(16 / 9)).camera.pixels(vertices(stage, 0.5), (320, 180))
    assert np.ptp(pixels[:, 1]) > 0.15 * 180
    # A motion curve shows the whole way, so then the camera stays.
    fixed = Stage(stage.document, look=Look(points=("tip",)))
    framed = fixed.framed(16 / 9)
    assert fixed.scene(0.0, framed).camera == fixed.scene(1.0, framed).camera


@pytest.mark.parametrize("far", [(4000.0, 0.1, 0.0), (0.0, 700.0, 0.0), (0.0, -300.0, 0.0)])
def test_far_from_the_origin_the_picture_is_still_there(far):
    there = render_frame(tentacle(offset=far), 0.0, size=(120, 80), backend="software").astype(int)
    empty = render_frame(Document(), 0.0, size=(120, 80), backend="software").astype(int)
    assert (np.abs(there - empty).max(axis=-1) > 40).mean() > 0.02


def test_size_does_not_change_the_picture():
    # A hundred metres tall, the grid steps in other units but the body looks the same.
    small, tall = (
        render_frame(tentacle(offset=(0.0, 0.1 * s, 0.0), scale=s), 0.3, size=(120, 80), ground=False)
        for s in (1.0, 64.0)
    )
    assert np.abs(small.astype(int) - tall).mean() < 1.0


def test_empty_documents_and_clips_of_one_frame(swaying):
    for document in (
        Document(),
        replace(swaying, clips=()),
        replace(swaying, meshes=(), clips=(Clip("still", 0.0),)),
        replace(swaying, clips=(Clip("still", 0.0, curves=Curves({"root.tx": Curve.constant(1.0)})),)),
    ):
        for style in ("shaded", "skeleton", "x-ray"):
            points = ("tip",) if document.rig.points else ()
            picture = render_frame(document, 0.0, size=(64, 48), style=style, points=points, onion=3)
            assert picture.shape == (48, 64, 3)
            assert np.ptp(picture) > 20


def test_the_documents_own_view_comes_first_and_a_chosen_camera_before_it(swaying):
    seen = replace(swaying, view=View((0.0, 1.0, 9.0), (0.0, 1.0, 0.0), 0.4))
    assert Stage(seen).framed(1.5) == Camera((0.0, 1.0, 9.0), (0.0, 1.0, 0.0), 0.4)
    assert Stage(seen, look=Look(camera="view")).framed(1.5) == Stage(seen).framed(1.5)
    assert Stage(seen, look=Look(camera="side")).framed(1.5).eye[0] > 1.0
    mine = Camera((5.0, 1.0, 0.0), (0.0, 1.0, 0.0))
    assert Stage(seen, look=Look(camera=mine)).framed(1.5) == mine
