"""The journal: every committed step is on the disk before it is acknowledged.

A journal is a text file of records, one a line: length and checksum in hexadecimal, then JSON. The first record holds
a whole document, every later one a step: done (with the change that it made), undone or redone. A checksum covers its
record and the checksum before, so a record counts only where it was written. A last line without an end was never
acknowledged, and is dropped. Any other record that does not check out is damaged: a step that cannot be read stands in
its place, what was recorded behind it is done as far as it still fits, and the damaged file is kept aside.
"""

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

from inbetweener.document.difference import Change, changed, difference
from inbetweener.document.document import Document
from inbetweener.document.history import History, NothingToUndo, Step
from inbetweener.document.native import decode, encode, schema
from inbetweener.document.native.misfit import Misfit, decoded
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.document.validation import validate
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.system import Lock, open_own, read_own, remove_leftovers, replace_file, sync

FORMAT = "inbetweener-journal"
VERSION = 1
SMALLEST_OUTGROWN = 1 << 20
"""Bytes below which a journal is never worth rewriting."""
OUTGROWN = 4
"""A journal is rewritten when it is this many times as long as it would be afresh."""

_HEAD = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) ")
_HEAD_LENGTH = 18
_CHECKSUM = re.compile(rb"[0-9a-f]{8}")
MOST_GUESSES = 64
"""How many checksums may be in question behind damage; more of it than a flipped bit makes is not resolved."""


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


LOST = "A step that could not be read"
"""What stands in the history for a damaged record."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a journal held: the history, and how many bytes of it count and do not.

    Where steps were `lost`, because their records were damaged or built on such, the journal as it was is kept `aside`.
    """

    history: History
    kept_bytes: int
    dropped_bytes: int
    lost: int = 0
    aside: Path | None = None


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
        """Continue a journal after a crash or a normal end; a torn end is cut off, a damaged journal kept aside."""
        path = Path(path)
        if not os.path.lexists(path):
            raise FormatError(path, "", "there is no such journal")
        journal = cls(path, _lock(path), smallest_outgrown)
        try:
            content = _content(path)
            frames = _frames(content)
            recovery, arrays = _recovered(content, frames, path)
            remove_leftovers(path)
            if recovery.lost:
                aside = _free(path.with_suffix(".damaged"))
                replace_file(aside, content, own=True)
                recovery = replace(recovery, aside=aside)
            if recovery.lost or path.lstat().st_nlink > 1:
                journal.rewrite(recovery.history)
            else:
                last = frames[-1]
                assert last is not None
                journal._length, journal._checksum = last.end, last.checksum
                journal._fresh_length = frames[0].end if frames[0] is not None else 0
                journal._arrays = arrays
                journal._open()
                journal._cut()
        except OSError as error:
            journal.close()
            raise JournalError(f"{path} cannot be continued: {error.strerror or error}") from error
        except BaseException:
            journal.close()
            raise
        return journal, recovery

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
            replace_file(self.path, content, own=True)
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
        self._descriptor = open_own(self.path, os.O_WRONLY | os.O_APPEND)

    def _append(self, record: Record) -> None:
        if self._descriptor < 0:
            raise JournalError(f"{self.path} is closed")
        if self._failed:
            raise JournalError(f"{self.path} failed earlier and must be rewritten first")
        framed, checksum = _framed(record, self._checksum)
        try:
            _write_all(self._descriptor, framed)
            sync(self._descriptor)
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
        sync(self._descriptor)


def read_journal(path: Path | str) -> Recovery:
    """What a journal holds, without touching it; a torn end or damaged records are told, never an error."""
    content = _content(Path(path))
    return _recovered(content, _frames(content), path)[0]


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


def _frames(content: bytes) -> list[_Frame | None]:
    """All records up to the last that checks out or has an end; None for those that do not check out.

    Damage may be in a record's head, in its content or in the line's end, so the checksum before a record may be the
    one that is written there or the one that comes out; the record that is right says which.
    """
    frames: list[_Frame | None] = []
    at, before = 0, {0}
    while at < len(content):
        if (match := _HEAD.match(content, at)) is not None:
            start, end = match.end(), match.end() + int(match[1], 16)
            payload, checksum = content[start:end], int(match[2], 16)
            if end < len(content) and any(zlib.crc32(payload, zlib.crc32(match[1], b)) == checksum for b in before):
                frames.append(_Frame(payload, start, end + 1, checksum))
                at, before = end + 1, {checksum}
                continue
        end = content.find(b"\n", at)
        if end < 0:
            break
        line, at = content[at:end], end + 1
        if not line:
            continue
        frames.append(None)
        payload = line[_HEAD_LENGTH:]
        length = b"%08x" % len(payload)
        before |= {zlib.crc32(payload, zlib.crc32(length, b)) for b in before}
        if _CHECKSUM.match(line, 9):
            before.add(int(line[9:17], 16))
        if len(before) > MOST_GUESSES:
            before = set(sorted(before)[:MOST_GUESSES])
    return frames


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


def _recovered(content: bytes, frames: list[_Frame | None], path: Path | str) -> tuple[Recovery, set[str]]:
    """What the records tell, and the names of all arrays in them."""
    if not frames or (first := frames[0]) is None:
        raise FormatError(path, "byte 0", "this is no journal, or its beginning is damaged")
    arrays = Unpacker()
    place, lost = "first record", 0
    try:
        history = _started(first.payload, arrays)
        for frame in frames[1:]:
            if frame is None:
                lost += 1
                history = history.done(LOST, history.document)
                continue
            place = f"record at byte {frame.start}"
            try:
                after = _advanced(history, decoded(_RECORD, frame.payload), arrays)
                if lost:
                    validate(after.document)
                history = after
            except InbetweenerError:
                if not lost:
                    raise
                # It was recorded upon a step that is gone.
                lost += 1
                history = history.done(LOST, history.document)
    except Misfit as misfit:
        # Its checksum holds, so this is no accident of the disk: another program wrote it.
        raise FormatError(path, f"{place}, {misfit.place}", misfit.problem) from None
    except NothingToUndo as error:
        raise FormatError(path, place, str(error)) from None
    kept = first.start - _HEAD_LENGTH + sum(_HEAD_LENGTH + len(f.payload) + 1 for f in frames if f is not None)
    return Recovery(history, kept, len(content) - kept, lost), arrays.names


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
        return read_own(path)
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error


def _lock(path: Path) -> Lock:
    try:
        return Lock(path.with_name(path.name + ".lock"), path)
    except OSError as error:
        raise JournalError(f"{path} cannot be locked: {error.strerror or error}") from error


def _free(path: Path) -> Path:
    """The path, or one with a number where something is there."""
    number, found = 1, path
    while os.path.lexists(found):
        number += 1
        found = path.with_stem(f"{path.stem} {number}")
    return found


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
