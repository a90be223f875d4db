"""Forces and all three blocks of derivatives against Pinocchio, which has derivatives of its own.

It weighs 400 MB, so it is no ordinary test dependency: `pip install inbetweener[oracles]`. MuJoCo and differences say
the same of every line of code that this says.
"""

import numpy as np
import pytest

from inbetweener.dynamics import Body, InverseDynamics, Movement
from inbetweener.maths import euler
from inbetweener.rig import Rig
from tests.dynamics.specimens import random_body, random_channels

pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (extra 'oracles')")


def twin(body: Body) -> tuple[object, np.ndarray]:
    """A model with a joint for each degree of freedom, and where each of these is among our links.

    Joints are added depth first: Pinocchio's derivatives are silently wrong for any other order.
    """
    model = pinocchio.Model()
    model.gravity.linear[:] = (0.0, -9.81, 0.0)
    rig, links = body.rig, []
    sliding = (pinocchio.JointModelPX, pinocchio.JointModelPY, pinocchio.JointModelPZ)
    turning = (pinocchio.JointModelRX, pinocchio.JointModelRY, pinocchio.JointModelRZ)

    def add(index: int, parent: int) -> None:
        joint = rig.joints[index]
        kinds = [(sliding[d], d) for d in range(3)] + [(turning[a], 3 + a) for a in euler.axes(joint.order)]
        for number, (kind, d) in enumerate(kinds):
            # The rest rotation lies between the slides and the hinges.
            turn = rig.skeleton.rest[index] if number == 3 else np.eye(3)
            parent = model.addJoint(parent, kind(), pinocchio.SE3(turn, np.zeros(3)), f"{index} {d}")
            links.append(6 * index + d)
        masses = body.masses
        solid = pinocchio.Inertia(float(masses.masses[index]), masses.centres[index], masses.inertias[index])
        model.appendBodyToJoint(parent, solid, pinocchio.SE3.Identity())
        for child, each in enumerate(rig.joints):
            if each.parent == index:
                add(child, parent)

    for index, joint in enumerate(rig.joints):
        if joint.parent < 0:
            add(index, 0)
    return model, np.array(links)


@pytest.mark.parametrize("seed", range(6))
def test_forces_and_derivatives_agree(seed: int) -> None:
    whole = random_body(seed, 8, roots=1 + seed % 2, scaled=False)
    rig = Rig(whole.rig.joints, whole.rig.channels[:-1])  # without the control, channels are degrees of freedom
    body = Body.of(rig, whole.masses)
    channels = random_channels(rig, 3, seed)
    forces, blocks = InverseDynamics.of(body, floating=False).differentiate(Movement.of(rig, channels))
    model, links = twin(body)
    data = model.createData()  # type: ignore[attr-defined]
    for f in range(len(channels)):
        q, v, a = (np.ascontiguousarray(channels[f, links, i]) for i in range(3))
        expected = pinocchio.rnea(model, data, q, v, a)
        np.testing.assert_allclose(forces[f, links], expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        by_q, by_v, by_a = pinocchio.computeRNEADerivatives(model, data, q, v, a)
        by_a = np.triu(by_a) + np.triu(by_a, 1).T
        for order, theirs in enumerate((by_q, by_v, by_a)):
            ours = blocks[f, :, order][np.ix_(links, links)].T
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())
