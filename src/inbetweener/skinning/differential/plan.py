"""What every vertex needs of the tree, worked out once: a shared prefix, then a few steps of its own."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.rig import Rig
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential.tree import Tree
from inbetweener.skinning.mesh import Indices, Mesh, Singles


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """prefixes (V,) the deepest node that all influences of a vertex have passed, −1 for none; starts (V + 1,) of its
    entries; nodes (E,) and weights (E,), the fraction of a half-passed sample folded in, a negative one ends its step.
    """

    prefixes: Ints
    starts: Ints
    nodes: Indices
    weights: Singles

    @classmethod
    def of(cls, mesh: Mesh, rig: Rig, tree: Tree) -> Self:
        """The plan of a mesh: where each vertex sits on each bone by projection, [DB] §4.4."""
        joints = np.array([rig.joint_index(name) for name in mesh.joints])
        passed, fraction = attachments(mesh, joints, tree)
        paths = _paths(tree)
        prefixes = np.empty(len(mesh.vertices), np.int64)
        starts, nodes, weights = [0], [], []
        known: dict[tuple[object, ...], tuple[int, list[int], list[float]]] = {}
        for v in range(len(mesh.vertices)):
            used = np.flatnonzero(mesh.weights[v] > 0.0)
            rows = tuple((int(passed[v, n]), float(fraction[v, n]), float(mesh.weights[v, n])) for n in used)
            # Vertices of a rigid part are all alike.
            if rows not in known:
                known[rows] = _steps(rows, paths)
            prefixes[v], own_nodes, own_weights = known[rows]
            nodes += own_nodes
            weights += own_weights
            starts.append(len(nodes))
        return cls(
            frozen(prefixes, np.int64),
            frozen(starts, np.int64),
            frozen(nodes, np.int32),
            frozen(weights, np.float32),
        )

    def transforms(self, differentials: Floats, composed: Floats, *, local: bool = True) -> Floats:
        """The blended transform (V, 8) of every vertex, not normalised."""
        result = np.empty((len(self.prefixes), 8))
        kernels.blend(self.prefixes, self.starts, self.nodes, self.weights, differentials, composed, local, result)
        return result


def attachments(mesh: Mesh, joints: Ints, tree: Tree) -> tuple[Ints, Floats]:
    """For each influence (V, N): the last node that the vertex passes, and the fraction of it."""
    bind = tree.bind
    start, along = bind.starts[joints], bind.ends[joints] - bind.starts[joints]
    length = np.maximum((along * along).sum(axis=1), 1e-18)
    bone = mesh.influences
    s = np.einsum("vnc,vnc->vn", mesh.vertices[:, None, :] - start[bone], along[bone]) / length[bone]
    samples = tree.steps.samples[joints][bone]
    place = np.clip(s, 0.0, 1.0) * samples
    whole = np.minimum(np.floor(place), np.maximum(samples - 1, 0)).astype(np.int64)
    bent = samples > 0
    passed = np.where(bent, tree.bends[joints][bone] + whole, tree.lasts[joints][bone])
    return passed, np.where(bent, place - whole, 1.0)


def _paths(tree: Tree) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for node, parent in enumerate(tree.parents):
        paths.append((*(paths[parent] if parent >= 0 else ()), node))
    return paths


def _steps(
    rows: tuple[tuple[int, float, float], ...], paths: list[tuple[int, ...]]
) -> tuple[int, list[int], list[float]]:
    """The prefix and the entries of a vertex whose influences end in (node, fraction of it, weight)."""
    whole = sum(weight for _, _, weight in rows)
    merged: list[dict[int, float]] = []
    for last, fraction, weight in rows:
        path = paths[last]
        while len(merged) < len(path):
            merged.append({})
        for depth, node in enumerate(path):
            share = (fraction if node == last else 1.0) * weight / whole
            if share > 0.0:
                merged[depth][node] = merged[depth].get(node, 0.0) + share
    prefix = 0
    while prefix < len(merged) and len(merged[prefix]) == 1 and next(iter(merged[prefix].values())) > 1.0 - 1e-9:
        prefix += 1
    nodes: list[int] = []
    weights: list[float] = []
    for step in merged[prefix:]:
        if step:
            nodes += step
            weights += step.values()
            weights[-1] = -weights[-1]
    return (next(iter(merged[prefix - 1])) if prefix else -1), nodes, weights
