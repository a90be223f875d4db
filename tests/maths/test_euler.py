import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.transform import Rotation

from inbetweener.maths import euler
from tests.maths.strategies import euler_angles, orders


@given(euler_angles, orders)
def test_matrices_are_scipys_intrinsic_sequences(angles: np.ndarray, order: str) -> None:
    expected = Rotation.from_euler(order, angles[list(euler.axes(order))]).as_matrix()
    np.testing.assert_allclose(euler.to_matrix(angles, order), expected, rtol=0, atol=1e-14)


@given(euler_angles, orders)
def test_angles_come_back_as_the_same_rotation(angles: np.ndarray, order: str) -> None:
    matrix = euler.to_matrix(angles, order)
    found = euler.from_matrix(matrix, order)
    np.testing.assert_allclose(euler.to_matrix(found, order), matrix, rtol=0, atol=1e-11)
    assert abs(found[euler.axes(order)[1]]) <= np.pi / 2
    assert (np.abs(found) <= np.pi).all()


@pytest.mark.parametrize("order", euler.ORDERS)
@pytest.mark.parametrize("pole", [np.pi / 2, -np.pi / 2])
def test_at_the_pole_the_last_turn_is_zero(order: str, pole: float) -> None:
    first, middle, last = euler.axes(order)
    angles = np.empty(3)
    angles[first], angles[middle], angles[last] = 0.4, pole, 0.9
    matrix = euler.to_matrix(angles, order)
    # Sines and cosines of a float near π/2 leave 6e-17; a matrix from elsewhere may be exactly at the pole.
    found = euler.from_matrix(np.where(np.abs(matrix) < 1e-15, 0.0, matrix), order)
    assert found[last] == 0.0
    np.testing.assert_allclose(euler.to_matrix(found, order), matrix, rtol=0, atol=1e-14)


def test_orders_read_left_to_right_as_the_product() -> None:
    x, y, z = (euler.axis_matrix(axis, 0.3 + axis) for axis in range(3))
    np.testing.assert_allclose(euler.to_matrix([0.3, 1.3, 2.3], "ZYX"), z @ y @ x, rtol=0, atol=1e-15)
    np.testing.assert_allclose(euler.to_matrix([0.3, 1.3, 2.3], "YXZ"), y @ x @ z, rtol=0, atol=1e-15)


def test_batches_are_rows() -> None:
    angles = np.random.default_rng(0).uniform(-3, 3, (4, 5, 3))
    together = euler.to_matrix(angles, "XZY")
    assert together.shape == (4, 5, 3, 3)
    np.testing.assert_array_equal(together[2, 3], euler.to_matrix(angles[2, 3], "XZY"))


def test_the_best_order_stays_away_from_the_pole() -> None:
    # A joint that turns about y through the pole of ZYX: any order with y in the middle is in trouble.
    turns = euler.axis_matrix(1, np.linspace(0, np.pi, 50))
    chosen = euler.best_order(turns)
    assert chosen[1] != "Y"
    still = euler.axis_matrix(0, np.linspace(-0.2, 0.2, 9))
    assert euler.best_order(still) == "ZYX"
    assert euler.best_order(np.zeros((0, 3, 3))) == "ZYX"
