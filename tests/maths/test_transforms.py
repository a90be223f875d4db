import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.maths import quaternions, transforms
from tests.maths.strategies import rotations

places = st.tuples(*[st.floats(-10, 10)] * 3).map(np.array)
scales = st.tuples(*[st.floats(0.05, 8)] * 3).map(np.array)


def square(matrix: np.ndarray) -> np.ndarray:
    return np.vstack([matrix, [0, 0, 0, 1]])


@given(places, rotations, scales)
def test_parts_come_back_as_they_went_in(place: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> None:
    matrix = transforms.compose(place, rotation, scale)
    translation, turned, scaled, shear = transforms.decompose(matrix)
    assert np.array_equal(translation, place)
    np.testing.assert_allclose(quaternions.to_matrix(turned), quaternions.to_matrix(rotation), rtol=0, atol=1e-13)
    np.testing.assert_allclose(scaled, scale, rtol=1e-13)
    assert shear < 1e-13


@given(places, rotations, scales, st.integers(0, 2))
def test_a_mirrored_matrix_is_expressed_by_a_negative_x(
    place: np.ndarray, rotation: np.ndarray, scale: np.ndarray, axis: int
) -> None:
    flipped = scale.copy()
    flipped[axis] *= -1
    matrix = transforms.compose(place, rotation, flipped)
    parts = transforms.decompose(matrix)
    assert parts[2][0] < 0
    assert (parts[2][1:] > 0).all()
    np.testing.assert_allclose(transforms.compose(*parts[:3]), matrix, rtol=0, atol=1e-12)
    assert parts[3] < 1e-12


def test_shear_is_measured_by_what_is_missed() -> None:
    sheared = np.eye(3, 4)
    sheared[0, 1] = 0.5
    *parts, shear = transforms.decompose(np.stack([sheared, 2 * sheared, np.eye(3, 4)]))
    missed = np.abs(transforms.compose(*parts) - [sheared, 2 * sheared, np.eye(3, 4)]).max(axis=(-2, -1))
    np.testing.assert_allclose(shear, missed / [1, 2, 1], rtol=0, atol=1e-15)
    assert shear[0] == pytest.approx(shear[1])
    assert shear[0] > 0.1
    assert shear[2] == 0.0


def test_flattened_matrices_have_parts_too() -> None:
    flat = transforms.compose((1, 2, 3), quaternions.from_axis_angle([0, 0.6, 0.8], 0.7), (2.0, 0.0, 0.5))
    *parts, shear = transforms.decompose(flat)
    np.testing.assert_allclose(transforms.compose(*parts), flat, rtol=0, atol=1e-14)
    assert parts[2][1] == 0.0
    assert shear < 1e-14
    nothing = transforms.decompose(np.zeros((3, 4)))
    assert not nothing[2].any()
    assert np.isfinite(nothing[1]).all()


matrices = st.builds(transforms.compose, places, rotations, scales)


@given(matrices, matrices)
def test_products_and_inverses_are_those_of_square_matrices(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(square(transforms.product(a, b)), square(a) @ square(b), rtol=0, atol=1e-11)
    np.testing.assert_allclose(transforms.product(a, transforms.inverse(a)), np.eye(3, 4), rtol=0, atol=1e-11)
    point = np.array([[0.3, -2.0, 5.0]])
    np.testing.assert_allclose(transforms.apply(a, point)[0], (square(a) @ [0.3, -2.0, 5.0, 1])[:3], rtol=0, atol=1e-12)
    both = transforms.apply(transforms.product(a, b), point)
    np.testing.assert_allclose(both, transforms.apply(a, transforms.apply(b, point)), rtol=0, atol=1e-10)


def test_batches_are_rows() -> None:
    random = np.random.default_rng(0)
    many = random.normal(size=(5, 4, 3, 4))
    points = random.normal(size=(5, 4, 7, 3))
    np.testing.assert_allclose(transforms.apply(many, points)[3, 2], transforms.apply(many[3, 2], points[3, 2]))
    np.testing.assert_allclose(
        transforms.product(many, many[:, ::-1])[1, 1], transforms.product(many[1, 1], many[1, 2])
    )
    assert transforms.inverse(many).shape == many.shape
    four = np.concatenate([many, np.broadcast_to([[0, 0, 0, 1.0]], (5, 4, 1, 4))], axis=-2)
    for three, whole in zip(transforms.decompose(many), transforms.decompose(four), strict=True):
        assert np.array_equal(three, whole)


def test_a_transform_scales_first() -> None:
    half = np.sqrt(0.5)
    matrix = transforms.Transform((1, 0, 0), (half, 0, 0, half), (2, 1, 1)).matrix()
    # x is doubled, turned onto y, then moved along x.
    np.testing.assert_allclose(transforms.apply(matrix, [[1.0, 0.0, 0.0]]), [[1, 2, 0]], rtol=0, atol=1e-15)
