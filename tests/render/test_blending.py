"""Pictures show the skin as the document blends it, bent bones included."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin.characters.bar import bar
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Clip, Curves
from inbetweener.render import render_comparison, render_frame
from inbetweener.render.body import Body, bent_bones
from inbetweener.render.movie import captioned
from inbetweener.rig import Bend, bend_channel
from inbetweener.skinning import BLENDINGS, Blending, Skin

SIZE = (160, 120)


@pytest.fixture(scope="module")
def twisting() -> Document:
    """A bar that twists by a whole turn, and is bent by a sketch."""
    document = bar(2, 0.5)
    screws = np.tile([0.0, 0.0, 0.1, 0.0, 0.0, 0.0], (10, 1))
    rig = replace(
        document.rig,
        channels=(*document.rig.channels, bend_channel("s")),
        bends=(Bend("s", "s", {"bar_2": screws}),),
    )
    curves = {"bar_2.rx": Curve.sampled([0.0, 1.0], [0.0, 6.0]), "s": Curve.sampled([0.0, 1.0], [0.0, 1.0])}
    return replace(document, rig=rig, clips=(Clip("twist", 1.0, curves=Curves(curves)),))


@pytest.mark.parametrize("blending", BLENDINGS)
def test_the_body_wears_the_documents_skin(twisting: Document, blending: Blending) -> None:
    document = replace(twisting, blending=blending)
    clip = document.clip()
    channels = document.motion().channels(clip.frame_times)
    expected = Skin(document.meshes[0], document.rig, blending, poses=channels).vertices(channels[12])
    body = Body(document, clip)
    drawn = body.skin(body.pose(0.5))
    np.testing.assert_allclose(drawn.vertices, expected, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(drawn.normals, axis=1), 1.0, atol=1e-5)


def test_another_way_of_blending_is_another_picture(twisting: Document) -> None:
    shown = [
        render_frame(replace(twisting, blending=blending), 0.6, size=SIZE, backend="software")
        for blending in ("linear", "differential")
    ]
    assert (np.abs(shown[0].astype(int) - shown[1]).max(axis=-1) > 20).sum() > 30


def test_a_comparison_is_a_row_of_the_same_view(twisting: Document) -> None:
    ways: dict[str, Blending] = {"one": "differential", "two": "differential"}
    row = render_comparison(twisting, 0.6, ways, size=SIZE, backend="software")
    assert row.shape == (SIZE[1], 2 * SIZE[0], 3)
    # Below the captions the two are alike to the last bit.
    assert (row[40:, : SIZE[0]] == row[40:, SIZE[0] :]).all()
    assert (row[:40, : SIZE[0]] != row[:40, SIZE[0] :]).any()


def test_a_comparison_of_nothing_is_refused(twisting: Document) -> None:
    with pytest.raises(InvalidDocument, match="one way of blending at least"):
        render_comparison(twisting, 0.0, {})


def test_captions_are_written_in_the_corner() -> None:
    picture = captioned(np.zeros((200, 300, 3), np.uint8), "DB")
    assert picture[:40, :80].max() > 150
    assert picture[60:].max() == 0


def test_the_skeleton_of_a_bent_bone_is_bent(twisting: Document) -> None:
    body = Body(twisting, twisting.clip())
    pose = body.pose(1.0)
    places = bent_bones(twisting.rig, pose.channels, pose.world_from_joint)
    joint = twisting.rig.joint_index("bar_2")
    assert list(places) == [joint]
    assert places[joint].shape == (11, 3)
    tip, _ = body.motion.states([1.0], twisting.rig.point("end"))
    np.testing.assert_allclose(places[joint][0], pose.origins[joint], atol=1e-12)
    np.testing.assert_allclose(places[joint][-1], tip[0], atol=1e-9)
    straight = Body(replace(twisting, rig=twisting.rig.keyed), twisting.clip())
    assert len(body.bones(pose)) > len(straight.bones(straight.pose(1.0)))
