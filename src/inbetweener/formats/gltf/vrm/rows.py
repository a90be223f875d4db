"""What bones are softer by in a row: a spring bone moves only its own tail, a spring of ours all that hangs on it.

Under an even push, as by a head that is moved or by gravity, a bone of length L gives way by push / (L ω²), whatever
hangs on it. Our springs are made for an inertia I, and what hangs on one is pushed with its first moment S: it gives
way by push · S / (I ω²). So it needs ω² · L S / I. What damps a bone against the one above it comes as late as its
stiffness says, so that it grows by the same factor as that.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from inbetweener.dynamics.body import Body
from inbetweener.dynamics.forward import mass_matrix
from inbetweener.kinodynamics import Spring
from inbetweener.kinodynamics.spring import STIFFEST
from inbetweener.rig.chains import descendants

SOFTEST, HARDEST = 0.1, 2.0
"""Times the frequency of a bone alone: beyond, something hangs there that is no row."""


def in_rows(body: Body, alone: Mapping[str, Spring], lengths: Mapping[str, float]) -> dict[str, Spring]:
    """Springs of joints that hang on each other, that give way as these do where each moves nothing but itself."""
    return _scaled(alone, _factors(body, alone, lengths))


def out_of_rows(body: Body, springs: Mapping[str, Spring], lengths: Mapping[str, float]) -> dict[str, Spring]:
    """The springs of which `in_rows` makes these."""
    factors = _factors(body, springs, lengths)
    return _scaled(springs, {name: 1.0 / factor for name, factor in factors.items()})


def _scaled(springs: Mapping[str, Spring], factors: Mapping[str, float]) -> dict[str, Spring]:
    return {
        name: replace(
            each,
            frequency=min(each.frequency * factors[name], STIFFEST),
            damping=min(each.damping * factors[name], 100.0),
        )
        for name, each in springs.items()
    }


def _factors(body: Body, springs: Mapping[str, Spring], lengths: Mapping[str, float]) -> dict[str, float]:
    rig = body.rig
    world = rig.skeleton.forward(rig.keyed.rest_dofs[None])[0][0]
    centres = np.einsum("jrc,jc->jr", world[:, :, :3], body.masses.centres) + world[:, :, 3]
    joints = [rig.joint_index(name) for name in springs]
    turns = (9 * np.array(joints, np.int64)[:, None] + (3, 4, 5)).ravel()
    matrix = mass_matrix(body, rig.keyed.rest_dofs, turns)
    found = {}
    for n, (name, j) in enumerate(zip(springs, joints, strict=True)):
        below = [j, *(rig.joint_index(each) for each in descendants(rig, name))]
        moment = np.linalg.norm(body.masses.masses[below] @ (centres[below] - world[j, :, 3]))
        # About the axes across, of which the two largest are; along itself a bone has next to none.
        inertia = float(np.linalg.eigvalsh(matrix[3 * n : 3 * n + 3, 3 * n : 3 * n + 3])[1:].mean())
        softer = np.sqrt(lengths.get(name, 0.0) * moment / inertia) if inertia > 0 else 1.0
        found[name] = float(np.clip(softer, SOFTEST, HARDEST)) if softer > 0 else 1.0
    return found
