"""Angles that come wrapped, flipped or through a pole, written so that a curve through them is smooth."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.maths import euler
from tests.maths.strategies import orders


@given(arrays(np.float64, (12, 3), elements=st.floats(-20, 20)), orders)
def test_every_row_stays_the_same_rotation(angles: np.ndarray, order: str) -> None:
    found = euler.continuous(angles, order)
    np.testing.assert_allclose(euler.to_matrix(found, order), euler.to_matrix(angles, order), rtol=0, atol=1e-8)
    assert np.array_equal(found[0], angles[0])
    assert np.abs(np.diff(found, axis=0)).max() <= np.pi + 1e-9


@pytest.mark.parametrize("order", euler.ORDERS)
def test_several_turns_survive_wrapping_and_flipping(order: str) -> None:
    t = np.linspace(0, 1, 500)
    smooth = np.stack([9 * np.pi * t, -7 * np.pi * t**2, 1.0 + 11 * np.pi * t], axis=1)
    # The middle turn stays away from its pole, where the path through the angles is a matter of choice.
    smooth[:, euler.axes(order)[1]] = 1.2 * np.sin(9 * t)
    wrapped = euler.from_matrix(euler.to_matrix(smooth, order), order)
    wrapped[0] = smooth[0]
    assert np.abs(np.diff(wrapped, axis=0)).max() > 3  # it was torn indeed
    np.testing.assert_allclose(euler.continuous(wrapped, order), smooth, rtol=0, atol=1e-9)


@pytest.mark.parametrize("order", euler.ORDERS)
def test_a_middle_turn_through_its_pole_and_beyond_is_followed(order: str) -> None:
    first, middle, last = euler.axes(order)
    t = np.linspace(0, 1, 401)
    smooth = np.zeros((401, 3))
    smooth[:, first], smooth[:, middle], smooth[:, last] = 0.3, 5 * np.pi * t, -0.2
    wrapped = euler.from_matrix(euler.to_matrix(smooth, order), order)
    found = euler.continuous(wrapped, order)
    np.testing.assert_allclose(found, smooth, rtol=0, atol=1e-6)


@pytest.mark.parametrize("order", euler.ORDERS)
@pytest.mark.parametrize("pole", [np.pi / 2, -np.pi / 2])
def test_a_frame_exactly_at_the_pole_does_not_jump(order: str, pole: float) -> None:
    first, middle, last = euler.axes(order)
    angles = np.zeros((3, 3))
    angles[:, middle] = pole - 0.1, pole, pole - 0.1
    angles[:, first], angles[:, last] = 0.7, 0.5
    torn = angles.copy()
    # What a matrix at the pole gives: all of the turn in the first angle, none in the last.
    rotation = euler.to_matrix(angles[1], order)
    torn[1] = euler.from_matrix(np.where(np.abs(rotation) < 1e-15, 0.0, rotation), order)
    assert torn[1, last] == 0.0
    np.testing.assert_allclose(euler.continuous(torn, order), angles, rtol=0, atol=1e-12)


def test_columns_are_independent_and_have_their_own_orders() -> None:
    angles = np.random.default_rng(1).uniform(-9, 9, (40, 6, 3))
    together = euler.continuous(angles, euler.ORDERS)
    alone = np.stack([euler.continuous(angles[:, j], order) for j, order in enumerate(euler.ORDERS)], axis=1)
    assert np.array_equal(together, alone)
    assert np.array_equal(euler.continuous(angles, "YZX")[:, 2], euler.continuous(angles[:, 2], "YZX"))


def test_the_input_is_left_alone() -> None:
    angles = np.array([[3.0, 0, 0], [-3.0, 0, 0]])
    angles.flags.writeable = False
    assert euler.continuous(angles, "XYZ")[1, 0] == pytest.approx(2 * np.pi - 3.0)


@pytest.mark.parametrize(
    ("shape", "order"), [((4, 2, 3), ["XYZ"]), ((4, 4), "XYZ"), ((3,), "XYZ"), ((2, 1, 1, 3), "XYZ")]
)
def test_shapes_that_do_not_fit_are_refused(shape: tuple[int, ...], order: str | list[str]) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        euler.continuous(np.zeros(shape), order)


def test_no_frames_and_one_frame() -> None:
    assert euler.continuous(np.zeros((0, 3)), "XYZ").shape == (0, 3)
    assert euler.continuous(np.zeros((0, 5, 3)), "XYZ").shape == (0, 5, 3)
    assert euler.continuous([[9.0, 9.0, 9.0]], "XYZ").tolist() == [[9.0, 9.0, 9.0]]


def test_a_long_capture_takes_no_time() -> None:
    angles = np.random.default_rng(0).uniform(-3, 3, (10_000, 31, 3))
    euler.continuous(angles[:2], "ZYX")  # loads the kernel
    start = time.perf_counter()
    euler.continuous(angles, "ZYX")
    # 30 ms measured; a Python loop takes ten seconds.
    assert time.perf_counter() - start < 1.0
