"""At which times constraints are looked at."""

import numpy as np
import pytest

from inbetweener.tangents.sampling import AT_MOST, PER_SEGMENT, constraint_times, times_within


@pytest.mark.parametrize("frames", [1, 2, 7, 20, 100])
def test_every_free_segment_gets_enough_looks_and_no_flood(frames: int) -> None:
    length = frames / 24.0
    looks = constraint_times(0.0, length, [0.0, length], length, 24.0)
    assert PER_SEGMENT - 1 <= len(looks) <= 2 * PER_SEGMENT
    assert 0.0 < looks.min()
    assert looks.max() < length


def test_keys_inside_are_looked_at() -> None:
    looks = constraint_times(0.0, 3.0, [0.0, 1.0, 1.03, 2.0, 3.0, 9.0], 1.0, 24.0)
    assert {1.0, 1.03, 2.0} <= set(looks)
    assert len(np.unique(looks)) == len(looks)


def test_one_short_segment_in_a_long_stretch_does_not_explode() -> None:
    looks = constraint_times(0.0, 1000.0, [0.0, 0.01, 1000.0], 0.01, 24.0)
    assert len(looks) <= AT_MOST + 2


def test_both_ends_of_a_range_are_looked_at_where_they_can_move() -> None:
    looks = np.array([0.2, 0.4, 0.6])
    np.testing.assert_array_equal(times_within(looks, 0.3, 0.5, (0.0, 1.0)), [0.3, 0.4, 0.5])
    np.testing.assert_array_equal(times_within(looks, -np.inf, 0.4, (0.0, 1.0)), [0.2, 0.4])
    np.testing.assert_array_equal(times_within(looks, 0.0, 1.0, (0.0, 1.0)), looks)
