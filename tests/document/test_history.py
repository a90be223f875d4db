"""Undo and redo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.document import Document, History, NothingToUndo
from tests.document.puppet import puppet
from tests.document.random_edits import edited

seeds = st.lists(st.integers(0, 10_000), min_size=1, max_size=12, unique=True)


def after(seeds: list[int], limit: int = 500) -> tuple[History, list[Document]]:
    history = History.of(puppet(), limit=limit)
    documents = [history.document]
    for seed in seeds:
        history = history.done(f"Edit {seed}", edited(history.document, seed))
        documents.append(history.document)
    return history, documents


@given(seeds)
def test_undo_after_do_is_identity(seeds: list[int]) -> None:
    history, documents = after(seeds)
    for document, seed in zip(reversed(documents[:-1]), reversed(seeds), strict=True):
        assert history.undo_label == f"Edit {seed}"
        history = history.undone()
        assert history.document is document
    assert history.document == puppet()
    assert history.undo_label is None


@given(seeds)
def test_redo_after_undo_is_identity(seeds: list[int]) -> None:
    history, documents = after(seeds)
    start = history
    for _ in seeds:
        start = start.undone()
    for document, seed in zip(documents[1:], seeds, strict=True):
        assert start.redo_label == f"Edit {seed}"
        start = start.redone()
        assert start.document is document
    assert start == history


@given(seeds, st.integers(1, 5))
def test_the_oldest_steps_are_forgotten(seeds: list[int], limit: int) -> None:
    history, documents = after(seeds, limit)
    count = 0
    while history.undo_label is not None:
        history = history.undone()
        count += 1
    assert count == min(limit, len(seeds))
    assert history.document is documents[-1 - count]


def test_a_new_step_forgets_what_was_undone() -> None:
    history, _ = after([1, 2, 3])
    history = history.undone().undone().done("Other", puppet())
    assert history.redo_label is None
    assert [step.label for step in history.steps] == ["Open", "Edit 1", "Other"]


def test_nothing_to_undo_or_redo() -> None:
    history = History.of(puppet())
    with pytest.raises(NothingToUndo, match="nothing to undo"):
        history.undone()
    with pytest.raises(NothingToUndo, match="nothing to redo"):
        history.redone()
