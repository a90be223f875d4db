"""Springs at steps of any length: period and decay as asked, against the closed form."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.dynamics import Body, Movement
from inbetweener.dynamics.forward import Simulation
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import PRESETS, InvalidLooseness, Spring, preset
from inbetweener.rig import Joint, Rig, joint_channels

STEPS = 60


def swing(spring: Spring, step: float, mass: float = 3.0, speed: float = 1.0, steps: int = STEPS) -> np.ndarray:
    """Places (n + 1,) of a block that is pushed once, simulated; no gravity."""
    joint = Joint("block", -1)
    body = Body.of(Rig((joint,), tuple(joint_channels(joint, "tx"))), "boxes", total=mass)
    simulation = Simulation.of(body, [0], gravity=(0.0, 0.0, 0.0))
    stiffness, damping = spring.gains(step)
    springs = np.array([[mass * stiffness, mass * damping, -np.inf, np.inf]])
    still = np.repeat(body.rig.rest_dofs[None], steps + 1, axis=0)
    speeds = np.zeros_like(still)
    speeds[0, 0] = speed
    reference = Movement(still, speeds, np.zeros_like(still), None)
    return simulation.trace(reference, np.arange(steps + 1), springs, step)[0][:, 0]


def met_exactly(spring: Spring, step: float) -> bool:
    """Where neither steps are too long nor damping would have to be negative."""
    turn = 2 * math.pi * spring.frequency * step
    return turn <= 1.0 and spring.gains(step)[1] > 0


@given(st.floats(0.2, 15.0), st.floats(0.1, 4.0), st.sampled_from([1 / 1000, 1 / 240, 1 / 120, 1 / 48]))
def test_swings_and_decays_as_the_closed_form(frequency: float, damping: float, step: float) -> None:
    """Places a step apart obey x'' = 2 e^(−ζωh) cos(ω√(1 − ζ²)h) x' − e^(−2ζωh) x, which damped swings alone do."""
    spring = Spring(frequency, damping)
    if not met_exactly(spring, step):
        return
    x, turn = swing(spring, step), 2 * math.pi * frequency * step
    inner = 1 - damping**2
    wave = math.cos(math.sqrt(inner) * turn) if inner >= 0 else math.cosh(math.sqrt(-inner) * turn)
    expected = 2 * math.exp(-damping * turn) * wave * x[1:-1] - math.exp(-2 * damping * turn) * x[:-2]
    assert np.abs(x[2:] - expected).max() < 1e-12 * np.abs(x).max()


@pytest.mark.parametrize("damping", [0.2, 0.7, 1.0, 1.7])
def test_approaches_the_solution_of_the_differential_equation(damping: float) -> None:
    spring, step = Spring(2.0, damping), 1 / 4000
    t, omega = np.arange(2001) * step, 4 * math.pi
    inner = omega * math.sqrt(abs(1 - damping**2))
    decay = np.exp(-damping * omega * t)
    if damping < 1:
        exact = decay * np.sin(inner * t) / inner
    elif damping == 1:
        exact = decay * t
    else:
        exact = decay * np.sinh(inner * t) / inner
    assert np.abs(swing(spring, step, steps=2000) - exact).max() < 2 * omega * step * np.abs(exact).max()


@given(st.floats(0.05, 1000.0), st.floats(0.0, 100.0), st.sampled_from([1 / 1000, 1 / 120, 1 / 24]))
def test_never_blows_up(frequency: float, damping: float, step: float) -> None:
    stiffness, damped = Spring(frequency, damping).gains(step)
    assert stiffness > 0
    assert damped >= 0
    x = swing(Spring(frequency, damping), step)
    omega = 2 * math.pi * frequency
    assert np.abs(x).max() <= 1.01 * max(step, 1 / omega * 1.05)


@pytest.mark.parametrize("speed", [300.0, 3000.0])
def test_follows_at_any_stiffness(speed: float) -> None:
    spring = Spring(speed / (2 * math.pi), 1.0)
    x = swing(spring, 1 / 120)
    assert abs(x[-1]) < 1e-9


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
