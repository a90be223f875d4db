"""Symmetric matrices that are dense from the first entry of each row to the diagonal: what is summed up along time.

Variables that matter for a stretch of time each meet those whose stretches overlap theirs. Numbered by when
they end, every row is dense from the first one it meets, long rows beside short ones, and factors fill nothing
else: time and memory go with the number of variables, however long the whole is. Factors are found front by front, as
a dense matrix of those that are alive, so that nearly all work is done in products of dense matrices.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.maths import envelope_kernels as kernels

FRONT = 64
"""Variables that are eliminated together."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Where the entries of an (n, n) matrix are: firsts (n,) the first column of each row, starts (n,) of the entries.

    Each front has the variables from one number to another, and those behind them that they meet.
    """

    firsts: Ints
    starts: Ints
    size: int
    fronts: tuple[tuple[int, int, Ints], ...]

    @classmethod
    def of(cls, firsts: Ints) -> Self:
        """The profile of rows that begin so."""
        count = len(firsts)
        lengths = np.arange(count) - firsts + 1
        fronts = []
        for first in range(0, count, FRONT):
            last = min(first + FRONT, count)
            fronts.append((first, last, frozen(last + np.flatnonzero(firsts[last:] < last), np.int64)))
        starts = np.cumsum(lengths) - lengths - firsts
        return cls(frozen(firsts, np.int64), frozen(starts, np.int64), int(lengths.sum()), tuple(fronts))

    def squares(self, rows: Floats) -> "Envelope":
        """rowsᵀ · rows, for rows (K, n) all of whose entries meet."""
        kernels.add_squares(np.ascontiguousarray(rows), self.starts, values := np.zeros(self.size))
        return Envelope(self, values)


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """A symmetric matrix by the entries of its profile."""

    profile: Profile
    values: Floats

    def __len__(self) -> int:
        return len(self.profile.firsts)

    @property
    def diagonal(self) -> Floats:
        """(n,)"""
        return self.values[self.profile.starts + np.arange(len(self))]

    def __matmul__(self, x: Floats) -> Floats:
        """M · x (n,)."""
        profile, result = self.profile, np.empty(len(self))
        kernels.multiply(self.values, profile.firsts, profile.starts, np.ascontiguousarray(x), result)
        return result

    def __add__(self, other: "Envelope") -> "Envelope":
        return Envelope(self.profile, self.values + other.values)

    def __mul__(self, share: float) -> "Envelope":
        return Envelope(self.profile, share * self.values)

    def raised(self, diagonal: Floats | float) -> "Envelope":
        """M with so much more on its diagonal."""
        values = self.values.copy()
        values[self.profile.starts + np.arange(len(self))] += diagonal
        return Envelope(self.profile, values)

    def among(self, free: Bools) -> "Envelope":
        """M among the free variables (n,); all others only meet themselves, in a one."""
        values = self.values.copy()
        kernels.part(values, self.profile.firsts, self.profile.starts, free)
        return Envelope(self.profile, values)

    def factorised(self) -> "Factor | None":
        """L of M = LLᵀ, or None where M is not positive definite."""
        from scipy.linalg.lapack import dpotrf, dtrtrs

        profile, pieces = self.profile, []
        before, update = np.zeros(0, np.int64), np.zeros((0, 0))
        for first, last, behind in profile.fronts:
            rows, count = np.concatenate([np.arange(first, last), behind]), last - first
            front, places = np.empty((len(rows), len(rows))), np.searchsorted(rows, before)
            kernels.assemble(self.values, profile.firsts, profile.starts, rows, count, places, update, front)
            own, info = dpotrf(front[:count, :count], lower=1, clean=1)
            if info != 0:
                return None
            below = np.ascontiguousarray(dtrtrs(own, front[count:, :count].T, lower=1)[0].T)
            before, update = behind, below @ below.T - front[count:, count:]
            pieces.append((own, below))
        return Factor(profile, tuple(pieces))


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """L of M = LLᵀ: of each front its own triangle, and the rows of those behind it."""

    profile: Profile
    pieces: tuple[tuple[Floats, Floats], ...]

    def __len__(self) -> int:
        return len(self.profile.firsts)

    def turned(self, right: Floats) -> Floats:
        """L⁻¹ · right, (n,) or (n, k)."""
        from scipy.linalg.lapack import dtrtrs

        y = right.astype(np.float64).reshape(len(right), -1)
        for (first, last, behind), (own, below) in zip(self.profile.fronts, self.pieces, strict=True):
            y[first:last] = dtrtrs(own, y[first:last], lower=1)[0]
            y[behind] -= below @ y[first:last]
        return y.reshape(right.shape)

    def back(self, right: Floats) -> Floats:
        """L⁻ᵀ · right, (n,) or (n, k)."""
        from scipy.linalg.lapack import dtrtrs

        y = right.astype(np.float64).reshape(len(right), -1)
        for (first, last, behind), (own, below) in zip(self.profile.fronts[::-1], self.pieces[::-1], strict=True):
            y[first:last] = dtrtrs(own, y[first:last] - below.T @ y[behind], lower=1, trans=1)[0]
        return y.reshape(right.shape)
