"""Formats without handles get what they do, baked into the joints that they turn."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.formats import read, save


@pytest.fixture(scope="module")
def conductor() -> Document:
    return example("conductor")


@pytest.mark.filterwarnings("ignore::inbetweener.errors.LossWarning")
@pytest.mark.parametrize(("suffix", "looks", "tolerance"), [(".bvh", 1, 1e-5), (".glb", 5, 1e-4)])
def test_joints_are_where_they_were(
    conductor: Document, tmp_path: Path, suffix: str, looks: int, tolerance: float
) -> None:
    path = tmp_path / f"conductor{suffix}"
    save(conductor, path)
    opened = read(path).document
    assert opened.rig.handles == ()
    times = np.linspace(0, 2, 48 * looks + 1)
    before, after = conductor.motion().joint_positions(times), opened.motion().joint_positions(times)
    order = [opened.rig.joint_index(joint.name) for joint in conductor.rig.joints]
    assert np.linalg.norm(after[:, order] - before, axis=-1).max() < tolerance
    # The arm did move, so this was worth looking at.
    hand = conductor.rig.joint_index("hand_l")
    assert np.ptp(before[:, hand], axis=0).max() > 0.1


@pytest.mark.filterwarnings("ignore::inbetweener.errors.LossWarning")
def test_losing_the_handle_is_told(conductor: Document, tmp_path: Path) -> None:
    from inbetweener.formats.bvh.write import write

    assert any("IK handles (arm_l): baked" in line for line in write(conductor, tmp_path / "conductor.bvh"))
