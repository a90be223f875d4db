"""The text container: `Name: value, value {` … `}`."""

import re
from typing import Any

import numpy as np

from inbetweener.formats.fbx.container import check_version
from inbetweener.formats.fbx.tree import DEEPEST, RECORD, VALUE, Record, Tree
from inbetweener.formats.notes import Source

_VERSION = re.compile(rb"FBXVersion:\s*(\d{1,9})")
_BITS = 7200
"""From this version on the floats of key attributes are written as the whole numbers of the same bits."""
_TOKEN = re.compile(r'\s*(?:;[^\n]*\s*)*(?:"([^"]*)"|([{},*])|([^\s"{},;*:]+)(\s*:)?|(:)|(")|$)')


def is_words(data: bytes) -> bool:
    """Whether the head of a file is that of an FBX file in text."""
    return _VERSION.search(data[:10_000]) is not None


def parse(data: bytes, source: Source) -> Tree:
    """The records of a file in text."""
    found = _VERSION.search(data[:10_000])
    version = int(found[1]) if found else 0
    check_version(source, version)
    source.spend(2 * len(data), "header")
    return Tree(version, True, _Parsing(data.decode("utf-8-sig", "replace"), source, version).top())


class _Parsing:
    def __init__(self, text: str, source: Source, version: int) -> None:
        self.text = text
        self.source = source
        self.version = version
        self.at = 0

    def top(self) -> Record:
        made = Record("")
        self._fill(made, 1)
        return made

    def _fail(self, problem: str) -> None:
        line = self.text.count("\n", 0, self.at) + 1
        self.source.fail(f"line {line}", problem, "it was cut off or damaged; fetch it again")

    def _next(self) -> re.Match[str]:
        found = _TOKEN.match(self.text, self.at)
        if found is None or found[5] or found[6]:
            self._fail("a text in quotes has no end" if found is not None and found[6] else "cannot be understood")
            raise AssertionError
        return found

    def _fill(self, made: Record, depth: int) -> None:
        """Records up to the brace that ends them, or to the end of the file."""
        if depth > DEEPEST:
            self._fail(f"records lie more than {DEEPEST} deep")
        while True:
            token = self._next()
            if token[2] == "}" and depth > 1:
                self.at = token.end()
                return
            if token.end() == len(self.text) and token.lastindex is None:
                if depth > 1:
                    self._fail(f"{made.name[:40]!r} has no end")
                return
            if token[4] is None:
                self._fail("expected the name of a record")
            self.at = token.end()
            self.source.spend(RECORD, f"record {token[3][:40]!r}")
            record = Record(token[3])
            self._values(record, depth)
            made.inside.append(record)

    def _values(self, record: Record, depth: int) -> None:
        while True:
            token = self._next()
            if token[2] == "{":
                self.at = token.end()
                self._fill(record, depth + 1)
                return
            if token[2] == "*":
                self.at = token.end()
                self._array(record)
                return
            if token[2] == "}" or token[4] is not None or token.lastindex is None:
                return
            self.at = token.end()
            if token[2] != ",":
                self.source.spend(VALUE, f"record {record.name[:40]!r}")
                record.values.append(token[1] if token[1] is not None else _value(token[3]))

    def _array(self, record: Record) -> None:
        """`*count { a: numbers }`"""
        head = re.compile(r"\s*\d+\s*\{\s*a\s*:([^}\"]*)\}").match(self.text, self.at)
        if head is None:
            self._fail(f"the array of {record.name[:40]!r} has no end")
            raise AssertionError
        self.source.spend(16 * head[1].count(",") + 100, f"record {record.name[:40]!r}")
        bits = record.name == "KeyAttrDataFloat" and self.version >= _BITS
        try:
            record.values.append(_numbers(head[1], bits))
        except (ValueError, OverflowError):
            self._fail(f"the array of {record.name[:40]!r} is not made of numbers")
        self.at = head.end()


def _numbers(text: str, bits: bool) -> Any:
    words = [word for word in re.sub(r";[^\n]*", "", text).split(",") if word.strip()]
    if bits:
        return np.array(words, np.int64).astype(np.int32).view(np.float32)
    if any(mark in text for mark in ".eEnN#"):
        return np.array([_value(word.strip()) for word in words], np.float64)
    return np.array(words, np.int64)


def _value(word: str) -> Any:
    if "#" in word:
        # How Windows wrote 1.#IND and 1.#INF.
        return float("nan")
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        return word
