"""Which joints move which vertex: influence spreads along the surface from the part each vertex belongs to."""

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.builtin.sculpt.surface import neighbour_means
from inbetweener.rig import Rig

INFLUENCES = 4
"""Most joints a vertex follows."""


def smooth_weights(rig: Rig, owners: Ints, triangles: Ints, softness: int) -> Floats:
    """Weights (V, J) from the joint (V,) that owns each vertex.

    Spreading happens along edges only, so that neither legs nor fingers pull at each other through the air; and never
    from one branch of the skeleton into another, so that they do not do so through the crotch either.
    """
    spread = neighbour_means(len(owners), triangles)
    weights = np.zeros((len(owners), len(rig.joints)))
    weights[np.arange(len(owners)), owners] = 1.0
    for step in range(softness):
        weights = 0.5 * (weights + spread @ weights)
        if step == softness - 3:
            weights *= _related(rig)[owners]
    return weights / weights.sum(axis=1, keepdims=True)


def strongest(weights: Floats) -> tuple[Ints, Floats]:
    """Joints and weights (V, 4) of the greatest of weights (V, J), each row summing to 1."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    kept = np.take_along_axis(weights, order, axis=1)
    kept[kept < 0.01 * kept[:, :1]] = 0.0
    return order, kept / kept.sum(axis=1, keepdims=True)


def _related(rig: Rig) -> Bools:
    """(J, J): whether one joint is the other, or hangs below it."""
    related = np.eye(len(rig.joints), dtype=np.bool_)
    for j, joint in enumerate(rig.joints):
        if joint.parent >= 0:
            related[j] |= related[joint.parent]
    return related | related.T
