"""Every verb makes the same document of the same wish, whether it is said in Python, in a shell or on the page."""

import re
from pathlib import Path

import pytest

import inbetweener as ib
from tests.cli.command import run_here
from tests.studio.pages import PageForTests, session_of
from tests.verbs.table import OUTPUT, SOURCE, Row, rows, verbs, written


def test_every_verb_has_a_row_and_every_row_a_verb() -> None:
    assert {row.verb for row in rows()} == verbs()


def test_every_verb_is_listed_with_the_edits() -> None:
    """A function that answers with a result, and is not listed, would go by the table."""
    assert written() - verbs() == set()


def test_the_page_on_the_library_lists_every_verb_with_its_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "library.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \| [^|]+ \| `([\w-]+)[^|]* \| [^|]+ \|$", page, re.MULTILINE)
    assert sorted(listed) == sorted({(row.verb, row.command[0]) for row in rows()})


@pytest.mark.parametrize("row", rows(), ids=str)
def test_three_surfaces_make_one_document(row: Row, tmp_path: Path) -> None:
    source, output = tmp_path / "source.tween", tmp_path / "output.tween"
    ib.save(row.start(), source)
    document = ib.load(source)

    result = row.library(document)
    assert result.document != document, "the row must change something"
    assert 1 <= len(str(result).splitlines()) <= 3
    assert "array(" not in repr(result)

    files = {SOURCE: str(source), OUTPUT: str(output)}
    done = run_here([files.get(word, word) for word in row.command], tmp_path)
    assert done.returncode == row.expect, done.stderr
    assert ib.load(output) == result.document

    session = session_of(document)
    try:
        row.page(PageForTests(session))
        assert session.editor.document == result.document
    finally:
        session.stop()
