"""Keys as variables: derivatives, ties, bounds, and nothing changed at zero."""

import numpy as np
import pytest

from inbetweener.contacts.free_keys import FreeKeys
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.rig import Channel


def curves() -> list[Curve]:
    tied = [
        Key(0.0, 0.1, out_tangent=Tangent(0.2, 0.3)),
        Key(0.7, 0.4, Tangent(0.3, -0.15), Tangent(0.2, -0.1)),
        Key(1.3, -0.2, Tangent(0.2, 0.1), Tangent(0.2, 0.1), interpolation="linear"),
        Key(2.0, 0.5),
    ]
    broken = [
        Key(0.1, 0.0, out_tangent=Tangent(0.3, 0.4)),
        Key(0.9, 0.3, Tangent(0.2, 0.2), Tangent(0.5, -0.4), tied=False),
        Key(1.9, 0.0, Tangent(0.4, 0.1)),
    ]
    return [Curve.from_keys(tied), Curve.from_keys(broken)]


CHANNELS = [Channel("a", "rotation", lower=-0.5, upper=0.6), Channel("b", "rotation", lower=-0.1, upper=0.35)]
TIMES = np.linspace(-0.1, 2.1, 45)


@pytest.fixture(params=[False, True], ids=["tangents", "values too"])
def keys(request: pytest.FixtureRequest) -> FreeKeys:
    return FreeKeys.of(curves(), CHANNELS, np.array([1.0, 0.5]), [[(0.0, 2.0)]] * 2, request.param)


def test_nothing_changes_at_zero(keys: FreeKeys) -> None:
    made = keys.changed(dict(zip("ab", curves(), strict=True)), "ab", np.zeros(len(keys)))
    for before, after in zip(curves(), made.values(), strict=True):
        np.testing.assert_allclose(after.ins, before.ins, atol=1e-15)
        np.testing.assert_allclose(after.outs, before.outs, atol=1e-15)
        np.testing.assert_array_equal(after.values, before.values)


def test_derivatives_agree_with_central_differences(keys: FreeKeys) -> None:
    z = 0.05 * np.random.default_rng(3).normal(size=len(keys))
    exact = keys.derivative(keys.shaped(z), TIMES).toarray()
    for step in (1e-5, 1e-6):
        differences = np.stack(
            [
                (keys.shaped(z + step * e).evaluate(TIMES) - keys.shaped(z - step * e).evaluate(TIMES)).ravel()
                / (2 * step)
                for e in np.eye(len(keys))
            ],
            axis=1,
        )
        assert np.abs(exact).max(axis=0).min() > 1e-4
        assert not np.array_equal(exact, differences)
        np.testing.assert_allclose(exact, differences, atol=1e-8)


def test_tied_keys_stay_tied_and_times_stay(keys: FreeKeys) -> None:
    z = 0.1 * np.random.default_rng(4).normal(size=len(keys))
    z = np.clip(z, keys.lower, keys.upper)
    made = keys.changed(dict(zip("ab", curves(), strict=True)), "ab", z)
    tied = made["a"]
    assert tied.ins[1, 1] / tied.ins[1, 0] == pytest.approx(tied.outs[1, 1] / tied.outs[1, 0], abs=1e-12)
    np.testing.assert_array_equal(tied.times, curves()[0].times)


def test_only_segments_within_the_ranges_are_touched() -> None:
    keys = FreeKeys.of(curves(), CHANNELS, np.ones(2), [[(0.2, 0.5)], []], False)
    z = np.clip(np.full(len(keys), 0.1), keys.lower, keys.upper)
    changed = np.abs(keys.shaped(z).evaluate(TIMES) - keys.shaped(0 * z).evaluate(TIMES)) > 1e-12
    assert changed[(TIMES > 0.1) & (TIMES < 0.6), 0].all()
    assert not changed[TIMES > 1.3, 0].any()
    assert not changed[:, 1].any()
