"""Compiled parts of envelopes.

Row i of a symmetric matrix has entries from column firsts[i] to i, that of column j at values[starts[i] + j].
"""

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.kernels import kernel


@kernel("void(const(f8[::1]), const(i8[::1]), const(i8[::1]), const(f8[::1]), f8[::1])")
def multiply(values: Floats, firsts: Ints, starts: Ints, x: Floats, result: Floats) -> None:
    """result (n,) = M · x."""
    result[:] = 0.0
    for i in range(len(firsts)):
        found = values[starts[i] + i] * x[i]
        for j in range(firsts[i], i):
            entry = values[starts[i] + j]
            found += entry * x[j]
            result[j] += entry * x[i]
        result[i] += found


@kernel("void(f8[::1], const(i8[::1]), const(i8[::1]), const(b1[::1]))")
def part(values: Floats, firsts: Ints, starts: Ints, free: Bools) -> None:
    """Let variables that are not free meet only themselves, in a one."""
    for i in range(len(firsts)):
        for j in range(firsts[i], i):
            if not (free[i] and free[j]):
                values[starts[i] + j] = 0.0
        if not free[i]:
            values[starts[i] + i] = 1.0


@kernel(
    "void(const(f8[::1]), const(i8[::1]), const(i8[::1]), const(i8[::1]), i8, const(i8[::1]), const(f8[:,::1]),"
    "f8[:,::1])"
)
def assemble(
    values: Floats, firsts: Ints, starts: Ints, rows: Ints, count: int, places: Ints, update: Floats, front: Floats
) -> None:
    """front (k, k), lower half: the first `count` columns of the matrix in its rows (k,), and the update (m, m) that
    columns before have made, which belongs at places (m,).
    """
    front[:] = 0.0
    for r in range(len(rows)):
        for c in range(min(r + 1, count)):
            if rows[c] >= firsts[rows[r]]:
                front[r, c] = values[starts[rows[r]] + rows[c]]
    for r in range(len(places)):
        for c in range(r + 1):
            front[places[r], places[c]] -= update[r, c]


@kernel("void(const(f8[:,::1]), const(i8[::1]), f8[::1])")
def add_squares(rows: Floats, starts: Ints, values: Floats) -> None:
    """values += rowsᵀ · rows, of rows (K, n) all of whose entries meet within the envelope."""
    for r in range(len(rows)):
        for i in range(rows.shape[1]):
            if rows[r, i] == 0.0:
                continue
            for j in range(i + 1):
                if rows[r, j] != 0.0:
                    values[starts[i] + j] += rows[r, i] * rows[r, j]
