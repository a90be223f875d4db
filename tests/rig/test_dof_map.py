import numpy as np
import pytest

from inbetweener.maths.transforms import Transform
from inbetweener.rig import DOFS, Channel, Drive, Joint, Rig
from inbetweener.rig.dof_map import derivative
from tests.rig.specimens import random_poses, random_rig


def test_defaults_give_the_rest_pose() -> None:
    rig = random_rig(0)
    rest = [joint.rest_dof(dof) for joint in rig.joints for dof in DOFS]
    np.testing.assert_allclose(rig.dof_map.dofs(rig.defaults[None])[0], rest, rtol=0, atol=1e-15)


def test_defaults_of_controls_count_from_their_own_zero() -> None:
    joint = Joint("arm", rest=Transform((1.0, 2.0, 3.0)))
    raised = Channel("raise", "control", (Drive("arm.ty", 2.0), Drive("arm.rx", 0.5)), default=0.25)
    rig = Rig((joint,), (raised,))
    assert rig.dof_map.dofs(np.array([[0.25]]))[0, 1] == 2.0
    moved = rig.dof_map.dofs(np.array([[1.25]]))[0]
    assert moved[1] == 4.0
    assert moved[3] == 0.5


def test_is_linear_with_the_matrix_as_derivative() -> None:
    rig = random_rig(4)
    mapping = rig.dof_map
    a, b = random_poses(rig, 2, 4)
    change = mapping.dofs(b[None]) - mapping.dofs(a[None])
    np.testing.assert_allclose(derivative(mapping, a) @ (b - a), change[0], rtol=0, atol=1e-13)
    assert derivative(mapping, a).shape == (9 * len(rig.joints), len(rig.channels))


def test_channels_without_drives_move_nothing() -> None:
    rig = Rig((Joint("face"),), (Channel("smile", "shape"),))
    assert np.array_equal(rig.dof_map.dofs(np.array([[0.0]])), rig.dof_map.dofs(np.array([[1.0]])))


def test_wrong_number_of_values_is_refused() -> None:
    rig = random_rig(0)
    with pytest.raises(ValueError, match=r"expected \(T, 83\)"):
        rig.dof_map.dofs(np.zeros((2, 5)))


def test_defaults_cannot_be_changed_by_accident() -> None:
    with pytest.raises(ValueError, match="read-only"):
        random_rig(0).defaults[0] = 1.0
