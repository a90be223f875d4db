"""Springs at steps of any length: against the closed form, and never blowing up."""

import cmath
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.dynamics import Body, Movement
from inbetweener.dynamics.forward import Simulation
from inbetweener.dynamics.forward.simulation import LEAST_DAMPED
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import PRESETS, InvalidLooseness, Spring, preset
from inbetweener.rig import Joint, Rig, joint_channels

STEPS = 60


def swing(spring: Spring, step: float, mass: float = 3.0, speed: float = 1.0, steps: int = STEPS) -> np.ndarray:
    """Places (n + 1,) of a block whose reference sets off at once, as seen from there, simulated; no gravity."""
    joint = Joint("block", -1)
    body = Body.of(Rig((joint,), tuple(joint_channels(joint, "tx"))), "boxes", total=mass)
    simulation = Simulation.of(body, [0], gravity=(0.0, 0.0, 0.0))
    stiffness, damping = spring.rates
    springs = np.array([[mass * stiffness, mass * damping, -np.inf, np.inf]])
    moving = np.repeat(body.rig.rest_dofs[None], steps + 1, axis=0)
    moving[:, 0] += speed * step * np.arange(steps + 1)
    speeds = np.zeros_like(moving)
    speeds[:, 0] = speed
    reference = Movement(moving, speeds, np.zeros_like(moving), None)
    return simulation.trace(reference, np.arange(steps + 1), springs, step)[0][:, 0] - moving[:, 0]


def closed_form(spring: Spring, t: np.ndarray, speed: float) -> np.ndarray:
    """x'' + 2ζω (x' + speed) + ω² x = 0 from rest: how far drag leaves a block behind what moves on evenly."""
    omega, zeta = 2 * math.pi * spring.frequency, spring.damping
    lag = 2 * zeta / omega * speed
    inner = cmath.sqrt(zeta**2 - 1) or 1e-9
    slow, fast = -omega * (zeta - inner), -omega * (zeta + inner)
    return np.asarray((lag * (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (slow - fast)).real - lag)


@pytest.mark.parametrize("damping", [0.2, 0.35, 0.7, 0.999, 1.7])
def test_swings_as_the_closed_form(damping: float) -> None:
    """At the steps that loose motion takes, to a thousandth of the swing; and three times better at half of them."""
    spring = Spring(2.0, damping)
    off = []
    for step in (1 / 120, 1 / 240):
        t = np.arange(round(2.0 / step) + 1) * step
        exact = closed_form(spring, t, 1.0)
        off.append(np.abs(swing(spring, step, steps=len(t) - 1) - exact)[t > 0.2].max() / np.abs(exact).max())
    assert off[0] < 2e-3
    assert off[1] < off[0] / 3


@given(st.floats(0.05, 1000.0), st.floats(0.0, 100.0), st.sampled_from([1 / 1000, 1 / 120, 1 / 24]))
def test_never_blows_up(frequency: float, damping: float, step: float) -> None:
    x = swing(Spring(frequency, damping), step)
    omega = 2 * math.pi * frequency
    lag = max(2 * damping / omega, LEAST_DAMPED * step)
    assert np.abs(x).max() <= 3 * lag


@pytest.mark.parametrize("speed", [300.0, 3000.0])
def test_follows_at_any_stiffness(speed: float) -> None:
    spring = Spring(speed / (2 * math.pi), 1.0)
    x = swing(spring, 1 / 120)
    assert x[-1] == pytest.approx(-2.0 / speed, abs=1e-9)


@pytest.mark.parametrize("frequency", [0.5, 2.0, 10.0, 19.0, 60.0, 1000.0])
def test_what_is_not_damped_does_not_grow(frequency: float) -> None:
    x = np.abs(swing(Spring(frequency, 0.0), 1 / 120, steps=960))
    assert x[480:].max() <= x[:480].max()


def test_decay_is_that_of_the_slowest_part() -> None:
    omega = 2 * math.pi * 3.0
    for damping in (0.1, 1.0, 3.0, 80.0):
        roots = np.roots([1.0, 2 * damping * omega, omega**2])
        assert Spring(3.0, damping).decay == pytest.approx(-roots.real.max(), rel=1e-6)


@pytest.mark.parametrize(("frequency", "damping"), [(0.0, 0.5), (-2.0, 0.5), (math.nan, 0.5), (1001.0, 0.5)])
def test_stiffness_must_be_sound(frequency: float, damping: float) -> None:
    with pytest.raises(InvalidLooseness, match="stiffness"):
        Spring(frequency, damping)


@pytest.mark.parametrize("damping", [-0.1, math.inf, math.nan])
def test_damping_must_be_sound(damping: float) -> None:
    with pytest.raises(InvalidLooseness, match="damping"):
        Spring(2.0, damping)


def test_presets_go_from_tight_to_drunk() -> None:
    frequencies = [spring.frequency for spring in PRESETS.values()]
    assert frequencies == sorted(frequencies, reverse=True)
    assert preset("drunk") is PRESETS["drunk"]
    with pytest.raises(UnknownName, match="tipsy"):
        preset("tipsy")
