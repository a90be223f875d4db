"""A person of sixty loose hinges in windows of 0.3 s: one state, a shot of them, and MuJoCo's `rollout` beside it.

MuJoCo gets the same tree with the root held, the springs as actuators and the implicit part of a first-order step as
armature; ours are of third order, so that states differ by what such steps are off. One thread each.
"""

import mujoco
import numpy as np
from mujoco import rollout

from benchmarks.harness import Figure, interleaved
from benchmarks.kinodynamics.mannequin import RATE, relaxed
from inbetweener.arrays import frozen
from inbetweener.dynamics.forward import Simulation, damped, kernels
from inbetweener.dynamics.movement import Movement
from inbetweener.kinodynamics import LooseMotion
from tests.dynamics.mujoco_twin import Twin

WINDOW = 0.3
WINDOWS = 700


def measure() -> list[Figure]:
    free, held = relaxed(WINDOW), relaxed(WINDOW, held=True)
    times = free.clip.frame_times[:WINDOWS]
    ours, peer = OneThread(held, times), Peer(held, times)
    shot, alone, mine, theirs = interleaved(
        [lambda: free.channels(times), lambda: free.channels(times[350:351]), ours.run, peer.run], rounds=9
    )
    off = np.abs(ours.places[:, 0] - peer.places).max()
    return [
        Figure("loose hinges", len(free.loosened.simulation.dofs), ""),
        Figure("steps a window", WINDOW * RATE, ""),
        Figure(f"{WINDOWS} windows: all of it, on all cores", shot.median * 1e3, "ms", at_most=400),
        Figure("one state", alone.median * 1e3, "ms", at_most=2),
        Figure("simulation alone, one thread: a window", mine.median * 1e3 / WINDOWS, "ms"),
        Figure("MuJoCo rollout, one thread: a window", theirs.median * 1e3 / WINDOWS, "ms"),
        Figure("times faster than MuJoCo rollout", theirs.median / mine.median, "×", at_least=2),
        Figure("largest difference from MuJoCo's first-order steps after a window", off, "rad"),
    ]


class OneThread:
    """Our simulation of every window, angle by angle as the peer's, without what goes before and after."""

    def __init__(self, motion: LooseMotion, times: np.ndarray) -> None:
        self.motion, self.counts = motion, motion.windows.counts(times)
        loosened = motion.loosened
        dofs, gravity = [int(dof) for dof in loosened.simulation.dofs], loosened.simulation.gravity
        self.simulation = Simulation.of(loosened.body, dofs, gravity=gravity)
        rates = np.array([spring.rates for spring in loosened.swinging.springs])
        gains = (loosened.inertias[:, None] * rates)[loosened.order]
        self.springs = np.column_stack([gains, loosened.springs[:, 2:]])
        passed = motion.moments(times, self.counts)
        moments, self.rows = passed.moments, passed.rows
        self.keyed = Movement.of(motion.rig.keyed, motion.tight.channel_motion(moments), differentiable=False)
        self.places = np.empty((len(times), 1, len(motion.loosened.simulation.dofs)))

    def run(self) -> None:
        simulation, step = self.simulation, self.motion.loosened.step
        by = kernels.Springs(simulation.dofs, frozen(damped(self.springs, step, 1.0)), step)
        kernels.simulate(
            simulation.tree, simulation.branches.plan, by, simulation.carry(self.keyed),
            self.rows, np.ascontiguousarray(self.rows[:, -1:]), self.counts, 0, len(self.rows), self.places,
            np.empty_like(self.places), np.zeros(len(self.rows), np.int64),
        )  # fmt: skip
        self.places += self.keyed.dofs[self.rows[:, -1:]][:, :, simulation.dofs]


class Peer:
    """The same windows through `rollout`."""

    def __init__(self, motion: LooseMotion, times: np.ndarray) -> None:
        ours = OneThread(motion, times)
        h = motion.loosened.step
        simulation = ours.simulation
        twin = Twin(simulation.body, dofs=simulation.dofs)
        model, self.data = twin.model, twin.data
        model.opt.timestep = h
        # Ours are in the order of the tree's walk as well, but by their own numbers.
        order = np.array([int(np.flatnonzero(simulation.dofs == dof)[0]) for dof in twin.dofs])
        stiffness, damping = ours.springs[order, 0], ours.springs[order, 1]
        model.dof_armature[:] = h * damping + h * h * stiffness
        model.actuator_gainprm[:, 0] = stiffness
        model.actuator_biasprm[:, 1] = -stiffness
        model.actuator_biasprm[:, 2] = -damping - h * stiffness
        self.model, self.order, self.rest = model, order, twin.rest
        starts = ours.rows[:, 0]
        self.start = np.empty((len(times), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
        self.start[:, 0] = 0.0
        count = len(order)
        self.start[:, 1 : 1 + count] = ours.keyed.dofs[starts][:, twin.dofs] - twin.rest
        self.start[:, 1 + count : 1 + 2 * count] = ours.keyed.velocities[starts][:, twin.dofs]
        self.controls = np.ascontiguousarray((ours.keyed.dofs[:, twin.dofs] - twin.rest)[ours.rows[:, 1:]])
        self.places = np.empty((len(times), count))

    def run(self) -> None:
        states, _ = rollout.rollout(self.model, self.data, self.start, self.controls)
        self.places[:, self.order] = states[:, -1, 1 : 1 + len(self.order)] + self.rest
