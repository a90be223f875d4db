"""Forward dynamics at one moment: against our own inverse dynamics, MuJoCo's equations, and laws of mechanics."""

import mujoco
import numpy as np
import pytest

from inbetweener.dynamics import Body, Movement, generalised_forces
from inbetweener.dynamics.forward import Simulation, mass_matrix
from inbetweener.dynamics.movement import Movement as Moving
from tests.dynamics.mujoco_twin import Twin
from tests.dynamics.specimens import random_body, random_movement

FRAMES = 5


def loose_dofs(body: Body, share: float, seed: int) -> list[int]:
    """Some of the shifts and turns, at random."""
    random = np.random.default_rng(seed)
    every = [9 * j + d for j in range(len(body.rig.joints)) for d in range(6)]
    return [dof for dof in every if random.random() < share] or every[-1:]


def with_accelerations(movement: Movement, dofs: np.ndarray, gained: np.ndarray) -> Movement:
    accelerations = movement.accelerations.copy()
    accelerations[:, dofs] = gained
    return Moving(movement.dofs, movement.velocities, accelerations, None)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_undoes_inverse_dynamics(seed: int, share: float) -> None:
    body = random_body(seed, 9, roots=1 + seed % 2)
    movement = random_movement(body, FRAMES, seed + 10)
    simulation = Simulation.of(body, loose_dofs(body, share, seed))
    torques = np.random.default_rng(seed).normal(size=(FRAMES, len(simulation.dofs))) * 20
    gained = simulation.accelerations(movement, torques)
    needed = generalised_forces(body, with_accelerations(movement, simulation.dofs, gained)).values
    assert np.abs(needed[:, simulation.dofs] - torques).max() < 1e-10 * np.abs(needed).max()


@pytest.mark.parametrize("seed", range(3))
def test_added_inertias_act_as_armature(seed: int) -> None:
    body = random_body(seed, 7)
    movement = random_movement(body, FRAMES, seed)
    simulation = Simulation.of(body, loose_dofs(body, 0.5, seed))
    random = np.random.default_rng(seed)
    torques, added = random.normal(size=(FRAMES, len(simulation.dofs))), random.uniform(0, 5, len(simulation.dofs))
    gained = simulation.accelerations(movement, torques, added)
    plain = simulation.accelerations(movement, torques - added * gained)
    assert np.allclose(gained, plain, rtol=0, atol=1e-10 * np.abs(gained).max())


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_mujoco(seed: int) -> None:
    """M q̈ = τ − c with MuJoCo's M and c, prescribed accelerations taken over to the right."""
    body = random_body(seed, 8, scaled=False)
    movement = random_movement(body, FRAMES, seed + 20)
    simulation = Simulation.of(body, loose_dofs(body, 0.6, seed + 5))
    twin = Twin(body)
    ours = simulation.accelerations(movement, np.zeros((FRAMES, len(simulation.dofs))))
    loose = np.isin(twin.dofs, simulation.dofs)
    for f in range(FRAMES):
        twin.data.qpos[:] = movement.dofs[f, twin.dofs] - twin.rest
        twin.data.qvel[:] = movement.velocities[f, twin.dofs]
        mujoco.mj_forward(twin.model, twin.data)
        masses = np.eye(twin.model.nv)
        for row in masses:
            mujoco.mj_mulM(twin.model, twin.data, row, row.copy())
        prescribed = movement.accelerations[f, twin.dofs]
        right = -twin.data.qfrc_bias[loose] - masses[np.ix_(loose, ~loose)] @ prescribed[~loose]
        expected = np.linalg.solve(masses[np.ix_(loose, loose)], right)
        by_dof = dict(zip(twin.dofs[loose], expected, strict=True))
        theirs = np.array([by_dof[dof] for dof in simulation.dofs])
        assert np.abs(ours[f] - theirs).max() < 1e-11 * np.abs(theirs).max()


def test_what_falls_freely_falls_with_gravity() -> None:
    body = random_body(3, 6)
    at_rest = np.repeat(body.rig.rest_dofs[None], 1, axis=0)
    still = Moving(at_rest, np.zeros_like(at_rest), np.zeros_like(at_rest), None)
    every = [9 * j + d for j in range(6) for d in range(6)]
    gained = Simulation.of(body, every).accelerations(still, np.zeros((1, len(every))))[0]
    assert np.allclose(gained[:3], (0.0, -9.81, 0.0), rtol=0, atol=1e-9)
    assert np.allclose(gained[3:], 0.0, rtol=0, atol=1e-9)


def test_mass_matrix_is_that_of_inverse_dynamics() -> None:
    body = random_body(5, 6)
    simulation = Simulation.of(body, loose_dofs(body, 0.5, 2))
    pose = random_movement(body, 1, 8).dofs
    still = Moving(pose, np.zeros_like(pose), np.zeros_like(pose), None)
    matrix = mass_matrix(body, pose[0], simulation.dofs)
    weightless = Simulation.of(body, [int(d) for d in simulation.dofs], gravity=(0.0, 0.0, 0.0))
    torques = np.random.default_rng(1).normal(size=(1, len(matrix)))
    gained = weightless.accelerations(still, torques)[0]
    assert np.linalg.eigvalsh(matrix).min() > 0
    assert np.allclose(matrix @ gained, torques[0], rtol=0, atol=1e-10)


def test_only_branches_with_weight_are_swept() -> None:
    body = random_body(2, 9)
    parents = [joint.parent for joint in body.rig.joints]
    loose = 4
    simulation = Simulation.of(body, [9 * loose + 3])
    below = {j for j in range(9) if body.hanging[loose, j]}
    above = {-1}
    at = parents[loose]
    while at >= 0:
        above.add(at)
        at = parents[at]
    assert set(simulation.branches.plan.joints) == below
    assert set(simulation.branches.stems) == above


def test_scales_cannot_be_loose() -> None:
    with pytest.raises(ValueError, match="scales cannot be loose"):
        Simulation.of(random_body(1), [7])
