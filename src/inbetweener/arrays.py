"""Array types and what we do to arrays everywhere: freeze them, compare them, lay them end to end."""

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
N = TypeVar("N", bound=np.generic)


def frozen(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """A contiguous read-only array; shares memory when `values` already is one."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable:
        # A caller's own writable array must not change under us later.
        array = array.copy() if array is values or array.base is not None else array
        array.flags.writeable = False
    return array


def read_only(array: npt.NDArray[N]) -> npt.NDArray[N]:
    """The same memory, seen read-only: for kernels, and where nobody else holds the array."""
    view = array.view()
    view.flags.writeable = False
    return view


def are_sane(numbers: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which numbers of a file are finite and below 1e30: that is far beyond any scene, and products of a few such
    numbers still do not overflow."""
    return np.asarray(np.abs(numbers) < 1e30)


def same(a: npt.NDArray[Any] | None, b: npt.NDArray[Any] | None) -> bool:
    """Equal in shape and in every element; NaN equals nothing. Identity answers at once."""
    if a is b:
        return True
    if a is None or b is None:
        return False
    return a.shape == b.shape and bool(np.array_equal(a, b))


def stacked_offsets(lengths: Iterable[int]) -> Ints:
    """Where each of several rows starts when laid end to end; one more entry than rows."""
    return np.concatenate([[0], np.cumsum(list(lengths))]).astype(np.int64)
