import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from inbetweener.formats.gltf.looks import Look
from inbetweener.maths.transforms import Transform
from inbetweener.render import colour, shapes
from inbetweener.render.surface import Surface, painted
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
    shown = painted(square(uvs=UVS, material=Material(colour=(1, 1, 1, 1), texture=png(QUARTERS)))).colours
    # Texture rows run down: v = 0.1 is the upper row.
    expected = colour.linear(np.array([QUARTERS[0, 0], QUARTERS[0, 1], QUARTERS[1, 1], QUARTERS[1, 0]]) / 255)
    assert shown == pytest.approx(np.clip(expected, 0.02, 0.86))


def test_material_and_vertex_colours_multiply_and_a_broken_texture_is_ignored():
    colours = np.tile([0.5, 1.0, 0.25, 1.0], (4, 1))
    material = Material(colour=(0.8, 0.4, 0.4, 1.0), texture=b"not a picture")
    assert painted(square(uvs=UVS, colours=colours, material=material)).colours == pytest.approx(
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


def bumpy(angle: float) -> np.ndarray:
    """A map that leans half of the picture to its right and the other half up."""
    right = np.array([np.sin(angle), 0.0, np.cos(angle)])
    pixels = np.empty((64, 64, 3))
    pixels[:, :32], pixels[:, 32:] = right, right[[1, 0, 2]]
    return np.round((0.5 + 0.5 * pixels) * 255).astype(np.uint8)


@pytest.mark.parametrize("mirrored", [False, True])
def test_bumps_turn_normals_along_the_picture(mirrored: bool) -> None:
    """Right in the picture is where u grows, up where v gets less, whichever way the picture lies on the square."""
    uvs = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)
    if mirrored:
        uvs[:, 0] = 1.0 - uvs[:, 0]
    rig = Rig((Joint("root"),), shape_channels(["none"]))
    mesh = square(uvs=uvs, normals=np.tile([0.0, 0.0, 1.0], (4, 1)))
    drawn = Surface(Skin(mesh, rig), Look(maps={"normal": png(bumpy(0.5))})).posed(rig.defaults, rig.rest_world())
    x, y = drawn.vertices[:, 0], drawn.vertices[:, 1]
    u = 1.0 - x if mirrored else x
    early = (u > 0.01) & (u < 0.45)
    sideways = np.array([-np.sin(0.5) if mirrored else np.sin(0.5), 0.0, np.cos(0.5)])
    assert ((0 <= y) & (y <= 1)).all()
    # A step of eight bits is 0.005.
    assert drawn.normals[early] == pytest.approx(np.tile(sideways, (early.sum(), 1)), abs=0.01)
    # A picture repeats: its very end is its beginning.
    later = (u > 0.55) & (u < 0.99)
    assert drawn.normals[later] == pytest.approx(np.tile([0.0, np.sin(0.5), np.cos(0.5)], (later.sum(), 1)), abs=0.01)


def test_maps_say_how_rough_metal_hollow_and_bright_a_place_is() -> None:
    told = np.zeros((2, 2, 3), np.uint8)
    told[..., 1], told[..., 2] = [[0, 255], [0, 255]], [[0, 0], [255, 255]]
    dark = np.full((2, 2, 3), 51, np.uint8)
    look = Look(metal=1.0, rough=1.0, emission=(2.0, 0.0, 0.0), shade=0.5, maps={
        "metal-rough": png(told), "occlusion": png(dark), "emission": png(np.full((2, 2, 3), 255, np.uint8)),
    })  # fmt: skip
    looks = painted(square(uvs=UVS), look).looks
    sharp, shine, shade, metal = looks[:, :4].T
    assert list(metal) == [0.0, 0.0, 1.0, 1.0]
    assert sharp == pytest.approx([160.0, 4.0, 4.0, 160.0])
    assert shine == pytest.approx([0.5, 0.03, 0.06, 1.0])
    assert shade == pytest.approx(0.6)
    assert looks[:, 4:] == pytest.approx(np.tile([2.0, 0.0, 0.0], (4, 1)))
    assert painted(square(uvs=UVS)).looks == pytest.approx(np.tile(shapes.PLAIN, (4, 1)))
