"""The region of widths where time runs forward, against the time cubic itself."""

import numpy as np
from hypothesis import assume, given

from inbetweener.curves import widths
from tests.curves.strategies import number

U = np.linspace(0, 1, 4001)


def slowest(a: float, b: float) -> float:
    """The least T′(u) on a fine grid."""
    return float((3 * (a * (1 - U) ** 2 + 2 * (1 - a - b) * U * (1 - U) + b * U**2)).min())


@given(number(0, 2), number(0, 2))
def test_the_region_is_exactly_where_time_never_runs_backwards(a, b):
    assume(abs(widths.slack(a, b)) > 1e-4)
    assert bool(widths.are_monotone(a, b)) == (slowest(a, b) >= -1e-9)


@given(number(0, 3), number(0, 3))
def test_a_repair_is_forward_with_a_margin_and_no_shorter_than_needed(a, b):
    scale = float(widths.admissible_scale(a, b))
    assert 0 < scale <= 1
    assert widths.are_monotone(scale * a, scale * b)
    if scale == 1:
        return
    assert slowest(scale * a, scale * b) > 0 or min(a, b) == 0
    assert widths.slack(scale * a, scale * b) < 2 * widths.MARGIN


def test_named_points_of_the_region():
    assert widths.are_monotone(1, 1)
    assert widths.are_monotone(4 / 3, 1 / 3)
    assert not widths.are_monotone(4 / 3 + 1e-6, 1 / 3)
    assert not widths.are_monotone(-0.1, 0.1)
    assert not widths.are_monotone(1.001, 0)


@given(number(0, 4 / 3))
def test_a_third_goes_with_every_width(b):
    assert widths.are_monotone(1 / 3, b)
