"""The rotation vector between two orientations, half turns included."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.maths.kernels import turn_between


@pytest.mark.parametrize("angle", [0.0, 1e-7, 0.3, 3.0, np.pi - 1e-6, np.pi])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.6, 0.0, 0.8), (-0.48, 0.6, 0.64)])
def test_turns_one_into_the_other(angle: float, axis: tuple[float, float, float]) -> None:
    start = Rotation.from_rotvec([0.4, -0.7, 0.2])
    target = Rotation.from_rotvec(angle * np.array(axis)) * start
    found = np.empty(3)
    turn_between(start.as_matrix(), target.as_matrix(), found)
    assert np.linalg.norm(found) == pytest.approx(angle, abs=1e-8)
    assert (Rotation.from_rotvec(found) * start * target.inv()).magnitude() < 1e-7
