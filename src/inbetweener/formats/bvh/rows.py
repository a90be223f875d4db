"""The table after Frame Time: text to an array (F, C), and what is wrong with it."""

import io
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import FormatError
from inbetweener.formats.bvh import kernels
from inbetweener.formats.bvh.lines import LARGEST, number


def parse_rows(
    path: Path, text: bytes, first_line: int, declared: int, channels: list[str]
) -> tuple[Floats, tuple[str, ...]]:
    """Samples (F, C) and repairs. `first_line` is the line number of the table's first line.

    Memory is bounded by the text, never by the declared count of frames.
    """
    values, lengths = _scan(path, text, first_line, channels)
    width = len(channels)
    repairs = []
    wrong = np.flatnonzero(lengths != width)
    if len(wrong):
        if _is_wrapped(lengths, declared, width):
            repairs.append(f"line {first_line}: rows are broken over several lines; joined to {declared} frames")
            lengths = np.full(declared, width)
        elif wrong[0] == len(lengths) - 1 and lengths[-1] < width:
            line = _line_of_row(text, len(lengths) - 1) + first_line
            repairs.append(
                f"line {line}: the last frame has {lengths[-1]} of {width} values (is the file cut short?); dropped"
            )
            lengths = lengths[:-1]
            declared -= 1
        else:
            row = int(wrong[0])
            raise FormatError(
                path,
                f"line {_line_of_row(text, row) + first_line}",
                f"frame {row + 1} has {lengths[row]} values; the hierarchy has {width} channels",
                "each frame is one line with one value a channel",
            )
    frames = len(lengths)
    if frames != declared:
        repairs.append(f"line {first_line}: {declared} frames are declared, {frames} are there; read {frames}")
    return values[: frames * width].reshape(frames, width), tuple(repairs)


def _scan(path: Path, text: bytes, first_line: int, channels: list[str]) -> tuple[Floats, Ints]:
    """All values in one go and the number of values in each row."""
    # A word takes two bytes with its blank, a hard one five ("1e23 "). Pages that are not written to cost nothing.
    most, most_hard = len(text) // 2 + 1, len(text) // 5 + 1
    values, lengths, hard = np.empty(most), np.empty(most, np.int64), np.empty((most_hard, 3), np.int64)
    count, rows, hards, bad = kernels.scan(np.frombuffer(text, np.uint8), values, lengths, hard)
    if bad >= 0:
        raise _bad_value(path, text, first_line, channels, lengths[:rows], bad)
    for chunk in range(0, hards, 4096):
        for index, start, end in hard[chunk : min(chunk + 4096, hards)].tolist():
            value = number(text[start:end])
            if value is None:
                raise _bad_value(path, text, first_line, channels, lengths[:rows], index)
            values[index] = value
    values = values[:count]
    beyond = np.flatnonzero(np.abs(values) > LARGEST)
    if len(beyond):
        raise _bad_value(path, text, first_line, channels, lengths[:rows], int(beyond[0]))
    return values, lengths[:rows]


def _is_wrapped(lengths: Ints, declared: int, width: int) -> bool:
    """True when lines break within frames but every frame also ends with a line."""
    ends = np.cumsum(lengths)
    if declared == 0 or ends[-1] != declared * width or len(lengths) < declared:
        return False
    return bool(np.isin(width * np.arange(1, declared + 1), ends).all())


def _bad_value(path: Path, text: bytes, first_line: int, channels: list[str], lengths: Ints, index: int) -> FormatError:
    row = int(np.searchsorted(np.cumsum(lengths), index, side="right"))
    column = index - int(lengths[:row].sum())
    line = _line_of_row(text, row)
    word = next(each for n, each in enumerate(_lines(text)) if n == line).split()[column]
    shown = ascii(word[:40].decode("latin-1"))
    channel = f" ({channels[column][:80]})" if column < len(channels) else ""
    return FormatError(
        path,
        f"line {line + first_line}",
        f"frame {row + 1}, value {column + 1}{channel}: {shown} is not a usable number",
        "write a decimal comma as a point" if b"," in word else "repair the value or take the frame out",
    )


def _line_of_row(text: bytes, row: int) -> int:
    """The line, counted from 0, of the row-th line that is not blank."""
    full = (n for n, line in enumerate(_lines(text)) if line.strip())
    return next(line for n, line in enumerate(full) if n == row)


def _lines(text: bytes) -> io.BytesIO:
    """Lines one at a time; only used once something is wrong."""
    return io.BytesIO(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
