"""The table of samples: exact numbers, rows that fit, memory that follows the text."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.errors import FormatError
from inbetweener.formats.bvh.lines import parse_rows

PATH = Path("x.bvh")


def rows(text: str, declared: int, width: int) -> tuple[np.ndarray, tuple[str, ...]]:
    return parse_rows(PATH, text.encode(), 10, declared, [f"c{n}" for n in range(width)])


FINITE = st.floats(-1e12, 1e12)
DECIMALS = st.tuples(st.sampled_from("+- "), st.text("0123456789", min_size=1, max_size=22), st.integers(0, 22)).map(
    lambda parts: f"{parts[0].strip()}{parts[1][: parts[2]]}.{parts[1][parts[2] :]}"
)


@given(st.lists(FINITE.map(repr) | FINITE.map("{:.6f}".format) | FINITE.map("{:.18e}".format), min_size=1))
def test_every_number_is_the_nearest_float(words: list[str]) -> None:
    values, repairs = rows(" ".join(words), 1, len(words))
    assert values.tolist() == [[float(word) for word in words]]
    assert repairs == ()


@given(st.lists(DECIMALS.filter(lambda word: abs(float(word)) <= 1e12), min_size=1))
def test_digits_of_any_length_are_the_nearest_float(words: list[str]) -> None:
    values, _ = rows("\t".join(words), 1, len(words))
    assert values.tolist() == [[float(word) for word in words]]


@pytest.mark.parametrize("word", ["nan", "-1.#IND", "inf", "1e999", "1,5", "1_0", ".", "-", "1e", "0x10", "1.2.3", "é"])
def test_words_that_are_no_numbers_are_named(word: str) -> None:
    with pytest.raises(FormatError) as caught:
        rows(f"1 2\n\n3 {word}\n5 6", 3, 2)
    assert caught.value.place == "line 12"
    assert f"frame 2, value 2 (c1): {word!a}" in caught.value.problem or word == "é"


def test_a_number_beyond_reason_is_named() -> None:
    with pytest.raises(FormatError, match=r"frame 1, value 2 .*'2e15' is not a usable number"):
        rows("1 2e15", 1, 2)


@pytest.mark.parametrize("text", ["1 2\n3\n5 6", "1 2 3\n4\n5 6", "1 2\n3 4 5\n6"])
def test_a_row_of_another_length_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match=r"frame \d has \d values; the hierarchy has 2 channels"):
        rows(text, 3, 2)


def test_rows_broken_over_lines_are_joined() -> None:
    values, repairs = rows("1 2\n3\n4\n5 6\n", 2, 3)
    assert values.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert repairs == ("line 10: rows are broken over several lines; joined to 2 frames",)


def test_more_rows_than_declared_are_kept() -> None:
    values, repairs = rows("1\n2\n3", 2, 1)
    assert values.tolist() == [[1], [2], [3]]
    assert repairs == ("line 10: 2 frames are declared, 3 are there; read 3",)


def test_a_thousand_million_declared_frames_cost_nothing() -> None:
    tracemalloc.start()
    try:
        values, _ = rows("1 2 3\n4 5 6\n", 10**9, 3)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
    assert values.shape == (2, 3)


@pytest.mark.parametrize("word", ["1", "1e-23", "1e-300", "0.1234567890123456789"])
def test_the_shortest_words_fit(word: str) -> None:
    """Room is made for as many words as the text can hold, and no more."""
    values, _ = rows("\n".join([word] * 5000), 5000, 1)
    assert (values == float(word)).all()


def test_no_channels_no_frames() -> None:
    values, repairs = rows("\n\n\n", 10**9, 0)
    assert values.shape == (0, 0)
    assert len(repairs) == 1
