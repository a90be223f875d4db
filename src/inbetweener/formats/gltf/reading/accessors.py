"""Numbers out of buffers: every component type, strides, normalised integers, sparse replacements."""

from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.formats.gltf.reading.source import Source
from inbetweener.formats.gltf.schema import Accessor

DTYPES: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_ALLOWANCE = 64 << 20


class Accessors:
    """Decoded accessors, each decoded once and read-only; shared by all who ask."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._decoded: dict[tuple[int, bool], npt.NDArray[Any]] = {}
        self._spent = 0

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

    def _spend(self, size: int, place: str) -> None:
        """Many accessors may name the same bytes: bound what they decode to by the size of the file."""
        self._spent += size
        if self._spent > _ALLOWANCE + 32 * self.source.size:
            self.source.fail(place, f"the file's {self.source.size} bytes unfold to more than {self._spent >> 20} MiB")

    def _decode(self, accessor: Accessor, place: str) -> npt.NDArray[Any]:
        source = self.source
        dtype, width = DTYPES[accessor.component_type], WIDTHS[accessor.type]
        if accessor.type.startswith("MAT") and (accessor.type, dtype.itemsize) not in {
            ("MAT2", 4), ("MAT3", 4), ("MAT4", 1), ("MAT4", 2), ("MAT4", 4),
        }:  # fmt: skip
            source.fail(place, "matrices of small integers, whose columns are padded, are not supported")
        if accessor.buffer_view is None and accessor.count > 65536 + source.size:
            source.fail(place, f"{accessor.count} zeros are more than a file of {source.size} bytes can mean")
        self._spend(accessor.count * width * max(dtype.itemsize, 4), place)
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
