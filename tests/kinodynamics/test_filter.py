"""Springs on numbers: steps against the differential equation, and the filter that is these multiplied out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from inbetweener.arrays import frozen
from inbetweener.kinodynamics import PRESETS, Spring, kernels
from inbetweener.kinodynamics.filter import response, stepping

STEP = 1 / 120


def simulated(spring: Spring, drag: float, values: np.ndarray, speeds: np.ndarray) -> float:
    place, rate = np.empty((1, 1)), np.empty((1, 1))
    count = len(values) - 1
    keyed = kernels.Keyed(frozen(values[:, None]), frozen(speeds[:, None]), frozen([stepping(spring, STEP, drag)]))
    kernels.follow(keyed, np.arange(count + 1)[None], np.array([count]), place, rate)
    return float(place[0, 0])


@given(st.floats(0.5, 20.0), st.floats(0.0, 3.0), st.floats(0.0, 1.0), st.integers(1, 120), st.integers(0, 999))
def test_gives_what_the_simulation_does(frequency: float, damping: float, drag: float, count: int, seed: int) -> None:
    spring, random = Spring(frequency, damping), np.random.default_rng(seed)
    values, speeds = random.normal(size=count + 1), random.normal(size=count + 1)
    weights, begun = response(spring, STEP, drag, count)
    filtered = values @ weights + values[0] * begun[0] + speeds[0] * begun[1]
    assert filtered == pytest.approx(simulated(spring, drag, values, speeds), abs=2e-14)


def test_standing_still_is_left_alone() -> None:
    weights, begun = response(Spring(3.0, 0.4), STEP, 1.0, 50)
    assert weights.sum() + begun[0] == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("spring", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("drag", [0.0, 1.0])
def test_swings_as_the_differential_equation_has_it(spring: Spring, drag: float) -> None:
    """A smile that comes and goes within a third of a second, over windows of a second, against scipy."""
    rate, omega = 18.0, 2 * np.pi * spring.frequency

    def pulled(t: float, state: np.ndarray) -> list[float]:
        speed = rate * np.cos(rate * t) * (1 - drag)
        return [state[1], omega**2 * (np.sin(rate * t) - state[0]) - 2 * spring.damping * omega * (state[1] - speed)]

    times = np.arange(121) * STEP
    exact = solve_ivp(pulled, (0.0, 1.0), [0.0, rate], rtol=1e-10, atol=1e-12, t_eval=times).y[0]
    ours = [
        simulated(spring, drag, np.sin(rate * times[: n + 1]), rate * np.cos(rate * times[: n + 1]))
        for n in (60, 90, 120)
    ]
    # Straight lines between moments are lower than what they stand for by (rate h)² / 12.
    assert np.abs(np.array(ours) - exact[[60, 90, 120]]).max() < 1.1 * (rate * STEP) ** 2 / 12 * np.abs(exact).max()


def test_with_no_drag_an_even_pace_is_kept() -> None:
    """Damping that holds only against leaving the keyed motion lets a long even movement pass without lag."""
    times = np.arange(601) * STEP
    values, spring = 2.0 * times, Spring(4.0, 0.6)
    for drag, lag in ((0.0, 0.0), (1.0, 2.0 * 2 * 0.6 / (2 * np.pi * 4.0))):
        weights, begun = response(spring, STEP, drag, 600)
        behind = values[-1] - (values @ weights + 2.0 * begun[1])
        assert behind == pytest.approx(lag, abs=1e-9)


def test_one_window_is_to_the_bit_that_of_many() -> None:
    random = np.random.default_rng(5)
    values, speeds = random.normal(size=(90, 4)), random.normal(size=(90, 4))
    steps = frozen([stepping(Spring(f, 0.5), STEP, 1.0) for f in (1.0, 3.0, 9.0, 20.0)])
    keyed = kernels.Keyed(frozen(values), frozen(speeds), steps)
    rows, counts = np.arange(31)[None] + np.arange(59)[:, None], random.integers(1, 31, 59)
    places, rates = np.empty((2, 59, 4))
    kernels.follow(keyed, rows, counts, places, rates)
    for w in (0, 20, 58):
        own = np.ascontiguousarray(rows[w : w + 1, 30 - counts[w] :])
        place, rate = np.empty((2, 1, 4))
        kernels.follow(keyed, own, counts[w : w + 1], place, rate)
        assert np.array_equal(place[0], places[w])
        assert np.array_equal(rate[0], rates[w])
