"""Save documents in the native format."""

from pathlib import Path

from inbetweener.document.atomic import replace_file
from inbetweener.document.document import Document
from inbetweener.document.native import encode
from inbetweener.document.native.layout import laid_out
from inbetweener.document.validation import validate
from inbetweener.errors import FormatError


def write_native(document: Document, path: Path | str) -> None:
    """Save a document as a `.tween` file, in one stroke: a failure leaves the file that was there.

    Raises InvalidDocument for a document that contradicts itself: what is saved can always be opened.
    """
    content = native_text(document)
    try:
        replace_file(Path(path), content)
    except OSError as error:
        raise FormatError(path, "", f"cannot be written: {error.strerror or error}") from error


def native_text(document: Document) -> bytes:
    """The text of the native file."""
    validate(document)
    return laid_out(encode.file(document))
