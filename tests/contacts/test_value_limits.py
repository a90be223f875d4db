"""Limits are seen at the extremes themselves, wherever between the keys they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.contacts.free_keys import FreeKeys
from inbetweener.contacts.problem import MARGIN, KeyLimits
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.rig import Channel

FLAT = Tangent(0.3, 0.0)
CURVE = Curve.from_keys([Key(float(t), 0.05 * (-1) ** t, FLAT, FLAT) for t in range(4)])
CHANNEL = Channel("swing", "rotation", lower=-0.2, upper=0.2)


def freed(channel: Channel = CHANNEL) -> tuple[FreeKeys, KeyLimits]:
    keys = FreeKeys.of([CURVE], [channel], np.ones(1), [[(0.0, 3.0)]], False)
    return keys, KeyLimits.of(keys, [channel])


@given(st.integers(0, 10_000))
def test_excess_is_what_dense_samples_show(seed: int) -> None:
    keys, limits = freed()
    z = np.clip(np.random.default_rng(seed).normal(size=len(keys)), keys.lower, keys.upper)
    shaped = keys.shaped(z)
    seen = max(0.0, float(np.abs(shaped.evaluate(np.linspace(0.0, 3.0, 6001))).max()) - 0.2)
    assert limits.worst(shaped) == pytest.approx(seen, abs=1e-5)


def test_rows_know_how_extremes_move() -> None:
    keys, limits = freed()
    random = np.random.default_rng(5)
    z = np.clip(0.6 * random.normal(size=len(keys)), 0.9 * keys.lower, 0.9 * keys.upper)
    beyond, derivative = limits.rows(keys.shaped(z))
    assert len(beyond) >= 2
    for size in (1e-5, 1e-6):
        step = size * random.normal(size=len(keys))
        ahead, behind = (limits.rows(keys.shaped(z + way * step))[0] for way in (1.0, -1.0))
        change = (ahead - behind) / 2.0
        assert np.abs(change).min() > 0.0
        assert not np.array_equal(change, derivative @ step)
        np.testing.assert_allclose(change, derivative @ step, atol=50.0 * size**2)


def test_what_is_outside_already_may_stay() -> None:
    tight = Channel("swing", "rotation", lower=-0.01, upper=0.01)
    keys, limits = freed(tight)
    assert limits.worst(keys.bundle) <= MARGIN * 1e-6
