"""What a gesture is kept as follows from the document and the last wish: not from a busy machine or lost moves."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, get_args

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.document.native.read import native_text
from inbetweener.document.pose import Pose
from inbetweener.rig import Point
from inbetweener.studio.protocol.gestures import AnyGesture
from inbetweener.tangents import Pin
from tests.studio.documents import arm
from tests.studio.gestures.hands import position
from tests.studio.gestures.test_every_gesture import GESTURES, HAND, made
from tests.studio.gestures.test_sketching import BONES, FRONT
from tests.studio.pages import PATIENCE, PageForTests, page_of, place, session_of
from tests.studio.session.test_guiding import guidance, rest, settings, wait_until

DETOUR = (0.3, 0.9, 1.7, 2.6, 1.4, 0.7, 1.0)
"""Shares of the way at which moves are: beyond the wish and back."""

ARC = np.linspace(0.0, 1.5, 50)
STROKE = np.stack([-0.3 + 0.4 * np.sin(ARC), 0.4 - 0.4 * np.cos(ARC)], axis=1).ravel()

Gesture = tuple[Document, str, dict[str, Any], list[list[float]]]

KEPT = Pose.of(arm(), "bent", "swing", 0.25)
"""A pose that the project keeps."""
FURTHER: dict[str, tuple[str, str, dict[str, Any]]] = {
    "drag within reach": ("drag-arc", "drag-arc", {"reach": 0.2}),
    "drag clear of things": ("drag-arc", "drag-arc", {"clear": True}),
    "pull that keys": ("drag-arc", "pull-pose", {"key": True}),
}
"""The wishes of a gesture, for one that is told more."""
BODY = ("planted", "symmetric")
"""Ways of pulling that need a body."""


def pinned_arm() -> Document:
    """An arm whose elbow may not move, so that a hand far away is out of reach."""
    return edits.add_constraint(arm(), "swing", Pin(Point("elbow")))


def gesture(name: str) -> Gesture:
    """A document, what is taken hold of, and all the moves of a hand."""
    if name == "sketch":
        moves = [STROKE[: 2 * count].tolist() for count in (2, 10, 25, 50)]
        return arm(), "sketch", {"bones": BONES, "time": 0.4, "view": FRONT}, moves
    if name == "blocked drag":
        wishes = [(HAND + np.array([0.1 * np.sin(n), 0.2 * n, 0.0])).tolist() for n in range(8)]
        return pinned_arm(), "drag-arc", {"place": place("hand"), "time": 0.4}, wishes
    if name in BODY:
        body = ib.example("waving")
        hand = body.motion().states([0.5], Point("hand_r"))[0][0]
        fields = {"place": place("hand_r"), "time": 0.5, "key": True, name: True}
        return body, "pull-pose", fields, [(hand + np.array([0.0, 0.05 * share, 0.0])).tolist() for share in DETOUR]
    if name == "blend-pose":
        return arm(), name, {"time": 0.4}, [[0.5 * share] for share in DETOUR]
    if name == "planted blend":
        moves = [[1.5 * share] for share in DETOUR]
        return ib.example("waving"), "blend-pose", {"time": 0.75, "how": "rest", "planted": True}, moves
    if name == "reach-pose":
        return arm(), name, {"time": 0.5, "pose": KEPT.name}, [[share] for share in DETOUR if share <= 1.0]
    if name in FURTHER:
        like, kind, more = FURTHER[name]
        document, _, fields, moves = gesture(like)
        return document, kind, {**fields, **more}, moves
    fields, stay, go, _ = GESTURES[name]
    way = np.subtract(go, stay)
    moves = [go if share == 1.0 else (np.array(stay) + share * way).tolist() for share in DETOUR]
    return made(name), name, fields, moves


@contextmanager
def busy() -> Iterator[None]:
    """Others at work meanwhile: on the interpreter, and on all cores."""
    over = Event()

    def count() -> None:
        while not over.is_set():
            sum(range(1000))

    def multiply() -> None:
        matrix = np.eye(200)
        while not over.is_set():
            matrix @ matrix

    threads = [Thread(target=count), Thread(target=multiply)]
    switched = sys.getswitchinterval()
    # Others may have the interpreter at any moment, but not for long: a kernel must not wait whenever it returns.
    sys.setswitchinterval(1e-4)
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        sys.setswitchinterval(switched)
        for thread in threads:
            thread.join()


def kept(name: str, *, coalesced: bool) -> tuple[Document, Document]:
    """The document that was shown last, and the one that was kept."""
    document, kind, fields, moves = gesture(name)
    session = session_of(document)
    session.poses = {KEPT.name: KEPT}.__getitem__
    page = PageForTests(session)
    page.begin(kind, **fields)
    go_on = Event()
    if coalesced:
        session.worker.submit(lambda: go_on.wait(PATIENCE) and None)
    for values in moves:
        page.sequence += 1
        page.send_move(values, 1)
        if not coalesced:
            page.flush()
    go_on.set()
    page.flush()
    assert len(page.moves) == (1 if coalesced else len(moves))
    shown = session.editor.shown
    page.done("commit", gesture=1)
    result = session.editor.document
    session.stop()
    return shown, result


NAMES = [*sorted(GESTURES), "sketch", "blocked drag", "blend-pose", "planted blend", "reach-pose", *FURTHER, *BODY]


def test_every_gesture_is_tried() -> None:
    """Guidance, which goes on by itself, has tests of its own below."""
    declared = {each.__struct_config__.tag for each in get_args(AnyGesture)}
    assert {gesture(name)[1] for name in NAMES} | {"guide"} == declared


@pytest.mark.parametrize("name", NAMES)
def test_it_is_kept_to_the_bit_and_as_it_was_shown(name: str) -> None:
    shown, idle = kept(name, coalesced=False)
    with busy():
        _, loaded = kept(name, coalesced=True)
    assert native_text(idle) == native_text(loaded)
    assert idle != gesture(name)[0]
    if name == "blocked drag":
        return
    times = idle.clip().frame_times
    apart = idle.shown_motion().joint_positions(times) - shown.shown_motion().joint_positions(times)
    # Reached from elsewhere, the same wish leaves the rest of the body a few millimetres off at most.
    assert np.abs(apart).max() <= (5e-3 if gesture(name)[1] in {"drag-arc", "pull-pose"} else 2e-3)


def test_a_drag_that_is_blocked_is_kept_as_near_as_it_was_shown() -> None:
    wish = gesture("blocked drag")[3][-1]
    shown, result = (
        np.linalg.norm(position(each, "hand", 0.4) - wish) for each in kept("blocked drag", coalesced=False)
    )
    assert 0.1 < result <= shown + 1e-3


def test_a_drag_is_kept_as_the_library_makes_it() -> None:
    document, _, fields, moves = gesture("drag-arc")
    dragged = edits.drag(document, "hand", time=fields["time"], to=moves[-1], clip="swing")
    assert kept("drag-arc", coalesced=False)[1] == dragged.document


def test_a_pull_is_kept_as_the_library_makes_it() -> None:
    document, _, fields, moves = gesture("pull-pose")
    pulled = edits.pull(document, "hand", time=fields["time"], to=moves[-1], clip="swing")
    assert kept("pull-pose", coalesced=False)[1] == pulled.document


def test_a_target_is_kept_as_the_library_solves_for_it() -> None:
    session = session_of(made("drag-target"))
    page = PageForTests(session)
    _, kind, fields, moves = gesture("drag-target")
    page.begin(kind, **fields)
    page.move(*moves[0])
    page.move(*moves[-1])
    page.done("commit", gesture=1)
    solved = edits.solve(session.editor.document, clip="swing").document
    assert session.editor.document.clip("swing").layers == solved.clip("swing").layers
    session.stop()


def test_a_last_wish_that_cannot_be_is_nothing(page: PageForTests) -> None:
    before = page.session.editor.document
    page.begin("drag-arc", place=place("hand"), time=0.4)
    page.move(*(HAND + 0.05))
    assert not page.move(1e9, 0.0, 0.0)["reached"]
    assert page.session.editor.shown is before
    page.done("commit", gesture=1)
    assert page.session.editor.document is before
    assert page.known.history["labels"] == ["Open"]


page = page_of(arm)


def guided(*, iterate: int, is_at_rest: bool, steered: bool = False) -> Document:
    """A run that is kept at an iterate, while it goes or once it rests; steered from its second one."""
    session = session_of(ib.example("waving"))
    page = PageForTests(session)
    page.begin("guide", settings=settings())
    wait_until(page, lambda: bool(guidance(page)) and guidance(page)[-1]["iterate"] >= 2)
    if is_at_rest:
        rest(page)
    if steered:
        page.done("steer-guidance", gesture=1, settings=settings(regularise=2.0), iterate=2)
    page.done("commit", gesture=1, iterate=iterate)
    result = session.editor.document
    session.stop()
    return result


@pytest.mark.parametrize("iterate", [1, 4, 10_000])
def test_guidance_is_kept_at_the_iterate_that_is_named(iterate: int) -> None:
    # At rest first: what has to be compiled is ready then, before others take all the time there is.
    rested = guided(iterate=iterate, is_at_rest=True)
    with busy():
        going = guided(iterate=iterate, is_at_rest=False)
    assert native_text(going) == native_text(rested)
    assert going != ib.example("waving")


def test_guidance_is_steered_from_the_iterate_that_is_named() -> None:
    rested = guided(iterate=5, is_at_rest=True, steered=True)
    with busy():
        going = guided(iterate=5, is_at_rest=False, steered=True)
    assert native_text(going) == native_text(rested)
    assert rested != guided(iterate=5, is_at_rest=True)
