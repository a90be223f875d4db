"""The filter of a spring is its simulation, multiplied out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.arrays import frozen
from inbetweener.kinodynamics import Spring, kernels
from inbetweener.kinodynamics.filter import response

STEP = 1 / 120


def simulated(spring: Spring, drag: float, values: np.ndarray, speeds: np.ndarray) -> float:
    place, rate = np.empty((1, 1)), np.empty((1, 1))
    count = len(values) - 1
    keyed = kernels.Keyed(frozen(values[:, None]), frozen(speeds[:, None]), frozen([spring.gains(STEP)]), STEP, drag)
    kernels.follow(keyed, np.arange(count + 1)[None], np.array([count]), place, rate)
    return float(place[0, 0])


@given(st.floats(0.5, 20.0), st.floats(0.0, 3.0), st.floats(0.0, 1.0), st.integers(1, 120), st.integers(0, 999))
def test_gives_what_the_simulation_does(frequency: float, damping: float, drag: float, count: int, seed: int) -> None:
    spring, random = Spring(frequency, damping), np.random.default_rng(seed)
    values, speeds = random.normal(size=count + 1), random.normal(size=count + 1)
    by_values, by_speeds = response(spring, STEP, drag, count)
    filtered = values @ by_values + speeds @ by_speeds
    assert filtered == pytest.approx(simulated(spring, drag, values, speeds), abs=2e-14)


def test_standing_still_is_left_alone() -> None:
    by_values, _ = response(Spring(3.0, 0.4), STEP, 1.0, 50)
    assert by_values.sum() == pytest.approx(1.0, abs=1e-13)


def test_with_no_drag_an_even_pace_is_kept() -> None:
    """Damping that holds only against leaving the keyed motion lets a long even movement pass without lag."""
    times = np.arange(601) * STEP
    values, speeds = 2.0 * times, np.full(601, 2.0)
    spring = Spring(4.0, 0.6)
    stiffness, damping = spring.gains(STEP)
    for drag, lag in ((0.0, 0.0), (1.0, 2.0 * damping / stiffness)):
        by_values, by_speeds = response(spring, STEP, drag, 600)
        behind = values[-1] - (values @ by_values + speeds @ by_speeds)
        assert behind == pytest.approx(lag, abs=1e-9)


def test_one_window_is_to_the_bit_that_of_many() -> None:
    random = np.random.default_rng(5)
    values, speeds = random.normal(size=(90, 4)), random.normal(size=(90, 4))
    gains = frozen([Spring(f, 0.5).gains(STEP) for f in (1.0, 3.0, 9.0, 20.0)])
    keyed = kernels.Keyed(frozen(values), frozen(speeds), gains, STEP, 1.0)
    rows, counts = np.arange(31)[None] + np.arange(59)[:, None], random.integers(1, 31, 59)
    places, rates = np.empty((2, 59, 4))
    kernels.follow(keyed, rows, counts, places, rates)
    for w in (0, 20, 58):
        own = np.ascontiguousarray(rows[w : w + 1, 30 - counts[w] :])
        place, rate = np.empty((2, 1, 4))
        kernels.follow(keyed, own, counts[w : w + 1], place, rate)
        assert np.array_equal(place[0], places[w])
        assert np.array_equal(rate[0], rates[w])
