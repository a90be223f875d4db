"""Skin weights: any number of influences a vertex, mended to sum to one."""

import numpy as np
import numpy.typing as npt

from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.source import Source
from inbetweener.formats.gltf.schema import Primitive
from inbetweener.skinning import normalised_weights
from inbetweener.skinning.mesh import Indices, Singles

ROUNDING = 2e-7
"""How far a sum may be off for each weight in it: rounding, as the Khronos validator forgives it."""


def read_influences(
    source: Source, accessors: Accessors, primitive: Primitive, vertex_count: int, joint_count: int, place: str
) -> tuple[Indices, Singles] | None:
    """Influences and weights (V, N), N as many as the busiest vertex needs; None where there are none at all."""
    sets: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]] = []
    while f"JOINTS_{len(sets)}" in primitive.attributes:
        n = len(sets)
        here = f"{place}/JOINTS_{n}"
        joints = accessors.raw(primitive.attributes[f"JOINTS_{n}"], here, "VEC4")
        if joints.dtype.kind != "u" or joints.dtype.itemsize > 2:
            source.fail(here, "joints must be bytes or shorts without sign")
        if f"WEIGHTS_{n}" not in primitive.attributes:
            source.fail(place, f"JOINTS_{n} comes without WEIGHTS_{n}")
        weights = accessors.numbers(primitive.attributes[f"WEIGHTS_{n}"], f"{place}/WEIGHTS_{n}", "VEC4")
        if not len(joints) == len(weights) == vertex_count:
            source.fail(here, f"{len(joints)} joints and {len(weights)} weights for {vertex_count} vertices")
        sets.append((joints.astype(np.int32), weights.astype(np.float64)))
    if not sets:
        return None
    influences = np.concatenate([joints for joints, _ in sets], axis=1)
    shares = np.concatenate([weights for _, weights in sets], axis=1)
    mended = normalised_weights(influences, shares, joint_count, tolerance=ROUNDING * influences.shape[1])
    lost = int((~np.isfinite(shares)).any(axis=1).sum())
    if lost:
        source.note(place, f"{lost} vertices have weights that are not numbers; dropped")
    if mended.impossible > lost:
        others = mended.impossible - lost
        source.note(place, f"{others} vertices have negative weights or joints the skin does not have; dropped")
    if mended.unbound:
        source.note(place, f"{mended.unbound} vertices follow no joint; bound to the skin's first")
    if mended.rescaled:
        sums = shares[np.isfinite(shares).all(axis=1)].sum(axis=1)
        worst = sums[np.argmax(np.abs(sums - 1))]
        source.note(place, f"weights of {mended.rescaled} vertices do not sum to 1 (one sums to {worst:.4g}); scaled")
    return mended.influences, mended.weights
