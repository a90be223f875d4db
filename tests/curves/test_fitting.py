"""Fits of dense samples: within tolerance, sparse, corners and holds kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline

from inbetweener.curves import Bundle, Curve, evaluate, fit_aligned, fit_curve
from inbetweener.curves.fitting.fit import corners, holds
from inbetweener.curves.tangent_presets import smooth
from inbetweener.errors import InvalidCurve
from tests.curves.strategies import curves, number

FRAMES = np.arange(481) / 120.0


def waves(seed: int, n: np.ndarray = FRAMES) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return sum(rng.normal() / k * np.sin(2 * np.pi * k * n / 4 + rng.uniform(0, 6)) for k in range(1, 9))


@given(curves(least=2), number(-4, -1))
@settings(max_examples=40)
def test_no_sample_is_missed_by_more_than_the_tolerance(curve, exponent):
    tolerance = 10.0**exponent
    at = np.linspace(curve.times[0] - 0.2, curve.times[-1] + 0.2, 160)
    values = evaluate(curve, at)
    made = fit_curve(at, values, tolerance)
    assert np.abs(evaluate(made, at) - values).max() <= tolerance * (1 + 1e-9)
    assert np.isin(made.times, at).all()


@pytest.mark.parametrize("seed", range(4))
def test_smooth_motion_becomes_sparse_tied_and_a_third_wide(seed):
    values = waves(seed)
    made = fit_curve(FRAMES, values, 1e-3 * np.ptp(values))
    assert len(made) < 0.1 * len(FRAMES)
    assert made.tied.all()
    np.testing.assert_allclose(made.outs[:-1, 0], np.diff(made.times) / 3)
    np.testing.assert_allclose(made.ins[1:, 0], np.diff(made.times) / 3)
    np.testing.assert_allclose(made.ins[:, 1] / made.ins[:, 0], made.outs[:, 1] / made.outs[:, 0], rtol=1e-9)
    # Keys sit at the times of samples, and within the tolerance of their values.
    np.testing.assert_allclose(made.values, values[np.searchsorted(FRAMES, made.times)], atol=1e-3 * np.ptp(values))


def test_a_curve_with_a_third_wide_tangents_is_found_again():
    times = FRAMES[[0, 90, 130, 260, 300, 480]]
    original = smooth(Curve.sampled(times, [0, 1, 0.4, -1, -0.2, 0.6]))
    made = fit_curve(FRAMES, evaluate(original, FRAMES), 1e-4)
    assert len(made) <= 8
    assert np.abs(evaluate(made, FRAMES) - evaluate(original, FRAMES)).max() <= 1e-4


def test_slopes_are_those_of_least_squares():
    values = waves(5)
    made = fit_curve(FRAMES, values, 0.02 * np.ptp(values))
    slopes = made.outs[:, 1] / made.outs[:, 0]

    def cost(change: np.ndarray) -> float:
        return float(((CubicHermiteSpline(made.times, made.values, slopes + change)(FRAMES) - values) ** 2).sum())

    best = cost(np.zeros(len(made)))
    for k in range(len(made)):
        for step in (-0.05, 0.05):
            change = np.zeros(len(made))
            change[k] = step
            assert cost(change) > best


def test_looser_means_fewer_keys():
    values = waves(2)
    counts = [len(fit_curve(FRAMES, values, tolerance)) for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1] / 4


def test_corners_are_kept_as_broken_keys():
    zigzag = np.abs((FRAMES + 0.5) % 2 - 1)
    made = fit_curve(FRAMES, zigzag, 1e-3)
    np.testing.assert_allclose(made.times, [0, 0.5, 1.5, 2.5, 3.5, 4])
    np.testing.assert_array_equal(made.tied[1:-1], False)
    np.testing.assert_allclose(evaluate(made, FRAMES), zigzag, atol=1e-12)


def test_a_bounce_keeps_its_impact():
    # Parabolas between hits of the ground: smooth in the air, a corner on the floor.
    bounce = 4 * (FRAMES % 1) * (1 - FRAMES % 1)
    made = fit_curve(FRAMES, bounce, 1e-3)
    assert {1.0, 2.0, 3.0} <= {round(float(t), 9) for t in made.times[~made.tied]}
    assert len(made) <= 9
    assert len(np.flatnonzero(corners(FRAMES, bounce, np.full(len(FRAMES), 1e-3)))) == 3


def test_smooth_motion_has_no_corners():
    assert not corners(FRAMES, waves(3), np.full(len(FRAMES), 1e-4)).any()


def test_holds_are_level_between_two_keys():
    values = waves(7)
    values[120:240] = values[120]
    values[240:] += values[120] - values[240]
    assert holds(values, np.full(len(FRAMES), 1e-2)).tolist() == [[120, 240]]
    made = fit_curve(FRAMES, values, 1e-2)
    k = int(np.searchsorted(made.times, FRAMES[120]))
    assert made.times[k] == FRAMES[120]
    assert made.times[k + 1] == FRAMES[240]
    between = evaluate(made, np.linspace(FRAMES[120], FRAMES[240], 500))
    np.testing.assert_allclose(between, values[120], rtol=1e-15)
    assert np.abs(evaluate(made, FRAMES) - values).max() <= 1e-2


def test_slow_tops_of_waves_are_no_holds():
    assert len(holds(np.sin(FRAMES), np.full(len(FRAMES), 1e-2))) == 0


def test_a_jump_stays_a_jump():
    values = np.where(FRAMES < 2, 0.0, 1.0)
    made = fit_curve(FRAMES, values, 1e-3)
    np.testing.assert_allclose(evaluate(made, FRAMES), values, atol=1e-15)
    assert len(made) == 4


def test_what_stays_near_one_value_is_a_single_key():
    values = 3 + 1e-4 * waves(1)
    made = fit_curve(FRAMES, values, 1e-2)
    assert len(made) == 1
    assert made.values[0] in values
    assert len(fit_curve([2.0], [5.0], 1e-3)) == 1


def test_aligned_channels_share_key_times_and_keep_their_tolerances():
    values = np.stack([waves(1), 10 * waves(2), np.full(len(FRAMES), 4.0), waves(3)], axis=-1)
    tolerances = np.array([1e-2, 1e-1, 1e-3, 3e-3])
    made = fit_aligned(FRAMES, values, tolerances)
    moving = [made[0], made[1], made[3]]
    for curve in moving:
        np.testing.assert_array_equal(curve.times, made[0].times)
    assert len(made[2]) == 1
    missed = np.abs(Bundle.of(made).evaluate(FRAMES) - values).max(axis=0)
    assert (missed <= tolerances).all()
    alone = [len(fit_curve(FRAMES, values[:, c], tolerances[c])) for c in (0, 1, 3)]
    assert 0.9 * max(alone) <= len(made[0]) < sum(alone)


def test_a_hold_stays_level_when_another_channel_asks_for_keys_within_it():
    still = waves(7)
    still[120:240] = still[120]
    still[240:] += still[120] - still[240]
    made = fit_aligned(FRAMES, np.stack([still, waves(8)], -1), [1e-2, 1e-4])[0]
    inside = (made.times > FRAMES[120]) & (made.times < FRAMES[240])
    assert inside.sum() > 2
    np.testing.assert_allclose(evaluate(made, np.linspace(1, 2, 333)), still[120], rtol=1e-15)


def test_tolerance_may_change_over_time():
    values = waves(4)
    tolerance = np.where(FRAMES < 2, 1e-1, 1e-5)
    made = fit_curve(FRAMES, values, tolerance)
    assert (np.abs(evaluate(made, FRAMES) - values) <= tolerance).all()
    assert (made.times < 2).sum() < 0.4 * (made.times > 2).sum()


def test_kept_keys_are_only_added_to():
    values = waves(6)[:, None]
    rough = fit_aligned(FRAMES, values, [1e-1])[0]
    kept = np.searchsorted(FRAMES, rough.times)
    fine = fit_aligned(FRAMES, values, [1e-3], kept)[0]
    assert np.isin(rough.times, fine.times).all()
    assert len(fine) > len(rough)
    assert np.abs(evaluate(fine, FRAMES) - values[:, 0]).max() <= 1e-3


def test_uneven_samples_are_fine():
    rng = np.random.default_rng(0)
    at = np.cumsum(rng.uniform(0.001, 0.03, 300))
    values = np.sin(3 * at)
    made = fit_curve(at, values, 1e-3)
    assert np.abs(evaluate(made, at) - values).max() <= 1e-3
    assert len(made) < 40


def test_a_fit_repeats_to_the_bit():
    assert fit_curve(FRAMES, waves(1), 1e-3) == fit_curve(FRAMES, waves(1), 1e-3)


@pytest.mark.parametrize(
    ("times", "values", "tolerance", "problem"),
    [
        ([0, 1, 1], [0, 0, 0], 1, "sample 2: time does not increase"),
        ([0, 1], [0, np.nan], 1, "sample 1: value is not a finite number"),
        ([0, 1], [0, 1], 0, "tolerance above zero, not 0"),
        ([0, 1, 2], [0, 1], 1, "cannot fit values"),
    ],
)
def test_nonsense_is_refused(times, values, tolerance, problem):
    with pytest.raises(InvalidCurve, match=problem):
        fit_curve(times, values, tolerance)


@given(st.integers(2, 4))
def test_very_few_samples(n):
    at = np.arange(n) / 24
    values = np.array([0.0, 1.0, -1.0, 0.5])[:n]
    np.testing.assert_allclose(evaluate(fit_curve(at, values, 1e-6), at), values, atol=1e-6)
