"""The way of a clip: along a line, in place and on again; feet and places by plain numpy on joints' positions."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidEdit
from inbetweener.motion.way import Line, slow
from tests.retarget.people import STANCE, person, walking


def places(document: Document, joint: str, times: np.ndarray) -> np.ndarray:
    return document.motion().joint_positions(times)[:, document.rig.joint_index(joint)]


def slides(document: Document) -> float:
    """How far any toe is from the mean of its places while it stands, frame for frame and in between."""
    worst = 0.0
    for side, phase in (("l", 0.0), ("r", 0.5)):
        for n in range(4):
            start, end = max(n - phase, 0.0), min(n - phase + STANCE, document.clip().end)
            if end - start > 0.2:
                at = places(document, f"toe_{side}", np.linspace(start + 0.05, end - 0.05, 40))
                worst = max(worst, float(np.linalg.norm(at - at.mean(axis=0), axis=1).max()))
    return worst


def test_the_walker_walks() -> None:
    walker = walking()
    assert slides(walker) < 3e-3
    assert slides(walking(in_place=True)) > 0.2


def test_a_walk_goes_around_a_corner_with_its_feet_on_the_ground() -> None:
    walker = walking()
    result = edits.bend_path(walker, [(0.0, 0.0), (0.0, 1.5), (3.0, 1.5)])
    bent = result.document
    assert slides(edits.bend_path(walker, [(0.0, 0.0), (0.0, 1.5), (3.0, 1.5)], hold=False).document) > 0.01
    assert slides(bent) < 3e-3
    assert result.slides[1] < 5e-3, "with the frames on which a foot lands"
    assert not result.problem
    times = np.linspace(0.0, 3.0, 91)
    hips = places(bent, "hips", times)
    assert np.abs(hips[0, [0, 2]]).max() < 0.03
    assert np.abs(hips[-1, [0, 2]] - [3.0 - 1.5, 1.5]).max() < 0.2, "as far as it went, with the corner cut"
    # It keeps to the line but for the rounded corner, and faces along it.
    gap = np.minimum(np.hypot(hips[:, 0], np.minimum(hips[:, 2] - 0.0, 0.0)), np.abs(hips[:, 2] - 1.5))
    assert gap.max() < 0.3
    across = places(bent, "thigh_l", times) - places(bent, "thigh_r", times)
    heading = np.degrees(np.arctan2(-across[:, 2], across[:, 0]))
    assert abs(heading[0]) < 3
    assert abs(heading[-1] - 90.0) < 8
    assert np.abs(np.diff(heading)).max() < 8, "no pop"
    assert np.abs(hips[:, 1] - places(walker, "hips", times)[:, 1]).max() < 0.03


def test_two_points_turn_the_whole_way_and_change_nothing_else() -> None:
    walker = walking()
    turned = edits.bend_path(walker, [(1.0, 2.0), (0.0, 2.0)], hold=False).document
    times = np.linspace(0.0, 3.0, 61)
    for joint in ("hips", "toe_l", "hand_r", "head"):
        was, now = places(walker, joint, times), places(turned, joint, times)
        expected = np.stack([1.0 - was[:, 2], was[:, 1], 2.0 + was[:, 0]], axis=1)
        assert np.abs(now - expected).max() < 2e-3


def test_in_place_and_on_again() -> None:
    walker = walking()
    still = edits.travel(walker, in_place=True)
    times = np.linspace(0.0, 3.0, 61)
    hips = places(still.document, "hips", times)
    assert np.abs(hips[:, [0, 2]] - hips[0, [0, 2]]).max() < 0.02
    for document in (still.document, walking(in_place=True)):
        result = edits.travel(document)
        again = places(result.document, "hips", times)
        assert np.abs(again - places(walker, "hips", times) - [0.0, 0.0, again[0, 2]]).max() < 0.12
        assert abs(again[-1, 2] - again[0, 2] - 3.0) < 0.1
        assert slides(result.document) < 3e-3
        assert result.contacts > 3


def test_handles_go_along() -> None:
    given = edits.give_handles(walking()).document
    bent = edits.bend_path(given, [(0.0, 0.0), (0.0, 1.5), (3.0, 1.5)], hold=False).document
    bare = edits.bend_path(walking(), [(0.0, 0.0), (0.0, 1.5), (3.0, 1.5)], hold=False).document
    times = np.linspace(0.0, 3.0, 91)
    for joint in ("hips", "toe_l", "hand_r"):
        assert np.abs(places(bent, joint, times) - places(bare, joint, times)).max() < 5e-3


def test_lines_are_as_long_as_they_are_and_go_straight_on() -> None:
    line = Line.through(np.array([[0.0, 0.0], [0.0, 2.0]]), 0.1)
    assert line is not None
    assert line.length == pytest.approx(2.0, abs=1e-3)
    at, headings = line.at(np.array([-1.0, 0.5, 3.0]))
    np.testing.assert_allclose(at, [[0, -1], [0, 0.5], [0, 3]], atol=2e-3)
    np.testing.assert_allclose(headings, 0.0, atol=1e-9)
    round_line = Line.through(np.stack([np.sin(np.linspace(0, 2, 40)), np.cos(np.linspace(0, 2, 40))], axis=1), 0.05)
    assert round_line is not None
    assert round_line.length == pytest.approx(2.0, rel=0.01)
    assert Line.through(np.zeros((3, 2)), 0.1) is None
    ramp = np.linspace(0.0, 1.0, 600)
    np.testing.assert_allclose(slow(ramp, ramp[:, None], 0.02)[100:-100, 0], ramp[100:-100], atol=1e-7)


def test_what_cannot_be_is_said() -> None:
    walker = walking()
    with pytest.raises(InvalidEdit, match="2 to 10000 points"):
        edits.bend_path(walker, [(0.0, 1.0)])
    with pytest.raises(InvalidEdit, match="each a number"):
        edits.bend_path(walker, [(0.0, 1.0), (float("nan"), 0.0)])
    with pytest.raises(InvalidEdit, match="x and z"):
        edits.bend_path(walker, [(0.0, 1.0, 2.0), (1.0, 1.0, 2.0)])
    with pytest.raises(InvalidEdit, match="in one place"):
        edits.bend_path(walker, [(0.0, 1.0), (0.0, 1.0)])
    with pytest.raises(InvalidEdit, match="goes nowhere"):
        edits.bend_path(walking(in_place=True), [(0.0, 0.0), (1.0, 0.0)])
    with pytest.raises(InvalidEdit, match="too few"):
        edits.travel(edits.set_clip_range(walker, "walk", 0.0, 0.02))
    with pytest.raises(InvalidEdit, match="cannot give or take motion"):
        edits.travel(ib.example("talking-face"))
    assert person("nobody").clips == ()
