"""The fit itself: where it stops, nothing nearby is better."""

import numpy as np
import pytest

from inbetweener.posing.strokes.clothoids import Chain, Points, kernels
from tests.posing.strokes.shapes import HEART, LOOP, ZIGZAG, Shape, hand_pace, size_of, tremor

STIFFNESS = 1e-8


def chain_of(shape: Shape) -> Chain:
    places = shape.places(hand_pace(120))
    places = (places - places.mean(axis=0)) / size_of(places)
    places = places + tremor(120, 0.002, 3)
    return Chain.guess(Points.of(places, np.searchsorted(hand_pace(120), shape.corners).astype(np.int64)))


def cost(chain: Chain, parameters: np.ndarray, *, tied: bool) -> float:
    along, offs = chain.along.copy(), np.empty(len(chain.along))
    return float(kernels.improve(chain.stroke(STIFFNESS, tied=tied), 0, 0.0, parameters.copy(), along, offs))


@pytest.mark.parametrize("shape", [LOOP, HEART, ZIGZAG], ids=["loop", "heart", "zigzag"])
@pytest.mark.parametrize("tied", [True, False])
def test_where_it_stops_the_slope_is_nothing(shape: Shape, tied: bool) -> None:
    start = chain_of(shape)
    found = start
    for _ in range(4):
        found = found.improved(STIFFNESS, rounds=60, least_gain=1e-6, tied=tied)
    slopes, before = np.empty(len(found.parameters)), np.empty(len(found.parameters))
    for j in range(len(slopes)):
        step = np.zeros(len(slopes))
        step[j] = 1e-5
        slopes[j] = (
            cost(found, found.parameters + step, tied=tied) - cost(found, found.parameters - step, tied=tied)
        ) / 2e-5
        before[j] = (
            cost(start, start.parameters + step, tied=tied) - cost(start, start.parameters - step, tied=tied)
        ) / 2e-5
    assert np.abs(slopes).max() < 2e-3 * np.abs(before).max()
    assert found.mean_square < start.improved(STIFFNESS, rounds=0, tied=tied).mean_square


def test_refining_changes_knots_but_not_the_curve() -> None:
    chain = chain_of(LOOP).improved(STIFFNESS, rounds=10)
    finer = chain.refined()
    assert finer is not None
    assert len(finer.parameters) > len(chain.parameters)
    one, two = (each.curve(np.zeros(2), 1.0) for each in (chain, finer))
    s = np.linspace(0.0, one.length, 80)
    np.testing.assert_allclose(two.positions(s), one.positions(s), rtol=0, atol=1e-12)
    np.testing.assert_allclose(two.curvatures(s), one.curvatures(s), rtol=0, atol=1e-9)


def test_the_kernel_and_the_curve_agree_on_distances() -> None:
    chain = chain_of(HEART).improved(STIFFNESS, rounds=10)
    curve = chain.curve(np.zeros(2), 1.0)
    starts = np.concatenate([[0.0], curve.corners, [curve.length]])
    piece = np.clip(np.searchsorted(chain.points.bounds, np.arange(120), side="left") - 1, 0, 2)
    s = starts[piece] + chain.along * (starts[piece + 1] - starts[piece])
    # Feet are improved once more after the last look, so distances agree to second order in their slips.
    off = np.linalg.norm(curve.positions(s) - chain.points.places, axis=1)
    np.testing.assert_allclose(off, np.sqrt(chain.offs), rtol=0, atol=1e-6)
