"""The face at rest, and what each of its shapes moves."""

from functools import lru_cache

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.builtin.characters.face import EYE, EYE_RADIUS, MOUTH, MOUTH_HALF, SHAPES, face
from inbetweener.document import Document
from inbetweener.document.validation import problems
from inbetweener.maths import transforms
from inbetweener.skinning import Skin

the_face = lru_cache(face)


def posed(document: Document, **weights: float) -> Floats:
    """The skin's vertices (V, 3) in the head's frame, with some channels set."""
    rig = document.rig
    channels = rig.defaults.copy()
    for name, value in weights.items():
        channels[rig.channel_index(name.replace("__", "."))] = value
    world = rig.world_from_joint(channels[None])[0]
    head_from_world = transforms.inverse(world[rig.joint_index("head")])
    return transforms.apply(head_from_world, Skin(document.meshes[0], rig).vertices(channels, world))


def from_eye(vertices: Floats, sign: float) -> Floats:
    return np.linalg.norm(vertices - [sign * EYE[0], EYE[1], EYE[2]], axis=1)


def socket(rest: Floats, sign: float) -> np.ndarray:
    """The skin that at rest lies inside an eyeball, towards the front."""
    return (from_eye(rest, sign) < EYE_RADIUS) & (rest[:, 2] > EYE[2])


def lips(document: Document) -> tuple[int, int]:
    """Of the vertices within 5 mm of the line of the closed mouth, the two that part most when it opens."""
    rest, wide = posed(document), posed(document, open=1.0)
    near = (np.abs(rest[:, 0]) < 0.008) & (np.abs(rest[:, 1] - MOUTH[1]) < 0.0025) & (rest[:, 2] > 0.1)
    rise = np.where(near, wide[:, 1], np.nan)
    return int(np.nanargmax(rise)), int(np.nanargmin(rise))


def test_face_is_sound_and_one_skin_carries_all_shapes() -> None:
    document = the_face()
    assert problems(document) == []
    mesh = document.meshes[0]
    assert 1_200 <= len(mesh.vertices) <= 4_200
    assert tuple(shape.name for shape in mesh.shapes) == SHAPES
    for shape in mesh.shapes:
        channel = document.rig.channel(shape.channel)
        assert (channel.kind, channel.lower, channel.upper) == ("shape", 0.0, 1.0)
        assert 0.008 < float(np.linalg.norm(shape.offsets, axis=1).max()) < 0.06
    assert abs(float(mesh.vertices[:, 1].min())) < 0.01
    assert mesh.joints == ("bust", "neck", "head", "jaw")
    owned = [((mesh.influences == n) & (mesh.weights > 0.9)).any(axis=1).sum() for n in range(4)]
    assert min(owned) > 50, "every joint has skin of its own"


@pytest.mark.parametrize(("name", "sign"), [("blink_l", 1.0), ("blink_r", -1.0)])
def test_a_lid_covers_its_eye_from_above_and_leaves_the_other_alone(name: str, sign: float) -> None:
    document = the_face()
    rest = posed(document)
    inside = socket(rest, sign)
    assert inside.sum() > 20
    closed = posed(document, **{name: 1.0})
    assert (
        from_eye(closed, sign)[inside & (np.abs(rest[:, 1] - EYE[1]) < 0.8 * EYE_RADIUS)] > EYE_RADIUS
    ).mean() > 0.97
    half = posed(document, **{name: 0.6})
    out = from_eye(half, sign) > EYE_RADIUS
    upper = inside & (half[:, 1] > EYE[1] + 0.3 * EYE_RADIUS)
    lower = inside & (half[:, 1] < EYE[1] - 0.3 * EYE_RADIUS)
    assert out[upper].mean() > 0.9
    assert out[lower].mean() < 0.3
    other = from_eye(rest, -sign) < 1.5 * EYE_RADIUS
    assert np.array_equal(closed[other], rest[other])


def test_lips_that_meet_at_rest_part_when_open() -> None:
    document = the_face()
    top, bottom = lips(document)
    rest, wide = posed(document), posed(document, open=1.0)
    assert wide[top, 1] - wide[bottom, 1] > 1.5 * MOUTH_HALF[1]
    jaw = posed(document, jaw__rx=np.deg2rad(12))
    assert rest[bottom, 1] - jaw[bottom, 1] > 0.01
    assert abs(rest[top, 1] - jaw[top, 1]) < 0.004


@pytest.mark.parametrize(
    ("name", "axis", "least"),
    [("smile", 1, 0.008), ("frown", 1, -0.008), ("wide", 0, 0.006), ("ooh", 0, -0.004)],
)
def test_corners_of_the_mouth_go_where_the_shape_says(name: str, axis: int, least: float) -> None:
    document = the_face()
    rest = posed(document)
    moved = posed(document, **{name: 1.0}) - rest
    for sign in (1.0, -1.0):
        at = np.array([sign * MOUTH_HALF[0], MOUTH[1] + 0.004])
        corner = np.argmin(np.linalg.norm(rest[:, :2] - at, axis=1) + 10 * (rest[:, 2] < 0.07))
        outwards = moved[corner] * [sign, 1.0, 1.0]
        assert outwards[axis] * np.sign(least) > abs(least)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_local_to_the_front_of_the_face(name: str) -> None:
    document = the_face()
    rest, moved = posed(document), posed(document, **{name: 1.0})
    away = (rest[:, 2] < -0.01) | (rest[:, 1] < -0.14)
    assert away.sum() > 500
    assert np.array_equal(moved[away], rest[away])
