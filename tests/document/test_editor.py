"""Gestures: previews, one undo each, listeners, threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from inbetweener.document import Changed, Editor, NothingToUndo, TransactionError, edits
from inbetweener.errors import InvalidDocument
from tests.document.puppet import puppet
from tests.document.random_edits import edited


def renamed(name: str):
    return lambda document: edits.rename_document(document, name)


def test_one_gesture_is_one_undo() -> None:
    editor = Editor(puppet())
    drag = editor.begin("Drag hand_l")
    for weight in (0.1, 0.2, 0.3):
        drag.preview(edits.set_layer_weight(drag.before, "walk", "breath", weight))
    assert editor.document == puppet()
    assert editor.shown.clip("walk").layer("breath").weight == 0.3
    assert editor.history.undo_label is None
    drag.commit()
    assert editor.document.clip("walk").layer("breath").weight == 0.3
    assert editor.history.undo_label == "Drag hand_l"
    assert editor.undo() == puppet()
    assert editor.history.redo_label == "Drag hand_l"
    assert editor.redo().clip("walk").layer("breath").weight == 0.3


def test_cancel_leaves_nothing() -> None:
    editor = Editor(puppet())
    before = editor.document
    drag = editor.begin("Drag")
    drag.preview(renamed("other")(before))
    drag.cancel()
    assert editor.document is before
    assert editor.shown is before
    assert len(editor.history.steps) == 1


def test_a_gesture_that_changes_nothing_leaves_no_step() -> None:
    editor = Editor(puppet())
    editor.begin("Click").commit()
    editor.apply("Nothing", lambda document: document)
    assert len(editor.history.steps) == 1


def test_as_a_context_it_commits_or_cancels() -> None:
    editor = Editor(puppet())
    with editor.begin("Rename") as gesture:
        gesture.preview(renamed("a")(gesture.document))
    assert editor.document.name == "a"
    with pytest.raises(LookupError), editor.begin("Fail") as gesture:
        gesture.preview(edits.remove_clip(renamed("b")(gesture.document), "no such clip"))
    assert editor.document.name == "a"
    with editor.begin("Cancelled inside") as gesture:
        gesture.preview(renamed("c")(gesture.document))
        gesture.cancel()
    assert editor.document.name == "a"


def test_one_gesture_at_a_time() -> None:
    editor = Editor(puppet())
    drag = editor.begin("Drag")
    for attempt in (
        lambda: editor.begin("Other"),
        lambda: editor.apply("Other", renamed("x")),
        editor.undo,
        editor.redo,
    ):
        with pytest.raises(TransactionError, match="'Drag' is under way; commit or cancel it first"):
            attempt()
    drag.cancel()
    for late in (lambda: drag.preview(puppet()), drag.commit, drag.cancel):
        with pytest.raises(TransactionError, match="'Drag' is over"):
            late()


def test_an_invalid_document_is_refused_and_the_gesture_can_be_mended() -> None:
    editor = Editor(puppet())
    gesture = editor.begin("Rename")
    gesture.preview(replace(editor.document, name=""))
    with pytest.raises(InvalidDocument, match="document: has no name"):
        gesture.commit()
    assert editor.document == puppet()
    gesture.preview(replace(editor.document, name="mended"))
    assert gesture.commit().name == "mended"
    with pytest.raises(InvalidDocument):
        editor.apply("Break", lambda document: replace(document, name=""))
    assert editor.begin("Free again").is_open
    with pytest.raises(InvalidDocument):
        Editor(replace(puppet(), name=""))


def test_an_edit_that_fails_leaves_nothing() -> None:
    editor = Editor(puppet())
    with pytest.raises(LookupError):
        editor.apply("Mute", lambda document: edits.mute_layer(document, "walk", "none"))
    assert editor.document == puppet()
    editor.apply("Rename", renamed("next"))


def test_listeners_hear_everything_in_order() -> None:
    editor = Editor(puppet())
    heard: list[Changed] = []
    stop = editor.listen(heard.append)
    with editor.begin("Rename") as gesture:
        gesture.preview(renamed("a")(gesture.document))
    editor.undo()
    editor.redo()
    gesture = editor.begin("Again")
    gesture.preview(renamed("b")(gesture.document))
    gesture.cancel()
    stop()
    stop()
    editor.undo()
    assert [(change.kind, change.label, change.document.name) for change in heard] == [
        ("preview", "Rename", "a"),
        ("commit", "Rename", "a"),
        ("undo", "Rename", "puppet"),
        ("redo", "Rename", "a"),
        ("preview", "Again", "b"),
        ("cancel", "Again", "a"),
    ]


def test_a_failing_listener_stops_neither_the_step_nor_other_listeners() -> None:
    editor = Editor(puppet())
    heard: list[str] = []
    editor.listen(lambda change: [][0])
    editor.listen(lambda change: heard.append(change.kind))
    gesture = editor.begin("Rename")
    with pytest.raises(ExceptionGroup, match="preview of 'Rename', which took place") as caught:
        gesture.preview(renamed("a")(gesture.document))
    assert caught.group_contains(IndexError)
    with pytest.raises(ExceptionGroup, match="commit of 'Rename', which took place"):
        gesture.commit()
    assert editor.document.name == "a"
    assert heard == ["preview", "commit"]


def test_a_listener_must_not_edit() -> None:
    editor = Editor(puppet())
    editor.listen(lambda change: editor.undo())
    with pytest.raises(ExceptionGroup) as caught:
        editor.apply("Rename", renamed("a"))
    assert caught.group_contains(TransactionError, match="a listener must not edit")


def test_nothing_to_undo() -> None:
    with pytest.raises(NothingToUndo):
        Editor(puppet()).undo()


def test_every_edit_of_every_thread_counts() -> None:
    editor = Editor(puppet())

    def work(thread: int) -> None:
        for number in range(25):
            name = f"{thread} {number}"
            editor.apply(name, lambda d, name=name: edits.duplicate_clip(d, "rest", name))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    names = {clip.name for clip in editor.document.clips}
    assert names == {"walk", "rest", *(f"{thread} {number}" for thread in range(4) for number in range(25))}
    assert len(editor.history.steps) == 101


def test_undoing_everything_restores_equality() -> None:
    editor = Editor(puppet())
    for seed in range(60):
        editor.apply(f"Edit {seed}", lambda document, seed=seed: edited(document, seed))
    last = editor.document
    while editor.history.undo_label:
        editor.undo()
    assert editor.document == puppet()
    while editor.history.redo_label:
        editor.redo()
    assert editor.document is last
