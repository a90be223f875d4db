"""Anatomy as JSON, for pipelines: one object with a part for every joint."""

import msgspec

from inbetweener.anatomy.part import Anatomy, Part
from inbetweener.errors import InbetweenerError, InvalidDocument

FORMAT = "inbetweener-anatomy"


class _File(msgspec.Struct):
    format: str
    kind: str
    parts: list[Part]


def to_json(anatomy: Anatomy) -> bytes:
    """Kind and parts as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(_File(FORMAT, anatomy.kind, list(anatomy.parts))), indent=2)


def from_json(data: bytes | str) -> tuple[Part, ...]:
    """The parts of such a file, to be said of a rig with joints of the same names."""
    try:
        file = msgspec.json.decode(data, type=_File)
    except (msgspec.MsgspecError, InbetweenerError, UnicodeDecodeError) as error:
        raise InvalidDocument(f"this is no anatomy: {error}") from error
    if file.format != FORMAT:
        raise InvalidDocument(f"this is no anatomy: its format is {file.format[:40]!r}, not {FORMAT!r}")
    return tuple(file.parts)
