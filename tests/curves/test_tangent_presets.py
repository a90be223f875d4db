"""Tangents as animators know them."""

import numpy as np
from hypothesis import given

from inbetweener.curves import Curve, evaluate, value_ranges
from inbetweener.curves.tangent_presets import flat, linear, smooth, stepped
from tests.curves import museum
from tests.curves.strategies import curves


@given(curves(least=2))
def test_smooth_never_overshoots_and_is_flat_at_extremes(curve):
    made = smooth(curve)
    ranges = value_ranges(made)
    ends = np.sort(np.stack([curve.values[:-1], curve.values[1:]], -1))
    np.testing.assert_allclose(ranges, ends, atol=1e-12)
    rises = np.sign(np.diff(curve.values))
    extreme = np.concatenate([[True], rises[:-1] * rises[1:] <= 0, [True]])
    np.testing.assert_array_equal(made.outs[extreme, 1], 0)
    np.testing.assert_array_equal(made.ins[extreme, 1], 0)
    np.testing.assert_allclose(made.outs[:-1, 0], np.diff(curve.times) / 3)
    np.testing.assert_allclose(made.ins[1:, 0], np.diff(curve.times) / 3)
    assert made.tied.all()
    np.testing.assert_allclose(made.ins[:, 1] * made.outs[:, 0], made.outs[:, 1] * made.ins[:, 0], atol=1e-12)


def test_smooth_passes_through_a_straight_run_without_a_kink():
    made = smooth(Curve.sampled([0, 1, 3, 4], [0, 1, 3, 4]))
    assert made.key(1).out_tangent.slope == 1
    assert made.key(2).in_tangent.slope == 1


@given(curves(least=2))
def test_linear_draws_straight_lines(curve):
    made = linear(curve)
    at = np.linspace(curve.times[0], curve.times[-1], 101)
    np.testing.assert_allclose(evaluate(made, at), np.interp(at, curve.times, curve.values), atol=1e-12)


def test_linear_breaks_corners_only():
    made = linear(Curve.sampled([0, 1, 2, 3], [0, 1, 2, 0]))
    np.testing.assert_array_equal(made.tied, [True, True, False, True])


def test_flat_is_level_at_every_key():
    made = flat(museum.mixed())
    np.testing.assert_array_equal(made.ins[:, 1], 0)
    np.testing.assert_array_equal(made.outs[:, 1], 0)


def test_stepped_holds():
    made = stepped(museum.beyond_limit())
    np.testing.assert_array_equal(evaluate(made, [0.5, 1.5, 2.5, 3]), [0.2, 0.3, 1.5, 0.5])


def test_chosen_keys_only():
    curve = museum.mixed()
    made = smooth(curve, [2])
    # The stepped segment before key 1 stays; the straight one before key 2 stays straight at its far end.
    assert made.key(0) == curve.key(0)
    assert made.key(1).interpolation == "bezier"
    assert made.key(1).out_tangent.slope == -12
    assert made.key(3) == curve.key(3)
    assert made.key(2).out_tangent.slope == made.key(2).in_tangent.slope == 0
    assert flat(museum.single()).values[0] == 0.7
    assert smooth(museum.single()) == flat(museum.single()) == linear(museum.single())
