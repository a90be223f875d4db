"""Obstacles: roughly while it moves, exactly at rest, and silence where there are none."""

from dataclasses import replace
from threading import Event

import numpy as np

import inbetweener as ib
from inbetweener.document import Editor, edits
from inbetweener.document.clearance import Clearance
from tests.studio.documents import arm
from tests.studio.pages import PATIENCE, PageForTests, page_of, place, session_of

page = page_of(lambda: ib.example("flying-robot"))


def settle(page: PageForTests) -> None:
    """Wait until all has been measured and told."""
    for worker in (page.session.worker, page.session.obstacles.measurer, page.session.worker):
        reached = Event()
        worker.at_leisure("settle", reached.set)
        assert reached.wait(PATIENCE)


def measured(document, vertices: int | None) -> list[dict]:
    clearance, motion = Clearance(document, vertices=vertices), document.motion()
    distances = clearance.measure(motion, motion.clip.frame_times)
    return [
        {"name": name, "clearance": float(column.min()), "frames": np.flatnonzero(column < 0).tolist()}
        for name, column in zip(clearance.names, distances.T, strict=True)
    ]


def test_a_page_that_joins_is_told_exactly(page: PageForTests) -> None:
    settle(page)
    assert page.known.obstacles == {
        "type": "obstacles",
        "exact": True,
        "items": measured(page.session.editor.document, None),
    }
    assert len(page.known.obstacles["items"]) == 3


def test_while_dragging_few_vertices_then_all(page: PageForTests) -> None:
    start = page.session.editor.document.motion().states([1.5], page.session.editor.document.rig.point("body"))[0][0]
    page.begin("drag-arc", place=place("body"), time=1.5)
    page.move(*(start + np.array([0.0, -0.3, 0.0])))
    settle(page)
    assert page.known.obstacles["exact"] is False
    assert page.known.obstacles["items"] == measured(page.session.editor.shown, 1000)
    page.done("commit", gesture=1)
    settle(page)
    assert page.known.obstacles["exact"] is True
    assert page.known.obstacles["items"] == measured(page.session.editor.document, None)
    page.done("undo")
    settle(page)
    assert page.known.obstacles["items"] == measured(ib.example("flying-robot"), None)


def test_nothing_is_told_without_obstacles_but_that_they_are_gone(page: PageForTests) -> None:
    settle(page)
    page.session.worker.submit(lambda: page.session.open(Editor(arm())))
    settle(page)
    assert page.known.obstacles == {"type": "obstacles", "exact": True, "items": []}
    told = sum(message["type"] == "obstacles" for message in page.told)
    page.done("rename-document", name="pole")
    settle(page)
    assert sum(message["type"] == "obstacles" for message in page.told) == told
    fresh = PageForTests(page.session)
    settle(fresh)
    assert fresh.known.obstacles is None


def test_the_same_answer_is_not_told_twice(page: PageForTests) -> None:
    settle(page)
    told = sum(message["type"] == "obstacles" for message in page.told)
    page.done("rename-document", name="again")
    settle(page)
    assert sum(message["type"] == "obstacles" for message in page.told) == told


def test_a_document_without_a_skin_hits_nothing() -> None:
    bare = replace(ib.example("flying-robot"), meshes=())
    session = session_of(bare)
    page = PageForTests(session)
    settle(page)
    assert page.known.obstacles["items"] == []
    session.stop()


def test_a_body_half_under_the_ground_is_not_clear() -> None:
    document = ib.example("flying-robot")
    clip, height = document.clip(), next(each for each in document.rig.channels if each.name.endswith(".ty"))
    sunk = clip.curves[height.name]
    document = edits.set_curves(document, clip.name, {height.name: replace(sunk, values=sunk.values - 2.0)})
    session = session_of(document)
    page = PageForTests(session)
    settle(page)
    (ground,) = (each for each in page.known.obstacles["items"] if each["name"] == "the ground")
    lowest = min(document.motion().joint_positions(clip.frame_times)[..., 1].min(axis=1))
    assert ground["clearance"] < min(-0.1, lowest + 0.02)
    assert len(ground["frames"]) > 0
    session.stop()
