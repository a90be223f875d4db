"""Euler curves fitted to quaternion keys, against scipy's own slerp, poles and full turns included."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from inbetweener.curves import BEZIER, LINEAR, Bundle, Curve
from inbetweener.formats.gltf.reading.animation import angle_curves, best_order
from inbetweener.formats.gltf.reading.tracks import Track
from inbetweener.formats.turns import PIECES
from inbetweener.maths.euler import ORDERS, Order

ANGLES = st.floats(-3.1, 3.1)
REST = (0.5, 0.5, -0.5, 0.5)


def track(times: np.ndarray, turns: Rotation, kind: int = LINEAR, slopes: np.ndarray | None = None) -> Track:
    values = turns.as_quat(scalar_first=True)
    slopes = np.zeros_like(values) if slopes is None else slopes
    return Track(0, "rotation", times, values, slopes, slopes, np.full(len(times), kind, np.uint8))


def turned(curves: tuple[Curve, ...], times: np.ndarray, order: Order) -> Rotation:
    angles = Bundle.of(list(curves)).evaluate(times)
    columns = ["XYZ".index(letter) for letter in order]
    return Rotation.from_quat(REST, scalar_first=True) * Rotation.from_euler(order, angles[:, columns])


@given(
    st.lists(st.tuples(ANGLES, ANGLES, ANGLES), min_size=2, max_size=6),
    st.sampled_from(ORDERS),
    st.sampled_from([1e-3, 1e-5]),
)
@example([(0.0, 1.4, 0.0), (0.0, 1.8, 0.0)], "ZYX", 1e-5)  # straight over the pole
@example([(0.0, np.pi / 2, 0.0), (1.0, np.pi / 2, 0.0)], "ZYX", 1e-5)  # along the pole
@example([(0.3, 1.5, 0.2), (2.9, 1.6, -3.0), (0.3, -1.5, 0.2)], "XYZ", 1e-5)  # past the pole, nearly half turns
def test_slerp_is_followed_within_the_tolerance(
    keys: list[tuple[float, float, float]], order: Order, tolerance: float
) -> None:
    times = np.arange(len(keys)) * 0.5 + 0.25
    turns = Rotation.from_euler("xyz", keys)
    curves, kept = angle_curves(track(times, turns), REST, order, tolerance)
    assert kept == tolerance
    if any(abs(abs((turns[k].inv() * turns[k + 1]).magnitude()) - np.pi) < 1e-3 for k in range(len(keys) - 1)):
        return  # both ways round are equally short: no tool agrees with another
    at = np.linspace(times[0], times[-1], 401)
    error = (turned(curves, at, order).inv() * Slerp(times, turns)(at)).magnitude()
    # Samples lie between those that were checked: a little more is allowed there.
    assert error.max() < 1.5 * tolerance
    assert np.isin(times, curves[0].times).all(), "every key of the file is kept"
    on_keys = (turned(curves, times, order).inv() * turns).magnitude()
    assert on_keys.max() < 1e-7


@given(st.lists(st.tuples(ANGLES, ANGLES, ANGLES), min_size=2, max_size=5))
def test_the_best_order_needs_few_keys(keys: list[tuple[float, float, float]]) -> None:
    turns = Rotation.from_rotvec(np.array(keys) * 0.3)
    times = np.arange(len(keys), dtype=float)
    moved = track(times, turns)
    order = best_order((1.0, 0.0, 0.0, 0.0), [moved])
    curves, _ = angle_curves(moved, (1.0, 0.0, 0.0, 0.0), order, 1e-4)
    assert len(curves[0]) <= 8 * (len(keys) - 1) + 1


def test_one_axis_needs_no_more_keys_than_the_file_has() -> None:
    times = np.array([0.0, 1.0, 2.0, 3.0])
    turns = Rotation.from_euler("z", [[0.0], [2.0], [4.0], [6.0]])
    curves, _ = angle_curves(track(times, turns), (1.0, 0.0, 0.0, 0.0), "ZYX", 1e-6)
    assert [len(curve) for curve in curves] == [4, 4, 4]
    assert curves[2].values == pytest.approx([0.0, 2.0, 4.0, 6.0], abs=1e-7), "turns beyond π go on"
    assert (curves[2].interpolations == LINEAR).all()


def test_cubic_slopes_are_tied_where_they_are_smooth() -> None:
    times = np.array([0.0, 1.0, 2.0])
    turns = Rotation.from_euler("xyz", [(0.0, 0.0, 0.0), (0.4, 0.2, -0.1), (0.5, 0.1, 0.3)])
    q = turns.as_quat(scalar_first=True)
    slopes = np.gradient(q, axis=0)
    curves, _ = angle_curves(track(times, turns, BEZIER, slopes), (1.0, 0.0, 0.0, 0.0), "ZYX", 1e-3)
    for curve in curves:
        assert curve.tied[curve.times == 1.0].all()
        inner = curve.ins[1:-1, 1] / curve.ins[1:-1, 0] - curve.outs[1:-1, 1] / curve.outs[1:-1, 0]
        assert np.abs(inner).max() < 1e-5


def test_slerp_keys_are_broken_where_the_direction_changes() -> None:
    times = np.array([0.0, 1.0, 2.0])
    turns = Rotation.from_euler("xyz", [(0.0, 0.0, 0.0), (0.9, 0.6, -0.3), (-0.7, 0.2, 0.9)])
    curves, _ = angle_curves(track(times, turns), (1.0, 0.0, 0.0, 0.0), "ZYX", 1e-4)
    assert not all(curve.tied[curve.times == 1.0].all() for curve in curves)
    step = 1e-6
    for curve in curves:
        k = int(np.flatnonzero(curve.times == 1.0)[0])
        values = Bundle.of([curve]).evaluate([1.0 - step, 1.0, 1.0 + step])[:, 0]
        assert curve.ins[k, 1] / curve.ins[k, 0] == pytest.approx((values[1] - values[0]) / step, abs=1e-4)
        assert curve.outs[k, 1] / curve.outs[k, 0] == pytest.approx((values[2] - values[1]) / step, abs=1e-4)


def test_wild_cubics_are_followed_as_well_as_memory_allows() -> None:
    count = 40
    rng = np.random.default_rng(5)
    turns = Rotation.from_quat(rng.normal(size=(count, 4)))
    wild = track(np.arange(count) * 1e-3, turns, BEZIER, rng.normal(size=(count, 4)) * 1e6)
    curves, kept = angle_curves(wild, (1.0, 0.0, 0.0, 0.0), "XYZ", 1e-8)
    assert len(curves[0]) <= PIECES * (count + 8)
    assert kept > 1e-8


def test_a_cubic_along_the_pole_comes_to_an_end() -> None:
    times = np.array([0.0, 1.0])
    turns = Rotation.from_euler("ZYX", [(0.0, np.pi / 2, 0.0), (1.0, np.pi / 2, 0.0)])
    slopes = np.repeat(np.diff(turns.as_quat(scalar_first=True), axis=0), 2, axis=0)
    at_pole = track(times, turns, BEZIER, slopes)
    curves, kept = angle_curves(at_pole, (1.0, 0.0, 0.0, 0.0), "ZYX", 1e-4)
    assert kept == 1e-4
    assert len(curves[0]) < 60
