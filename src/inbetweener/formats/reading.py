"""What a reader returns: the document, and what had to be mended on the way."""

from dataclasses import dataclass

from inbetweener.document import Document


@dataclass(frozen=True, slots=True)
class Reading:
    """A document and one line for everything that was repaired or guessed, each naming its place in the file."""

    document: Document
    repairs: tuple[str, ...] = ()
