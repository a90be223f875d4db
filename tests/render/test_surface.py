import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from inbetweener.render import colour
from inbetweener.render.body import Surface, vertex_colours
from inbetweener.rig import Joint, Rig, shape_channels
from inbetweener.skinning import BlendShape, Material, Mesh, Skin

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
UVS = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])
FACES = [[0, 1, 2], [0, 2, 3]]
QUARTERS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [128, 128, 128]]], np.uint8)


def square(**more):
    return Mesh.rigid("square", "root", SQUARE, FACES, **more)


def png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return file.getvalue()


def test_each_vertex_takes_the_colour_of_the_texture_where_it_lies():
    painted = vertex_colours(square(uvs=UVS, material=Material(colour=(1, 1, 1, 1), texture=png(QUARTERS))))
    # Texture rows run down: v = 0.1 is the upper row.
    expected = colour.linear(np.array([QUARTERS[0, 0], QUARTERS[0, 1], QUARTERS[1, 1], QUARTERS[1, 0]]) / 255)
    assert painted == pytest.approx(np.clip(expected, 0.02, 0.86))


def test_material_and_vertex_colours_multiply_and_a_broken_texture_is_ignored():
    colours = np.tile([0.5, 1.0, 0.25, 1.0], (4, 1))
    material = Material(colour=(0.8, 0.4, 0.4, 1.0), texture=b"not a picture")
    assert vertex_colours(square(uvs=UVS, colours=colours, material=material)) == pytest.approx(
        np.tile([0.4, 0.4, 0.1], (4, 1))
    )


def test_normals_follow_a_shape_that_does_not_mention_them():
    rig = Rig((Joint("root"),), shape_channels(["lift"]))
    offsets = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]], float)
    normals = np.tile([0.0, 0.0, 1.0], (4, 1))
    mesh = square(normals=normals, shapes=(BlendShape("lift", "lift", offsets),))
    world = np.eye(3, 4)[None]
    assert Surface(Skin(mesh, rig)).posed(np.array([0.0]), world).normals == pytest.approx(normals)
    lifted = Surface(Skin(mesh, rig)).posed(np.array([1.0]), world).normals
    assert lifted == pytest.approx(np.tile([-1, 0, 1] / np.sqrt(2), (4, 1)), abs=1e-6)
    told = replace(mesh, shapes=(replace(mesh.shapes[0], normal_offsets=np.tile([-1.0, 0.0, 0.0], (4, 1))),))
    assert Surface(Skin(told, rig)).posed(np.array([1.0]), world).normals == pytest.approx(lifted, abs=1e-6)
