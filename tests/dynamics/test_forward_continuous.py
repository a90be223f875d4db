"""Springs on time: simulated states against equations of motion written out for a double pendulum, solved by scipy.

What hangs on a base that may move and turn, in the plane: angles against the world φ₁ = ψ + θ₁ and φ₂ = φ₁ + θ₂, and
Lagrange's equations in these. Nothing of ours is used but the simulation itself.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from inbetweener.dynamics import Body, Movement
from inbetweener.dynamics.forward import Simulation
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.rig.masses import MassModel

STEP = 1 / 120
"""What loose motion takes."""

LENGTH, MASSES, CENTRES, INERTIAS = 0.4, (1.3, 0.8), (0.2, 0.17), (0.02, 0.012)

PRESETS = {"tight": (12.0, 0.9), "firm": (6.0, 0.7), "relaxed": (3.5, 0.5), "loose": (2.2, 0.35), "drunk": (1.4, 0.25)}


@dataclass(frozen=True)
class Wave:
    """A sum of sines: amplitude, angular rate, phase."""

    terms: tuple[tuple[float, float, float], ...] = ()

    def __call__(self, t: float, order: int = 0) -> float:
        return sum(a * w**order * math.sin(w * t + p + order * math.pi / 2) for a, w, p in self.terms)

    def along(self, t: np.ndarray, order: int = 0) -> np.ndarray:
        return np.array([self(s, order) for s in t])


STILL, BASE = (Wave(),) * 3, (Wave(((0.25, 4, 0.3),)), Wave(((0.15, 6, 1.0),)), Wave(((0.5, 5, 0.2),)))
SWEEP = (Wave(((0.6, 5, 0.4), (0.1, 11, 1.0))), Wave(((0.5, 7, 2.0),)))
ONE = (SWEEP[0], Wave())
CASES = {"pendulum": (STILL, ONE), "double pendulum": (STILL, SWEEP), "moving base": (BASE, SWEEP)}


def body() -> Body:
    joints = (Joint("base", -1), Joint("upper", 0), Joint("lower", 1, Transform((LENGTH, 0.0, 0.0))))
    axes = ("tx ty rz", "rz", "rz")
    rig = Rig(joints, tuple(c for joint, own in zip(joints, axes, strict=True) for c in joint_channels(joint, own)))
    centres = np.array([[0.0, 0.0, 0.0], *([x, 0.0, 0.0] for x in CENTRES)])
    inertias = np.array([i * np.eye(3) for i in (0.01, *INERTIAS)])
    return Body.of(rig, MassModel(rig, np.array([1.0, *MASSES]), centres, inertias))


def own_inertias() -> np.ndarray:
    """About each joint, all below it held straight."""
    (m1, m2), (a1, a2), (i1, i2) = MASSES, CENTRES, INERTIAS
    return np.array([i1 + m1 * a1**2 + i2 + m2 * (LENGTH + a2) ** 2, i2 + m2 * a2**2])


def simulated(
    case: str, preset: str, step: float, drag: float, seconds: float = 1.6, air: tuple[float, float] = (0.0, 0.0)
) -> tuple[np.ndarray, np.ndarray]:
    """Times (n + 1,) and angles (n + 1, 2) by our steps."""
    (frequency, damping), (base, keyed) = PRESETS[preset], CASES[case]
    own, omega, pendulum = own_inertias(), 2 * np.pi * frequency, body()
    t = np.arange(round(seconds / step) + 1) * step
    places = np.repeat(pendulum.rig.rest_dofs[None], len(t), axis=0)
    speeds, pushes = np.zeros_like(places), np.zeros_like(places)
    for dof, wave in zip((0, 1, 5, 14, 23), (*base, *keyed), strict=True):
        places[:, dof], speeds[:, dof] = wave.along(t), wave.along(t, 1)
        pushes[:, dof] = (wave.along(t + step / 2, 1) - wave.along(t - step / 2, 1)) / step
    springs = np.column_stack([own * omega**2, own * 2 * damping * omega, [-np.inf] * 2, [np.inf] * 2])
    loose = [14] if case == "pendulum" else [14, 23]
    simulation = Simulation.of(pendulum, loose, air=dict(zip(loose, air, strict=False)))
    moving = Movement(places, speeds, pushes, None)
    found, *_ = simulation.trace(moving, np.arange(len(t)), springs[: len(loose)], step, drag)
    return t, found


def solved(case: str, preset: str, drag: float, t: np.ndarray, air: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The same angles by scipy."""
    (frequency, damping), ((x, y, psi), (r1, r2)) = PRESETS[preset], CASES[case]
    (m1, m2), (a1, a2), (i1, i2), omega = MASSES, CENTRES, INERTIAS, 2 * np.pi * frequency
    kp, kd = own_inertias() * omega**2, own_inertias() * 2 * damping * omega
    held = case == "pendulum"

    def rates(s: float, state: np.ndarray) -> list[float]:
        theta1, theta2, speed1, speed2 = state
        tau1 = kp[0] * (r1(s) - theta1) - kd[0] * (speed1 - (1 - drag) * r1(s, 1))
        tau2 = kp[1] * (r2(s) - theta2) - kd[1] * (speed2 - (1 - drag) * r2(s, 1))
        first = psi(s) + theta1
        second, w1 = first + theta2, psi(s, 1) + speed1
        w2, ahead, lift = w1 + speed2, x(s, 2), y(s, 2) + 9.81
        upper, lower, mixed = i1 + m1 * a1**2 + m2 * LENGTH**2, i2 + m2 * a2**2, m2 * LENGTH * a2
        across, beside = mixed * math.cos(first - second), mixed * math.sin(first - second)
        pull1 = (m1 * a1 + m2 * LENGTH) * (-math.sin(first) * ahead + math.cos(first) * lift)
        pull2 = m2 * a2 * (-math.sin(second) * ahead + math.cos(second) * lift)
        left1, left2 = -beside * w2**2 - pull1, beside * w1**2 - pull2
        # Air: each part's mass at the speed of its centre, its inertia as fast as it turns.
        along1, along2 = (np.array([-math.sin(each), math.cos(each)]) for each in (first, second))
        base_speed = np.array([x(s, 1), y(s, 1)])
        lost1 = air[0] * m1 * (base_speed + a1 * w1 * along1)
        lost2 = air[1] * m2 * (base_speed + LENGTH * w1 * along1 + a2 * w2 * along2)
        left1 -= air[0] * i1 * w1 + (a1 * lost1 + LENGTH * lost2) @ along1
        left2 -= air[1] * i2 * w2 + a2 * lost2 @ along2
        if held:
            # The lower one is stiff: both turn as one.
            gained = (tau1 + left1 + left2) / (upper + 2 * across + lower)
            return [speed1, 0.0, gained - psi(s, 2), 0.0]
        b1, b2, size = tau1 - tau2 + left1, tau2 + left2, upper * lower - across**2
        gained1, gained2 = (lower * b1 - across * b2) / size, (upper * b2 - across * b1) / size
        return [speed1, speed2, gained1 - psi(s, 2), gained2 - gained1]

    start = [r1(0.0), r2(0.0), r1(0.0, 1), r2(0.0, 1)]
    found = solve_ivp(rates, (0.0, t[-1]), start, rtol=1e-10, atol=1e-12, t_eval=t, method="LSODA").y[:2].T
    return found[:, :1] if held else found


@pytest.mark.parametrize("drag", [0.0, 1.0])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("case", CASES)
def test_states_are_those_of_the_continuous_springs(case: str, preset: str, drag: float) -> None:
    """From a swing after the beginning on: no window is as short."""
    t, found = simulated(case, preset, STEP, drag)
    exact = solved(case, preset, drag, t)
    keyed = np.stack([wave.along(t) for wave in CASES[case][1]], axis=1)[:, : exact.shape[1]]
    assert np.abs(exact - keyed).max() > 0.005, "it is to swing"
    assert np.abs(found - exact)[t > 1 / PRESETS[preset][0]].max() < 1e-3


@pytest.mark.parametrize("air", [(25.0, 25.0), (8.0, 50.0)])
@pytest.mark.parametrize("preset", ["tight", "relaxed"])
def test_air_holds_against_moving_through_the_world(preset: str, air: tuple[float, float]) -> None:
    t, found = simulated("moving base", preset, STEP, 1.0, air=air)
    wanted, bare = solved("moving base", preset, 1.0, t, air), solved("moving base", preset, 1.0, t)
    later = t > 1 / PRESETS[preset][0]
    assert np.abs(found - wanted)[later].max() < 1e-3
    assert np.abs(bare - wanted)[later].max() > 0.05, "it is to do something"


def test_half_the_step_leaves_a_quarter_of_the_error_or_less() -> None:
    """Second order at least, where a window sets in at once; third once that has died away."""
    errors = []
    for step in (1 / 60, 1 / 120, 1 / 240):
        t, found = simulated("moving base", "loose", step, 1.0)
        off = np.abs(found - solved("moving base", "loose", 1.0, t)).max(axis=1)
        errors.append((off.max(), off[t > 1.2].max()))
    first, second = np.array(errors[:-1]) / np.array(errors[1:])
    assert min(first[0], second[0]) > 3
    assert min(first[1], second[1]) > 6
