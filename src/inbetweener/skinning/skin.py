"""A mesh on its rig, ready to be posed by one of four ways of blending, all through one interface."""

from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import UnknownName
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import Rig
from inbetweener.skinning import kernels
from inbetweener.skinning.differential import Bind, Plan, Steps, Tree
from inbetweener.skinning.differential import kernels as differential_kernels
from inbetweener.skinning.differential.plan import attachments
from inbetweener.skinning.linear import shaped
from inbetweener.skinning.mesh import Mesh, Singles

Blending = Literal["linear", "dual-quaternion", "screw", "differential", "differential-world"]
"""Mean of matrices; of dual quaternions (LB); their intrinsic mean (SB); of differentials (DB); its literal form."""
BLENDINGS: tuple[Blending, ...] = get_args(Blending)

SCREW_ROUNDS = 20
"""How often the screw mean is improved at most; four or five rounds are usual."""


class Skin:
    """Poses a mesh by blending the transforms of its joints.

    `poses` (T, C) are all that will be asked for: differential blending takes as many steps as the largest turn among
    them needs, and the same for all, so that nothing jumps between them. A pose beyond is still blended, in longer
    steps. Where joints are scaled, the rest shape is stretched linearly first and then moved rigidly. Bends shape the
    bones whichever way transforms are blended, though only differential blending carries them smoothly.
    """

    def __init__(
        self,
        mesh: Mesh,
        rig: Rig,
        blending: Blending = "linear",
        *,
        poses: npt.ArrayLike | None = None,
    ) -> None:
        if blending not in BLENDINGS:
            raise UnknownName("way of blending", blending, BLENDINGS)
        self.mesh, self.rig, self.blending = mesh, rig, blending
        self._poses = rig.defaults[None] if poses is None else np.atleast_2d(np.asarray(poses, np.float64))
        self._joints = np.array([rig.joint_index(name) for name in mesh.joints], np.int64)

    @cached_property
    def tree(self) -> Tree:
        """The differentials of the rig, as this mesh is bound to it."""
        return Tree.of(self.rig, Bind.of(self.mesh, self.rig), Steps.of(self.rig, self._poses))

    @cached_property
    def plan(self) -> Plan:
        """What every vertex needs of the tree."""
        return Plan.of(self.mesh, self.rig, self.tree)

    def vertices(self, channels: npt.ArrayLike) -> Singles:
        """Vertices (V, 3) in the world in one pose (C,)."""
        return self.posed(channels)[0]

    def posed(self, channels: npt.ArrayLike) -> tuple[Singles, Singles | None]:
        """Vertices and normals (V, 3) in the world in one pose (C,); normals where the mesh has them."""
        mesh, channels = self.mesh, np.asarray(channels, np.float64)
        vertices = shaped(mesh, self.rig, channels)
        world = self.rig.world_from_joint(channels[None])[0]
        normals = None if mesh.normals is None else np.empty_like(mesh.normals)
        result = np.empty_like(mesh.vertices)
        if self.blending == "linear":
            self._blend_linear(vertices, channels, world, result, normals)
            return result, normals
        moves = self.transforms(channels)
        differential_kernels.move_all(self._stretched(vertices, world), moves, True, result)
        if normals is not None and mesh.normals is not None:
            differential_kernels.move_all(mesh.normals, moves, False, normals)
        return result, normals

    def transforms(self, channels: npt.ArrayLike) -> Floats:
        """The blended rigid transform (V, 8) of every vertex, dual quaternions not normalised."""
        differentials = self.tree.differentials(self.rig, channels)
        composed = self.tree.composed(differentials)
        if self.blending == "differential":
            return self.plan.transforms(differentials, composed)
        if self.blending == "differential-world":
            return self.plan.transforms(self.tree.world_form(composed), composed, local=False)
        if self.tree.steps.samples.any():
            blend = dual_quaternions.screw_mean if self.blending == "screw" else dual_quaternions.blended
            return blend(self.mesh.weights, self._attached(differentials, composed))
        mesh, result = self.mesh, np.empty((len(self.mesh.vertices), 8))
        joints = np.ascontiguousarray(composed[self.tree.lasts[self._joints]])
        differential_kernels.blend_dual(mesh.influences, mesh.weights, joints, result)
        if self.blending == "screw":
            differential_kernels.refine_screw(mesh.influences, mesh.weights, joints, SCREW_ROUNDS, result)
        return result

    def _blend_linear(
        self, vertices: Singles, channels: Floats, world: Floats, result: Singles, normals: Singles | None
    ) -> None:
        mesh = self.mesh
        influences, matrices = mesh.influences, transforms.product(world[self._joints], mesh.joint_from_mesh)
        if self.rig.bends and self.tree.steps.samples.any():
            # Along a bent bone every vertex has transforms of its own.
            differentials = self.tree.differentials(self.rig, channels)
            attached = self._attached(differentials, self.tree.composed(differentials))
            matrices = dual_quaternions.to_matrix(attached).reshape(-1, 3, 4)
            influences = np.arange(len(matrices), dtype=np.int32).reshape(influences.shape)
        matrices = np.ascontiguousarray(matrices)
        kernels.blend_linear(vertices, influences, mesh.weights, matrices, True, result)
        if normals is not None and mesh.normals is not None:
            kernels.blend_linear(mesh.normals, influences, mesh.weights, matrices, False, normals)

    def _attached(self, differentials: Floats, composed: Floats) -> Floats:
        """The transform (V, N, 8) that each influence alone would give: that of the place on its bone."""
        passed, fraction = attachments(self.mesh, self._joints, self.tree)
        above = self.tree.parents[passed]
        before = np.where((above >= 0)[..., None], composed[above], np.array(dual_quaternions.IDENTITY))
        return dual_quaternions.product(before, dual_quaternions.power(differentials[passed], fraction))

    def _stretched(self, vertices: Singles, world: Floats) -> Singles:
        """The rest shape with the joints' scales, each about its joint's own place, blended linearly."""
        bind = self.tree.bind
        moved = transforms.product(world[self._joints], self.mesh.joint_from_mesh)[..., :3]
        _, rotation, _, _ = transforms.decompose(np.concatenate([moved, np.zeros((len(moved), 3, 1))], axis=-1))
        stretch = np.swapaxes(quaternions.to_matrix(rotation), -1, -2) @ moved
        if np.abs(stretch - np.eye(3)).max(initial=0.0) < 1e-6:
            return vertices
        origin = bind.starts[self._joints]
        held = origin - np.einsum("krc,kc->kr", stretch, origin)
        matrices = np.ascontiguousarray(np.concatenate([stretch, held[..., None]], axis=-1))
        result = np.empty_like(self.mesh.vertices)
        kernels.blend_linear(vertices, self.mesh.influences, self.mesh.weights, frozen(matrices), True, result)
        return result
