"""Whatever was acknowledged is there after a kill and after a power cut: `make torture`, with small counts."""

from collections.abc import Callable

import pytest

from benchmarks.harness import Figure
from torture import batches, kills, power_cuts


@pytest.mark.parametrize(
    ("drive", "count"),
    [
        pytest.param(kills.drive, 5, marks=pytest.mark.thorough),
        (power_cuts.drive, 50),
        pytest.param(batches.drive, 2, marks=pytest.mark.thorough),
    ],
)
def test_nothing_that_was_acknowledged_is_lost(drive: Callable[[int, int], list[Figure]], count: int) -> None:
    figures = drive(count, 0)
    assert figures[0].value == count
    assert [figure.what for figure in figures if figure.holds is False] == []
