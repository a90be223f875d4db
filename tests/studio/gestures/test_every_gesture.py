"""What holds for every gesture: one step with its label, absolute moves, Escape, and nothing for nothing."""

from typing import Any

import pytest

from inbetweener.document import Document
from tests.studio.documents import arm, loose_arm
from tests.studio.gestures.hands import hold, position
from tests.studio.pages import PageForTests, place, session_of

HAND = position(arm(), "hand", 0.4)
KEYED_HAND = position(arm(), "hand", 0.5)
KEY = {"channel": "elbow.rz", "key": 1}
PALM = loose_arm().motion("swing").states([0.5], arm().rig.point("palm"))[0][0]
LOOSE = {"set-spring", "set-looseness", "drag-target", "move-target", "shape-bell", "weigh-target"}

GESTURES: dict[str, tuple[dict[str, Any], list[float], list[float], str]] = {
    "drag-arc": ({"place": place("hand"), "time": 0.4}, [*HAND], [*(HAND + 0.05)], "Drag hand at frame 9.6"),
    "scale-timing": ({"place": place("hand"), "time": 0.4}, [0.0], [0.1], "Timing of hand at frame 9.6"),
    "move-tick": (
        {"place": place("hand"), "time": 0.4},
        [*HAND],
        [*position(arm(), "hand", 0.42)],
        "Move the tick of hand at frame 9.6",
    ),
    "pull-pose": (
        {"place": place("hand"), "time": 0.5},
        [*KEYED_HAND],
        [*(KEYED_HAND + 0.05)],
        "Pose hand at frame 12",
    ),
    "move-keys": ({"keys": [KEY]}, [0, 0, 1, 1, 9, 9], [0.1, 0.2, 1, 1, 0, 0], "Move 1 key"),
    "drag-handle": (
        {"key": KEY, "side": "out"},
        [*arm().clip().curves["elbow.rz"].outs[1]],
        [0.05, 0.3],
        "Tangent of elbow.rz at frame 6",
    ),
    "set-value": ({"channel": "elbow.rz", "time": 0.25}, [0.9], [0.5], "Set elbow.rz at frame 6"),
    "set-stiffness": ({"channels": ["elbow.rz", "hand.rz"]}, [1.0], [4.0], "Stiffness of 2 channels"),
    "twist-bones": ({"bones": ["hips", "elbow"], "time": 0.4}, [0.0], [2.0], "Twist 2 bones at frame 9.6"),
    "set-spring": ({"names": ["elbow"]}, [3.0, 0.4], [2.0, 0.6], "Spring of elbow"),
    "set-looseness": ({"part": "gravity"}, [0.0], [0.2], "Set gravity"),
    "drag-target": ({"target": "palm target"}, [*PALM], [*(PALM - 0.03)], "Drag palm target at frame 12"),
    "move-target": ({"target": "palm target"}, [0.5], [0.6], "Move palm target at frame 12"),
    "shape-bell": ({"target": "palm target"}, [0.3, 0.3], [0.2, 0.4], "Shape the bell of palm target at frame 12"),
    "weigh-target": ({"target": "palm target"}, [1.0], [2.0], "Weigh palm target at frame 12"),
    "move-range": ({"constraint": "hips pin"}, [0.0, 0.25], [0.1, 0.5], "Move range of hips pin"),
}


@pytest.fixture(params=sorted(GESTURES))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def made(kind: str) -> Document:
    """A document in which there is something to take hold of."""
    return loose_arm() if kind in LOOSE else arm()


def test_it_is_one_step_with_a_label_and_undo_restores(kind: str) -> None:
    fields, stay, go, label = GESTURES[kind]
    before = made(kind)
    session = session_of(before)
    page = PageForTests(session)
    page.begin(kind, **fields)
    page.move(*stay)
    page.move(*go)
    page.move(*go)
    assert page.done("commit", gesture=1) == label
    assert page.known.history["labels"] == ["Open", label]
    assert session.editor.document != before
    assert page.done("undo") == label
    assert session.editor.document is before
    session.stop()


def test_escape_leaves_the_very_document(kind: str) -> None:
    fields, _, go, _ = GESTURES[kind]
    before = made(kind)
    session = session_of(before)
    page = PageForTests(session)
    page.begin(kind, **fields)
    page.move(*go)
    assert session.editor.shown is not before
    page.done("cancel", gesture=1)
    assert session.editor.shown is before
    assert page.known.history["labels"] == ["Open"]
    assert "over" in page.refused("commit", gesture=1)
    session.stop()


def test_no_move_is_no_step(kind: str) -> None:
    session = session_of(made(kind))
    page = PageForTests(session)
    page.begin(kind, **GESTURES[kind][0])
    page.done("commit", gesture=1)
    assert page.known.history["labels"] == ["Open"]
    session.stop()


def test_staying_put_changes_nothing_that_can_be_seen(kind: str) -> None:
    fields, stay, go, _ = GESTURES[kind]
    before = made(kind)
    if kind == "drag-target":
        # A target that was as keyed is one in space from now on, and solved for as such.
        fields = {**fields, "solves": False}
    hand = hold(before, kind, **fields)
    hand.to(go)
    after = hand.to(stay).document
    times = before.clip().frame_times
    moved = after.motion().world_from_joint(times) - before.motion().world_from_joint(times)
    # The solvers come back to where they began within their tolerance; all else exactly.
    assert abs(moved).max() <= (5e-3 if kind in {"drag-arc", "pull-pose", "move-tick"} else 0.0)
    if kind in {"move-keys", "drag-handle", "set-value", "set-stiffness", "move-range", *LOOSE} - {"drag-target"}:
        assert after is before or after == before


def test_moves_are_absolute(kind: str) -> None:
    fields, _, go, _ = GESTURES[kind]
    straight = hold(made(kind), kind, **fields).to(go).document
    hand = hold(made(kind), kind, **fields)
    for _ in range(3):
        again = hand.to(go).document
    times = arm().clip().frame_times
    assert abs(again.motion().channels(times) - straight.motion().channels(times)).max() <= 1e-3


def test_a_wrong_number_of_values_is_refused_and_the_gesture_goes_on(kind: str) -> None:
    fields, _, go, _ = GESTURES[kind]
    session = session_of(made(kind))
    page = PageForTests(session)
    page.begin(kind, **fields)
    answer = page.move(*go, 0.0, 0.0)
    assert not answer["reached"]
    assert f"{len(go)} values" in answer["text"]
    answer = page.move(*[1e9] * len(go))
    assert "up to" in answer["text"]
    page.move(*go)
    assert session.editor.shown is not session.editor.document
    session.stop()
