"""Open documents in the native format, of this version and of every older one."""

import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec

from inbetweener.document.document import Document
from inbetweener.document.native import decode, schema
from inbetweener.document.native.misfit import Misfit, decoded
from inbetweener.document.validation import validate
from inbetweener.errors import FormatError, InvalidDocument, RepairWarning

_HEADER = msgspec.json.Decoder(schema.Header)
_FILE = msgspec.json.Decoder(schema.File)


def read_native(path: Path | str) -> Document:
    """Open a `.tween` file; a bad one raises FormatError with the place in it, and what was mended is warned of."""
    document, repairs = read_repaired(path)
    for repair in repairs:
        warnings.warn(f"{path}: {repair}", RepairWarning, stacklevel=2)
    return document


def read_repaired(path: Path | str) -> tuple[Document, tuple[str, ...]]:
    """The same without warnings: also returns one line for everything that is no more and was replaced."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error
    return document_from(content, path)


def document_from(content: bytes, path: Path | str) -> tuple[Document, tuple[str, ...]]:
    """The document whose native text is `content`, and what was replaced in it; `path` is named in errors."""
    try:
        header = decoded(_HEADER, content)
        if header.format != schema.FORMAT:
            raise Misfit("$.format", f"is {header.format!r} instead of {schema.FORMAT!r}; this is another kind of file")
        if header.version > max(VERSIONS):
            raise Misfit(
                "$.version",
                f"the file has version {header.version}, newer than {max(VERSIONS)}; a newer Inbetweener opens it",
            )
        if header.version not in VERSIONS:
            raise Misfit("$.version", f"there never was a version {header.version}")
        document = VERSIONS[header.version](content)
        validate(document)
    except Misfit as misfit:
        raise FormatError(path, misfit.place, misfit.problem) from None
    except InvalidDocument as error:
        raise FormatError(path, "", str(error)) from None
    return document, (WORLD_FORM,) if header.blending == "differential-world" else ()


def _version_1(content: bytes) -> Document:
    return decode.document(decoded(_FILE, content))


VERSIONS: dict[int, Callable[[bytes], Document]] = {1: _version_1}
"""How each version is read; entries are added, never changed."""

WORLD_FORM = "$.blending: the skin is blended by differentials; those in the world, which tear bent skin, are no more"
