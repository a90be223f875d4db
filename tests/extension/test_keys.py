"""Keys of F-curves as plain arrays: what we hold is what Blender shows, and only handles go back."""

import numpy as np
import pytest

from extension.blender.keys import ALIGNED, AUTO, AUTO_CLAMPED, FREE, VECTOR, Keys, curve_of, frozen_types, with_handles
from inbetweener.arrays import Floats
from inbetweener.curves import Curve, evaluate

RATE = 24.0


def keys(kind: int = FREE, long: float = 1.0) -> Keys:
    points = np.array([[1.0, 0.0], [11.0, 2.0], [31.0, -1.0]])
    ways = np.array([[3.0, 0.6], [long * 4.0, -0.5], [5.0, 0.2]])
    return Keys(points, points - ways, points + ways, np.full((3, 2), kind), np.array([2, 2, 2]))


def blender(made: Keys, frame: float) -> float:
    """A Bezier segment as Blender evaluates it: each handle cut to its segment, then bisection."""
    k = int(np.searchsorted(made.points[:, 0], frame, side="right")) - 1
    a, d = made.points[k], made.points[k + 1]
    gap = d[0] - a[0]
    out, into = made.right[k] - a, d - made.left[k + 1]
    b, c = a + out * min(1.0, gap / out[0]), d - into * min(1.0, gap / into[0])
    low, high = 0.0, 1.0

    def at(u: float) -> Floats:
        return (1 - u) ** 3 * a + 3 * u * (1 - u) ** 2 * b + 3 * u * u * (1 - u) * c + u**3 * d

    for _ in range(60):
        u = 0.5 * (low + high)
        low, high = (u, high) if at(u)[0] < frame else (low, u)
    return float(at(low)[1])


@pytest.mark.parametrize("long", [1.0, 4.0], ids=["within", "overlong"])
def test_curves_are_what_blender_shows(long: float) -> None:
    made = keys(long=long)
    frames = np.linspace(1.1, 30.9, 41)
    ours = evaluate(curve_of(made, RATE), frames / RATE)
    np.testing.assert_allclose(ours, [blender(made, frame) for frame in frames], atol=1e-9)


def test_handles_without_width_keep_their_height() -> None:
    made = keys()
    made.right[0] = made.points[0] + np.array([0.0, 0.7])
    made.left[1] = made.points[1] + np.array([2.0, 0.1])
    curve = curve_of(made, RATE)
    np.testing.assert_allclose(curve.outs[0], [0.001 / RATE, 0.7])
    np.testing.assert_allclose(curve.ins[1], [0.001 / RATE, -0.1])


def test_a_single_key_is_a_constant() -> None:
    one = Keys(*(np.array([[5.0, 3.0]]) for _ in range(3)), np.full((1, 2), AUTO), np.array([2]))
    assert evaluate(curve_of(one, RATE), np.array([0.0, 9.0])).tolist() == [3.0, 3.0]


def test_automatic_handles_freeze_where_they_are_and_broken_ones_stay_broken() -> None:
    types = np.array([[AUTO, AUTO_CLAMPED], [VECTOR, FREE], [ALIGNED, ALIGNED]])
    assert frozen_types(types).tolist() == [[ALIGNED, ALIGNED], [FREE, FREE], [ALIGNED, ALIGNED]]


def changed(curve: Curve, key: int) -> Curve:
    """The in tangent of a key turned, and its out tangent with it where it is tied."""
    ins, outs = curve.ins.copy(), curve.outs.copy()
    ins[key] = ins[key] * np.array([1.0, 0.0]) + np.array([0.0, 0.9])
    if curve.tied[key] and key + 1 < len(curve):
        outs[key, 1] = outs[key, 0] * ins[key, 1] / ins[key, 0]
    return curve.with_tangents(ins, outs)


@pytest.mark.parametrize("kind", [FREE, AUTO_CLAMPED])
def test_only_touched_handles_are_written(kind: int) -> None:
    made = keys(kind)
    before = curve_of(made, RATE)
    after = with_handles(made, before, changed(before, 1), RATE)
    assert np.array_equal(after.points, made.points)
    assert np.array_equal(after.left[[0, 2]], made.left[[0, 2]])
    assert np.array_equal(after.right[[0, 2]], made.right[[0, 2]])
    np.testing.assert_allclose(curve_of(after, RATE).ins, changed(before, 1).ins, atol=1e-12)
    np.testing.assert_allclose(curve_of(after, RATE).outs, changed(before, 1).outs, atol=1e-12)


def test_an_idle_handle_of_an_aligned_key_follows() -> None:
    """At the end of a curve the right handle does nothing, and would turn the left one if it were left alone."""
    made = keys(AUTO)
    before = curve_of(made, RATE)
    after = with_handles(made, before, changed(before, 2), RATE)
    left, right = after.points[2] - after.left[2], after.right[2] - after.points[2]
    assert left[1] == pytest.approx(0.9)
    assert right[1] / right[0] == pytest.approx(left[1] / left[0])


def test_easings_are_not_ours() -> None:
    made = keys()
    made.interpolations[0] = 7
    assert not made.is_ours
    assert keys().is_ours
