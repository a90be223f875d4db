import numpy as np

from inbetweener.render import kernels, shapes
from inbetweener.render.scene import UNUSED, light_map
from inbetweener.render.shapes import EMPTY, Batch, joined

UP = np.array([0.0, 1.0, 0.0])


def ball(centre, radius):
    vertices, normals, triangles = shapes.ball(24, 36)
    return Batch.painted(radius * vertices + centre, normals, triangles, (1.0, 1.0, 1.0))


def reaching(made, *places):
    return [kernels.passing(np.array(place, float), made.map_from_world, made.moments) for place in places]


def test_light_from_above_stops_at_the_upper_of_two_balls():
    upper, lower = ball([0.0, 2.0, 0.0], 0.4), ball([0.0, 0.0, 0.0], 1.0)
    body = joined([upper, lower])
    made = light_map(body, body, UP)
    on_upper, under_it, open_side, outside = reaching(made, [0, 2.4, 0], [0, 1, 0], [0.75, 0.66, 0], [9, 0, 0])
    assert on_upper == open_side == outside == 1.0
    assert 0.25 < under_it < 0.35


def test_the_edge_of_a_shadow_is_soft_and_falls_steadily():
    body = joined([ball([0.0, 2.0, 0.0], 0.4), ball([0.0, 0.0, 0.0], 1.0)])
    made = light_map(body, body, UP)
    places = [(x, np.sqrt(1 - x * x), 0.0) for x in np.linspace(0.2, 0.6, 30)]
    light = np.array(reaching(made, *places))
    assert (np.diff(light) >= -1e-6).all()
    assert ((light > 0.35) & (light < 0.95)).sum() >= 2


def test_a_round_body_alone_does_not_speckle_itself():
    alone = ball([0.0, 1.0, 0.0], 0.5)
    made = light_map(alone, alone, UP)
    lit = alone.normals[:, 1] > 0.3
    assert np.allclose(reaching(made, *alone.vertices[lit]), 1.0, atol=0.02)


def test_without_a_body_there_is_no_map():
    assert light_map(EMPTY, EMPTY, UP) is UNUSED
    assert reaching(UNUSED, [0.0, 0.0, 0.0]) == [1.0]
