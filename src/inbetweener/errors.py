"""Errors and warnings that several packages raise, each one clear line: what, where, and what would help."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class InbetweenerError(Exception):
    """Base of all errors raised on purpose; the command line prints it without a traceback."""


class InvalidCurve(InbetweenerError, ValueError):
    """Keys that do not make a function of time; the message names the key."""


class InvalidRig(InbetweenerError, ValueError):
    """A joint, channel or drive that cannot be; the message names the element."""


class InvalidDocument(InbetweenerError, ValueError):
    """A document that contradicts itself; the message names the element."""


class InvalidEdit(InbetweenerError, ValueError):
    """A wish that cannot be understood; says what is missing or contradictory, and in which arguments: `words`."""

    def __init__(self, message: str, *words: str) -> None:
        super().__init__(message)
        self.words = words


class InvalidRequest(InbetweenerError, ValueError):
    """A solver is asked for something that cannot be; the message names it."""


class UnknownName(InbetweenerError, LookupError):
    """A name that is not there; the message lists those that are."""

    def __init__(self, kind: str, name: str, candidates: Iterable[str]) -> None:
        known = list(candidates)
        near = get_close_matches(name, known, n=3, cutoff=0.6)
        if near:
            hint = f"did you mean {' or '.join(near)}?"
        elif not known:
            hint = f"there is no {kind} at all"
        else:
            shown = ", ".join(known[:12])
            hint = f"known: {shown}" + (f" and {len(known) - 12} more" if len(known) > 12 else "")
        super().__init__(f"no {kind} called {name!r}; {hint}")
        self.kind = kind
        self.name = name
        self.candidates = known


LONGEST_TOLD = 600
"""Letters of what is told of a file: names and values in it may be as long as the file."""


class FormatError(InbetweenerError, ValueError):
    """A file that cannot be read; names the file, the place in it and the remedy."""

    def __init__(self, path: Path | str, place: str, problem: str, remedy: str = "") -> None:
        if len(problem) > LONGEST_TOLD:
            problem = f"{problem[:LONGEST_TOLD]} …"
        where = f"{path}: {place}: " if place else f"{path}: "
        super().__init__(where + problem + (f"; {remedy}" if remedy else ""))
        self.path = Path(path)
        self.place = place
        self.problem = problem
        self.remedy = remedy


class RepairWarning(UserWarning):
    """Something in a file was mended while reading; says what and where."""


class LossWarning(UserWarning):
    """Something that the target format cannot hold was left out while writing; says what and why."""
