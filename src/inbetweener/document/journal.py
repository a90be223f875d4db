"""The journal: every committed step is on the disk before it is acknowledged.

A journal is a text file of records, one a line: length and checksum in hexadecimal, then JSON. The first record holds
a whole document, every later one a step: done (with the change that it made), undone or redone. A checksum covers its
record and the checksum before, so a record counts only where it was written. Whatever follows the first record that
does not check out was never acknowledged, or is damaged, and is dropped.
"""

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

from inbetweener.document.atomic import Lock, remove_leftovers, replace_file
from inbetweener.document.difference import Change, changed, difference
from inbetweener.document.document import Document
from inbetweener.document.history import History, NothingToUndo, Step
from inbetweener.document.native import decode, encode, schema
from inbetweener.document.native.misfit import Misfit, decoded
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.errors import FormatError, InbetweenerError

FORMAT = "inbetweener-journal"
VERSION = 1
SMALLEST_OUTGROWN = 1 << 20
"""Bytes below which a journal is never worth rewriting."""
OUTGROWN = 4
"""A journal is rewritten when it is this many times as long as it would be afresh."""

_HEAD = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) ")


class JournalError(InbetweenerError):
    """The journal could not be written; the step was not taken."""


class Start(Struct, forbid_unknown_fields=True):
    """The first record: how many steps can be undone, and the document before them."""

    format: str
    version: int
    limit: int
    label: str
    document: schema.File


class Record(Struct, forbid_unknown_fields=True):
    """A step."""

    kind: Literal["do", "undo", "redo"]
    label: str | UnsetType = UNSET
    change: Change | UnsetType = UNSET


_HEADER = msgspec.json.Decoder(schema.Header)
_START = msgspec.json.Decoder(Start)
_RECORD = msgspec.json.Decoder(Record)


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a journal held: the history, how many bytes of it count, and how many behind them did not check out."""

    history: History
    kept_bytes: int
    dropped_bytes: int


class Journal:
    """A journal open for writing, by one process at a time; made by `create` or `recover`."""

    def __init__(self, path: Path, lock: Lock, smallest_outgrown: int) -> None:
        self.path = path
        self._lock = lock
        self._smallest_outgrown = smallest_outgrown
        self._descriptor = -1
        self._length = self._fresh_length = 0
        self._checksum = 0
        self._arrays: set[str] = set()
        self._failed = False

    @classmethod
    def create(cls, path: Path | str, history: History, *, smallest_outgrown: int = SMALLEST_OUTGROWN) -> Self:
        """A new journal; refuses to replace one, which may hold work that nobody has saved."""
        path = Path(path)
        journal = cls(path, _lock(path), smallest_outgrown)
        try:
            if path.exists():
                raise JournalError(f"{path} already exists; recover it, or delete it if its work is saved")
            journal.rewrite(history)
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def recover(cls, path: Path | str, *, smallest_outgrown: int = SMALLEST_OUTGROWN) -> tuple[Self, Recovery]:
        """Continue a journal after a crash or a normal end; what does not check out is cut off."""
        path = Path(path)
        if not path.exists():
            raise FormatError(path, "", "there is no such journal")
        journal = cls(path, _lock(path), smallest_outgrown)
        try:
            content = _content(path)
            frames = list(_frames(content))
            history, arrays = _replayed(frames, path)
            journal._length, journal._checksum = frames[-1].end, frames[-1].checksum
            journal._fresh_length = frames[0].end
            journal._arrays = arrays
            journal._open()
            journal._cut()
            remove_leftovers(path)
        except OSError as error:
            journal.close()
            raise JournalError(f"{path} cannot be continued: {error.strerror or error}") from error
        except BaseException:
            journal.close()
            raise
        return journal, Recovery(history, frames[-1].end, len(content) - frames[-1].end)

    @property
    def wants_rewriting(self) -> bool:
        """True when the journal has become much longer than it would be afresh, or cannot be continued as it is."""
        return self._failed or self._length > max(self._smallest_outgrown, OUTGROWN * self._fresh_length)

    def do(self, label: str, before: Document, after: Document) -> None:
        """Record a step; on return it is on the disk."""
        packer = Packer(self._arrays)
        self._append(Record("do", label, difference(before, after, packer)))
        self._arrays = packer.known

    def undo(self) -> None:
        """Record that a step was undone."""
        self._append(Record("undo"))

    def redo(self) -> None:
        """Record that a step was done again."""
        self._append(Record("redo"))

    def rewrite(self, history: History) -> None:
        """Put a fresh journal of the same history in place of this one, in one stroke."""
        packer = Packer()
        checksum = 0
        parts: list[bytes] = []
        for record in _records(history, packer):
            framed, checksum = _framed(record, checksum)
            parts.append(framed)
        content = b"".join(parts)
        # Until all of this has succeeded, the open descriptor may lead to a file that is no longer there.
        self._failed = True
        try:
            replace_file(self.path, content)
            self._open()
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror or error}") from error
        self._length = self._fresh_length = len(content)
        self._checksum = checksum
        self._arrays = packer.known
        self._failed = False

    def close(self) -> None:
        """Let others continue the journal; closing twice does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._lock.release()

    def discard(self) -> None:
        """Close and delete the journal: its work is saved elsewhere."""
        self.path.unlink()
        self.close()

    def _open(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))

    def _append(self, record: Record) -> None:
        if self._descriptor < 0:
            raise JournalError(f"{self.path} is closed")
        if self._failed:
            raise JournalError(f"{self.path} failed earlier and must be rewritten first")
        framed, checksum = _framed(record, self._checksum)
        try:
            _write_all(self._descriptor, framed)
            os.fsync(self._descriptor)
        except OSError as error:
            # Half a record would hide every later one, so nothing may follow it; a whole one should not come back.
            self._failed = True
            with suppress(OSError):
                self._cut()
            raise JournalError(f"{self.path} cannot be written: {error.strerror or error}") from error
        self._length += len(framed)
        self._checksum = checksum

    def _cut(self) -> None:
        """Take back everything behind the records that count."""
        os.ftruncate(self._descriptor, self._length)
        os.fsync(self._descriptor)


def read_journal(path: Path | str) -> Recovery:
    """What a journal holds, without touching it; a torn or damaged tail is told, never an error."""
    content = _content(Path(path))
    frames = list(_frames(content))
    history, _ = _replayed(frames, path)
    return Recovery(history, frames[-1].end, len(content) - frames[-1].end)


@dataclass(frozen=True, slots=True)
class _Frame:
    payload: bytes
    start: int
    end: int
    checksum: int


def _framed(record: Start | Record, before: int) -> tuple[bytes, int]:
    payload = msgspec.json.encode(record)
    length = b"%08x" % len(payload)
    checksum = zlib.crc32(payload, zlib.crc32(length, before))
    return b"%s %08x %s\n" % (length, checksum, payload), checksum


def _frames(content: bytes) -> Iterator[_Frame]:
    """Records up to the first that is torn or does not check out."""
    at, before = 0, 0
    while match := _HEAD.match(content, at):
        length, checksum = int(match[1], 16), int(match[2], 16)
        start, end = match.end(), match.end() + length
        payload = content[start:end]
        if content[end : end + 1] != b"\n" or zlib.crc32(payload, zlib.crc32(match[1], before)) != checksum:
            return
        yield _Frame(payload, start, end + 1, checksum)
        at, before = end + 1, checksum


def _records(history: History, packer: Packer) -> Iterator[Start | Record]:
    """A history as a journal tells it: from its oldest document on, and back to where we stand."""
    first, *later = history.steps
    yield Start(FORMAT, VERSION, history.limit, first.label, encode.file(first.document, packer))
    before = first.document
    for step in later:
        # What the packer has given out belongs to earlier records.
        packer.new = {}
        yield Record("do", step.label, difference(before, step.document, packer))
        before = step.document
    for _ in range(len(history.steps) - 1 - history.at):
        yield Record("undo")


def _replayed(frames: list[_Frame], path: Path | str) -> tuple[History, set[str]]:
    """The history that the records tell, and the names of all arrays in them."""
    if not frames:
        raise FormatError(path, "byte 0", "this is no journal, or its beginning is damaged")
    arrays = Unpacker()
    place = "first record"
    try:
        history = _started(frames[0].payload, arrays)
        for frame in frames[1:]:
            place = f"record at byte {frame.start}"
            history = _advanced(history, decoded(_RECORD, frame.payload), arrays)
    except Misfit as misfit:
        # Its checksum holds, so this is no accident of the disk: another program wrote it.
        raise FormatError(path, f"{place}, {misfit.place}", misfit.problem) from None
    except NothingToUndo as error:
        raise FormatError(path, place, str(error)) from None
    return history, arrays.names


def _started(payload: bytes, arrays: Unpacker) -> History:
    header = decoded(_HEADER, payload)
    if header.format != FORMAT or header.version < 1:
        raise Misfit("$.format", "this is another kind of file")
    if header.version > VERSION:
        raise Misfit("$.version", f"version {header.version} is newer than {VERSION}; a newer Inbetweener opens it")
    start = decoded(_START, payload)
    opened = decode.document(start.document, arrays)
    return History((Step(start.label, opened),), 0, start.limit)


def _advanced(history: History, record: Record, arrays: Unpacker) -> History:
    match record.kind:
        case "undo":
            return history.undone()
        case "redo":
            return history.redone()
        case "do":
            if record.label is UNSET or record.change is UNSET:
                raise Misfit("$", "a step without label or change")
            return history.done(record.label, changed(history.document, record.change, arrays))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error


def _lock(path: Path) -> Lock:
    try:
        return Lock(path.with_name(path.name + ".lock"), path)
    except OSError as error:
        raise JournalError(f"{path} cannot be locked: {error.strerror or error}") from error


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
