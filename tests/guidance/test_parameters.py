"""The vector of parameters: what it holds, and that it gives back the curves to the bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.guidance.parameters import LEAST_WIDTH, MOST_WIDTH, Parameters
from inbetweener.tangents.certificate import slope_error
from tests.guidance.arm import swing

MOTION = swing()
NAMES = tuple(MOTION.clip.curves)
CURVES = [MOTION.clip.curves[name] for name in NAMES]
CHANNELS = [MOTION.rig.channel(name) for name in NAMES]


def parameters(**options: object) -> Parameters:
    return Parameters.of(CURVES, CHANNELS, 1.0, **options)  # type: ignore[arg-type]


def test_a_tied_key_has_three_a_broken_one_four_and_an_end_two() -> None:
    # Three keys: 2 + 3 + 2; with a broken one 2 + 4 + 2; four keys: 2 + 3 + 3 + 2.
    assert len(parameters()) == 7 + 7 + 8 + 10


def test_the_start_gives_the_same_curves_to_the_bit() -> None:
    whole = parameters()
    assert list(whole.changed(CURVES, whole.start.copy())) == CURVES


def test_frozen_keys_and_keys_outside_the_range_have_none() -> None:
    assert len(parameters(start=0.4, end=0.6)) == 3 + 3 + 4
    held = parameters(frozen_keys=frozenset({("upper.rz", 1), ("base.tx", 0)}))
    assert len(held) == 32 - 4 - 2


def test_a_range_says_what_can_change() -> None:
    assert parameters(start=0.4, end=0.6).span == pytest.approx((0.0, 1.0))
    assert parameters(start=0.3, end=0.4).span == pytest.approx((0.0, 0.8))


@given(st.integers(0, 10_000))
def test_keys_and_ties_stay_whatever_the_parameters(seed: int) -> None:
    whole = parameters()
    random = np.random.default_rng(seed)
    x = np.where(whole.is_width, random.uniform(LEAST_WIDTH, MOST_WIDTH, len(whole)), random.normal(0, 2, len(whole)))
    for before, after in zip(CURVES, whole.changed(CURVES, x), strict=True):
        assert np.array_equal(before.times, after.times)
        assert np.array_equal(before.values, after.values)
        assert slope_error(after) < 1e-9
