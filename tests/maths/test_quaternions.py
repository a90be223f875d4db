import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from inbetweener.maths import quaternions as q
from tests.maths.strategies import angles, axes, rotations


def scipy_of(quaternion: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(quaternion, -1, axis=-1))


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The distance of two unit quaternions as rotations, the same for both signs."""
    return float(np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)).max())


@given(rotations, rotations, rotations)
def test_products_associate(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    np.testing.assert_allclose(q.product(q.product(a, b), c), q.product(a, q.product(b, c)), rtol=0, atol=1e-14)


@given(rotations)
def test_identity_and_inverse(a: np.ndarray) -> None:
    assert np.array_equal(q.product(a, q.IDENTITY), a)
    assert np.array_equal(q.product(q.IDENTITY, a), a)
    np.testing.assert_allclose(q.product(a, q.inverse(a)), q.IDENTITY, rtol=0, atol=1e-14)


@given(rotations, rotations)
def test_products_and_matrices_are_scipys(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(q.to_matrix(a), scipy_of(a).as_matrix(), rtol=0, atol=1e-14)
    both = (scipy_of(a) * scipy_of(b)).as_matrix()
    np.testing.assert_allclose(q.to_matrix(q.product(a, b)), both, rtol=0, atol=1e-14)
    np.testing.assert_allclose(q.to_matrix(a) @ q.to_matrix(b), both, rtol=0, atol=1e-14)


@given(axes, angles)
def test_axis_and_angle_are_scipys_rotation_vector(axis: np.ndarray, angle: float) -> None:
    expected = Rotation.from_rotvec(axis * angle).as_matrix()
    np.testing.assert_allclose(q.to_matrix(q.from_axis_angle(axis, angle)), expected, rtol=0, atol=1e-14)


@given(rotations)
def test_matrices_come_back_without_loss_even_near_half_turns(a: np.ndarray) -> None:
    found = q.from_matrix(q.to_matrix(a))
    assert apart(found, a) < 1e-14
    assert found[0] >= 0


@given(
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda v: max(map(abs, v)) > 1e-3), st.sampled_from([1e-300, 1.0, 1e300])
)
def test_normalising_keeps_the_direction_at_any_size(values: tuple[float, ...], size: float) -> None:
    found = q.normalised(np.array(values) * size)
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(found, np.array(values) / np.linalg.norm(values), rtol=0, atol=1e-14)


def test_nothing_normalises_to_no_turn() -> None:
    assert q.normalised(np.zeros((2, 4))).tolist() == [list(q.IDENTITY)] * 2


@given(rotations, rotations, st.floats(0, 1))
def test_slerp_is_scipys(a: np.ndarray, b: np.ndarray, fraction: float) -> None:
    if abs(a @ b) < 1e-6:
        return  # half a turn apart both ways are the shorter one
    expected = Slerp([0, 1], Rotation.concatenate([scipy_of(a), scipy_of(b)]))(fraction).as_matrix()
    np.testing.assert_allclose(q.to_matrix(q.slerp(a, b, fraction)), expected, rtol=0, atol=1e-8)


@given(axes, st.floats(0, 3.1), st.floats(0, 1))
def test_slerp_turns_at_constant_speed(axis: np.ndarray, angle: float, fraction: float) -> None:
    end = q.from_axis_angle(axis, angle)
    expected = q.from_axis_angle(axis, angle * fraction)
    for sign in (1, -1):  # a quaternion and its negative are the same rotation
        assert apart(q.slerp(q.IDENTITY, sign * end, fraction), expected) < 1e-12


def test_continuous_signs_follow_several_turns() -> None:
    turn = np.linspace(0, 9 * np.pi, 400)
    smooth = q.from_axis_angle([[0.6, 0.0, 0.8]], turn)
    flips = np.random.default_rng(0).choice([-1.0, 1.0], (400, 1))
    flips[0] = 1.0
    np.testing.assert_allclose(q.continuous(smooth * flips), smooth, rtol=0, atol=1e-15)
    joints = np.stack([smooth, -smooth], axis=1)
    assert (
        np.sum(q.continuous(joints * flips[:, None])[1:] * q.continuous(joints * flips[:, None])[:-1], -1) > 0
    ).all()
    assert q.continuous(np.zeros((0, 4))).shape == (0, 4)
