"""Skin weights as files hold them, mended: not negative, finite, each row summing to one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, frozen
from inbetweener.errors import InvalidDocument
from inbetweener.skinning.mesh import Indices, Mesh, Singles

WEIGHT_TOLERANCE = 1e-3
"""How far the weights of a vertex may be from summing to one: 8-bit weights in files come this close."""


@dataclass(frozen=True, slots=True, eq=False)
class MendedWeights:
    """Influences and weights (V, N) fit for a mesh, N as many as the busiest vertex needs, heaviest first.

    `rescaled` rows did not sum to one, `impossible` rows held an entry that is negative, not finite or of no joint, and
    `unbound` rows had no weight left and were bound to the fallback joint. A row may be counted in each.
    """

    influences: Indices
    weights: Singles
    rescaled: int
    impossible: int
    unbound: int
    mended: int
    """Rows of any of the three kinds."""


def normalised_weights(
    influences: npt.ArrayLike, weights: npt.ArrayLike, joint_count: int, *, fallback: int = 0, tolerance: float = 1e-4
) -> MendedWeights:
    """Mend influences and weights (V, N). Sums within `tolerance` of one are made exact but not counted."""
    joints = np.array(influences, dtype=np.int64)
    shares = np.array(weights, dtype=np.float64)
    if joints.shape != shares.shape or joints.ndim != 2:
        raise ValueError(f"influences {joints.shape} and weights {shares.shape} must both be (V, N)")
    # Some files mark an unused entry by a joint of no skin; without weight that is no fault.
    with np.errstate(invalid="ignore"):
        wrong = ~np.isfinite(shares) | (shares < 0) | (((joints < 0) | (joints >= joint_count)) & (shares != 0))
    shares[wrong] = 0.0
    totals = shares.sum(axis=1)
    unbound = totals <= 0
    off = ~unbound & (np.abs(totals - 1.0) > tolerance)
    shares /= np.where(unbound, 1.0, totals)[:, None]
    if shares.shape[1] == 0 and len(shares):
        joints, shares = np.zeros((len(joints), 1), np.int64), np.zeros((len(shares), 1))
    joints[unbound, :1], shares[unbound, :1] = fallback, 1.0
    joints[shares == 0] = 0
    impossible: Bools = wrong.any(axis=1)
    order = np.argsort(-shares, axis=1, kind="stable")
    used = int(max((shares > 0).sum(axis=1).max(initial=1), 1))
    return MendedWeights(
        frozen(np.take_along_axis(joints, order, axis=1)[:, :used], np.int32),
        frozen(np.take_along_axis(shares, order, axis=1)[:, :used], np.float32),
        rescaled=int(off.sum()),
        impossible=int(impossible.sum()),
        unbound=int(unbound.sum()),
        mended=int((off | impossible | unbound).sum()),
    )


def check_weights(mesh: Mesh) -> None:
    """Raise InvalidDocument where a vertex has no weights, or such as do not sum to one."""
    totals = mesh.weights.sum(axis=1, dtype=np.float64)
    wrong = ~(np.abs(totals - 1.0) <= WEIGHT_TOLERANCE)
    if not wrong.any():
        return
    vertex, others = int(np.argmax(wrong)), int(wrong.sum()) - 1
    total = float(totals[vertex])
    what = f"vertex {vertex} has no weights" if total == 0.0 else f"weights of vertex {vertex} sum to {total:g}, not 1"
    also = f", and so for {others} more" if others else ""
    raise InvalidDocument(f"mesh {mesh.name!r}: {what}{also}; bind it anew (inbetweener skin --weights auto)")
