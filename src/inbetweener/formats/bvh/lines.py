"""The words of a BVH header, one line after the other, each line with its number."""

import io
import math
import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import FormatError
from inbetweener.formats.bvh import kernels

LARGEST = 1e12
"""Numbers beyond this are no lengths or angles of a character; they would overflow further on."""

LONGEST_PROBLEM = 300
"""Characters of a message; a broken file may have a name of a million."""

_WORD = re.compile(r"[{}]|[^\s{}]+")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BLANKS = re.compile(rb"[ \t\r\n]+")


class Lines:
    """A cursor over the header's words. Lines are cut and decoded only when reached, whatever the file's size."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.data = data
        self.number = 0
        self.not_utf8 = False
        self._offset = 0
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """The next word, empty at the end of the file."""
        while not (word := self.peek_on_line()) and self._offset < len(self.data):
            self._next_line()
        return word

    def peek_on_line(self) -> str:
        """The next word of the current line, empty at its end."""
        match = _WORD.search(self._text, self._at)
        return match.group() if match else ""

    def take(self) -> str:
        """The next word, used up."""
        self.peek()
        match = _WORD.search(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match.group()

    def expect(self, *wanted: str, where: str) -> str:
        """The next word in capitals, which must be one of `wanted`."""
        word = self.take()
        if word.upper() not in wanted:
            self.fail(f"expected {' or '.join(wanted)} {where}, found {_shown(word)}")
        return word.upper()

    def rest_of_line(self, *, until_brace: bool = False) -> str:
        """What is left of this line, its inner spaces kept; up to an opening brace if asked."""
        brace = self._text.find("{", self._at) if until_brace else -1
        end = brace if brace >= 0 else len(self._text)
        text = self._text[self._at : end].strip()
        self._at = end
        return text

    def numbers(self, count: int, what: str) -> list[float]:
        """The next `count` words as numbers."""
        return [self.finite(self.take(), what) for _ in range(count)]

    def finite(self, word: str, what: str) -> float:
        """A word as a finite number."""
        value = number(word)
        if value is None:
            self.fail(f"{what}: {_shown(word)} is not a finite number")
        return value

    def rest_offset(self) -> int:
        """Where the line after the current one starts."""
        return self._offset

    def fail(self, problem: str, remedy: str = "") -> NoReturn:
        """Raise a FormatError that names this line."""
        if len(problem) > LONGEST_PROBLEM:
            problem = problem[:LONGEST_PROBLEM] + "…"
        raise FormatError(self.path, f"line {max(self.number, 1)}", problem, remedy)

    def _next_line(self) -> None:
        # All blank lines in one step: a file may have millions.
        blanks = _BLANKS.match(self.data, self._offset)
        if blanks:
            run = blanks.group().rstrip(b" \t")
            self.number += run.count(b"\n") + run.count(b"\r") - run.count(b"\r\n")
            self._offset += len(run)
        end = _LINE_END.search(self.data, self._offset)
        line = self.data[self._offset : end.start() if end else len(self.data)]
        self._offset = end.end() if end else len(self.data)
        # Nothing after the last line end is no line.
        self.number += bool(line)
        self._at = 0
        try:
            self._text = line.decode("utf-8")
        except UnicodeDecodeError:
            # Every byte is a letter in Latin-1, so that names from older programs stay distinct and readable.
            self._text = line.decode("latin-1")
            self.not_utf8 = True


def number(word: str | bytes) -> float | None:
    """A word as a number; None when it is none, not finite, or far too large."""
    try:
        value = float(word)
    except ValueError:
        return None
    underscored = "_" in word if isinstance(word, str) else b"_" in word
    return value if math.isfinite(value) and abs(value) <= LARGEST and not underscored else None


def _shown(word: str) -> str:
    """A word for an error message: short and printable."""
    if not word:
        return "the end of the file"
    return ascii(word) if len(word) <= 40 else ascii(word[:40]) + "…"


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
