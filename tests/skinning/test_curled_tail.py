"""[DB] Figs. 9, 10 and 15 on a body: a fox with soft weights, its tail curled and wound up by more than a turn."""

import numpy as np
import pytest

from benchmarks.bars import METHODS, Tear
from benchmarks.gestures import curled_tail
from benchmarks.gestures.curled_tail import CURLED, WOUND
from inbetweener.document import Document
from inbetweener.skinning import Skin

Skins = dict[str, Skin]


@pytest.fixture(scope="module")
def document() -> Document:
    return curled_tail.drawn()


@pytest.fixture(scope="module")
def skins(document: Document) -> Skins:
    return {letters: curled_tail.skinned(document, way) for letters, way in METHODS.items()}


def seen(document: Document, skin: Skin, frame: int) -> np.ndarray:
    return skin.vertices(curled_tail.posed(document, frame)).astype(np.float64)


@pytest.mark.parametrize(("frame", "most"), [(CURLED, 3.0), pytest.param(WOUND, 5.0, marks=pytest.mark.thorough)])
def test_shortest_paths_tear_a_tail_that_differentials_keep_whole(
    document: Document, skins: Skins, frame: int, most: float
) -> None:
    stretch = {way: Tear.of(skin.mesh, seen(document, skin, frame)).stretch for way, skin in skins.items()}
    assert stretch["DB"] < most
    assert min(stretch["LB"], stretch["SB"]) > 3.5 * stretch["DB"]


def test_linear_blending_wrings_the_tail_to_a_thread(document: Document, skins: Skins) -> None:
    mesh = skins["DB"].mesh
    volume, smallest = (
        {way: measured(mesh, seen(document, skins[way], WOUND)) for way in ("LBS", "DB")}
        for measured in (curled_tail.kept, curled_tail.smallest)
    )
    assert volume["LBS"] < 0.85
    assert 0.98 < volume["DB"] < 1.02
    assert smallest["LBS"] < 0.02
    assert smallest["DB"] > 0.1


def test_the_curl_is_dialled_in_without_a_jump(document: Document, skins: Skins) -> None:
    """Fig. 9: past half a turn, shortest paths change sides."""
    assert curled_tail.jump(skins["LB"], document, dials=3) > 0.05
    assert curled_tail.jump(skins["DB"], document, dials=3) < 0.001


def test_where_shortest_paths_are_smooth_differentials_are_near(document: Document, skins: Skins) -> None:
    """Fig. 15: half the curl."""
    for way in ("LB", "SB"):
        assert curled_tail.apart(document, skins["DB"], skins[way]) < 0.012
