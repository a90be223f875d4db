"""Skin weights: any number of influences a vertex, mended to sum to one."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.source import Source
from inbetweener.formats.gltf.schema import Primitive
from inbetweener.skinning.mesh import Indices, Singles


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
        weights = accessors.floats(primitive.attributes[f"WEIGHTS_{n}"], f"{place}/WEIGHTS_{n}", "VEC4")
        if not len(joints) == len(weights) == vertex_count:
            source.fail(here, f"{len(joints)} joints and {len(weights)} weights for {vertex_count} vertices")
        sets.append((joints.astype(np.int32), weights.astype(np.float64)))
    if not sets:
        return None
    influences = np.concatenate([joints for joints, _ in sets], axis=1)
    shares = np.concatenate([weights for _, weights in sets], axis=1)
    _mend(source, influences, shares, joint_count, place)
    # The heaviest first; then only as many columns as are used.
    order = np.argsort(-shares, axis=1, kind="stable")
    influences, shares = np.take_along_axis(influences, order, 1), np.take_along_axis(shares, order, 1)
    used = max(1, int((shares > 0).sum(axis=1).max()))
    influences = np.where(shares > 0, influences, 0)[:, :used]
    return np.asarray(frozen(influences, np.int32)), np.asarray(frozen(shares[:, :used], np.float32))


def _mend(source: Source, influences: Indices, weights: Floats, joint_count: int, place: str) -> None:
    """In place: unknown joints and negative weights count nothing, and every row sums to one."""
    astray = (influences >= joint_count) & (weights != 0)
    if astray.any():
        source.note(place, f"{int(astray.sum())} influences name joints that the skin does not have; dropped")
    weights[influences >= joint_count] = 0.0
    influences[influences >= joint_count] = 0
    negative = weights < 0
    if negative.any():
        source.note(place, f"{int(negative.sum())} weights are negative; taken as 0")
        weights[negative] = 0.0
    total = weights.sum(axis=1)
    lost = total <= 0
    if lost.any():
        source.note(place, f"{int(lost.sum())} vertices follow no joint; bound to the skin's first")
        weights[lost, 0] = 1.0
        total = weights.sum(axis=1)
    # Rounding of each weight is forgiven, as the Khronos validator does.
    off = (np.abs(total - 1) > 2e-7 * np.maximum(1, (weights > 0).sum(axis=1))) & ~lost
    if off.any():
        worst = total[np.argmax(np.abs(total - 1))]
        source.note(place, f"weights of {int(off.sum())} vertices do not sum to 1 (one sums to {worst:.4g}); scaled")
    weights /= total[:, None]
