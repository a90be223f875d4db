"""Views that meshopt compressed, as `EXT_meshopt_compression` and `KHR_meshopt_compression` have them."""

from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from inbetweener.formats.gltf.packed import kernels
from inbetweener.formats.gltf.schema import Count, Index, Offset

NAMES = ("EXT_meshopt_compression", "KHR_meshopt_compression")
_TAIL = {0: 32, 1: 24}
"""Bytes behind the blocks of rows, at least, in either version of the code."""

Bytes = npt.NDArray[np.uint8]


class Packed(msgspec.Struct, rename="camel"):
    """Where a view's bytes are, and as what."""

    buffer: Index
    byte_length: Count
    byte_stride: Count
    count: Count
    mode: Literal["ATTRIBUTES", "TRIANGLES", "INDICES"]
    byte_offset: Offset = 0
    filter: Literal["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"] = "NONE"


class Unreadable(Exception):
    """Bytes that say nothing; why."""


def unpacked(packed: Packed, data: memoryview) -> bytes:
    """The bytes of a view, rows of `byte_stride`."""
    code = np.frombuffer(data, np.uint8)
    if len(code) < 2:
        raise Unreadable("is too short to be compressed")
    if packed.mode == "ATTRIBUTES":
        rows = _attributes(packed, code)
        return _filtered(packed, rows).tobytes()
    if packed.byte_stride not in (2, 4):
        raise Unreadable(f"has indices of {packed.byte_stride} bytes, expected 2 or 4")
    indices = np.zeros(packed.count, np.int64)
    if packed.mode == "TRIANGLES":
        if code[0] != 0xE1 or packed.count % 3:
            raise Unreadable("is no list of triangles that meshopt wrote")
        found = kernels.unpack_triangles(code, indices.reshape(-1, 3))
    else:
        if code[0] != 0xD1:
            raise Unreadable("is no list of indices that meshopt wrote")
        found = kernels.unpack_sequence(code, indices)
    if found < 0:
        raise Unreadable("ends before all its indices are told")
    return indices.astype("<u2" if packed.byte_stride == 2 else "<u4").tobytes()


def _attributes(packed: Packed, code: Bytes) -> Bytes:
    version, stride = int(code[0]) & 15, packed.byte_stride
    if code[0] not in (0xA0, 0xA1) or stride % 4 or stride > 256:
        raise Unreadable("is no table of numbers that meshopt wrote")
    tail = stride + (stride // 4 if version else 0)
    behind = max(tail, _TAIL[version])
    if len(code) < 1 + behind:
        raise Unreadable("is too short for its first row")
    deltas = np.zeros((packed.count, stride), np.uint8)
    if kernels.unpack_deltas(code[: len(code) - behind], version, deltas) < 0:
        raise Unreadable("ends before all its rows are told")
    first = code[len(code) - tail :][:stride]
    ways = code[len(code) - stride // 4 :] if version else np.zeros(stride // 4, np.uint8)
    rows = np.empty_like(deltas)
    for n, way in enumerate(ways):
        four = slice(4 * n, 4 * n + 4)
        rows[:, four] = _summed(np.ascontiguousarray(deltas[:, four]), first[four], int(way))
    return rows


def _summed(deltas: Bytes, first: Bytes, way: int) -> Bytes:
    """Rows (n, 4) of their differences: by byte, by two bytes, or of all four what differs bit by bit."""
    if way & 3 == 2:
        words = deltas.view("<u4")[:, 0]
        turn = way >> 4
        turned = (words >> np.uint32(turn)) | (words << np.uint32(32 - turn)) if turn else words
        start = np.ascontiguousarray(first).view("<u4")
        return np.bitwise_xor.accumulate(np.concatenate([start, turned]))[1:].astype("<u4")[:, None].view(np.uint8)
    if way & 3 == 3:
        raise Unreadable("is coded in a way that is not known")
    kind = "<u1" if way & 3 == 0 else "<u2"
    words = deltas.view(kind)
    signed = (words >> 1) ^ (np.zeros_like(words) - (words & 1))
    start = np.ascontiguousarray(first).view(kind)[None]
    summed = np.cumsum(np.concatenate([start, signed]), axis=0, dtype=kind)[1:]
    return np.ascontiguousarray(summed.astype(kind)).view(np.uint8)


def _filtered(packed: Packed, rows: Bytes) -> npt.NDArray[Any]:
    """What the numbers mean: directions, rotations and colours are stored in fewer of them."""
    stride, kind = packed.byte_stride, packed.filter
    if kind == "NONE":
        return rows
    if (kind == "QUATERNION" and stride != 8) or (kind in ("OCTAHEDRAL", "COLOR") and stride not in (4, 8)):
        raise Unreadable(f"has rows of {stride} bytes, which {kind} cannot be")
    if kind == "EXPONENTIAL":
        words = rows.view("<i4")
        return np.ldexp((words << 8 >> 8).astype(np.float64), words >> 24).astype("<f4")
    if kind == "COLOR":
        return _coloured(rows, stride)
    numbers = rows.view("<i1" if stride == 4 else "<i2")
    a, b, c, d = numbers.astype(np.float64).T
    if kind == "OCTAHEDRAL":
        top = 127.0 if stride == 4 else 32767.0
        with np.errstate(all="ignore"):
            x, y = np.nan_to_num(a / c), np.nan_to_num(b / c)
        z = 1.0 - np.abs(x) - np.abs(y)
        fold = np.maximum(-z, 0.0)
        x, y = x - np.where(x >= 0, fold, -fold), y - np.where(y >= 0, fold, -fold)
        scale = top / np.maximum(np.sqrt(x * x + y * y + z * z), 1e-12)
        return _rounded(np.stack([x * scale, y * scale, z * scale, d], axis=1), numbers.dtype)
    words = numbers[:, 3].astype(np.int64)
    scale = np.sqrt(0.5) / (words | 3)
    x, y, z = a * scale, b * scale, c * scale
    w = np.sqrt(np.maximum(1.0 - x * x - y * y - z * z, 0.0))
    made = np.empty((len(rows), 4))
    where = (words & 3)[:, None]
    np.put_along_axis(made, (where + np.array([1, 2, 3, 0])) % 4, np.stack([x, y, z, w], axis=1), axis=1)
    return _rounded(32767.0 * made, numbers.dtype)


def _coloured(rows: Bytes, stride: int) -> npt.NDArray[Any]:
    """Red, green and blue of brightness and two differences; how many bits they have is told by the alpha."""
    plain, signed = ("<u1", "<i1") if stride == 4 else ("<u2", "<i2")
    light, alpha = (rows.view(plain)[:, n].astype(np.int64) for n in (0, 3))
    orange, green = (rows.view(signed)[:, n].astype(np.int64) for n in (1, 2))
    bits = np.floor(np.log2(np.maximum(alpha, 1))).astype(np.int64) + 1
    top = (1 << bits) - 1
    low = alpha & (top >> 1)
    sheer = (low << 1) | (low & 1)
    parts = np.stack([light + orange - green, light + green, light - orange - green, sheer], axis=1)
    return _rounded(parts * (((1 << (2 * stride)) - 1) / top)[:, None], np.dtype(plain))


def _rounded(values: npt.NDArray[np.float64], kind: np.dtype[Any]) -> npt.NDArray[Any]:
    limits = np.iinfo(kind)
    return np.clip(np.floor(values + 0.5), limits.min, limits.max).astype(kind)
