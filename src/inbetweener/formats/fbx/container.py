"""The binary container: records with their sizes before them, arrays deflated."""

import struct
import zlib
from typing import Any

import numpy as np

from inbetweener.formats.fbx.tree import BIG_OFFSETS, DEEPEST, RECORD, VALUE, Record, Tree
from inbetweener.formats.notes import Source

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
OLDEST, NEWEST = 7000, 7999
CUT_OFF = "it was cut off or damaged; fetch it again"
_NUMBERS = {b"Y": "<h", b"C": "<?", b"B": "<?", b"I": "<i", b"F": "<f", b"D": "<d", b"L": "<q"}
_ARRAYS = {b"f": "<f4", b"d": "<f8", b"l": "<i8", b"i": "<i4", b"b": "<u1", b"c": "<u1"}


def check_version(source: Source, version: int) -> None:
    """Refuse the layouts of before 2011, which keep animation and bindings elsewhere."""
    if not OLDEST <= version <= NEWEST:
        source.fail("header", f"FBX version {version} is not supported", "export it as FBX 2011 or later (7.1 to 7.7)")


def unpack(data: bytes, source: Source) -> Tree:
    """The records of a binary file."""
    if len(data) < len(MAGIC) + 4:
        source.fail("header", f"the file ends after {len(data)} bytes", CUT_OFF)
    (version,) = struct.unpack_from("<I", data, len(MAGIC))
    check_version(source, version)
    return Tree(version, False, _Unpacking(data, source, version >= BIG_OFFSETS).top())


class _Unpacking:
    def __init__(self, data: bytes, source: Source, big: bool) -> None:
        self.data = data
        self.source = source
        self.head = struct.Struct("<QQQB" if big else "<IIIB")

    def top(self) -> Record:
        made = Record("")
        at = len(MAGIC) + 4
        while True:
            record, at = self.record(at, len(self.data), 1)
            if record is None:
                return made
            made.inside.append(record)

    def record(self, at: int, limit: int, depth: int) -> tuple[Record | None, int]:
        """The record at a byte and where the next one starts; None for the nought that ends a list."""
        start, place = at, f"byte {at}"
        if depth > DEEPEST:
            self.source.fail(place, f"records lie more than {DEEPEST} deep", CUT_OFF)
        if at + self.head.size > limit:
            self.source.fail(place, "the list of records has no end", CUT_OFF)
        end, count, size, letters = self.head.unpack_from(self.data, at)
        at += self.head.size
        if end == 0:
            if count or size or letters:
                self.source.fail(place, "a record ends before it begins", CUT_OFF)
            return None, at
        if not at + letters + size <= end <= limit:
            self.source.fail(place, f"a record of {end - start} bytes does not fit where it lies", CUT_OFF)
        made = Record(self.data[at : at + letters].decode("utf-8", "replace"))
        at += letters
        # Every value takes two bytes at least, so that a count alone asks for nothing.
        if 2 * count > size:
            self.source.fail(place, f"{count} values in {size} bytes", CUT_OFF)
        self.source.spend(RECORD + VALUE * count, place)
        inner = at + size
        for _ in range(count):
            value, at = self.value(at, inner)
            made.values.append(value)
        if at != inner:
            self.source.fail(place, f"the values of {made.name[:40]!r} are not as long as it says", CUT_OFF)
        while at < end:
            record, at = self.record(at, end, depth + 1)
            if record is None:
                break
            made.inside.append(record)
        if at != end:
            self.source.fail(place, f"{made.name[:40]!r} is not as long as it says", CUT_OFF)
        return made, end

    def value(self, at: int, limit: int) -> tuple[Any, int]:
        kind, place = self.data[at : at + 1], f"byte {at}"
        at += 1
        if kind in _NUMBERS:
            layout = _NUMBERS[kind]
            after = at + struct.calcsize(layout)
            self._require(after <= limit, place)
            return struct.unpack_from(layout, self.data, at)[0], after
        if kind in (b"S", b"R"):
            self._require(at + 4 <= limit, place)
            (length,) = struct.unpack_from("<I", self.data, at)
            self._require(at + 4 + length <= limit, place)
            self.source.spend(2 * length, place)
            found = self.data[at + 4 : at + 4 + length]
            return (found.decode("utf-8", "replace") if kind == b"S" else found), at + 4 + length
        if kind not in _ARRAYS:
            self.source.fail(place, f"a value of unknown kind {kind!r}", CUT_OFF)
        return self._array(np.dtype(_ARRAYS[kind]), at, limit, place)

    def _array(self, dtype: np.dtype[Any], at: int, limit: int, place: str) -> tuple[Any, int]:
        self._require(at + 12 <= limit, place)
        count, packed, length = struct.unpack_from("<III", self.data, at)
        at += 12
        size = count * dtype.itemsize
        if packed == 0:
            length = size
        self._require(at + length <= limit, place)
        found = self.data[at : at + length]
        if packed:
            self.source.spend(size, place)
            found = self._inflated(found, size, place)
        return np.frombuffer(found, dtype, count), at + length

    def _inflated(self, found: bytes, size: int, place: str) -> bytes:
        try:
            made = zlib.decompressobj().decompress(found, size + 1)
        except zlib.error as error:
            self.source.fail(place, f"an array cannot be unpacked ({error})", CUT_OFF)
        if len(made) != size:
            self.source.fail(place, f"an array promises {size} bytes and unpacks to others", CUT_OFF)
        return made

    def _require(self, fits: bool, place: str) -> None:
        if not fits:
            self.source.fail(place, "a value runs past the end of its record", CUT_OFF)


FILE_ID, MADE = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1"), "1970-01-01 10:00:00:000"
_FOOT_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
"""The number of a file and its foot are made from its time in a way that nobody has told: these belong together."""
_FOOT_MAGIC = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
_ALWAYS_LISTED = ("AnimationStack", "AnimationLayer")
"""Records whose list of others is closed even where it is empty, as Autodesk's programs want it."""
SMALLEST_PACKED = 128
"""Bytes of an array from which on it is deflated."""


def pack(top: Record, version: int) -> bytes:
    """A binary file of records, with sizes of four bytes."""
    made = bytearray(MAGIC + struct.pack("<I", version))
    for record in top.inside:
        _write(made, record)
    made += b"\0" * 13
    made += _FOOT_ID + b"\0" * 4
    made += b"\0" * (16 - len(made) % 16)
    made += struct.pack("<I", version) + b"\0" * 120 + _FOOT_MAGIC
    return bytes(made)


def _write(made: bytearray, record: Record) -> None:
    start = len(made)
    name = record.name.encode()
    made += b"\0" * 12 + bytes([len(name)]) + name
    before = len(made)
    for value in record.values:
        _write_value(made, value)
    size = len(made) - before
    for each in record.inside:
        _write(made, each)
    if record.inside or not record.values or record.name in _ALWAYS_LISTED:
        made += b"\0" * 13
    struct.pack_into("<III", made, start, len(made), len(record.values), size)


def _write_value(made: bytearray, value: Any) -> None:
    if isinstance(value, bool):
        made += b"C" + struct.pack("<?", value)
    elif isinstance(value, np.int64):
        made += b"L" + struct.pack("<q", int(value))
    elif isinstance(value, int):
        made += b"I" + struct.pack("<i", value)
    elif isinstance(value, float):
        made += b"D" + struct.pack("<d", value)
    elif isinstance(value, str):
        text = value.encode()
        made += b"S" + struct.pack("<I", len(text)) + text
    elif isinstance(value, bytes):
        made += b"R" + struct.pack("<I", len(value)) + value
    else:
        kind = {"<f4": b"f", "<f8": b"d", "<i8": b"l", "<i4": b"i"}[value.dtype.str]
        data = np.ascontiguousarray(value).tobytes()
        packed = zlib.compress(data, 1) if len(data) >= SMALLEST_PACKED else data
        made += kind + struct.pack("<III", value.size, int(packed is not data), len(packed)) + packed
