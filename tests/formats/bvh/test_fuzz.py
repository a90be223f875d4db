"""Whatever the bytes are: a FormatError of one line, or a reading whose document can be evaluated and written."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from tests.formats.bvh.samples import chain

SEED_FILE = chain(
    [0, 90, 0, 1.5, -2e-3, 3, 10, 20, 30],
    [1, 91, 0.5, 4, 5, 6, 170, 21, 31],
    [2, 92, 1.0, 7, 8, 9, -170, 22, 32],
).encode()
KEYWORDS = b"{ } JOINT ROOT End Site OFFSET CHANNELS MOTION Frames: Frame Time: Xposition Zrotation".split()
NUMBERS = b"0 -1 3 1e308 nan 999999999999".split()
WORDS = st.sampled_from([*KEYWORDS, *NUMBERS, b"\n", b"\r", b"\x00", b"\x85", b"\xff", b" "])


def survives(content: bytes, folder: Path) -> None:
    path = folder / "fuzzed.bvh"
    path.write_bytes(content)
    try:
        document = read(path).document
    except FormatError as error:
        refusal = str(error)
    else:
        refusal = ""
        evaluates_and_writes(document, path)
    assert "\n" not in refusal
    assert refusal.startswith(f"{path}: ") or not refusal


def evaluates_and_writes(document: Document, path: Path) -> None:
    for clip in document.clips:
        assert np.isfinite(document.motion(clip.name).joint_positions(clip.frame_times)).all()
    write(document, path)
    again = read(path, unit=document.source.unit, up=document.source.up).document
    assert [joint.name for joint in again.rig.joints] == [joint.name for joint in document.rig.joints]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@given(st.binary(max_size=400))
def test_any_bytes(folder: Path, content: bytes) -> None:
    survives(content, folder)


@given(st.lists(WORDS, max_size=40))
def test_any_words_of_the_format(folder: Path, words: list[bytes]) -> None:
    survives(b"HIERARCHY\nROOT a\n{\n" + b" ".join(words), folder)


@settings(max_examples=300)
@given(st.data())
def test_a_good_file_bent_in_places(folder: Path, data: st.DataObject) -> None:
    """Cuts, doublings and words put where they do not belong."""
    content = SEED_FILE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 30)))
        put = data.draw(st.one_of(WORDS, st.just(b""), st.just(content[start:end] * 2), st.binary(max_size=3)))
        content = content[:start] + put + content[end:]
    survives(content, folder)


@settings(max_examples=100)
@given(st.integers(0, len(SEED_FILE)))
def test_a_good_file_cut_short_anywhere(folder: Path, length: int) -> None:
    survives(SEED_FILE[:length], folder)
