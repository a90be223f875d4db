"""Small vectors, matrices and quaternions as tuples, beside numpy, scipy and our own batched ones."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.maths import dual_quaternions, quaternions
from inbetweener.maths import quaternion_kernels as q
from inbetweener.maths import vector_kernels as v

RANDOM = np.random.default_rng(5)
TURNS = [(0.3, -0.7, 0.2), (np.pi, 0.0, 0.0), (0.0, -np.pi, 0.0), (0.0, 0.0, np.pi), (2.0, 2.0, 0.1), (0.0, 0.0, 0.0)]


def matrix(array: np.ndarray) -> v.Matrix:
    return tuple(tuple(float(x) for x in row) for row in array)  # type: ignore[return-value]


def vector(array: np.ndarray) -> v.Vector:
    return tuple(float(x) for x in array)  # type: ignore[return-value]


def dual(array: np.ndarray) -> q.Dual:
    return tuple(map(float, array[:4])), tuple(map(float, array[4:]))  # type: ignore[return-value]


def test_matrices_multiply_carry_and_invert() -> None:
    a, b, x = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=(3, 3)), RANDOM.normal(size=3)
    np.testing.assert_allclose(v.product(matrix(a), matrix(b)), a @ b, rtol=1e-14)
    np.testing.assert_allclose(v.carried(matrix(a), vector(x)), a @ x, rtol=1e-14)
    np.testing.assert_allclose(v.combined(matrix(a), vector(x)), a.T @ x, rtol=1e-14)
    np.testing.assert_allclose(v.inverse(matrix(a)), np.linalg.inv(a), rtol=1e-12)
    np.testing.assert_allclose(np.transpose(v.cofactors(matrix(a))), np.linalg.inv(a) * np.linalg.det(a), rtol=1e-12)


def test_what_is_flat_has_no_inverse() -> None:
    assert v.inverse(((1.0, 2.0, 3.0), (2.0, 4.0, 6.0), (0.0, 1.0, 0.0))) == ((0.0,) * 3,) * 3


@pytest.mark.parametrize("axis", range(3))
def test_turns_about_axes(axis: int) -> None:
    m, along = RANDOM.normal(size=(3, 3)), np.eye(3)[axis]
    turn = Rotation.from_rotvec(0.8 * along).as_matrix()
    np.testing.assert_allclose(v.turned(matrix(m), axis, 0.8), m @ turn, atol=1e-15)
    np.testing.assert_allclose(v.turn_about(vector(along), 0.8), turn, atol=1e-15)
    np.testing.assert_allclose(v.column(matrix(m), axis), m[:, axis])


@pytest.mark.parametrize("turn", TURNS)
def test_quaternions_and_matrices_are_the_same_turns(turn: tuple[float, float, float]) -> None:
    expected = Rotation.from_rotvec(turn).as_matrix()
    found = q.quaternion_of(matrix(expected))
    assert found[0] >= 0.0
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(quaternions.to_matrix(np.array(found)), expected, atol=1e-15)
    np.testing.assert_allclose(q.matrix_of(found), expected, atol=1e-15)


def test_dual_quaternions_chain_move_and_turn_into_screws() -> None:
    screws = RANDOM.normal(size=(2, 6))
    a, b = (dual(each) for each in dual_quaternions.exponential(screws))
    whole = q.chained(a, b)
    flat = np.concatenate(whole)
    np.testing.assert_allclose(flat, dual_quaternions.product(np.concatenate(a), np.concatenate(b)), atol=1e-14)
    point = RANDOM.normal(size=3)
    np.testing.assert_allclose(q.move(whole, vector(point)), dual_quaternions.apply(flat, point), atol=1e-14)
    np.testing.assert_allclose(np.concatenate(q.chained(whole, q.undone(whole))), [1, *[0] * 7], atol=1e-14)
    np.testing.assert_allclose(np.concatenate(q.screw_of(a)), screws[0], atol=1e-13)
    np.testing.assert_allclose(np.concatenate(q.from_screw(*q.screw_of(a))), np.concatenate(a), atol=1e-14)
