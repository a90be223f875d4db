"""How springs settle: closed forms against the swing itself, for any damping."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.dynamics.forward import mass_matrix
from inbetweener.kinodynamics import Loosened, Looseness, Spring
from inbetweener.kinodynamics.windows.settling import envelope, rates, settled
from tests.kinodynamics.swings import RATE, arm, bones_of

ERROR = 1e-3


def swing(t: np.ndarray, place: float, speed: float, gamma: float, omega: float) -> np.ndarray:
    """The solution of x'' + 2γ x' + (γ² ± ω²) x = 0."""
    push = speed + gamma * place
    if omega > 0:
        return np.exp(-gamma * t) * (place * np.cos(omega * t) + push * np.sin(omega * t) / omega)
    if omega == 0:
        return np.exp(-gamma * t) * (place + push * t)
    slow, fast = np.exp((-gamma - omega) * t), np.exp((-gamma + omega) * t)
    return 0.5 * place * (slow + fast) + 0.5 * push / -omega * (slow - fast)


gammas = st.floats(1.0, 30.0)
omegas = st.one_of(st.floats(0.01, 60.0), st.just(0.0), st.floats(-0.99, -0.01))


@given(st.floats(-1, 1), st.floats(-20, 20), gammas, omegas)
def test_stays_close_from_then_on(place: float, speed: float, gamma: float, omega: float) -> None:
    omega = omega if omega >= 0 else omega * gamma
    after = settled(place, speed, gamma, omega, ERROR)
    slow = gamma + min(omega, 0.0)
    t = after + np.linspace(0.0, 20.0 / slow, 4000)
    assert np.abs(swing(t, place, speed, gamma, omega)).max() <= ERROR * (1 + 1e-6)


@given(st.floats(0.5, 20), gammas)
def test_critical_damping_is_met_exactly(speed: float, gamma: float) -> None:
    """The larger root of ẋ₀ t e^(−γt) = ε."""
    after = settled(0.0, speed, gamma, 0.0, ERROR)
    assert speed * after * math.exp(-gamma * after) == pytest.approx(ERROR, rel=1e-9)
    assert after > 1 / gamma


@given(st.floats(0.5, 20), gammas, st.floats(-0.95, -0.3))
def test_strong_damping_takes_half_the_papers_amplitude(speed: float, gamma: float, share: float) -> None:
    """Eq. 22 without the factor ½ is longer by ln 2 / (γ − ω); ours still bounds the swing."""
    omega = share * gamma
    papers = math.log(speed / -omega / ERROR) / (gamma + omega)
    ours = settled(0.0, speed, gamma, omega, ERROR)
    assert papers - ours == pytest.approx(math.log(2) / (gamma + omega), rel=1e-9)


def test_what_is_never_far_off_is_settled_at_once() -> None:
    for omega in (5.0, 0.0, -2.0):
        assert settled(0.0, 1e-4, 4.0, omega, ERROR) == 0.0
    assert settled(0.1, 0.0, 0.0, 5.0, ERROR) == math.inf


@given(st.floats(-1, 1), st.floats(-20, 20), gammas, omegas)
def test_no_swing_leaves_its_envelope(place: float, speed: float, gamma: float, omega: float) -> None:
    omega = omega if omega >= 0 else omega * gamma
    t = np.linspace(0.0, 3.0, 400)
    slowest = gamma + min(omega, 0.0)
    fields = (np.array([value]) for value in (place, speed, gamma, slowest, omega))
    bound = envelope(t, *fields)
    assert (np.abs(swing(t, place, speed, gamma, omega)) <= bound + 1e-12).all()


@given(st.floats(0.5, 15.0), st.floats(0.2, 3.0))
def test_rates_are_the_springs_own(frequency: float, damping: float) -> None:
    spring = Spring(frequency, damping)
    gamma, slowest, omega = rates(*spring.rates)
    whole = 2 * math.pi * frequency
    inner = whole * math.sqrt(abs(1 - damping**2))
    assert gamma == pytest.approx(damping * whole, rel=1e-9)
    assert omega == pytest.approx(inner if damping <= 1 else -inner, rel=1e-4, abs=1e-3)
    assert slowest == pytest.approx(spring.decay, rel=1e-4)


def test_the_modes_of_like_springs_decay_as_the_damped_system() -> None:
    """Where all springs are alike, modes are exact: their slowest decay is that of the whole system's matrix."""
    rig = arm()
    loosened = Loosened(rig, Looseness(bones_of(rig, Spring(3.0, 0.3))), RATE)
    springs = loosened.springs
    masses = mass_matrix(loosened.body, rig.keyed.rest_dofs, loosened.simulation.dofs)
    from_place, from_speed = (-np.linalg.inv(masses) * springs[:, i] for i in range(2))
    system = np.block([[np.zeros_like(masses), np.eye(len(masses))], [from_place, from_speed]])
    expected = np.sort(-np.linalg.eigvals(system).real)
    assert loosened.modes.slowest.min() == pytest.approx(expected[0], rel=1e-6)
