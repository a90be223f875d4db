"""Any camera: planes there and back, perspective, and rigs turned together with the eye."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.errors import UnknownName
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import Transform
from inbetweener.posing.sketch import OutOfView, ViewPlane, sketch
from inbetweener.rig import Rig
from tests.posing.sketch.drawn import LENGTH, arc, bent_by, chain, clothoid, positions, tree

BONES = ("bone_1", "bone_2", "bone_3", "bone_4")
TREE = ("trunk_1", "trunk_2", "trunk_3", "left", "right")
angles = st.floats(-3.0, 3.0)


@given(angles, st.floats(-1.4, 1.4), st.floats(0.5, 20.0), st.booleans())
def test_what_is_projected_can_be_lifted_again(
    azimuth: float, elevation: float, away: float, perspective: bool
) -> None:
    target = np.array([0.2, 1.0, -0.3])
    back = np.array(
        [math.cos(elevation) * math.sin(azimuth), math.sin(elevation), math.cos(elevation) * math.cos(azimuth)]
    )
    view = ViewPlane.looking(target + away * back, target, perspective=perspective)
    np.testing.assert_allclose(view.backward, back, atol=1e-12)
    np.testing.assert_allclose([view.right @ view.up, view.right @ back, view.up @ back], 0.0, atol=1e-12)
    points = target + np.random.default_rng(3).uniform(-0.2, 0.2, (20, 3))
    flat, depth = view.project(points)
    np.testing.assert_allclose(view.lift(flat, depth), points, atol=1e-12)
    # A ray from the eye through a point meets the plane where the point is seen.
    if perspective:
        eye = target + away * back
        at = view.lift(flat, np.zeros(20))
        np.testing.assert_allclose(np.cross(at - eye, points - eye), 0.0, atol=1e-9)


def test_named_views_have_the_sides_people_expect() -> None:
    for name, right, up in (
        ("front", (1, 0, 0), (0, 1, 0)),
        ("side", (0, 0, -1), (0, 1, 0)),
        ("top", (1, 0, 0), (0, 0, -1)),
    ):
        view = ViewPlane.named(name)
        np.testing.assert_array_equal(view.project(np.array([right, up], float))[0], np.eye(2))
    with pytest.raises(UnknownName, match="did you mean front"):
        ViewPlane.named("frint")


def test_bodies_behind_the_camera_cannot_be_sketched() -> None:
    view = ViewPlane.looking((0, 1, 3), (0, 1, 0))
    with pytest.raises(OutOfView, match="behind the camera"):
        view.project([[0.0, 1.0, 3.5]])
    with pytest.raises(OutOfView, match="its own eye"):
        ViewPlane.looking((0, 1, 3), (0, 1, 3))


@given(st.tuples(angles, angles, angles), st.sampled_from(["direct", "line-of-action"]), st.booleans())
def test_a_rig_turned_together_with_the_camera_is_sketched_the_same(
    turn: tuple[float, float, float], mode: str, perspective: bool
) -> None:
    rig = chain(on_body=False) if mode == "direct" else tree()
    bones = BONES if mode == "direct" else TREE
    start = (0.05, 1.1) if mode == "direct" else (0.05, 0.1)
    heading = 0.4 if mode == "direct" else 1.3
    view = ViewPlane(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), 4.0 if perspective else math.inf)
    stroke = clothoid(start, heading, 1.1, 3.0, -1.0)
    still = sketch(rig, rig.defaults, bones, stroke, view, mode=mode)
    q = np.array(quaternions.from_axis_angle(np.array([1.0, 0, 0]), turn[0]))
    for axis, angle in ((np.array([0, 1.0, 0]), turn[1]), (np.array([0, 0, 1.0]), turn[2])):
        q = quaternions.product(quaternions.from_axis_angle(axis, angle), q)
    rotation = quaternions.to_matrix(q)
    turned_view = ViewPlane(view.origin, rotation @ view.right, rotation @ view.up, view.distance)
    turned = sketch(_turned(rig, q), _turned(rig, q).defaults, bones, stroke, turned_view, mode=mode)
    for bone in bones:
        np.testing.assert_allclose(turned.screws[bone], still.screws[bone], atol=1e-9)


@pytest.mark.parametrize("distance", [1.5, 3.0, 50.0])
def test_in_perspective_the_chain_is_seen_on_the_stroke_and_keeps_its_length(distance: float) -> None:
    rig = chain()
    keyed = rig.defaults.copy()
    keyed[rig.channel_index("bone_2.ry")] = 0.5
    keyed[rig.channel_index("bone_3.ry")] = -1.1
    view = ViewPlane.looking((0.4, 1.3, distance), (0.4, 1.0, 0.0))
    start = view.project(np.array([[0.0, 1.0, 0.0]]))[0][0]
    stroke = arc(tuple(start), 0.2, 1.5, 1.4)
    made = sketch(rig, keyed, BONES, stroke, view)
    bent, pose = bent_by(rig, made, keyed)
    before, after = positions(rig, keyed, *BONES), positions(bent, pose, *BONES)
    flat, depth = view.project(after)
    drawn = stroke.positions(np.linspace(0.0, 1.5, 20001))
    assert np.linalg.norm(flat[:, None] - drawn[::10], axis=2).min(axis=1).max() < 1e-3
    np.testing.assert_allclose(depth, view.project(before)[1], atol=1e-9)
    # Steps are chords of gentle arcs: shorter than these by less than a part in a thousand.
    steps = np.linalg.norm(np.diff(after, axis=0), axis=1).sum()
    assert steps == pytest.approx(4 * LENGTH, rel=1e-3)
    assert made.length_ratio == pytest.approx(1.0, abs=1e-9)


def _turned(rig: Rig, q: np.ndarray) -> Rig:
    """The rig with its root turned about the world's origin."""
    root = rig.joints[0]
    at = quaternions.to_matrix(q) @ np.array(root.rest.translation)
    turned = quaternions.product(q, np.array(root.rest.rotation))
    rest = Transform(tuple(float(v) for v in at), tuple(float(v) for v in turned))
    channels = tuple(
        replace(each, default=rest.translation["xyz".index(each.name[-1])])
        if each.name in {f"{root.name}.t{axis}" for axis in "xyz"}
        else each
        for each in rig.channels
    )
    return replace(rig, joints=(replace(root, rest=rest), *rig.joints[1:]), channels=channels)
