"""A glTF file being read: its JSON, its bytes, and the notes taken on the way."""

import base64
import binascii
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, TypeVar
from urllib.parse import unquote, urlsplit

from inbetweener.errors import FormatError
from inbetweener.formats.gltf.schema import BufferView, Gltf

T = TypeVar("T")


class Source:
    """Everything read so far, and one line for everything mended. Places are JSON pointers."""

    def __init__(self, path: Path, gltf: Gltf, binary: bytes | None, size: int) -> None:
        self.path = path
        self.gltf = gltf
        self.size = size
        """Bytes read from disk so far: what decoded data is measured against."""
        self.notes: list[str] = []
        self._binary = binary
        self._buffers: dict[int, bytes] = {}

    def note(self, place: str, text: str) -> None:
        """Remember what was mended, guessed or left out at `place`."""
        self.notes.append(f"{place}: {text}")

    def fail(self, place: str, problem: str, remedy: str = "") -> NoReturn:
        """Give up, naming the place."""
        raise FormatError(self.path, place, problem, remedy)

    def item(self, kind: str, items: list[T], index: int, place: str) -> T:
        """items[index], or a clear line that `place` points at nothing."""
        if index >= len(items):
            self.fail(place, f"there is no {kind} {index}; the file has {len(items)}")
        return items[index]

    def view(self, index: int, place: str) -> tuple[BufferView, memoryview]:
        """A buffer view and its bytes."""
        view = self.item("bufferView", self.gltf.buffer_views, index, place)
        data = self._buffer(view.buffer, f"/bufferViews/{index}/buffer")
        if view.byte_offset + view.byte_length > len(data):
            self.fail(
                f"/bufferViews/{index}",
                f"bytes {view.byte_offset} to {view.byte_offset + view.byte_length} lie outside "
                f"buffer {view.buffer}, which has {len(data)}",
            )
        return view, memoryview(data)[view.byte_offset : view.byte_offset + view.byte_length]

    def _buffer(self, index: int, place: str) -> bytes:
        if index not in self._buffers:
            buffer = self.item("buffer", self.gltf.buffers, index, place)
            here = f"/buffers/{index}"
            if buffer.uri is not None:
                data = self.resource(buffer.uri, f"{here}/uri")
            elif index == 0 and self._binary is not None:
                data = self._binary
            else:
                self.fail(here, "has no uri, and the file has no data chunk of its own", "the data is missing")
            if len(data) < buffer.byte_length:
                self.fail(
                    here, f"promises {buffer.byte_length} bytes but has {len(data)}", "it was cut off; fetch it again"
                )
            # A container pads its chunk to four bytes; anything more deserves a line.
            if len(data) - buffer.byte_length > (3 if buffer.uri is None else 0):
                self.note(here, f"has {len(data) - buffer.byte_length} bytes more than it says; they are ignored")
            self._buffers[index] = data[: buffer.byte_length]
        return self._buffers[index]

    def resource(self, uri: str, place: str) -> bytes:
        """The bytes behind a data URI, or of a file in the folder of this one; nothing outside it is touched."""
        if uri[:5].lower() == "data:":
            head, _, body = uri.partition(",")
            try:
                if head.lower().endswith(";base64"):
                    return base64.b64decode(body, validate=True)
                return unquote(body).encode("latin-1")
            except (binascii.Error, ValueError) as error:
                self.fail(place, f"the data URI cannot be decoded: {error}")
        shown = repr(uri[:80])
        try:
            parts = urlsplit(uri)
        except ValueError:
            self.fail(place, f"{shown} is not a URI")
        name = unquote(uri)
        if parts.scheme or parts.netloc or name.startswith(("/", "\\")) or "\0" in name or Path(name).is_absolute():
            self.fail(place, f"{shown} is not a file beside this one", "put the file in this folder and name it there")
        folder = self.path.parent.resolve()
        try:
            target = (folder / name).resolve()
            inside = target.is_relative_to(folder)
            data = target.read_bytes() if inside else b""
        except (OSError, ValueError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a possible file name"
            self.fail(place, f"{shown} cannot be read: {reason}", "put it beside this file")
        if not inside:
            self.fail(place, f"{shown} leads out of the file's folder", "put the file in this folder")
        self.size += len(data)
        return data


def named(record: Any, fallback: str) -> str:
    """A record's name, or a made one."""
    name = record.name
    return name if isinstance(name, str) and name.strip() else fallback


class Names:
    """Names given out so far; each only once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def unused(self, wanted: str) -> str:
        """`wanted`, with a number behind it where it is taken; takes it."""
        name = wanted
        while name in self._taken:
            # Counting on from last time: thousands of nodes may share a name.
            number = self._next[wanted] = self._next.get(wanted, 0) + 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
