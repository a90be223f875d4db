"""Matrices that are dense along time: products, factors and steps as those of the same dense matrix."""

import numpy as np
import pytest

from inbetweener.maths.envelope import Envelope, Profile
from inbetweener.maths.steps import bound_step, box_step, factorised

COUNT = 200


def along_time(seed: int) -> tuple[Envelope, np.ndarray]:
    """A positive matrix of variables that overlap in time, a few of them all the time; and the same, dense."""
    random = np.random.default_rng(seed)
    begins, lengths = random.uniform(0.0, 10.0, COUNT), random.uniform(0.1, 1.5, COUNT)
    lengths[:5] = 10.0
    ends = np.minimum(begins + lengths, 10.0)
    order = np.argsort(ends)
    begins, ends = begins[order], ends[order]
    profile = Profile.of(np.searchsorted(ends, begins, side="right"))
    looks = np.repeat(np.linspace(0.01, 9.99, 150), 2)
    rows = random.normal(size=(len(looks), COUNT)) * ((begins < looks[:, None]) & (looks[:, None] < ends))
    return profile.squares(rows).raised(0.1), rows.T @ rows + 0.1 * np.eye(COUNT)


def test_products_and_factors_are_those_of_the_dense_matrix() -> None:
    sparse, dense = along_time(1)
    assert sparse.profile.size < 0.5 * COUNT**2
    x, sides = np.sin(np.arange(COUNT)), np.cos(np.arange(3.0 * COUNT)).reshape(COUNT, 3)
    assert sparse @ x == pytest.approx(dense @ x, rel=1e-12, abs=1e-12)
    assert np.array_equal(sparse.diagonal, sparse.raised(0.0).diagonal)
    factor, lower = sparse.factorised(), np.linalg.cholesky(dense)
    assert factor is not None
    assert factor.turned(sides) == pytest.approx(np.linalg.solve(lower, sides), rel=1e-9, abs=1e-9)
    assert factor.back(factor.turned(x)) == pytest.approx(np.linalg.solve(dense, x), rel=1e-9, abs=1e-9)
    assert (sparse * -1.0).factorised() is None


def test_steps_under_bounds_and_rows_are_those_of_the_dense_matrix() -> None:
    sparse, dense = along_time(2)
    random = np.random.default_rng(3)
    gradient = random.normal(size=COUNT)
    bounds = -random.uniform(0.0, 0.3, COUNT), random.uniform(0.0, 0.3, COUNT)
    step = box_step(sparse, gradient, bounds)
    assert step == pytest.approx(box_step(dense, gradient, bounds), rel=1e-9, abs=1e-9)
    assert (step == bounds[0]).any()
    rows = random.normal(size=(4, COUNT))
    low, high = np.full(4, 0.1), np.full(4, 0.2)
    one, other = (bound_step(factorised(m), gradient, bounds, rows, low, high) for m in (sparse, dense))  # type: ignore[arg-type]
    assert one == pytest.approx(other, rel=1e-6, abs=1e-7)
