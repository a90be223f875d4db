"""Terms of one's own by name: from a Python file that its user names, and from nowhere else: no document runs code.

The file has a dictionary `TERMS`. Under each name is a term, or a function that makes one for a motion.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from runpy import run_path
from types import MappingProxyType
from typing import Any

from inbetweener.errors import InbetweenerError
from inbetweener.guidance.terms.term import Term
from inbetweener.motion import Motion

Maker = Callable[[Motion], Term]

_LOADED: dict[str, Term | Maker] = {}
OWN: Mapping[str, Term | Maker] = MappingProxyType(_LOADED)
"""The terms loaded so far, by name."""


class BadTermFile(InbetweenerError):
    """A file that gives no terms; says which file, and what is wrong with it."""


def load_terms(path: Path | str, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Run a file and make its terms known by their names, which must not be `taken`; returns the names."""
    found = _run(Path(path)).get("TERMS")
    if not isinstance(found, Mapping) or not found:
        raise BadTermFile(f"{path}: has no terms; write TERMS = {{'lazy': Lazy()}}")
    for name, term in found.items():
        if not (isinstance(name, str) and name.strip()) or name in taken:
            raise BadTermFile(f"{path}: TERMS[{name!r}]: choose another name, taken are {', '.join(taken)}")
        if not (callable(term) or hasattr(term, "residuals")):
            raise BadTermFile(f"{path}: TERMS[{name!r}]: neither a term, with residuals, nor a function that makes one")
    _LOADED.update(found)
    return tuple(found)


def own_term(name: str, motion: Motion) -> Term:
    """The loaded term of that name, for a motion."""
    given = _LOADED[name]
    term: Any = given if hasattr(given, "residuals") and not isinstance(given, type) else given(motion)
    if getattr(term, "name", None) != name or not hasattr(term, "residuals"):
        raise BadTermFile(f"TERMS[{name!r}] made {term!r}; it must have residuals and be called {name!r}")
    found: Term = term
    return found


def _run(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise BadTermFile(f"{path}: no such file")
    try:
        return run_path(str(path))
    except Exception as error:
        trace, line = error.__traceback__, getattr(error, "lineno", 0)
        while trace is not None:
            line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == str(path) else line
            trace = trace.tb_next
        raise BadTermFile(f"{path}: line {line}: {type(error).__name__}: {error}") from error
