"""[DB] §5.2–5.3: how far a differential blend with the identity is from the shortest path, in closed form."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.maths import dual_quaternions
from inbetweener.rig import Bend, Joint, Point, Rig, bend_channel, joint_channels
from inbetweener.skinning import Mesh, Skin


def blended(screws: np.ndarray, t: float) -> np.ndarray:
    """The transform (8,) of a vertex at the end of a bone that is bent by screws (S, 6), with the weight t."""
    joints = (Joint("still", -1), Joint("bent", 0))
    rig = Rig(
        joints,
        (*joint_channels(joints[0]), bend_channel("sketch")),
        (Point("bent", (1.0, 0.0, 0.0), "tip"),),
        bends=(Bend("sketch", "sketch", {"bent": screws}),),
    )
    vertices, triangles = np.array([[1.0, 0.0, 0.0]]), np.empty((0, 3))
    bind = np.tile(np.eye(3, 4), (2, 1, 1))
    mesh = Mesh("dot", vertices, triangles, ("still", "bent"), bind, np.array([[0, 1]]), np.array([[1 - t, t]]))  # type: ignore[arg-type]
    pose = np.array([0.0, 0.0, 0.0, 1.0])
    return dual_quaternions.normalised(Skin(mesh, rig, "differential", poses=pose).transforms(pose)[0])


def whole(screws: np.ndarray) -> np.ndarray:
    made = np.array(dual_quaternions.IDENTITY)
    for each in screws:
        made = dual_quaternions.product(made, dual_quaternions.exponential(each))
    return made


def deviation(screws: np.ndarray, t: float) -> np.ndarray:
    """The screw (6,) from the differential blend to the shortest path: log(qᵗ · A*)."""
    shortest = dual_quaternions.power(whole(screws), t)
    return dual_quaternions.logarithm(dual_quaternions.product(shortest, dual_quaternions.inverse(blended(screws, t))))


def angle(theta: float, t: float = 0.5, between: float = math.pi / 2) -> float:
    """The angle of the deviation for two turns by theta, about axes that lie `between` apart."""
    axes = np.array([[1.0, 0.0, 0.0], [math.cos(between), math.sin(between), 0.0]])
    turns = np.concatenate([theta * axes, np.zeros((2, 3))], axis=1)
    return float(np.linalg.norm(deviation(turns, t)[:3]))


def bracket(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The commutator of two screws, as a screw."""
    return np.concatenate([np.cross(a[:3], b[:3]), np.cross(a[:3], b[3:]) + np.cross(a[3:], b[:3])])


def test_two_turns_of_45_degrees_leave_four_and_a_half() -> None:
    """Fig. 14, middle; Eq. 5 says θ²/8, that is 4.42°."""
    assert math.degrees(angle(math.radians(45.0))) == pytest.approx(4.5, abs=0.1)
    assert angle(math.radians(45.0)) == pytest.approx(math.radians(45.0) ** 2 / 8, rel=0.03)


def test_deviation_grows_with_the_square_of_the_angle() -> None:
    angles = np.radians([5.0, 10.0, 20.0, 45.0])
    share = np.array([angle(theta) / theta**2 for theta in angles])
    assert np.abs(share * 8 - 1.0).max() < 0.03


def test_deviation_grows_with_the_sine_between_the_axes() -> None:
    """Fig. 14, right."""
    theta = math.radians(45.0)
    for between in np.radians([10.0, 30.0, 50.0, 70.0, 90.0]):
        assert angle(theta, between=between) == pytest.approx(angle(theta) * math.sin(between), rel=0.16)
    assert angle(theta, between=0.0) < 1e-12
    small = math.radians(6.0)
    assert angle(small, between=0.5) == pytest.approx(angle(small) * math.sin(0.5), rel=5e-3)


def test_deviation_is_greatest_halfway() -> None:
    """Eq. 5: t(1 − t)."""
    theta = math.radians(30.0)
    found = [angle(theta, t) for t in (0.1, 0.25, 0.5, 0.75, 0.9)]
    assert found[2] == max(found)
    for t, each in zip((0.1, 0.25, 0.5, 0.75, 0.9), found, strict=True):
        assert each == pytest.approx(0.5 * t * (1 - t) * theta**2, rel=0.06)


small_screws = st.lists(st.tuples(*[st.floats(-1.0, 1.0)] * 6), min_size=2, max_size=6)


@given(rows=small_screws, t=st.sampled_from([0.2, 0.5, 0.7]))
def test_longer_paths_deviate_by_half_the_sum_of_commutators(rows: list[tuple[float, ...]], t: float) -> None:
    """Eqs. 4 and 7, rotation and translation together: right to second order, so the rest falls by eight."""
    sizes = (0.04, 0.02)
    misses = []
    for size in sizes:
        screws = size * np.array(rows)
        pairs = itertools.combinations(screws, 2)
        expected = 0.5 * t * (1 - t) * np.sum([bracket(a, b) for a, b in pairs], axis=0)
        misses.append(np.linalg.norm(deviation(screws, t) - expected))
    count = len(rows)
    assert misses[0] < 0.6 * (sizes[0] * count) ** 3
    assert misses[1] < misses[0] / 6 + 1e-9


@given(
    turns=st.tuples(st.floats(0.01, 0.12), st.floats(0.01, 0.12)),
    slides=st.tuples(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2)),
    t=st.floats(0.1, 0.9),
)
def test_translation_along_the_axis_stays_under_its_bound(
    turns: tuple[float, float], slides: tuple[float, float], t: float
) -> None:
    """Eq. 6, for screws about orthogonal axes through one place: rotation about and translation along each."""
    x, y = np.eye(3)[0], np.eye(3)[1]
    screws = np.array([[*(turns[0] * x), *(slides[0] * x)], [*(turns[1] * y), *(slides[1] * y)]])
    found = deviation(screws, t)
    size = np.linalg.norm(found[:3])
    along = abs(float(found[:3] @ found[3:])) / size
    bound = 0.5 * t * (1 - t) * (abs(slides[0] * turns[1]) + abs(slides[1] * turns[0]))
    largest = max(*turns, *map(abs, slides))
    assert along <= bound + 0.5 * largest**3
