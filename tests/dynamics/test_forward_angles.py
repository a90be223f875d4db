"""Sines and cosines of the simulation's own, against the processor's library."""

import numpy as np
import pytest

from inbetweener.dynamics.forward.sweep_kernels import waves


@pytest.mark.parametrize("size", [1e-9, 0.1, 1.0, 30.0, 1e4, 1e6])
def test_as_good_as_the_librarys(size: float) -> None:
    angles = np.concatenate([np.random.default_rng(3).normal(size=5000) * size, np.arange(-8, 9) * np.pi / 4])
    result = np.empty((2, len(angles)))
    waves(angles, result)
    assert np.abs(result[0] - np.cos(angles)).max() <= 2.3e-16
    assert np.abs(result[1] - np.sin(angles)).max() <= 2.3e-16


def test_nothing_turns_by_nothing() -> None:
    result = np.empty((2, 2))
    waves(np.array([0.0, -0.0]), result)
    assert result[0].tolist() == [1.0, 1.0]
    assert result[1].tolist() == [0.0, 0.0]


def test_what_is_not_a_number_stays_so() -> None:
    result = np.empty((2, 1))
    waves(np.array([np.nan]), result)
    assert np.isnan(result).all()
