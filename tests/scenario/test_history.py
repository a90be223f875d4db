"""Undo all the way and redo all the way back: the same documents at every step, from memory and from the disk."""

import shutil
from pathlib import Path

import pytest

from inbetweener.document import Editor, NothingToUndo
from tests.scenario.played import Played


def test_a_journal_brings_back_every_step_in_both_directions(played: Played, tmp_path: Path) -> None:
    shutil.copy(played.journal, tmp_path / "journal")
    with Editor.recover(tmp_path / "journal") as editor:
        assert [step.label for step in editor.history.steps] == list(played.labels)
        assert editor.document == played.end
        for document in reversed(played.documents[:-1]):
            assert editor.undo() == document
        with pytest.raises(NothingToUndo):
            editor.undo()
        for document in played.documents[1:]:
            assert editor.redo() == document
        with pytest.raises(NothingToUndo):
            editor.redo()


def test_what_was_undone_is_undone_after_a_crash_too(played: Played, tmp_path: Path) -> None:
    shutil.copy(played.journal, tmp_path / "journal")
    with Editor.recover(tmp_path / "journal") as editor:
        for _ in range(3):
            editor.undo()
    with Editor.recover(tmp_path / "journal") as editor:
        assert editor.document == played.documents[-4]
        assert editor.redo() == played.documents[-3]
