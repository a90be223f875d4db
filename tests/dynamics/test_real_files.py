"""Characters as people make them: scales that are even but for rounding, and one that is mirrored."""

from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.dynamics import EARTH, Body, Movement, generalised_forces, momentum
from inbetweener.errors import LossWarning, RepairWarning


@pytest.mark.filterwarnings(f"ignore::{RepairWarning.__module__}.{RepairWarning.__name__}")
@pytest.mark.filterwarnings(f"ignore::{LossWarning.__module__}.{LossWarning.__name__}")
@pytest.mark.parametrize("name", ["RobotExpressive.glb", "CesiumMan.glb", "aframe_leftHandHigh.glb"])
def test_scales_of_files_are_taken(data: Path, name: str) -> None:
    document = ib.load(next(data.rglob(name)))
    body = Body.of(document.rig)
    motion = document.motion()
    times = motion.clip.frame_times[:50] + 0.003
    movement = Movement.at(motion, times)
    scales = movement.dofs.reshape(len(times), -1, 9)[:, np.unique(document.rig.skeleton.parents)[1:], 6:]
    assert np.ptp(scales, axis=2).max() > 0
    found = momentum(body, movement)
    centres = body.centre_of_mass(motion.channels(times))
    size = np.ptp(motion.joint_positions(times[:1])[0], axis=0).max()
    np.testing.assert_allclose(found.centre, centres, rtol=0, atol=1e-4 * size)
    forces = generalised_forces(body, movement)
    assert np.isfinite(forces.values).all()
    expected = body.total * (found.acceleration - EARTH)
    np.testing.assert_allclose(forces.residual.forces, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
