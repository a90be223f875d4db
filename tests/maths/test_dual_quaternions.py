"""Unit dual quaternions against matrices, and their screws against closed forms and scipy's matrix logarithm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.linalg import expm

from inbetweener.maths import dual_quaternions as dq
from inbetweener.maths import quaternions, transforms

SCREWS = arrays(np.float64, 6, elements=st.floats(-1.7, 1.7, allow_subnormal=False))
POINTS = arrays(np.float64, 3, elements=st.floats(-5, 5, allow_subnormal=False))


@given(SCREWS, SCREWS, POINTS)
def test_a_product_moves_points_as_matrices_do(a, b, point):
    p, q = dq.exponential(a), dq.exponential(b)
    moved = dq.apply(dq.product(p, q), point)
    by_matrices = transforms.apply(transforms.product(dq.to_matrix(p), dq.to_matrix(q)), point[None])[0]
    np.testing.assert_allclose(moved, by_matrices, atol=1e-12)
    np.testing.assert_allclose(moved, dq.apply(p, dq.apply(q, point)), atol=1e-12)


@given(SCREWS)
def test_the_exponential_is_the_matrix_exponential_of_the_twist(screw):
    x, y, z = screw[:3]
    twist = np.zeros((4, 4))
    twist[:3, :3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    twist[:3, 3] = screw[3:]
    np.testing.assert_allclose(dq.to_matrix(dq.exponential(screw)), expm(twist)[:3], atol=1e-12)


@given(SCREWS)
def test_the_logarithm_undoes_the_exponential_up_to_half_a_turn(screw):
    np.testing.assert_allclose(dq.logarithm(dq.exponential(screw)), screw, atol=1e-7)


@given(SCREWS, st.floats(0, 1))
def test_a_power_is_that_share_of_the_way(screw, share):
    np.testing.assert_allclose(dq.power(dq.exponential(screw), share), dq.exponential(share * screw), atol=1e-7)


@given(SCREWS)
def test_matrices_come_back(screw):
    q = dq.exponential(screw)
    again = dq.from_matrix(dq.to_matrix(q))
    np.testing.assert_allclose(np.where(q[0] * again[0] < 0, -again, again), q, atol=1e-9)


@given(SCREWS, POINTS)
def test_the_inverse_brings_points_back(screw, point):
    q = dq.exponential(screw)
    np.testing.assert_allclose(dq.apply(dq.inverse(q), dq.apply(q, point)), point, atol=1e-12)


def test_a_turn_about_an_axis_away_from_the_origin_has_that_axis_as_its_screw():
    # A quarter turn about the vertical line through (1, 0, 0).
    q = dq.from_parts(quaternions.from_axis_angle((0, 1, 0), math.pi / 2), (1.0, 0.0, 1.0))
    np.testing.assert_allclose(dq.apply(q, (1.0, 7.0, 0.0)), (1.0, 7.0, 0.0), atol=1e-15)
    screw = dq.logarithm(q)
    np.testing.assert_allclose(screw[:3], (0, math.pi / 2, 0), atol=1e-15)
    np.testing.assert_allclose(screw[3:], np.cross((1, 0, 0), screw[:3]), atol=1e-15)


@given(arrays(np.float64, 8, elements=st.floats(-2, 2, allow_subnormal=False)))
def test_a_normalised_one_is_rigid(q):
    if np.linalg.norm(q[:4]) < 1e-3:
        return
    unit = dq.normalised(q)
    assert np.linalg.norm(unit[:4]) == pytest.approx(1.0, abs=1e-14)
    assert float(unit[:4] @ unit[4:]) == pytest.approx(0.0, abs=1e-12)


@given(SCREWS, SCREWS, SCREWS, st.floats(0, 1))
def test_blends_do_not_depend_on_coordinates(a, b, m, share):
    """[DB] §5.1: A(w; m·q·m*) = m·A(w; q)·m*, for linear blending and for the screw mean."""
    weights = np.array([1 - share, share])
    pair, frame = dq.exponential(np.stack([0.4 * a, 0.4 * b])), dq.exponential(m)
    moved = dq.product(dq.product(frame, pair), dq.inverse(frame))
    for blend in (dq.blended, dq.screw_mean):
        expected = dq.product(dq.product(frame, blend(weights, pair)), dq.inverse(frame))
        np.testing.assert_allclose(dq.to_matrix(blend(weights, moved)), dq.to_matrix(expected), atol=1e-9)


@given(SCREWS, SCREWS, st.floats(0, 1))
def test_the_screw_mean_of_two_lies_on_the_screw_between_them(a, b, share):
    pair = dq.exponential(np.stack([0.4 * a, 0.4 * b]))
    between = dq.product(pair[0], dq.power(dq.product(dq.inverse(pair[0]), pair[1]), share))
    mean = dq.screw_mean(np.array([1 - share, share]), pair)
    np.testing.assert_allclose(dq.to_matrix(mean), dq.to_matrix(between), atol=1e-9)
