"""One hand at a time, the newest position, and pages that fall behind or leave."""

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.rig import Point
from inbetweener.tangents import Pin
from tests.studio.documents import arm
from tests.studio.gestures.hands import position
from tests.studio.pages import PATIENCE, PageForTests, page_of, place, session_of

START = position(arm(), "hand", 0.4)


page = page_of(arm)


def test_only_the_newest_of_waiting_moves_is_answered_and_committed(page: PageForTests) -> None:
    page.begin("drag-arc", place=place("hand"), time=0.4)
    go_on = Event()
    page.session.worker.submit(lambda: go_on.wait(PATIENCE) and None)
    for step in range(1, 51):
        page.sequence = step
        page.send_move([*(START + np.array([0.0, 0.001 * step, 0.0]))], 1)
    number = page.send("commit", gesture=1)
    go_on.set()
    page.flush()
    assert [answer["sequence"] for answer in page.moves] == [50]
    assert page.answers[number]["type"] == "done"
    assert position(page.session.editor.document, "hand", 0.4) == pytest.approx(
        START + np.array([0.0, 0.05, 0.0]), abs=1e-3
    )


def test_moves_out_of_order_or_of_another_hand_are_dropped(page: PageForTests) -> None:
    page.begin("drag-arc", place=place("hand"), time=0.4)
    page.sequence = 9
    page.send_move([*START], 1)
    page.flush()
    for sequence, gesture in ((9, 1), (3, 1), (12, 2)):
        page.sequence = sequence
        page.send_move([*(START + 0.05)], gesture)
        page.flush()
    assert len(page.moves) == 1
    other = PageForTests(page.session)
    other.sequence = 20
    other.send_move([*(START + 0.05)], 1)
    other.flush()
    assert other.moves == []
    assert "over" in other.refused("commit", gesture=1)


def test_the_answer_tells_how_it_went(page: PageForTests) -> None:
    page.done("add-pin", place=place("elbow"), wanted="position")
    page.begin("drag-arc", place=place("hand"), time=0.4)
    wish = START + np.array([0.0, 2.0, 0.0])
    answer = page.move(*wish)
    shown = page.session.editor.shown
    assert not answer["reached"]
    assert answer["position"] == pytest.approx(position(shown, "hand", 0.4), abs=1e-9)
    assert answer["wish"] == pytest.approx(wish)
    assert answer["distance"] == pytest.approx(np.linalg.norm(position(shown, "hand", 0.4) - wish))
    assert "elbow pin" in [blocker["name"] for blocker in answer["blockers"]]
    assert 0.0 < answer["solve_ms"] <= answer["server_ms"]
    times = np.linspace(0, 1, 40)
    held = [d.motion().states(times, Point("elbow"))[0] for d in (shown, page.session.editor.document)]
    assert np.abs(held[0] - held[1]).max() < 1e-3
    assert "key" in page.done("suggest-key", gesture=1)


def test_a_key_is_suggested_where_it_helps() -> None:
    document = edits.add_constraint(edits.remove_constraint(arm(), "hips pin"), "swing", Pin(Point("hand"), start=0.6))
    session = session_of(document)
    page = PageForTests(session)
    page.begin("drag-arc", place=place("hand"), time=0.55)
    start = position(document, "hand", 0.55)
    answer = page.move(*(start + np.array([0.0, 0.15, 0.0])))
    assert not answer["reached"]
    said = page.done("suggest-key", gesture=1)
    assert said.startswith("a key on frame ")
    page.move(*start)
    assert page.done("suggest-key", gesture=1) == "the wish is reached; no key is needed"
    session.stop()


def test_no_tick_stands_where_no_key_would_help() -> None:
    document = replace(arm(), constraints=())
    session = session_of(document)
    page = PageForTests(session)
    for name in ("hips", "hand"):
        page.done("add-pin", place=place(name), wanted="position")
    page.begin("drag-arc", place=place("hand"), time=0.4)
    assert not page.move(*(START + 5.0))["reached"]
    assert page.done("suggest-key", gesture=1) == "no key would bring it nearer"
    (found,) = (each for each in page.told if each["type"] == "job" and each["state"] == "done")
    assert found["short"]
    page.done("cancel", gesture=1)
    session.stop()


def test_a_page_that_leaves_lets_go(page: PageForTests) -> None:
    page.begin("drag-arc", place=place("hand"), time=0.4)
    page.move(*(START + 0.05))
    other = PageForTests(page.session)
    before = page.session.editor.document
    assert page.session.editor.shown is not before
    page.session.leave(page.page)
    other.flush()
    assert page.session.editor.shown is before
    other.begin("drag-arc", place=place("hand"), time=0.4)


def test_a_second_page_sees_the_drag(page: PageForTests) -> None:
    other = PageForTests(page.session)
    page.begin("drag-arc", place=place("hand"), time=0.4)
    page.move(*(START + 0.05))
    shown = page.session.editor.shown.motion()
    frame = 10
    assert other.known.poses[frame][1] == pytest.approx(shown.channels([frame / 24])[0].astype(np.float32))
    kinds = [message["kind"] for message in other.told if message["type"] == "changed"]
    assert kinds == ["open", "preview"]


def test_a_page_that_is_behind_is_told_once_and_all(page: PageForTests) -> None:
    page.begin("drag-arc", place=place("hand"), time=0.4)
    page.hold()
    for step in range(20):
        page.move(*(START + 0.002 * step))
    # The first update is under way; the rest waits, but every move is answered.
    assert len(page.moves) == 20
    before = sum(message["type"] == "changed" for message in page.told)
    page.catch_up()
    assert sum(message["type"] == "changed" for message in page.told) == before + 1
    shown = page.session.editor.shown.motion()
    assert page.known.poses[10][1] == pytest.approx(shown.channels([10 / 24])[0].astype(np.float32))


def test_a_drag_is_kept_as_the_verb_makes_it_however_many_moves_there_were(page: PageForTests) -> None:
    """Out of reach the way counts while the hand moves; what is kept follows from the last wish alone."""
    editor, far = page.session.editor, START + np.array([0.3, 1.5, 0.0])
    wanted = edits.drag(editor.document, "hand", time=0.4, to=far, clip="swing").document
    for moves in ([START + 0.03, far], [far]):
        page.begin("drag-arc", place=place("hand"), time=0.4)
        for move in moves:
            answer = page.move(*move)
        assert not answer["reached"]
        page.done("commit", gesture=1)
        assert editor.document == wanted
        page.done("undo")
