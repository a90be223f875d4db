"""What every vertex needs of the tree, worked out once: a shared prefix, then a few steps of its own."""

from collections import deque
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.rig import Rig
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential import planning_kernels as planning
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
        joints = np.array([rig.joint_index(name) for name in mesh.joints], np.int64)
        passed, fraction = attachments(mesh, joints, tree)
        count = len(mesh.vertices)
        prefixes, starts = np.empty(count, np.int64), np.empty(count + 1, np.int64)
        influences = passed, fraction, mesh.weights, tree.parents, tree.depths
        planning.count_entries(*influences, prefixes, starts)
        nodes, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
        planning.fill_entries(*influences, prefixes, starts, nodes, weights)
        return cls(
            frozen(prefixes, np.int64), frozen(starts, np.int64), frozen(nodes, np.int32), frozen(weights, np.float32)
        )

    def transforms(self, differentials: Floats, composed: Floats) -> Floats:
        """The blended transform (V, 8) of every vertex, not normalised."""
        result = np.empty((len(self.prefixes), 8))
        kernels.blend(self.prefixes, self.starts, self.nodes, self.weights, differentials, composed, result)
        return result


_recent: "deque[tuple[Mesh, Tree, Plan]]" = deque(maxlen=8)


def planned(mesh: Mesh, rig: Rig, tree: Tree) -> Plan:
    """The plan of a mesh; the same one again for a mesh seen lately whose tree has the same shape.

    Edits make a new rig and new poses all the time, and seldom another tree.
    """
    for known, its_tree, plan in tuple(_recent):
        if known is mesh and its_tree.grows_like(tree):
            return plan
    made = Plan.of(mesh, rig, tree)
    _recent.append((mesh, tree, made))
    return made


def attachments(mesh: Mesh, joints: Ints, tree: Tree) -> tuple[Ints, Floats]:
    """For each influence (V, N): the last node that the vertex passes, and the fraction of it."""
    passed = np.empty(mesh.influences.shape, np.int64)
    fraction = np.empty(mesh.influences.shape)
    bones = tree.bind.starts, tree.bind.ends, tree.steps.samples, tree.bends, tree.lasts
    planning.attach(mesh.vertices, mesh.influences, joints, *bones, passed, fraction)
    return passed, fraction
