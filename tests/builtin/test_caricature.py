"""The drawn leap: feet that stand, an arm that winds up twice, and skin that stays whole."""

import math

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.builtin.scenes.caricature import DRAWINGS, END, START
from inbetweener.document import Document
from inbetweener.skinning import Skin


@pytest.fixture(scope="module")
def leap() -> Document:
    return example("caricature")


def test_every_drawing_is_a_bend_of_its_own(leap: Document) -> None:
    assert len(leap.rig.bends) == len(DRAWINGS) >= 5
    for bend, frame in zip(leap.rig.bends, DRAWINGS, strict=True):
        curve = leap.clip().curves[bend.channel]
        assert curve.values.tolist() == [0.0, 1.0, 0.0]
        assert curve.times[1] == pytest.approx(frame / 24)


@pytest.mark.parametrize(("first", "last", "x"), [(0, 9, START), (36, 58, END)])
def test_feet_stay_where_they_stand(leap: Document, first: int, last: int, x: float) -> None:
    """On drawn frames exactly; between them hoses swing by a shoe's sole at most."""
    places = [leap.rig.point(name) for name in ("foot_l", "foot_r")]
    frames = np.arange(first, last + 1)
    found = leap.motion().point_positions(frames / 24, places)
    stands = np.array([[x + 0.088, 0.075, 0.0], [x - 0.088, 0.075, 0.0]])
    assert np.linalg.norm(found - stands, axis=2).max() < 0.05
    drawn = np.isin(frames, [*DRAWINGS, 0, 58])
    np.testing.assert_allclose(found[drawn], np.broadcast_to(stands, found[drawn].shape), atol=1e-9)


def test_the_arm_winds_up_by_two_turns(leap: Document) -> None:
    wound = next(bend for bend in leap.rig.bends if bend.name == "drawing 24")
    about = sum(wound.screws[bone][:, 0].sum() for bone in ("upper_arm_r", "forearm_r"))
    assert abs(about) == pytest.approx(4 * math.pi, rel=0.02)


def test_the_skin_stays_whole(leap: Document) -> None:
    """No edge is drawn out to a tear: neighbours in the mesh stay neighbours in every frame."""
    mesh = leap.meshes[0]
    poses = leap.motion().channels(np.arange(0, 59, 3) / 24)
    skin = Skin(mesh, leap.rig, leap.blending, poses=poses)
    edges = np.unique(np.sort(mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    longest = 0.0
    for pose in poses:
        vertices = skin.vertices(pose)
        longest = max(longest, float(np.linalg.norm(np.diff(vertices[edges], axis=1), axis=2).max()))
    assert longest < 0.12, "metres; the longest edge at rest has 4 cm"
