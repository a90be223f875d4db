from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document import Prop
from inbetweener.maths.solids import Box
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Curves
from inbetweener.render import Camera, Look, Renderer, colour, render_frame
from inbetweener.render.software import FAINT
from inbetweener.render.stage import key_times, path_times

SIZE = (480, 270)


def test_key_dots_are_orange_where_the_keys_are(swaying):
    bare = replace(swaying, meshes=())
    with Renderer(bare, None, Look(points=("tip",), camera="front", ground=False), SIZE, "software") as renderer:
        picture = renderer.frame(0.2)
        at = renderer.stage.body.motion.point_positions([0.0, 0.5, 1.0], [bare.rig.point("tip")])[:, 0]
        pixels = renderer.camera.pixels(at, SIZE)
    for column, row, _ in pixels:
        red, green, blue = picture[int(row), int(column)].astype(int)
        assert red > 200
        assert 100 < green < 190
        assert blue < 110


def test_what_stands_before_the_arc_lets_it_through_faintly(swaying):
    camera = Camera((0.0, 1.0, 8.0), (0.0, 1.0, 0.0))
    look = {"size": SIZE, "camera": camera, "ground": False, "backend": "software"}
    wall = (Prop("wall", Box((4.0, 4.0, 0.1)), Transform((0.0, 0.0, 2.0))),)
    walled = replace(swaying, meshes=(), props=wall)
    column, row, _ = camera.pixels(swaying.motion().point_positions([0.5], [swaying.rig.point("tip")])[0, 0], SIZE)
    at = int(row), int(column)
    dot = render_frame(replace(walled, props=()), 0.0, points=("tip",), **look)[at].astype(int)
    plain = render_frame(walled, 0.0, **look)[at].astype(int)
    through = render_frame(walled, 0.0, points=("tip",), **look)[at]
    assert np.abs(dot - plain).max() > 50
    assert through == pytest.approx(plain + FAINT * (dot - plain), abs=2)


def test_keys_are_those_of_the_channels_that_move_the_point(swaying):
    motion = swaying.motion()
    assert key_times(motion, swaying.rig.point("tip")) == pytest.approx([0.0, 0.5, 1.0])
    clip = swaying.clips[0]
    staggered = replace(clip, curves=clip.curves.replaced({"j3.rx": Curve.sampled([0.25, 0.75], [0.0, 0.1])}))
    document = replace(swaying, clips=(staggered,))
    assert key_times(document.motion(), document.rig.point("tip")) == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    # j1 is not moved by j3.
    assert key_times(document.motion(), document.rig.point("j1")) == pytest.approx([0.0, 0.5, 1.0])


def test_a_leap_within_one_frame_is_still_drawn_as_a_curve(swaying):
    clip = swaying.clips[0]
    leap = Curve.sampled([0.0, 0.5, 0.5 + 1 / 48, 1.0], [0.0, 0.0, 3.0, 3.0])
    document = replace(swaying, clips=(replace(clip, curves=Curves({"j1.rz": leap})),))
    tip = document.rig.point("tip")
    times = path_times(document.motion(), tip)
    assert (np.diff(times) > 0).all()
    assert (times[0], times[-1]) == (0.0, 1.0)
    turns = np.diff(document.motion().point_positions(times, [tip])[:, 0], axis=0)
    turns = turns[np.linalg.norm(turns, axis=-1) > 1e-6]
    along = turns / np.linalg.norm(turns, axis=-1, keepdims=True)
    # An arc of 3 radians in many short pieces: no corner sharper than a few degrees.
    assert np.degrees(np.arccos(np.clip((along[1:] * along[:-1]).sum(axis=-1), -1, 1))).max() < 6


def test_captured_motion_has_no_dots(swaying):
    clip = swaying.clips[0]
    dense = Curve.sampled(clip.frame_times, np.sin(clip.frame_times))
    document = replace(swaying, clips=(replace(clip, curves=Curves({"j1.rz": dense})),))
    assert len(key_times(document.motion(), document.rig.point("tip"))) == 0


def test_speed_colours_rise_evenly_in_lightness():
    srgb = colour.speed_colours(np.linspace(0, 1, 21))
    assert ((srgb >= 0) & (srgb <= 1)).all()
    luminance = colour.linear(srgb) @ [0.2126, 0.7152, 0.0722]
    lightness = np.cbrt(luminance)
    steps = np.diff(lightness)
    assert (steps > 0).all()
    assert steps.max() < 2.5 * steps.min()


def test_srgb_there_and_back():
    values = np.linspace(0, 1, 101)
    assert colour.encoded(colour.linear(values)) == pytest.approx(values, abs=1e-6)
