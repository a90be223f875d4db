"""Soft meshes: the page is told how far their vertices are off, of those that can be, and targets sit on them."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import Document, edits
from inbetweener.kinodynamics import ElasticPart, Looseness, SoftPoint, Spring, SpringyPart
from inbetweener.skinning import Mesh
from inbetweener.studio.gestures import target_hands
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, differences, page_of, place

FEATHER = ElasticPart("feather", "hand", Spring(2.0, 0.2), cells=6, modes=4)


def feathered() -> Document:
    """The arm with a feather that stands on its hand, and a block on its hips that is not soft."""
    half, heights = 0.02, np.linspace(0.0, 0.3, 7)
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    vertices = np.array([[x, y, z] for y in heights for x, z in square], np.float32)
    faces = [(0, 1, 2), (0, 2, 3), (24, 26, 25), (24, 27, 26)]
    for ring in range(6):
        for n in range(4):
            a, b = 4 * ring + n, 4 * ring + (n + 1) % 4
            faces += [(a, a + 4, b), (b, a + 4, b + 4)]
    block = Mesh.rigid("block", "hips", vertices, faces)
    document = replace(arm(), meshes=(block, Mesh.rigid("feather", "hand", vertices, faces)))
    return edits.set_looseness(document, "swing", Looseness(window=0.4, soft=(FEATHER,)))


page = page_of(feathered)


def check(page: PageForTests) -> None:
    page.settle()
    motion = page.session.editor.shown.shown_motion("swing")
    offsets = motion.offsets(motion.clip.frame_times)[1]
    (told,) = page.known.soft_vertices
    assert told["mesh"] == 1
    assert sorted(page.known.soft) == [(1, frame) for frame in range(25)]
    for (_, frame), off in page.known.soft.items():
        whole = np.zeros_like(offsets[frame])
        whole[told["vertices"]] = off
        assert np.array_equal(whole, offsets[frame])
    fresh = PageForTests(page.session)
    fresh.settle()
    assert differences(page.known, fresh.known) == []
    page.session.leave(fresh.page)


def test_every_frame_tells_how_far_soft_vertices_are_off(page: PageForTests) -> None:
    check(page)
    assert page.known.looseness["loose"]
    assert page.known.looseness["swinging"] == []
    assert max(np.abs(off).max() for off in page.known.soft.values()) > 0.005


def test_they_follow_edits_and_undo(page: PageForTests) -> None:
    page.settle()
    before = page.known.soft[1, 12].copy()
    page.begin("set-value", channel="elbow.rz", time=0.25)
    page.move(0.1)
    check(page)
    page.done("commit", gesture=1)
    assert not np.array_equal(page.known.soft[1, 12], before)
    page.done("set-springs", changes=[{"name": "elbow", "frequency": 3.0}])
    check(page)
    page.done("jump-to", step=0)
    check(page)
    assert np.array_equal(page.known.soft[1, 12], before)


def test_which_vertices_are_soft_is_told_when_it_changes_and_else_not(page: PageForTests) -> None:
    def tellings() -> int:
        return sum(message["type"] == "soft-vertices" for message in page.told)

    page.settle()
    assert tellings() == 1
    page.begin("set-value", channel="elbow.rz", time=0.25)
    for value in (0.1, 0.2, 0.3):
        page.move(value)
    page.done("commit", gesture=1)
    page.done("set-springs", changes=[{"name": "elbow", "frequency": 3.0}])
    page.done("add-pin", place=place("hips"))
    page.settle()
    assert tellings() == 1, "other springs and other keys leave it as it was"
    page.done("switch-looseness", on=False)
    page.done("switch-looseness", on=True)
    check(page)
    assert tellings() == 3


def test_switched_off_or_taken_away_they_are_told_no_more(page: PageForTests) -> None:
    page.done("switch-looseness", on=False)
    page.settle()
    assert page.known.soft_vertices == []
    assert page.known.soft == {}
    settings = page.known.looseness["settings"]
    assert settings["soft"][0]["kind"] == "elastic"
    page.done("loosen", settings={**settings, "soft": []})
    page.settle()
    assert not page.known.looseness["loose"]


def test_soft_parts_come_back_as_they_were_told(page: PageForTests) -> None:
    page.done("loosen", settings=page.known.looseness["settings"])
    assert page.known.history["labels"] == ["Open"]
    springy = {
        "kind": "springy",
        "mesh": "feather",
        "joint": "hand",
        "frequency": 4.0,
        "damping": 0.3,
        "frame": "world",
    }
    page.done("loosen", settings={"springs": [], "window": 0.4, "soft": [springy]})
    kept = page.session.editor.document.loosening("swing").looseness.soft
    assert kept == (SpringyPart("feather", "hand", Spring(4.0, 0.3), "world"),)
    check(page)


def test_the_step_says_what_was_done_to_them(page: PageForTests) -> None:
    settings = page.known.looseness["settings"]
    (feather,) = settings["soft"]
    springy = {"kind": "springy", "mesh": "feather", "joint": "hand"}
    steps = [
        ({"soft": [{**feather, "frequency": 3.0}]}, "Spring of soft hand"),
        ({"soft": [springy]}, "Make what hand carries springy"),
        ({"soft": []}, "Make what hand carries tight"),
        ({"soft": [feather]}, "Make what hand carries elastic"),
        ({"soft": [feather], "window": "auto"}, "Make windows auto"),
        ({"soft": [feather], "window": 0.25}, "Make windows 0.25 s long"),
        ({"soft": [], "window": 0.5}, "Loosen swing"),
    ]
    for changes, label in steps:
        page.done("loosen", settings={**settings, **changes})
        assert page.known.history["labels"][-1] == label


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"kind": "elastic", "mesh": "hat", "joint": "hand"}, "'hat'"),
        ({"kind": "elastic", "mesh": "feather", "joint": "tail"}, "'tail'"),
        ({"kind": "elastic", "mesh": "block", "joint": "hand"}, "carries nothing of mesh 'block'"),
        ({"kind": "elastic", "mesh": "feather", "joint": "hand", "frequency": 0.0}, "stiffness 0 Hz"),
        ({"kind": "elastic", "mesh": "feather", "joint": "hand", "held": 2.0}, "share that is held"),
        ({"kind": "springy", "mesh": "feather", "joint": "hand", "damping": -1.0}, "damping -1"),
    ],
)
def test_bad_parts_are_refused_in_a_line(page: PageForTests, part: dict, why: str) -> None:
    before = page.session.editor.document
    said = page.refused("loosen", settings={"springs": [], "window": 0.4, "soft": [part]})
    assert why in said
    assert page.session.editor.document is before


def test_a_target_sits_on_a_soft_vertex_and_is_hit(page: PageForTests) -> None:
    tip = {"mesh": "feather", "vertex": 25}
    target = {"kind": "point", "time": 0.5, "vertex": tip, "bell": {"before": 0.3, "after": 0.3}}
    assert page.done("add-target", target=target) == "feather vertex 25 target"
    page.settle()
    (missed,) = page.known.loose_state["targets"]
    motion = page.session.editor.document.shown_motion("swing")
    at = motion.soft_states([0.5], SoftPoint("feather", 25))[0][0]
    assert missed["position"] == pytest.approx(at.tolist())
    assert missed["distance"] > 1e-3
    assert page.known.looseness["targets"][0]["target"]["vertex"] == tip
    page.done("solve-targets")
    page.settle()
    assert page.known.loose_state["targets"][0]["distance"] < 0.1 * missed["distance"]
    wish = np.array(page.known.loose_state["targets"][0]["wish"])
    page.begin("drag-target", target="feather vertex 25 target")
    answer = page.move(*(wish - [0.02, 0.0, 0.0]))
    assert answer["position"] is not None
    page.done("commit", gesture=1)
    page.settle()
    assert page.known.loose_state["targets"][0]["wish"] == pytest.approx((wish - [0.02, 0.0, 0.0]).tolist())


def test_moves_go_on_from_one_another_where_one_alone_is_too_much_work(
    page: PageForTests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One step a move, and what the last one found is where the next begins: soft parts included."""
    monkeypatch.setattr(target_hands, "UNDER_HAND", 0)
    tip = {"mesh": "feather", "vertex": 25}
    bell = {"before": 0.3, "after": 0.3}
    page.done("add-target", target={"kind": "point", "time": 0.5, "vertex": tip, "bell": bell})
    page.settle()
    at = np.array(page.known.loose_state["targets"][0]["position"])
    page.begin("drag-target", target="feather vertex 25 target")
    missed = [page.move(*np.add(at, [-0.04, 0.02 + 1e-5 * n, 0.0]))["distance"] for n in range(6)]
    assert 0.0 < missed[-1] < 0.02 * missed[0]
    page.done("commit", gesture=1)
    page.settle()
    assert page.known.loose_state["targets"][0]["distance"] < 1e-5
