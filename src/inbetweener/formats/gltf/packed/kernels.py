"""Compiled reading of meshopt's three codes; −1 where the bytes end too early or say what cannot be."""

import numpy as np

from inbetweener.arrays import Bytes, Ints
from inbetweener.kernels import inlined, kernel


@kernel("i8(const(u1[::1]), i8, u1[:,::1])")
def unpack_deltas(data: Bytes, version: int, deltas: Bytes) -> int:
    """Differences (count, stride) between rows of bytes; returns where they end in `data`.

    Rows come in blocks of which each column is stored by itself, sixteen numbers at a time in as few bits as they need:
    the largest number of so many bits says that a whole byte follows behind the sixteen.
    """
    count, stride = deltas.shape
    most = min((8192 // stride) // 16 * 16, 256)
    at = 1
    for first in range(0, count, most):
        rows = min(most, count - first)
        groups = (rows + 15) // 16
        control = at
        if version == 1:
            at += stride // 4
        for column in range(stride):
            mode = -1
            if version == 1:
                if control + column // 4 >= len(data):
                    return -1
                mode = (data[control + column // 4] >> (2 * (column % 4))) & 3
            if mode == 2:
                for n in range(rows):
                    deltas[first + n, column] = 0
                continue
            if mode == 3:
                if at + rows > len(data):
                    return -1
                for n in range(rows):
                    deltas[first + n, column] = data[at + n]
                at += rows
                continue
            header = at
            at += (groups + 3) // 4
            for group in range(groups):
                if header + group // 4 >= len(data):
                    return -1
                word = (data[header + group // 4] >> (2 * (group % 4))) & 3
                bits = _bits(word, mode)
                packed, at = at, at + 2 * bits
                if at > len(data):
                    return -1
                for n in range(16):
                    value = 0
                    if bits == 8:
                        value = int(data[packed + n])
                    elif bits > 0:
                        each = 8 // bits
                        place = n % each if bits == 1 else each - 1 - n % each
                        value = (int(data[packed + n // each]) >> (bits * place)) & ((1 << bits) - 1)
                        if value == (1 << bits) - 1:
                            if at >= len(data):
                                return -1
                            value = int(data[at])
                            at += 1
                    if 16 * group + n < rows:
                        deltas[first + 16 * group + n, column] = value
    return at


@inlined
def _bits(word: int, mode: int) -> int:
    """Bits of a number: 0, 2, 4, 8 in the first version; in the second 0, 1, 2, 4 or 1, 2, 4, 8."""
    if mode < 0:
        return (0, 2, 4, 8)[word]
    return (0, 1, 2, 4, 8)[word + mode]


@inlined
def _changed(data: Bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends; behind the end of `data` where it does not."""
    value = 0
    for n in range(5):
        if at >= len(data):
            return 0, len(data) + 1
        byte = int(data[at])
        at += 1
        value |= (byte & 127) << (7 * n)
        if byte < 128:
            break
    return value, at


@inlined
def _signed(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


@kernel("i8(const(u1[::1]), i8[::1])")
def unpack_sequence(data: Bytes, indices: Ints) -> int:
    """Indices as differences from either of two that went before."""
    at, last = 1, np.zeros(2, np.int64)
    for n in range(len(indices)):
        value, at = _changed(data, at)
        if at > len(data) - 4:
            return -1
        which = value & 1
        last[which] = (last[which] + _signed(value >> 1)) & 0xFFFFFFFF
        indices[n] = last[which]
    return at


@kernel("i8(const(u1[::1]), i8[:,::1])")
def unpack_triangles(data: Bytes, triangles: Ints) -> int:
    """Triangles, most of which share an edge with one of the last few; a byte each, then numbers, then a table."""
    count = len(triangles)
    at, table = 1 + count, len(data) - 16
    if at > table:
        return -1
    edges, corners = np.zeros((16, 2), np.int64), np.zeros(16, np.int64)
    edge, corner, fresh, last = 0, 0, 0, 0
    for n in range(count):
        code = int(data[1 + n])
        if code < 0xF0:
            a, b = edges[(edge - 1 - (code >> 4)) & 15, 0], edges[(edge - 1 - (code >> 4)) & 15, 1]
            low = code & 15
            kept = 0 < low < 13
            if low == 0:
                c = fresh
                fresh += 1
            elif kept:
                c = corners[(corner - 1 - low) & 15]
            else:
                if low == 15:
                    value, at = _changed(data, at)
                    if at > table:
                        return -1
                    last = (last + _signed(value)) & 0xFFFFFFFF
                else:
                    last = (last + (1 if low == 14 else -1)) & 0xFFFFFFFF
                c = last
            if not kept:
                corners[corner & 15] = c
                corner += 1
            edges[edge & 15, 0], edges[edge & 15, 1] = c, b
            edges[(edge + 1) & 15, 0], edges[(edge + 1) & 15, 1] = a, c
            edge += 2
        else:
            if code < 0xFE:
                pair, first = int(data[table + (code & 15)]), 0
            else:
                if at >= table:
                    return -1
                pair, first = int(data[at]), 0 if code == 0xFE else 15
                at += 1
                if pair == 0:
                    fresh = 0
            a, b, c = 0, 0, 0
            words, found = np.zeros(3, np.int64), np.zeros(3, np.int64)
            words[0], words[1], words[2] = first, pair >> 4, pair & 15
            # Corners are looked up as they were before the first of these was put among them.
            for k in range(3):
                word = words[k]
                if word == 0:
                    found[k] = fresh
                    fresh += 1
                elif word < 15 or (k > 0 and code < 0xFE):
                    found[k] = corners[(corner - word) & 15]
            for k in range(3):
                if words[k] == 15 and code >= 0xFE:
                    value, at = _changed(data, at)
                    if at > table:
                        return -1
                    last = (last + _signed(value)) & 0xFFFFFFFF
                    found[k] = last
            for k in range(3):
                if k == 0 or words[k] == 0 or (words[k] == 15 and code >= 0xFE):
                    corners[corner & 15] = found[k]
                    corner += 1
            a, b, c = found[0], found[1], found[2]
            edges[edge & 15, 0], edges[edge & 15, 1] = b, a
            edges[(edge + 1) & 15, 0], edges[(edge + 1) & 15, 1] = c, b
            edges[(edge + 2) & 15, 0], edges[(edge + 2) & 15, 1] = a, c
            edge += 3
        triangles[n, 0], triangles[n, 1], triangles[n, 2] = a, b, c
    return at
