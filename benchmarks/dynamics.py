"""Inverse dynamics and its derivatives: a person against MuJoCo's mj_inverse, and what a solver asks for.

`python -m benchmarks.dynamics [--json]`

MuJoCo gets the same tree with as many degrees of freedom as channels move, one call a moment as its interface has it.
"""

import numpy as np

from benchmarks.harness import Figure, Timing, interleaved, main
from inbetweener.builtin import example
from inbetweener.builtin.characters.human import human_rig
from inbetweener.dynamics import Body, InverseDynamics, Movement, generalised_forces
from inbetweener.motion import Motion
from inbetweener.rig import Rig
from tests.dynamics.mujoco_twin import Twin

NODES = 200
ARM = ("chest", "clavicle_l", "upper_arm_l", "forearm_l", "hand_l", "neck", "head")
"""Twenty channels; with keys that have four free tangent components each, a node sees eighty parameters."""


def measure() -> list[Figure]:
    rig = human_rig()
    body = Body.of(rig, "human")
    channels = moving(rig, NODES)
    movement = Movement.of(rig, channels)
    free = [channel.name for channel in rig.channels if channel.name.split(".")[0] in ARM]
    dynamics = InverseDynamics.of(body, channels=free)
    slopes = np.random.default_rng(2).normal(size=(NODES, len(free), 3, 4))
    memory = np.empty((NODES, len(free), 4, len(dynamics.dofs)))
    peer = Twin(body, driven_only=True)
    times = interleaved(
        [
            lambda: Movement.of(rig, channels),
            lambda: generalised_forces(body, movement),
            lambda: peer.inverse(movement),
            lambda: dynamics.differentiate(movement, slopes, out=memory),
        ]
    )
    step, forces, theirs, along = times
    expected = peer.inverse(movement)[:, peer.dofs]
    off = np.abs(expected - generalised_forces(body, movement).values[:, peer.dofs]).max() / np.abs(expected).max()
    return [
        Figure("joints", len(rig.joints), ""),
        Figure("nodes", NODES, ""),
        Figure("movement of channels: all nodes", step.median * 1e3, "ms"),
        Figure("forces: all nodes", forces.median * 1e3, "ms"),
        per_node("forces", forces),
        Figure("forces: a joint of a node", forces.median * 1e9 / NODES / len(rig.joints), "ns", at_most=1000),
        per_node("forces, mj_inverse", theirs),
        Figure("forces: times faster than mj_inverse", theirs.median / forces.median, "×", at_least=2),
        Figure("forces: largest difference from mj_inverse, relative", off, "", at_most=1e-12),
        Figure("derivatives: forces, each by 4 components of 20 channels", len(dynamics.dofs), ""),
        Figure("derivatives: all nodes, forces included", along.median * 1e3, "ms", at_most=30),
        per_node("derivatives", along),
        Figure("derivatives: times the forces alone", along.median / forces.median, "×"),
        *handled(),
    ]  # fmt: skip


def handled() -> list[Figure]:
    """The conductor, whose left arm hangs on an IK handle."""
    document = example("conductor")
    motion = Motion(document.rig, document.clip())
    channels = motion.channel_motion(np.linspace(document.clip().start, document.clip().end, NODES + 2)[1:-1])
    full, quick = interleaved(
        [
            lambda: Movement.of(document.rig, channels),
            lambda: Movement.of(document.rig, channels, differentiable=False),
        ]
    )
    return [
        Figure("movement through an IK handle: all nodes", full.median * 1e3, "ms"),
        Figure("movement through an IK handle, without derivatives", quick.median * 1e3, "ms"),
    ]


def per_node(what: str, timing: Timing) -> Figure:
    return Figure(f"{what}: a node", timing.median * 1e6 / NODES, "µs")


def moving(rig: Rig, nodes: int) -> np.ndarray:
    """Values, velocities and accelerations (nodes, C, 3) at random."""
    values = np.random.default_rng(1).normal(size=(nodes, len(rig.channels), 3)) * (0.3, 1.0, 5.0)
    values[..., 0] += rig.defaults
    return values


if __name__ == "__main__":
    main("dynamics", measure)
