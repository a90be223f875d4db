"""The table of verbs: what a person can do to a document, said to the library, the command line and the page."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

from inbetweener.document import Document, edits
from inbetweener.document.edits.result import Result
from tests.studio.pages import PageForTests

SOURCE, OUTPUT = "SOURCE", "OUTPUT"
"""What stands in a command for the file that holds the document and the one that is written."""


@dataclass(frozen=True)
class Row:
    """One wish, three times: all must make the same document of the one that `start` gives."""

    verb: str
    start: Callable[[], Document]
    library: Callable[[Document], Result]
    command: tuple[str, ...]
    """Words after `inbetweener`, with SOURCE and OUTPUT where the files go."""
    page: Callable[[PageForTests], object]
    about: str = ""
    """What is particular about this row, where a verb has several."""
    expect: int = 0
    """The exit code of the command: 1 where less came of the wish than was asked."""

    def __str__(self) -> str:
        return f"{self.verb} {self.about}".strip()


def rows() -> list[Row]:
    """The rows of all files called `rows_*.py` beside this one."""
    modules = (import_module(f"tests.verbs.{path.stem}") for path in sorted(Path(__file__).parent.glob("rows_*.py")))
    return [row for module in modules for row in module.ROWS]


def verbs() -> set[str]:
    """All public edits that answer with a result: what a person can do, as opposed to steps on the way."""
    return {name for name in edits.__all__ if _answers(getattr(edits, name))}


def _answers(edit: object) -> bool:
    kind = get_type_hints(edit).get("return") if callable(edit) and not isinstance(edit, type) else None
    return isinstance(kind, type) and issubclass(kind, Result)
