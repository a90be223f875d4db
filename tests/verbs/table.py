"""The table of verbs: what a person can do to a document, said to the library, the command line and the page."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import get_args, get_type_hints

import inbetweener
from inbetweener.batch.told import Told
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


def written() -> set[str]:
    """All functions, listed or not, of modules that declare a result of their own, wherever they are."""
    found, source = set[str](), Path(inbetweener.__path__[0])
    for path in sorted(source.rglob("*.py")):
        if "(Result):" in path.read_text():
            module = import_module(".".join(("inbetweener", *path.relative_to(source).with_suffix("").parts)))
            own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
            found |= {each.__name__ for each in own if _answers(each) and each.__name__[0] != "_"}
    return found


def _answers(edit: object) -> bool:
    if not isfunction(edit):
        return False
    kinds = [get_type_hints(edit).get("return")]
    for kind in kinds:
        kinds += get_args(kind)
    return any(isinstance(kind, type) and issubclass(kind, Result) and kind is not Told for kind in kinds)
