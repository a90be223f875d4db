"""Save documents in the native format."""

from pathlib import Path
from typing import Any

import msgspec

from inbetweener.document.atomic import replace_file
from inbetweener.document.document import Document
from inbetweener.document.native import encode, schema
from inbetweener.document.validation import validate
from inbetweener.errors import FormatError

STEP = b"  "


def laid_out(file: schema.File) -> bytes:
    """The file's text; the same document always gives the same bytes."""
    return _text(file, b"\n") + b"\n"


def _text(value: Any, line: bytes) -> bytes:
    """`value` as JSON, where `line` is a line break with the indentation of the line it begins on."""
    inner = line + STEP
    match value:
        case schema.File() | schema.Mesh() | schema.Clip() | schema.Layer() | schema.Loosening() | schema.Looseness():
            fields = msgspec.structs.asdict(value).items()
            return b"{" + inner + _joined([_field(k, v, inner) for k, v in fields], inner) + line + b"}"
        case dict() if value:
            return b"{" + inner + _joined([_field(k, v, inner) for k, v in value.items()], inner) + line + b"}"
        case list() if value and isinstance(value[0], msgspec.Struct):
            return b"[" + inner + _joined([_text(item, inner) for item in value], inner) + line + b"]"
        case msgspec.Raw():
            # Rows of keys hold no brackets of their own.
            return b"[" + inner + bytes(value)[1:-1].replace(b"],[", b"]," + inner + b"[") + line + b"]"
        case _:
            return msgspec.json.encode(value)


def _field(name: str, value: Any, line: bytes) -> bytes:
    return msgspec.json.encode(name) + b": " + _text(value, line)


def _joined(items: list[bytes], line: bytes) -> bytes:
    return (b"," + line).join(items)


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
