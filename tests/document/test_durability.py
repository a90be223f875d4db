"""An editor with a journal: nothing is acknowledged that is not on the disk, nothing refused that is."""

import os
from pathlib import Path

import pytest

from inbetweener.document import Editor, InUse, JournalError, edits, read_journal
from tests.document.puppet import puppet
from tests.document.random_edits import edited


def test_a_step_is_synced_before_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    events: list[tuple[str, int]] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (sync(file), events.append(("sync", os.fstat(file).st_size))))
    with Editor(puppet(), path) as editor:
        editor.listen(lambda change: events.append((change.kind, path.stat().st_size)))
        for step in (lambda: editor.apply("Edit", lambda d: edited(d, 1)), editor.undo, editor.redo):
            events.clear()
            step()
            size = path.stat().st_size
            synced, *told = [event for event in events if event[0] != "preview"]
            assert synced == ("sync", size)
            assert len(told) == 1


def test_the_undo_stack_is_there_after_recovery(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Editor(puppet(), path, limit=4) as editor:
        for seed in range(8):
            editor.apply(f"Edit {seed}", lambda document, seed=seed: edited(document, seed))
        editor.undo()
        history = editor.history
    with Editor.recover(path) as recovered:
        assert recovered.history == history
        assert recovered.recovery is not None
        assert recovered.recovery.dropped_bytes == 0
        assert recovered.history.redo_label == "Edit 7"
        recovered.redo()
        recovered.undo()
        recovered.undo()
        assert recovered.document == history.steps[history.at - 1].document


@pytest.mark.parametrize("failure", ["write", "half a write", "sync"])
def test_a_step_that_cannot_be_recorded_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    path = tmp_path / "journal"
    editor = Editor(puppet(), path)
    editor.apply("First", lambda document: edited(document, 1))
    before = editor.history
    write = os.write

    def failing(file: int, content: bytes = b"") -> int:
        if failure == "half a write" and len(content) > 20:
            return write(file, content[:20])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync" if failure == "sync" else "write", failing)
        for step in (lambda: editor.apply("Second", lambda document: edited(document, 2)), editor.undo):
            with pytest.raises(JournalError, match="cannot be written: No space left on device"):
                step()
        assert editor.history == before
        assert read_journal(path).history == before
    editor.apply("Third", lambda document: edited(document, 3))
    after = editor.history
    editor.close()
    assert after.undo_label == "Third"
    recovery = read_journal(path)
    assert (recovery.history, recovery.dropped_bytes) == (after, 0)


def test_a_closed_editor_takes_no_more_steps(tmp_path: Path) -> None:
    editor = Editor(puppet(), tmp_path / "journal")
    editor.close()
    editor.close()
    with pytest.raises(JournalError, match="is closed"):
        editor.apply("Late", lambda document: edits.rename_document(document, "late"))
    assert editor.document == puppet()


def test_a_discarded_journal_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    Editor(puppet(), path).close(discard=True)
    assert not path.exists()
    Editor(puppet(), path).close()


def test_two_editors_on_one_journal(tmp_path: Path) -> None:
    with Editor(puppet(), tmp_path / "journal"), pytest.raises(InUse):
        Editor.recover(tmp_path / "journal")
