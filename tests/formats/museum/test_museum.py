"""Every format's quirks open as they should, whatever bytes are changed in them ends in a document or one line, and
what unfolds without end is refused before it does."""

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from inbetweener.errors import FormatError
from inbetweener.formats import read
from tests.formats.museum.exhibits import BOMBS, EXHIBITS, Exhibit, quick

LONGEST = 20.0
"""Seconds of processor time for a few hundred bytes, on a busy machine."""
ROOM = 400 << 20
"""Bytes that any of these small files may take while it is read."""


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
def test_quirks_open_as_they_should(exhibit: Exhibit, tmp_path: Path) -> None:
    reading = read(exhibit.make(tmp_path), **dict(exhibit.options))
    assert exhibit.wrong(reading.document, reading.notes) == ""


def outcome(path: Path, **options: object) -> str:
    """What was said, in one line that begins with the path; empty where the file opened."""
    try:
        read(path, **options)
    except FormatError as error:
        said = str(error)
        assert said.startswith(f"{path}: ")
        assert "\n" not in said
        return said
    return ""


def changed(content: bytes, chance: np.random.Generator) -> bytes:
    """Bytes flipped, written over, cut out, doubled or cut off."""
    made = bytearray(content)
    for at in chance.integers(0, len(made), int(chance.integers(1, 6))):
        made[at] = int(chance.integers(256)) if chance.random() < 0.5 else made[at] ^ (1 << int(chance.integers(8)))
    start, length = int(chance.integers(len(made))), int(chance.integers(1, 40))
    match int(chance.integers(4)):
        case 0:
            del made[start : start + length]
        case 1:
            made[start:start] = made[start : start + length]
        case 2:
            del made[start:]
    return bytes(made)


@pytest.mark.parametrize("exhibit", quick(EXHIBITS))
def test_changed_bytes_end_in_one_line_or_a_document(exhibit: Exhibit, tmp_path: Path) -> None:
    path = exhibit.make(tmp_path)
    sound, chance = path.read_bytes(), np.random.default_rng(len(exhibit.name))
    # A stage is opened in a process of its own, which takes a moment.
    for _ in range(3 if path.suffix.startswith(".usd") else 60):
        path.write_bytes(changed(sound, chance))
        began = time.process_time()
        outcome(path, **dict(exhibit.options))
        assert time.process_time() - began < LONGEST


@pytest.mark.parametrize("name", BOMBS)
def test_what_unfolds_without_end_is_refused(name: str, tmp_path: Path) -> None:
    content = BOMBS[name]()
    path = tmp_path / name
    path.write_bytes(content)
    tracemalloc.start()
    began = time.process_time()
    try:
        said = outcome(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert said
    assert len(said) < 1000
    assert peak < ROOM + 12 * len(content)
    assert time.process_time() - began < LONGEST
