"""Sums of squares over frames that meet only their neighbours: symmetric bands, as LAPACK and BLAS want them."""

import numpy as np

from inbetweener.arrays import Floats, Ints

Rows = tuple[Ints, Floats, Floats]
"""Frames (m,), how something there moves with the channels (m, r, F), and by how much it is off (m, r)."""


def stillness_band(worth: Floats, frames_eased: float, frames: int) -> Floats:
    """The band of ‖worth · d‖² + τ⁴ ‖worth · d″‖².

    Stored (T·F, 3F) by columns, the diagonal last: what LAPACK and BLAS want, read the other way round.
    """
    free = len(worth)
    band = np.zeros((frames, free, 3 * free))
    square = worth**2
    band[..., -1] = square
    for shift, offset, factor in SECOND_DIFFERENCE:
        band[shift : shift + frames - 2, :, -1 - offset * free] += factor * frames_eased**4 * square
    return band.reshape(frames * free, 3 * free)


SECOND_DIFFERENCE = (
    (0, 0, 1.0),
    (1, 0, 4.0),
    (2, 0, 1.0),
    (1, 1, -2.0),
    (2, 1, -2.0),
    (2, 2, 1.0),
)
"""Its square over three frames: by how many frames the later of two lies behind the first, how far it is from the
earlier, and the factor of their product."""


def times_band(band: Floats, change: Floats) -> Floats:
    """A symmetric band times (T, F) changes, as (T·F,)."""
    from scipy.linalg.blas import dsbmv

    made: Floats = dsbmv(band.shape[1] - 1, 1.0, band.T, change.ravel())
    return made


def blocks(band: Floats, free: int, offset: int) -> Floats:
    """A view (T − offset, F, F) of a band: how channels g of a frame meet channels f of that `offset` frames before.

    Of a frame with itself only those with f ≤ g are there; the others' places belong to something else.
    """
    width = band.shape[1]
    frames = len(band) // free
    begin = band[offset * free :].reshape(-1)[width - 1 - offset * free :]
    size = band.itemsize
    strides = (free * width * size, (width - 1) * size, size)
    return np.lib.stride_tricks.as_strided(begin, (frames - offset, free, free), strides)


def add_rows(band: Floats, gradient: Floats, at: Ints, rows: Floats, off: Floats) -> None:
    """Add the normal equations of rows (m, r, F) of frames `at` (m,) that are off (m, r); they stay within a frame."""
    free = rows.shape[2]
    gradient.reshape(-1, free)[at] += np.matmul(off[:, None], rows)[:, 0]
    own = np.flatnonzero(rows.any(axis=(0, 1)))
    few = np.ascontiguousarray(rows[..., own])
    met = np.tril(np.matmul(few.transpose(0, 2, 1), few))
    blocks(band, free, 0)[at[:, None, None], own[:, None], own] += met
