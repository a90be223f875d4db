from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import Prop
from inbetweener.maths.solids import Box, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.render import colour
from inbetweener.render.body import Body
from inbetweener.render.stage import draw_prop


@pytest.fixture
def body(swaying):
    return Body(swaying, swaying.clips[0])


def drawn_colour(prop, body, time):
    pose = body.pose(time)
    batch = draw_prop(prop, body.rig, pose, body.vertices(pose))
    assert np.ptp(batch.paint, axis=0) == pytest.approx(0.0)
    return colour.encoded(batch.paint[0, :3])


def test_an_obstacle_turns_red_only_while_the_body_is_inside(body):
    tip = {time: body.motion.point_positions([time], [body.rig.point("tip")])[0, 0] for time in (0.0, 0.5)}
    post = Prop("post", Sphere(0.2), Transform(tuple(tip[0.0])), "obstacle")
    assert np.linalg.norm(tip[0.5] - tip[0.0]) > 0.6
    assert drawn_colour(post, body, 0.0) == pytest.approx(colour.ALARM, abs=0.01)
    assert drawn_colour(post, body, 0.5) == pytest.approx(colour.OBSTACLE, abs=0.01)


def test_a_plain_prop_keeps_its_colour(body):
    box = Prop("box", Box((1.0, 1.0, 1.0)), colour=(0.1, 0.2, 0.3))
    assert colour.linear(drawn_colour(box, body, 0.0)) == pytest.approx((0.1, 0.2, 0.3), abs=1e-3)


def test_a_carried_prop_moves_with_its_joint_and_never_alarms(body):
    hat = Prop("hat", Sphere(0.1), Transform((0.0, 0.1, 0.0)), "obstacle", joint="j3")
    assert drawn_colour(hat, body, 0.0) == pytest.approx(colour.OBSTACLE, abs=0.01)
    for time in (0.0, 0.5):
        pose = body.pose(time)
        world = pose.world_from_joint[body.rig.joint_index("j3")]
        middle = draw_prop(hat, body.rig, pose, np.empty((0, 3))).vertices.mean(axis=0)
        assert np.linalg.norm(middle - (world[:, :3] @ [0.0, 0.1, 0.0] + world[:, 3])) < 0.01


def test_a_scaled_obstacle_is_entered_where_it_really_is(body):
    tip = body.motion.point_positions([0.0], [body.rig.point("tip")])[0, 0]
    beside = Transform(tuple(np.subtract(tip, [0.9, 0.0, 0.0])), scale=(1.0, 1.0, 1.0))
    apart = Prop("wall", Sphere(0.3), beside, "obstacle")
    assert drawn_colour(apart, body, 0.0) == pytest.approx(colour.OBSTACLE, abs=0.01)
    grown = replace(apart, transform=replace(beside, scale=(4.0, 1.0, 1.0)))
    assert drawn_colour(grown, body, 0.0) == pytest.approx(colour.ALARM, abs=0.01)
