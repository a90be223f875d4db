import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from inbetweener.maths.transforms import Transform
from inbetweener.render import colour, shapes
from inbetweener.render.body import Surface, painted
from inbetweener.rig import ROOT, Joint, Rig, joint_channels, shape_channels
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
    _, shown = painted(square(uvs=UVS, material=Material(colour=(1, 1, 1, 1), texture=png(QUARTERS))))
    # Texture rows run down: v = 0.1 is the upper row.
    expected = colour.linear(np.array([QUARTERS[0, 0], QUARTERS[0, 1], QUARTERS[1, 1], QUARTERS[1, 0]]) / 255)
    assert shown == pytest.approx(np.clip(expected, 0.02, 0.86))


def test_material_and_vertex_colours_multiply_and_a_broken_texture_is_ignored():
    colours = np.tile([0.5, 1.0, 0.25, 1.0], (4, 1))
    material = Material(colour=(0.8, 0.4, 0.4, 1.0), texture=b"not a picture")
    assert painted(square(uvs=UVS, colours=colours, material=material))[1] == pytest.approx(
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


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("scale", [1.0, -1.0])
def test_a_mirrored_mesh_is_lit_from_outside(scale: float, given: bool) -> None:
    """A copy for the other side, as exporters make it: faces and normals look outward all the same."""
    vertices, normals, triangles = shapes.ball()
    joint = Joint("ball", ROOT, Transform(scale=(scale, 1.0, 1.0)))
    rig = Rig((joint,), joint_channels(joint))
    mesh = Mesh(
        "ball", vertices, triangles, ("ball",), np.eye(3, 4)[None],
        np.zeros((len(vertices), 1), np.int32), np.ones((len(vertices), 1), np.float32),
        normals=normals if given else None,
    )  # fmt: skip
    drawn = Surface(Skin(mesh, rig)).posed(rig.defaults, rig.rest_world())
    a, b, c = (drawn.vertices[drawn.triangles[:, n]] for n in range(3))
    faces = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", faces, a + b + c) > -1e-9).all()
    assert (np.einsum("ij,ij->i", drawn.normals, drawn.vertices) > 0).all()


@pytest.mark.parametrize("scale", [1.0, -1.0])
def test_a_picture_is_shown_within_triangles(scale: float) -> None:
    """Two triangles with a board of 64 fields: every field is seen, in its place, and the square is whole."""
    fields = np.indices((8, 8)).sum(axis=0) % 2 * 200 + 20
    board = np.repeat(np.repeat(fields, 16, axis=0), 16, axis=1).astype(np.uint8)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    mesh = square(uvs=corners, material=Material(colour=(1, 1, 1, 1), texture=png(np.stack([board] * 3, axis=-1))))
    joint = Joint("root", ROOT, Transform(scale=(scale, 1.0, 1.0)))
    rig = Rig((joint,), joint_channels(joint))
    drawn = Surface(Skin(mesh, rig)).posed(rig.defaults, rig.rest_world())
    a, b, c = (drawn.vertices[drawn.triangles[:, n]] for n in range(3))
    faces = np.cross(b - a, c - a)
    assert (faces[:, 2] > 0).all()
    assert 0.5 * faces[:, 2].sum() == pytest.approx(1.0, rel=1e-5)
    assert (drawn.normals == [0.0, 0.0, 1.0]).all()
    # At the middles of fields, well off their edges.
    places = drawn.vertices[:, :2].astype(np.float64) * [scale, 1.0] * 8.0
    inside = (np.abs(places % 1.0 - 0.5) < 0.3).all(axis=1)
    column, row = places[inside].astype(int).T
    light = drawn.paint[inside, 0] > 0.3
    np.testing.assert_array_equal(light, (row + column) % 2 == 1)
    assert len(set(zip(row.tolist(), column.tolist(), strict=True))) == 64
