"""Where a rig stands in a mesh's own space: every joint's frame, and the bone that goes out from it."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import Rig
from inbetweener.skinning.differential import kernels
from inbetweener.skinning.mesh import Mesh


@dataclass(frozen=True, slots=True, eq=False)
class Bind:
    """The pose in which a mesh was bound to its joints, in mesh space.

    parents (J,); mesh_from_joint and its inverse (J, 3, 4); axes (J, 3, 3), the joint's axis a in row a, of length
    one; starts and ends (J, 3) of the bones, as the rig's `bones` say.
    """

    parents: Ints
    mesh_from_joint: Floats
    joint_from_mesh: Floats
    axes: Floats
    starts: Floats
    ends: Floats

    @classmethod
    def of(cls, mesh: Mesh, rig: Rig) -> Self:
        """The bind pose of a mesh on a rig; joints that do not move it stand where the rest pose has them."""
        rest = rig.rest_world()
        frames = rest.copy()
        bound = [rig.joint_index(name) for name in mesh.joints]
        frames[bound] = transforms.inverse(mesh.joint_from_mesh)
        unbound = np.setdiff1d(np.arange(len(rig.joints)), bound)
        if len(unbound) and len(bound):
            # Meshes may be bound away from the rest pose; the first bound joint says by how much.
            shift = transforms.product(frames[bound[0]], transforms.inverse(rest[bound[0]]))
            frames[unbound] = transforms.product(shift, rest[unbound])
        _, rotation, _, _ = transforms.decompose(frames)
        starts = frames[..., 3]
        ends = starts + np.einsum("jrc,jc->jr", frames[..., :3], rig.bones.ends)
        return cls(
            rig.skeleton.parents,
            frozen(frames),
            frozen(transforms.inverse(frames)),
            frozen(np.swapaxes(quaternions.to_matrix(rotation), -1, -2)),
            frozen(starts),
            frozen(ends),
        )

    def deformations(self, world_from_joint: Floats) -> tuple[Floats, bool]:
        """The rigid parts (J, 8) of world_from_mesh for joint transforms (J, 3, 4), and whether they are all there is.

        Scale and shear are left out: the rotation is that of the nearest rigid transform, and each joint's own origin
        goes where its joint is.
        """
        result = np.empty((len(world_from_joint), 8))
        away = kernels.rigid_parts(world_from_joint, self.joint_from_mesh, self.starts, result)
        if away < 0.0:
            # A joint scaled to nothing: any orientation in the plane or line that is left.
            _, rotation, _, _ = transforms.decompose(transforms.product(world_from_joint, self.joint_from_mesh))
            turned = dual_quaternions.from_parts(rotation, np.zeros(3))
            at = world_from_joint[..., 3] - dual_quaternions.apply(turned, self.starts)
            result = dual_quaternions.from_parts(rotation, at)
        return result, 0.0 <= away < RIGID


RIGID = 1e-6
"""How far from rigid is still rigid: what files that hold seven digits leave."""
