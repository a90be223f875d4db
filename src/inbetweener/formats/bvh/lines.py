"""The words of a BVH header, one line after the other, each line with its number."""

import math
import re
from pathlib import Path
from typing import NoReturn

from inbetweener.errors import FormatError

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
