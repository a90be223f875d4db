"""Value limits: the exact set of heights against dense sampling, [TSO]'s box, and a general solver."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from inbetweener.curves import Curve, HeightSet, Key, Tangent, breaches, evaluate, value_ranges
from inbetweener.errors import InvalidCurve
from tests.curves import museum
from tests.curves.reference import casteljau
from tests.curves.strategies import curves, number

U = np.linspace(0, 1, 2001)
sets = st.builds(
    lambda a, b, below, above: HeightSet(a, b, min(a, b) - below, max(a, b) + above),
    number(-2, 2), number(-2, 2), number(0, 2), number(0, 2),
)  # fmt: skip
heights = st.tuples(number(-8, 8), number(-8, 8))


def sampled(limits: HeightSet, at: tuple[float, float]) -> np.ndarray:
    points = (limits.start, limits.start + at[0], limits.end - at[1], limits.end)
    return np.array([casteljau(points, u) for u in U])


def exceeds(limits: HeightSet, at: tuple[float, float]) -> float:
    values = sampled(limits, at)
    return max(values.max() - limits.upper, limits.lower - values.min())


@given(sets, heights)
def test_membership_is_what_dense_sampling_says(limits, at):
    assert limits.violation(at) == pytest.approx(max(0.0, exceeds(limits, at)), abs=2e-5)
    assume(abs(exceeds(limits, at)) > 1e-5)
    assert limits.contains(at) == (exceeds(limits, at) <= 0)


@given(sets, st.tuples(number(0, 1), number(0, 1)))
def test_the_box_of_tso_eq_8_and_9_lies_in_the_exact_set(limits, fraction):
    (out_low, out_high), (in_low, in_high) = limits.box()
    at = (out_low + fraction[0] * (out_high - out_low), in_low + fraction[1] * (in_high - in_low))
    assert limits.contains(at, 1e-9)
    assert exceeds(limits, at) <= 1e-9


def test_the_in_side_of_the_box_has_the_opposite_sign():
    # Room only above: the out handle may rise; the in handle sits at key − in, so its height must be negative.
    assert HeightSet(0, 0, 0, 3).box() == ((0, 4), (-4, 0))
    assert HeightSet(0, 0, 0, 3).contains((4, -4))
    assert not HeightSet(0, 0, 0, 3).contains((4, 4))


def test_the_box_is_about_a_sixth_of_the_exact_set():
    rng = np.random.default_rng(8)
    shares = []
    for _ in range(40):
        start, end = np.sort(rng.uniform(0, 1, 2))
        limits = HeightSet(start, end, 0, 1)
        points = rng.uniform(-6, 6, (2000, 2))
        inside = [(y, z) for y, z in points if limits.contains((y, z))]
        (a, b), (c, d) = limits.box()
        shares.append(((b - a) * (d - c)) / (len(inside) / 2000 * 144))
    assert 0.10 < np.mean(shares) < 0.22


@given(sets, heights, st.tuples(number(0.1, 5), number(0.1, 5)))
def test_nearest_is_admissible_and_optimal(limits, at, weights):
    near = limits.nearest(at, weights)
    assert limits.contains(near, 1e-9)
    if limits.contains(at):
        assert near == at
        return
    # Optimal on a convex set: no admissible point lies ahead of it in the weighted direction back to `at`.
    direction = np.array(weights) * (np.array(at) - near)
    size = np.linalg.norm(direction) + 1e-300
    rng = np.random.default_rng(0)
    for other in [(0.0, 0.0), *rng.uniform(-4, 4, (200, 2))]:
        other = (float(other[0]), float(other[1]))
        reach = max((s for s in np.linspace(0, 1, 21) if limits.contains((s * other[0], s * other[1]))), default=0.0)
        inside = np.array(other) * reach
        assert direction @ (inside - near) / size <= 1e-6


def test_nearest_agrees_with_a_general_solver():
    limits, at, weights = HeightSet(0.2, 0.7, 0, 1), (3.0, 2.5), (1.0, 4.0)
    u = np.linspace(0.001, 0.999, 800)
    flat = 0.2 + 0.5 * u * u * (3 - 2 * u)
    rows = np.stack([3 * u * (1 - u) ** 2, -3 * u * u * (1 - u)], -1)
    solved = minimize(
        lambda x: weights[0] * (x[0] - at[0]) ** 2 + weights[1] * (x[1] - at[1]) ** 2,
        [0, 0],
        constraints=[
            {"type": "ineq", "fun": lambda x: 1 - flat - rows @ x},
            {"type": "ineq", "fun": lambda x: flat + rows @ x},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert solved.success
    np.testing.assert_allclose(limits.nearest(at, weights), solved.x, atol=1e-4)


@given(sets, heights, heights)
def test_cuts_exclude_the_heights_and_nothing_admissible(limits, at, other):
    cuts = limits.cuts(at)
    assert bool(cuts) == (not limits.contains(at))
    inside = limits.nearest(other)
    for cut in cuts:
        assert cut.excess(at) > 0
        assert cut.excess(inside) <= 1e-8
        assert 0 < cut.u < 1


@given(curves(least=2, only_bezier=True), number(-1, 0), number(0, 1))
def test_no_change_is_always_admissible(curve, lower, upper):
    for k in range(len(curve) - 1):
        now = (float(curve.outs[k, 1]), float(curve.ins[k + 1, 1]))
        limits = HeightSet.of(curve, k, lower, upper)
        assert limits.contains(now)
        assert limits.lower <= lower
        assert limits.upper >= upper


@given(curves(least=2))
def test_ranges_are_exact(curve):
    ranges = value_ranges(curve)
    for k in range(len(curve) - 1):
        at = np.linspace(curve.times[k], curve.times[k + 1], 501)
        values = evaluate(curve, at)
        low, high = ranges[k]
        assert low - 1e-12 <= values.min() <= low + 0.05
        assert high - 0.05 <= values.max() <= high + 1e-12


def test_breaches_name_keys_and_segments():
    found = breaches(museum.beyond_limit(), 0, 1)
    assert [(b.where, b.index) for b in found] == [("segment", 0), ("key", 2)]
    dip, key = found
    at = np.linspace(0, 1, 100001)
    values = evaluate(museum.beyond_limit(), at)
    assert dip.value == pytest.approx(values.min(), abs=1e-8)
    assert dip.time == pytest.approx(at[values.argmin()], abs=2e-5)
    assert dip.by == pytest.approx(values.min(), abs=1e-8)
    assert (key.time, key.value, key.by) == (2, 1.5, 0.5)
    assert str(key) == "key 2 at 2 s: 1.5 is 0.5 above the upper limit"
    assert str(dip).startswith("segment after key 0 at ")
    assert breaches(museum.mixed(), -10, 10) == ()


def test_a_key_on_the_limit_keeps_its_side_flat_or_inward():
    limits = HeightSet(1.0, 0.5, 0.0, 1.0)
    # The overshoot grows with the square of the height, so 1e-12 of value is 1e-6 of height.
    assert limits.nearest((0.5, 0.0))[0] == pytest.approx(0, abs=2e-6)
    assert not limits.contains((0.1, 0.0))
    assert limits.contains((-0.1, 0.0))


def test_nonsense_is_refused():
    with pytest.raises(InvalidCurve, match="lower limit 2 is above upper limit 1"):
        HeightSet(0, 0, 2, 1)
    with pytest.raises(InvalidCurve, match="must be positive"):
        HeightSet(0, 0, 0, 1).nearest((2, 2), (0, 1))


def test_without_limits_everything_is_admissible():
    curve = Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.1, 99)), Key(1, 1)])
    assert HeightSet.of(curve, 0, -np.inf, np.inf).contains((1e6, -1e6))
