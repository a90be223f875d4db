"""Open documents in the native format, of this version and of every older one."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from inbetweener.document.budget import Budget, OverBudget
from inbetweener.document.document import Document
from inbetweener.document.native import decode, encode, schema
from inbetweener.document.native.misfit import Misfit, decoded, placed
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.document.staging import check_reference, check_sound
from inbetweener.document.validation import validate
from inbetweener.errors import FormatError, InvalidDocument, RepairWarning
from inbetweener.skinning.picture import check_picture
from inbetweener.system import replace_file

_HEADER = msgspec.json.Decoder(schema.Header)
_FILE = msgspec.json.Decoder(schema.File)


def read_native(path: Path | str, *, trust: bool = False) -> Document:
    """Open a `.tween` file; a bad one raises FormatError with the place in it, and what was mended is warned of.

    One that unfolds to far more than its size explains is refused unless you `trust` it.
    """
    document, repairs = read_repaired(path, trust=trust)
    for repair in repairs:
        warnings.warn(f"{path}: {repair}", RepairWarning, stacklevel=2)
    return document


def read_repaired(path: Path | str, *, trust: bool = False) -> tuple[Document, tuple[str, ...]]:
    """The same without warnings: also returns one line for everything that is no more and was replaced."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error
    return document_from(content, path, trust=trust)


def document_from(content: bytes, path: Path | str, *, trust: bool = False) -> tuple[Document, tuple[str, ...]]:
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
        budget = Budget(len(content), trust=trust)
        with placed("$"):
            budget.spend_json(content)
        document = VERSIONS[header.version](content, budget)
        validate(document)
    except Misfit as misfit:
        raise FormatError(path, misfit.place, misfit.problem) from None
    except InvalidDocument as error:
        raise FormatError(path, "", str(error)) from None
    document, repairs = _without_false_parts(document)
    return document, ((WORLD_FORM,) if header.blending == "differential-world" else ()) + repairs


def _without_false_parts(document: Document) -> tuple[Document, tuple[str, ...]]:
    """The document without pictures and sounds that are none, and a line for each."""
    meshes, stagings, repairs = list(document.meshes), list(document.stagings), []
    for i, mesh in enumerate(meshes):
        if mesh.material.texture is not None:
            try:
                check_picture(mesh.material.texture)
            except InvalidDocument as error:
                repairs.append(f"$.meshes[{i}].material.texture: left out: {error}")
                meshes[i] = replace(mesh, material=replace(mesh.material, texture=None))
    for i, staging in enumerate(stagings):
        checks: dict[str, Callable[[bytes], None]] = {"sound": check_sound, "picture": check_reference}
        for name, check in checks.items():
            if (part := getattr(staging, name)) is not None:
                try:
                    check(part.data)
                except InvalidDocument as error:
                    repairs.append(f"$.stagings[{i}].{name}: left out: {error}")
                    stagings[i] = replace(stagings[i], **{name: None})  # type: ignore[arg-type]
    if not repairs:
        return document, ()
    return replace(document, meshes=tuple(meshes), stagings=tuple(stagings)), tuple(repairs)


def _version_1(content: bytes, budget: Budget) -> Document:
    return decode.document(decoded(_FILE, content), Unpacker(budget))


VERSIONS: dict[int, Callable[[bytes, Budget], Document]] = {1: _version_1}
"""How each version is read; entries are added, never changed."""

WORLD_FORM = "$.blending: the skin is blended by differentials; those in the world, which tear bent skin, are no more"


STEP = b"  "


def laid_out(file: schema.File) -> bytes:
    """The file's text; the same document always gives the same bytes."""
    return _text(file, b"\n") + b"\n"


def _text(value: Any, line: bytes) -> bytes:
    """`value` as JSON, where `line` is a line break with the indentation of the line it begins on."""
    inner = line + STEP
    match value:
        case (
            schema.File()
            | schema.Mesh()
            | schema.Clip()
            | schema.Layer()
            | schema.Loosening()
            | schema.Looseness()
            | schema.Staging()
        ):
            fields = msgspec.structs.asdict(value).items()
            return b"{" + inner + _joined([_field(k, v, inner) for k, v in fields], inner) + line + b"}"
        case dict() if value:
            return b"{" + inner + _joined([_field(k, v, inner) for k, v in value.items()], inner) + line + b"}"
        case list() if value and isinstance(value[0], msgspec.Struct):
            return b"[" + inner + _joined([_text(item, inner) for item in value], inner) + line + b"]"
        case msgspec.Raw() if bytes(value) != b"null":
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
    packer = Packer()
    content = laid_out(encode.file(document, packer))
    budget = Budget(len(content))
    try:
        budget.spend_json(content)
        budget.spend(packer.unfolds)
    except OverBudget:
        # So much of the same that it packs into next to nothing, and could not be told from a trap: not packed.
        content = laid_out(encode.file(document, Packer(level=0)))
    return content
