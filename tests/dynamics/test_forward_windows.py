"""Windows of the simulation: MuJoCo's steps, one window beside many, hard stops, and what blows up."""

import mujoco
import numpy as np
import pytest

from inbetweener.dynamics import Body, Movement, momentum
from inbetweener.dynamics.forward import Simulation, Unstable, simulation
from inbetweener.rig import Joint, Rig, joint_channels
from tests.dynamics.mujoco_twin import Twin
from tests.dynamics.specimens import random_body

STEP = 1 / 120
STEPS = 40


def swaying(body: Body, steps: int, seed: int, dofs: np.ndarray) -> Movement:
    """A smooth reference for some degrees of freedom, `steps` + 1 moments; the others keep still at rest."""
    random = np.random.default_rng(seed)
    times = np.arange(steps + 1)[:, None] * STEP
    places = np.repeat(body.rig.rest_dofs[None], steps + 1, axis=0)
    speeds, pushes = np.zeros_like(places), np.zeros_like(places)
    rate, phase, size = random.uniform(2, 9, len(dofs)), random.uniform(0, 6, len(dofs)), random.uniform(0.1, 0.5)
    places[:, dofs] += size * np.sin(rate * times + phase)
    speeds[:, dofs] = size * rate * np.cos(rate * times + phase)
    pushes[:, dofs] = -size * rate**2 * np.sin(rate * times + phase)
    return Movement(places, speeds, pushes, None)


def turning(body: Body, share: float, seed: int) -> list[int]:
    random = np.random.default_rng(seed)
    count = len(body.rig.joints)
    return [9 * j + 3 + d for j in range(count) for d in range(3) if random.random() < share]


def springs_for(simulation: Simulation, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    count = len(simulation.dofs)
    free = np.full(count, np.inf)
    return np.stack([random.uniform(20, 400, count), random.uniform(0.5, 6, count), -free, free], axis=1)


@pytest.mark.parametrize("seed", range(3))
def test_takes_steps_of_mujocos_accelerations(seed: int) -> None:
    """Backward differences over three steps, the springs' torques applied and what being implicit adds as armature."""
    body = random_body(seed, 7, scaled=False)
    simulation = Simulation.of(body, turning(body, 0.7, seed))
    reference, springs = swaying(body, STEPS, seed, simulation.dofs), springs_for(simulation, seed)
    every = np.arange(STEPS + 1)[None]
    places, rates = simulation.run(reference, every, np.array([STEPS]), springs, STEP)
    twin = Twin(body, dofs=simulation.dofs)
    order = np.array([int(np.flatnonzero(simulation.dofs == dof)[0]) for dof in twin.dofs])
    stiffness, damping = springs[order, 0], springs[order, 1]
    r, rd, rdd = (each[:, twin.dofs] for each in (reference.dofs, reference.velocities, reference.accelerations))

    def off_next(k: int, e: np.ndarray, ed: np.ndarray, share: float, way: float) -> tuple[np.ndarray, np.ndarray]:
        """What is off at moment k, from the sums of what was and where three states led."""
        twin.data.qpos[:] = r[k] - twin.rest + 3 * (past[0][0] - past[1][0]) + past[2][0]
        twin.data.qvel[:] = rd[k] + 3 * (past[0][1] - past[1][1]) + past[2][1]
        twin.model.dof_armature[:] = share * (damping + way * stiffness)
        # Solved for the whole acceleration, of which the reference has its share.
        ed = ed - share * rdd[k]
        twin.data.qfrc_applied[:] = -stiffness * (e + way * ed) - damping * (ed + rd[k])
        mujoco.mj_forward(twin.model, twin.data)
        ed = ed + share * twin.data.qacc
        return e + way * ed, ed

    past = [(np.zeros(len(order)), np.zeros(len(order)))] * 3
    faster = off_next(1, *past[0], STEP, STEP / 2)[1] / STEP
    past = [((n * STEP) ** 2 / 2 * faster, -n * STEP * faster) for n in range(3)]
    for k in range(1, STEPS + 1):
        e, ed = ((18 * past[0][i] - 9 * past[1][i] + 2 * past[2][i]) / 11 for i in range(2))
        past = [off_next(k, e, ed, 6 * STEP / 11, 6 * STEP / 11), *past[:2]]
    assert np.abs(places[0, order] - r[-1] - past[0][0]).max() < 1e-12
    assert np.abs(rates[0, order] - past[0][1]).max() < 1e-10


def test_one_window_is_to_the_bit_that_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    body = random_body(4, 9)
    simulated = Simulation.of(body, turning(body, 0.8, 4))
    reference, springs = swaying(body, 90, 4, simulated.dofs), springs_for(simulated, 4)
    rows = np.arange(STEPS + 1)[None] + np.arange(50)[:, None]
    counts = np.random.default_rng(1).integers(1, STEPS + 1, 50)
    many = simulated.run(reference, rows, counts, springs, STEP)
    for threads in (1, 2, 7):
        monkeypatch.setattr(simulation.os, "cpu_count", lambda threads=threads: threads)
        again = simulated.run(reference, rows, counts, springs, STEP)
        assert np.array_equal(again[0], many[0])
        assert np.array_equal(again[1], many[1])
    for w in (0, 17, 49):
        own = slice(STEPS - counts[w], None)
        alone = simulated.run(reference, rows[w : w + 1, own], counts[w : w + 1], springs, STEP)
        assert np.array_equal(alone[0][0], many[0][w])
        assert np.array_equal(alone[1][0], many[1][w])


def test_stops_are_hard() -> None:
    body = random_body(6, 6)
    simulated = Simulation.of(body, turning(body, 0.6, 6))
    reference, springs = swaying(body, 200, 6, simulated.dofs), springs_for(simulated, 6)
    rest = body.rig.rest_dofs[simulated.dofs]
    springs[:, 2], springs[:, 3] = rest - 0.3, rest + 0.36
    rows = np.arange(STEPS + 1)[None] + np.arange(160)[:, None]
    places, _ = simulated.run(reference, rows, np.full(160, STEPS), springs, STEP)
    keyed = reference.dofs[rows[:, -1]][:, simulated.dofs]
    assert (places >= np.minimum(springs[:, 2], keyed) - 1e-15).all()
    assert (places <= np.maximum(springs[:, 3], keyed) + 1e-15).all()
    held = np.isclose(places, springs[:, 3], rtol=0, atol=1e-15)
    assert held.any(), "the test is to make some of them hit their stops"


def slider(mass: float = 2.0) -> Body:
    joint = Joint("block", -1)
    rig = Rig((joint,), tuple(joint_channels(joint, "tx ty tz")))
    return Body.of(rig, "boxes", total=mass)


def test_stays_at_rest_to_the_bit_where_nothing_moves_it() -> None:
    body = random_body(3, 8)
    simulated = Simulation.of(body, turning(body, 0.7, 3), gravity=(0.0, 0.0, 0.0))
    reference = swaying(body, STEPS, 3, simulated.dofs[:0])
    every = np.arange(STEPS + 1)[None]
    places, rates = simulated.run(reference, every, np.array([STEPS]), springs_for(simulated, 3), STEP)
    assert np.array_equal(places[0], body.rig.rest_dofs[simulated.dofs])
    assert not rates.any()


@pytest.mark.parametrize("speed", [30.0, 300.0, 3000.0])
def test_stiff_springs_do_not_blow_up(speed: float) -> None:
    """Plain springs at such steps would from 2 / h = 240 rad/s on; these come to rest."""
    body = random_body(8, 6)
    simulated = Simulation.of(body, turning(body, 1.0, 8))
    reference = swaying(body, 240, 8, simulated.dofs[:0])
    reference.velocities.flags.writeable = True
    reference.velocities[0, simulated.dofs] = np.random.default_rng(2).normal(size=len(simulated.dofs))
    springs = springs_for(simulated, 1)
    springs[:, 0], springs[:, 1] = 5.0 * speed**2, 5.0 * 0.2 * speed
    places, rates = simulated.run(reference, np.arange(241)[None], np.array([240]), springs, STEP)
    sag = 9.81 * body.total * 5 / (5.0 * speed**2)
    assert np.abs(places[0] - body.rig.rest_dofs[simulated.dofs]).max() < max(sag, 1e-6)
    assert np.isfinite(rates).all()


def test_what_blows_up_is_named() -> None:
    body = slider()
    simulated = Simulation.of(body, [0, 1])
    reference = swaying(body, 400, 1, simulated.dofs)
    # Springs that push away: gains that no stiffness in Hz leads to.
    springs = np.array([[100.0, 1.0, -np.inf, np.inf], [-9000.0, 0.0, -np.inf, np.inf]])
    with pytest.raises(Unstable, match=r"'block\.ty' blew up"):
        simulated.run(reference, np.arange(401)[None], np.array([400]), springs, STEP)


def energy_lost(step: float, count: int) -> float:
    """How much of its energy, as a share of the movement's, a chain without springs loses or gains in all."""
    body = random_body(9, 4)
    simulated = Simulation.of(body, turning(body, 1.0, 9)[3:])
    still = np.repeat(body.rig.rest_dofs[None], count + 1, axis=0)
    reference = Movement(still, np.zeros_like(still), np.zeros_like(still), None)
    springs = springs_for(simulated, 9)
    springs[:, :2] = 0.0
    rows = np.tile(np.arange(count + 1), (2, 1))
    places, rates = simulated.run(reference, rows, np.array([0, count]), springs, step)
    dofs, speeds = still[:2].copy(), np.zeros((2, still.shape[1]))
    dofs[:, simulated.dofs], speeds[:, simulated.dofs] = places, rates
    swung = momentum(body, Movement(dofs, speeds, np.zeros_like(dofs), None))
    return float(abs(swung.energy[1] - swung.energy[0]) / swung.kinetic[1])


def test_energy_is_kept_but_for_the_steps() -> None:
    coarse, fine = energy_lost(1 / 1200, 480), energy_lost(1 / 2400, 960)
    assert fine < 1e-5
    assert coarse / fine > 6, "the error must shrink with the step, to third order"
