"""How much a joint may be turned before anything that hangs from it moves too far.

Tolerances are given in metres on the character; rotations are compared in radians. A joint's share of the tolerance
is divided by the farthest thing below it, and by the number of turning joints on its longest path from root to leaf,
because their errors add up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats
from inbetweener.rig import ROOT, Joint
from inbetweener.skinning import Mesh

LARGEST = 1e-3
"""Radians: not even a joint that carries nothing is turned by more than a sixteenth of a degree."""


def extents(joints: Sequence[Joint], meshes: Iterable[Mesh]) -> Floats:
    """The distance (J,) of the farthest vertex that follows each joint, in the joint's own frame."""
    index = {joint.name: j for j, joint in enumerate(joints)}
    result = np.zeros(len(joints))
    known: dict[tuple[int, int, int, int], Floats] = {}
    for mesh in meshes:
        # One mesh may be shown many times: the same arrays have the same extents.
        key = (id(mesh.vertices), id(mesh.influences), id(mesh.weights), id(mesh.joint_from_mesh))
        if key not in known:
            known[key] = _mesh_extents(mesh)
        for name, far in zip(mesh.joints, known[key], strict=True):
            if name in index:
                result[index[name]] = max(result[index[name]], far)
    return result


def _mesh_extents(mesh: Mesh) -> Floats:
    result = np.zeros(len(mesh.joints))
    vertices = mesh.vertices.astype(np.float64)
    moved = sum((np.abs(shape.offsets).astype(np.float64) for shape in mesh.shapes), np.zeros(1))
    slack = np.linalg.norm(np.broadcast_to(moved, vertices.shape), axis=1)
    for column in range(mesh.influences.shape[1]):
        used = mesh.weights[:, column] > 0
        bones = mesh.influences[used, column]
        bind = mesh.joint_from_mesh[bones]
        away = np.einsum("vrc,vc->vr", bind[..., :3], vertices[used]) + bind[..., 3]
        stretch = np.linalg.norm(bind[..., :3], axis=(1, 2))
        np.maximum.at(result, bones, np.linalg.norm(away, axis=1) + stretch * slack[used])
    return result


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a metre of error on the character means for each joint.

    reach (J,) is how far in the world anything below a joint lies from it, parent_scales (J,) how much larger than
    its own numbers a joint's translation is in the world, shares (J,) the part of a tolerance it may use.
    """

    reach: Floats
    parent_scales: Floats
    shares: Floats

    @classmethod
    def of(cls, joints: Sequence[Joint], lengths: Floats, scales: Floats, far: Floats, moving: Bools) -> Self:
        """From the farthest each joint ever is from its parent, the most it scales, the extent of what it carries."""
        count = len(joints)
        below, after = far.copy(), np.zeros(count)
        for j in range(count - 1, -1, -1):
            below[j] *= scales[j]
            after[j] += moving[j]
            parent = joints[j].parent
            if parent != ROOT:
                below[parent] = max(below[parent], lengths[j] + below[j])
                after[parent] = max(after[parent], after[j])
        above, before = np.ones(count), np.zeros(count)
        for j, joint in enumerate(joints):
            if joint.parent != ROOT:
                above[j] = above[joint.parent] * scales[joint.parent]
                before[j] = before[joint.parent] + moving[joint.parent]
        return cls(above * below, above, 1.0 / np.maximum(before + after, 1))

    def angles(self, tolerance: float, smallest: float) -> Floats:
        """Radians (J,) by which each joint may be off so that nothing is off by more than `tolerance` metres."""
        return np.clip(tolerance * self.shares / np.maximum(self.reach, 1e-300), smallest, LARGEST)

    def translations(self, tolerance: float) -> Floats:
        """The same for translations (J,), in the parent's units."""
        return tolerance * self.shares / np.maximum(self.parent_scales, 1e-300)

    def scales(self, tolerance: float) -> Floats:
        """The same for scales (J,)."""
        return np.clip(tolerance * self.shares / np.maximum(self.reach, 1e-300), 1e-12, LARGEST)
