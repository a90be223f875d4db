"""A glTF file being read: its JSON, its bytes, and the notes taken on the way."""

import base64
import binascii
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt

from inbetweener.document.budget import LONGEST_NAME, Budget
from inbetweener.formats import notes
from inbetweener.formats.gltf.schema import Accessor, BufferView, Gltf

T = TypeVar("T")


class Source(notes.Source):
    """Everything read so far; places are JSON pointers."""

    def __init__(self, path: Path, gltf: Gltf, binary: bytes | None, budget: Budget) -> None:
        super().__init__(path, budget)
        self.gltf = gltf
        self._read: dict[str, bytes] = {}
        self._binary = binary
        self._buffers: dict[int, bytes] = {}

    def become(self, gltf: Gltf, binary: bytes) -> "Source":
        """Another JSON and its data for the rest of the reading, with all that was noted and spent."""
        self.gltf, self._binary, self._buffers = gltf, binary, {}
        return self

    def item(self, kind: str, items: list[T], index: int, place: str) -> T:
        """items[index], or a clear line that `place` points at nothing."""
        if index >= len(items):
            self.fail(place, f"there is no {kind} {index}; the file has {len(items)}")
        return items[index]

    def view(self, index: int, place: str) -> tuple[BufferView, memoryview]:
        """A buffer view and its bytes."""
        view = self.item("bufferView", self.gltf.buffer_views, index, place)
        return view, self.stretch(view.buffer, view.byte_offset, view.byte_length, f"/bufferViews/{index}")

    def stretch(self, buffer: int, start: int, length: int, place: str) -> memoryview:
        """Bytes of a buffer."""
        data = self._buffer(buffer, f"{place}/buffer")
        if start + length > len(data):
            self.fail(place, f"bytes {start} to {start + length} lie outside buffer {buffer}, which has {len(data)}")
        return memoryview(data)[start : start + length]

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
        if name in self._read:
            return self._read[name]
        folder = self.path.parent.resolve()
        try:
            target = (folder / name).resolve()
            inside = target.is_relative_to(folder)
            # What is no file, a pipe or a device, may have no end.
            strange = inside and target.exists() and not target.is_file()
            data = target.read_bytes() if inside and not strange else b""
        except (OSError, ValueError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a possible file name"
            self.fail(place, f"{shown} cannot be read: {reason}", "put it beside this file")
        if not inside:
            self.fail(place, f"{shown} leads out of the file's folder", "put the file in this folder")
        if strange:
            self.fail(place, f"{shown} is not a file", "name one that is")
        self.budget.grow(len(data))
        self._read[name] = data
        return data


def named(record: Any, fallback: str) -> str:
    """A record's name, cut where it is absurdly long, or a made one."""
    name = record.name
    return name[:LONGEST_NAME] if isinstance(name, str) and name[:LONGEST_NAME].strip() else fallback


DTYPES: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class Accessors:
    """Decoded accessors, each decoded once and read-only; shared by all who ask."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._decoded: dict[tuple[int, bool], npt.NDArray[Any]] = {}

    def record(self, index: int, place: str) -> Accessor:
        """The accessor that `place` points at."""
        return self.source.item("accessor", self.source.gltf.accessors, index, place)

    def raw(self, index: int, place: str, *types: str) -> npt.NDArray[Any]:
        """Elements (count, width) in the file's own number type; `types` are the element types that will do."""
        accessor = self.record(index, place)
        if types and accessor.type not in types:
            self.source.fail(place, f"accessor {index} holds {accessor.type}, expected {' or '.join(types)}")
        if (index, False) not in self._decoded:
            self._keep((index, False), self._decode(accessor, f"/accessors/{index}"))
        return self._decoded[index, False]

    def floats(self, index: int, place: str, *types: str) -> npt.NDArray[np.float32]:
        """Elements (count, width) as float32, integers normalised where the accessor says so; all finite."""
        values = self.numbers(index, place, *types)
        if not np.isfinite(values).all():
            where = int(np.argmin(np.isfinite(values).all(axis=1)))
            self.source.fail(place, f"element {where} of accessor {index} is not a finite number")
        return values

    def numbers(self, index: int, place: str, *types: str) -> npt.NDArray[np.float32]:
        """As `floats`, for those who can mend what is not finite."""
        raw = self.raw(index, place, *types)
        if (index, True) not in self._decoded:
            accessor = self.record(index, place)
            values = raw
            if accessor.component_type != 5126:
                values = raw.astype(np.float32)
                if accessor.normalized:
                    values = np.maximum(values / np.float32(np.iinfo(raw.dtype).max), np.float32(-1))
            self._keep((index, True), values)
        return self._decoded[index, True]

    def _keep(self, key: tuple[int, bool], values: npt.NDArray[Any]) -> None:
        values = np.ascontiguousarray(values)
        values.flags.writeable = False
        self._decoded[key] = values

    def _decode(self, accessor: Accessor, place: str) -> npt.NDArray[Any]:
        source = self.source
        dtype, width = DTYPES[accessor.component_type], WIDTHS[accessor.type]
        if accessor.type.startswith("MAT") and (accessor.type, dtype.itemsize) not in {
            ("MAT2", 4), ("MAT3", 4), ("MAT4", 1), ("MAT4", 2), ("MAT4", 4),
        }:  # fmt: skip
            source.fail(place, "matrices of small integers, whose columns are padded, are not supported")
        # As it is in the file where that is copied, and as floats.
        source.spend(accessor.count * width * (dtype.itemsize + 4), place)
        if accessor.buffer_view is None:
            values = np.zeros((accessor.count, width), dtype)
        else:
            values = self._strided(
                accessor.buffer_view, accessor.byte_offset, accessor.count, dtype, width, f"{place}/bufferView"
            )
        if accessor.sparse is not None:
            sparse, here = accessor.sparse, f"{place}/sparse"
            if sparse.count > accessor.count:
                source.fail(f"{here}/count", f"replaces {sparse.count} of {accessor.count} elements")
            where = self._strided(
                sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count,
                DTYPES[sparse.indices.component_type], 1, f"{here}/indices/bufferView",
            )[:, 0].astype(np.int64)  # fmt: skip
            if where.max() >= accessor.count or (np.diff(where) <= 0).any():
                source.fail(f"{here}/indices", f"must increase and stay below {accessor.count}")
            values = values.copy()
            values[where] = self._strided(
                sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, dtype, width,
                f"{here}/values/bufferView",
            )  # fmt: skip
        return values

    def _strided(
        self, view_index: int, offset: int, count: int, dtype: np.dtype[Any], width: int, place: str
    ) -> npt.NDArray[Any]:
        view, data = self.source.view(view_index, place)
        size = dtype.itemsize * width
        stride = view.byte_stride or size
        end = offset + stride * (count - 1) + size
        if end > len(data) or stride < size:
            self.source.fail(
                place,
                f"{count} elements of {size} bytes, {stride} apart from byte {offset}, "
                f"do not fit into bufferView {view_index}, which has {len(data)}",
            )
        if stride == size:
            return np.frombuffer(data, dtype, count * width, offset).reshape(count, width)
        rows = np.ndarray((count, size), np.uint8, data, offset, (stride, 1))
        return np.ascontiguousarray(rows).view(dtype)
