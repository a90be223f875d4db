"""How the skin is blended belongs to the document: an edit sets it, and clearance measures what is seen."""

from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.builtin.characters.bar import LENGTH, bar
from inbetweener.curves import Curve
from inbetweener.document import Document, Editor, Prop
from inbetweener.document.clearance import Clearance
from inbetweener.document.edits import skin
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Bend, bend_channel
from inbetweener.skinning import BLENDINGS, Blending, Skin

TIMES = np.array([0.0, 0.4, 1.0])
CENTRE, RADIUS = np.array([0.0, 0.42, 0.0]), 0.05


def twisted_bar(blending: Blending, *, sketched: bool = False) -> Document:
    """A bar that twists by more than half a turn and bends, over a ball."""
    document = bar(2, 0.5)
    curves = {"bar_2.rx": Curve.sampled([0.0, 1.0], [0.0, 4.0]), "bar_2.rz": Curve.sampled([0.0, 1.0], [0.0, 1.2])}
    rig = document.rig
    if sketched:
        screws = np.tile([0.0, 0.1, 0.1, 0.0, 0.0, 0.0], (10, 1))
        rig = replace(
            rig,
            channels=(*rig.channels, bend_channel("s")),
            bends=(Bend("s", "s", {"bar_1": screws, "bar_2": screws}),),
        )
        curves["s"] = Curve.sampled([0.0, 1.0], [0.0, 1.0])
    ball = Prop("ball", Sphere(RADIUS), Transform(tuple(CENTRE.tolist())), role="obstacle")
    return replace(
        document, rig=rig, props=(ball,), clips=(Clip("twist", 1.0, curves=Curves(curves)),), blending=blending
    )


def test_an_edit_sets_it_and_undo_takes_it_back() -> None:
    editor = Editor(bar())
    editor.apply("blend by differentials", lambda document: skin(document, "differential").document)
    assert editor.document.blending == "differential"
    editor.undo()
    assert editor.document.blending == "linear"


def test_the_same_way_again_is_the_same_document() -> None:
    document = bar()
    assert skin(document, "linear").document is document


def test_an_unknown_way_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="differential"):
        skin(bar(), "differentail")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((0.0, 0.0), "vertex 7 has no weights; bind it anew"),
        ((0.5, 0.2), "weights of vertex 7 sum to 0.7, not 1; bind it anew"),
    ],
)
def test_weights_that_make_no_whole_are_refused(weights: tuple[float, float], message: str) -> None:
    document = bar()
    changed = document.meshes[0].weights.copy()
    changed[7] = weights
    broken = replace(document, meshes=(replace(document.meshes[0], weights=changed),))
    with pytest.raises(InvalidDocument, match=message):
        skin(broken, "differential")


@pytest.mark.parametrize("sketched", [False, True])
@pytest.mark.parametrize("blending", BLENDINGS)
def test_clearance_is_that_of_the_skin_as_it_is_blended(blending: Blending, sketched: bool) -> None:
    document = twisted_bar(blending, sketched=sketched)
    channels = document.motion().channels(TIMES)
    skin = Skin(document.meshes[0], document.rig, blending, poses=channels)
    expected = [np.linalg.norm(skin.vertices(pose) - CENTRE, axis=1).min() - RADIUS for pose in channels]
    found = Clearance(document).measure(document.motion(), TIMES)[:, 0]
    assert found == pytest.approx(expected, abs=1e-5)
    assert LENGTH > expected[0] > 0


def test_clearance_tells_ways_of_blending_apart() -> None:
    found = {
        blending: Clearance(document).measure(document.motion(), TIMES)[-1, 0]
        for blending in ("linear", "differential")
        for document in [twisted_bar(blending)]  # type: ignore[arg-type]
    }
    assert abs(found["linear"] - found["differential"]) > 1e-3


def test_fewer_vertices_only_find_more_room() -> None:
    document = twisted_bar("differential")
    every = Clearance(document).measure(document.motion(), TIMES)
    few = Clearance(document, vertices=300)
    assert few.vertex_count == 300
    thinned = few.measure(document.motion(), TIMES)
    assert (thinned >= every - 1e-9).all()
    assert (thinned < every + 0.05).all()


def test_the_way_of_blending_is_saved(tmp_path: object) -> None:
    path = f"{tmp_path}/bar.tween"
    ib.save(skin(bar(), "screw").document, path)
    assert ib.load(path).blending == "screw"
