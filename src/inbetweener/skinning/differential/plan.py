"""What every vertex needs of the tree, worked out once: a shared prefix, then a few steps of its own."""

from collections import deque

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen, read_only
from inbetweener.rig import Rig
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.differential import planning_kernels as planning
from inbetweener.skinning.differential.kernels import Plan
from inbetweener.skinning.differential.tree import Tree
from inbetweener.skinning.mesh import Mesh


def plan_of(mesh: Mesh, rig: Rig, tree: Tree) -> Plan:
    """The plan of a mesh: where each vertex sits on each bone by projection, [DB] §4.4."""
    joints = np.array([rig.joint_index(name) for name in mesh.joints], np.int64)
    passed, fraction = attachments(mesh, joints, tree)
    count = len(mesh.vertices)
    prefixes, starts = np.empty(count, np.int64), np.empty(count + 1, np.int64)
    told = planning.Passed(read_only(passed), read_only(fraction), mesh.weights, tree.parents, tree.depths)
    planning.count_entries(told, prefixes, starts)
    nodes, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
    planning.fill_entries(told, prefixes, starts, nodes, weights)
    return Plan(
        frozen(prefixes, np.int64), frozen(starts, np.int64), frozen(nodes, np.int32), frozen(weights, np.float32)
    )


def blended(plan: Plan, differentials: Floats, composed: Floats) -> Floats:
    """The blended transform (V, 8) of every vertex, not normalised."""
    result = np.empty((len(plan.prefixes), 8))
    kernels.blend(plan, differentials, composed, result)
    return result


_recent: "deque[tuple[Mesh, Tree, Plan]]" = deque(maxlen=8)


def planned(mesh: Mesh, rig: Rig, tree: Tree) -> Plan:
    """The plan of a mesh; the same one again for a mesh seen lately whose tree has the same shape.

    Edits make a new rig and new poses all the time, and seldom another tree.
    """
    for known, its_tree, plan in tuple(_recent):
        if known is mesh and its_tree.grows_like(tree):
            return plan
    made = plan_of(mesh, rig, tree)
    _recent.append((mesh, tree, made))
    return made


def attachments(mesh: Mesh, joints: Ints, tree: Tree) -> tuple[Ints, Floats]:
    """For each influence (V, N): the last node that the vertex passes, and the fraction of it."""
    passed = np.empty(mesh.influences.shape, np.int64)
    fraction = np.empty(mesh.influences.shape)
    bones = planning.Bones(tree.bind.starts, tree.bind.ends, tree.steps.samples, tree.bends, tree.lasts)
    planning.attach(mesh.vertices, mesh.influences, joints, bones, passed, fraction)
    return passed, fraction
