"""What an edit in one stroke comes to: what became of the document, and what is said of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inbetweener.document import Document, edits


@dataclass(frozen=True, slots=True)
class Stroke:
    """The document after the edit, what the history calls it, and a line for whoever asked, if there is one to say."""

    label: str
    document: Document
    text: str | None = None


Editing = Callable[[Document, str, Any], Stroke]
"""Carries out a request on a clip of a document; an edit may come to an equal document, which is no change."""


def in_a_line(result: edits.Result) -> str:
    """All that a result says."""
    return "; ".join(str(result).splitlines())
