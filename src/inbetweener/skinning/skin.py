"""A mesh on its rig, ready to be posed by one of four ways of blending, all through one interface."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.errors import UnknownName
from inbetweener.maths import dual_quaternions, quaternions, transforms
from inbetweener.rig import BlendedPoint, Point, Rig
from inbetweener.skinning import kernels
from inbetweener.skinning.differential import Bind, Plan, Steps, Tree, planned
from inbetweener.skinning.differential import kernels as differential_kernels
from inbetweener.skinning.differential.tree import attachments, blended
from inbetweener.skinning.mesh import Indices, Mesh, Singles


def shaped(mesh: Mesh, rig: Rig, channels: Floats) -> Singles:
    """Vertices (V, 3) in mesh space after the blend shapes, for channel values (C,)."""
    vertices = mesh.vertices
    for shape in mesh.shapes:
        weight = np.float32(channels[rig.channel_index(shape.channel)])
        if weight != 0:
            vertices = vertices + weight * shape.offsets
    return vertices


def shaped_normals(mesh: Mesh, rig: Rig, channels: Floats) -> Singles | None:
    """The mesh's own normals (V, 3) after the blend shapes, for channel values (C,); None when it has none."""
    if mesh.normals is None:
        return None
    normals = mesh.normals
    for shape in mesh.shapes:
        weight = np.float32(channels[rig.channel_index(shape.channel)])
        if weight != 0 and shape.normal_offsets is not None:
            normals = normals + weight * shape.normal_offsets
    return np.ascontiguousarray(normals)


def vertex_normals(vertices: npt.ArrayLike, triangles: Indices) -> Singles:
    """Unit normals (V, 3): the mean of the faces around each vertex, weighted by their area.

    A vertex without a face that has an area points up, so that every normal has length one.
    """
    points = np.ascontiguousarray(vertices, np.float32)
    result = np.empty_like(points)
    kernels.gather_normals(points, np.ascontiguousarray(triangles, np.int32), result)
    return result


def carried_normals(normals: Singles, influences: Indices, weights: Singles, linear: Floats) -> Singles:
    """Unit normals (V, 3) after the inverse transposes of matrices (K, 3, 3), blended by influences (V, N)."""
    # The matrix of cofactors is the inverse transpose times the determinant: defined for flattened joints too, but of
    # its size, which must not weigh in the blend.
    x, y, z = linear[..., 0], linear[..., 1], linear[..., 2]
    cofactors = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=-1)
    volume = np.einsum("...r,...r->...", x, cofactors[..., 0])[..., None, None]
    flat = np.abs(volume) < 1e-12 * np.abs(cofactors).max(axis=(-2, -1), initial=0.0, keepdims=True)
    matrices = np.zeros((len(linear), 3, 4))
    matrices[..., :3] = cofactors / np.where(flat, 1.0, volume)
    result = np.empty_like(normals)
    kernels.blend_linear(normals, influences, weights, matrices, False, result)
    lengths = np.linalg.norm(result, axis=1, keepdims=True)
    up = np.array([0.0, 1.0, 0.0], np.float32)
    return np.where(lengths > 0, result / np.where(lengths > 0, lengths, np.float32(1.0)), up)


Blending = Literal["linear", "dual-quaternion", "screw", "differential"]
"""Mean of matrices; of dual quaternions (LB); their intrinsic mean (SB); of differentials (DB)."""
BLENDINGS: tuple[Blending, ...] = get_args(Blending)

SCREW_ROUNDS = 20
"""How often the screw mean is improved at most; four or five rounds are usual."""
_NONE = frozen(np.empty((0, 3)), np.float32)


class Skin:
    """Poses a mesh by blending the transforms of its joints.

    `poses` (T, C) are all that will be asked for: differential blending takes as many steps as the largest turn among
    them needs, and the same for all, so that nothing jumps between them. A pose beyond is still blended, in longer
    steps. Where joints are scaled, the rest shape is stretched linearly first and then moved rigidly. Bends shape the
    bones whichever way transforms are blended, though only differential blending carries them smoothly. `like`
    are skins of the same mesh, or of others in the same poses: what they have in common is not worked out again.
    """

    def __init__(
        self,
        mesh: Mesh,
        rig: Rig,
        blending: Blending = "linear",
        *,
        poses: npt.ArrayLike | None = None,
        like: Sequence["Skin"] = (),
    ) -> None:
        if blending not in BLENDINGS:
            raise UnknownName("way of blending", blending, BLENDINGS)
        self.mesh, self.rig, self.blending = mesh, rig, blending
        self.poses = rig.defaults[None] if poses is None else np.atleast_2d(np.asarray(poses, np.float64))
        # What they have in common, not they themselves: skins that know each other would keep each other alive.
        mine = (each for each in like if each.mesh is mesh)
        same = (each for each in mine if each.rig.joints is rig.joints and each.rig.points is rig.points)
        self._known_bind = next((each.bind for each in same), None)
        self._known_tree = next((each.tree for each in like if each.rig is rig and each.poses is self.poses), None)

    @cached_property
    def _joints(self) -> Ints:
        return np.array([self.rig.joint_index(name) for name in self.mesh.joints], np.int64)

    @cached_property
    def bind(self) -> Bind:
        """Where the rig stands in the mesh."""
        return Bind.of(self.mesh, self.rig) if self._known_bind is None else self._known_bind

    @cached_property
    def tree(self) -> Tree:
        """The differentials of the rig, as this mesh is bound to it."""
        known, self._known_tree = self._known_tree, None
        steps = Steps.of(self.rig, self.poses, self.bind, None if known is None else known.steps)
        return Tree.of(self.rig, self.bind, steps, known)

    @cached_property
    def plan(self) -> Plan:
        """What every vertex needs of the tree."""
        return planned(self.mesh, self.rig, self.tree)

    @cached_property
    def attachments(self) -> tuple[Ints, Floats]:
        """For each influence (V, N): the last node that the vertex passes, and the fraction of it."""
        return attachments(self.mesh, self._joints, self.tree)

    @cached_property
    def _is_bent(self) -> bool:
        return any(bend.screws for bend in self.rig.bends)

    def vertices(
        self, channels: npt.ArrayLike, world_from_joint: Floats | None = None, offsets: Singles | None = None
    ) -> Singles:
        """Vertices (V, 3) in the world in one pose (C,); joint transforms as for `posed`.

        `offsets` (V, 3) in mesh space, such as soft parts have, are added to the shape before joints carry it.
        """
        return self._posed(np.asarray(channels, np.float64), world_from_joint, offsets, with_normals=False)[0]

    def posed(self, channels: npt.ArrayLike, world_from_joint: Floats | None = None) -> tuple[Singles, Singles | None]:
        """Vertices and unit normals (V, 3) in the world in one pose (C,); normals where the mesh has them.

        Pass the rig's joint transforms (J, 3, 4) of that pose, bends included, where they are known already.
        """
        return self._posed(np.asarray(channels, np.float64), world_from_joint, None, with_normals=True)

    def _posed(
        self, channels: Floats, world_from_joint: Floats | None, offsets: Singles | None, *, with_normals: bool
    ) -> tuple[Singles, Singles | None]:
        vertices = shaped(self.mesh, self.rig, channels)
        if offsets is not None:
            vertices = vertices + offsets
        normals = shaped_normals(self.mesh, self.rig, channels) if with_normals else None
        if self.blending == "linear":
            return self._linear(vertices, normals, channels, world_from_joint)
        result, given = np.empty_like(self.mesh.vertices), _NONE if normals is None else normals
        turned = np.empty_like(given)
        mesh = self.mesh
        if self.blending == "differential":
            differentials, rigid = self.tree.posed(self.rig, channels)
            vertices, given = self._stretched(vertices, given, channels, rigid)
            steps = self.plan, differentials, self.tree.composed(differentials)
            if normals is None:
                differential_kernels.pose_vertices(*steps, vertices, result)
            else:
                differential_kernels.pose(*steps, vertices, given, result, turned)
        elif self.blending == "dual-quaternion" and not self._is_bent:
            joints, rigid = self._deformations(channels)
            vertices, given = self._stretched(vertices, given, channels, rigid)
            kernels.pose(mesh.influences, mesh.weights, joints, vertices, given, result, turned)
        else:
            moves = self.transforms(channels)
            vertices, given = self._stretched(vertices, given, channels, rigid=False)
            kernels.move_all(vertices, moves, True, result)
            if len(given):
                kernels.move_all(given, moves, False, turned)
        return result, None if normals is None else turned

    def transforms(self, channels: npt.ArrayLike) -> Floats:
        """The blended rigid transform (V, 8) of every vertex, dual quaternions not normalised."""
        channels = np.asarray(channels, np.float64)
        if self.blending == "differential" or self._is_bent:
            differentials = self.tree.differentials(self.rig, channels)
            composed = self.tree.composed(differentials)
            if self.blending == "differential":
                return blended(self.plan, differentials, composed)
            blend = dual_quaternions.screw_mean if self.blending == "screw" else dual_quaternions.blended
            return blend(self.mesh.weights, self._attached(differentials, composed))
        mesh, result = self.mesh, np.empty((len(self.mesh.vertices), 8))
        joints, _ = self._deformations(channels)
        kernels.blend(mesh.influences, mesh.weights, joints, result)
        if self.blending == "screw":
            kernels.refine(mesh.influences, mesh.weights, joints, SCREW_ROUNDS, result)
        return result

    def _deformations(self, channels: Floats) -> tuple[Floats, bool]:
        """Where each of the mesh's K joints takes it (K, 8), and whether that is rigid; without bends."""
        whole, rigid = self.bind.deformations(self._straight(channels))
        return np.ascontiguousarray(whole[self._joints]), rigid

    def _straight(self, channels: Floats) -> Floats:
        """Joint transforms (J, 3, 4) as keyed, without bends."""
        return self.rig.skeleton.world(self.rig.dof_map.dofs(channels[None]))[0]

    def _linear(
        self, vertices: Singles, normals: Singles | None, channels: Floats, world: Floats | None
    ) -> tuple[Singles, Singles | None]:
        mesh, influences = self.mesh, self.mesh.influences
        if self._is_bent:
            # Along a bent bone every vertex has transforms of its own.
            differentials = self.tree.differentials(self.rig, channels)
            attached = self._attached(differentials, self.tree.composed(differentials))
            matrices = dual_quaternions.to_matrix(attached).reshape(-1, 3, 4)
            influences = np.arange(len(matrices), dtype=np.int32).reshape(influences.shape)
            vertices, _ = self._stretched(vertices, _NONE, channels, rigid=False)
        else:
            placed = self._straight(channels) if world is None else world
            matrices = transforms.product(placed[self._joints], mesh.joint_from_mesh)
        result = np.empty_like(mesh.vertices)
        kernels.blend_linear(vertices, influences, mesh.weights, np.ascontiguousarray(matrices), True, result)
        if normals is None:
            return result, None
        return result, carried_normals(normals, influences, mesh.weights, matrices[..., :3])

    def _attached(self, differentials: Floats, composed: Floats) -> Floats:
        """The transform (V, N, 8) that each influence alone would give: that of the place on its bone."""
        passed, fraction = self.attachments
        above = self.tree.parents[passed]
        before = np.where((above >= 0)[..., None], composed[above], np.array(dual_quaternions.IDENTITY))
        return dual_quaternions.product(before, dual_quaternions.power(differentials[passed], fraction))

    def stretches(self, channels: npt.ArrayLike) -> Floats | None:
        """What the joints' scales do to the rest shape (K, 3, 4), each about its joint's own place; None for nothing.

        Blended linearly, before the rigid transforms.
        """
        mesh = self.mesh
        straight = self._straight(np.asarray(channels, np.float64))
        moved = transforms.product(straight[self._joints], mesh.joint_from_mesh)[..., :3]
        _, rotation, _, _ = transforms.decompose(np.concatenate([moved, np.zeros((len(moved), 3, 1))], axis=-1))
        stretch = np.swapaxes(quaternions.to_matrix(rotation), -1, -2) @ moved
        if np.abs(stretch - np.eye(3)).max(initial=0.0) < 1e-6:
            return None
        origin = self.bind.starts[self._joints]
        held = origin - np.einsum("krc,kc->kr", stretch, origin)
        return np.ascontiguousarray(np.concatenate([stretch, held[..., None]], axis=-1))

    def _stretched(self, vertices: Singles, normals: Singles, channels: Floats, rigid: bool) -> tuple[Singles, Singles]:
        """The rest shape with the joints' scales."""
        matrices = None if rigid else self.stretches(channels)
        if matrices is None:
            return vertices, normals
        mesh, result = self.mesh, np.empty_like(self.mesh.vertices)
        kernels.blend_linear(vertices, mesh.influences, mesh.weights, matrices, True, result)
        if len(normals):
            normals = carried_normals(normals, mesh.influences, mesh.weights, matrices[..., :3])
        return result, normals


_CLOSE = 1e-7
"""Metres: as near as vertices in single precision can be told apart."""


def vertex_place(mesh: Mesh, vertex: int) -> BlendedPoint:
    """Where linear skinning carries a vertex: the weighted mean of points on its joints, the heaviest first.

    Blend shapes move it in all of them, as their channels say.
    """
    if not 0 <= vertex < len(mesh.vertices):
        raise UnknownName(f"vertex of mesh {mesh.name!r}", str(vertex), [f"0 … {len(mesh.vertices) - 1}"])
    weights = mesh.weights[vertex].astype(np.float64)
    used = np.flatnonzero(weights > 0)
    used = used[np.argsort(-weights[used], kind="stable")]
    moves: dict[str, Floats] = {}
    for shape in mesh.shapes:
        if (offset := shape.offsets[vertex].astype(np.float64)).any():
            moves[shape.channel] = moves.get(shape.channel, np.zeros(3)) + offset
    parts = []
    for n in used:
        joint = int(mesh.influences[vertex, n])
        x, y, z = mesh.joint_from_mesh[joint] @ np.append(mesh.vertices[vertex].astype(np.float64), 1.0)
        turn = mesh.joint_from_mesh[joint, :, :3]
        shapes = tuple((channel, _triple(turn @ move)) for channel, move in moves.items())
        point = Point(mesh.joints[joint], (float(x), float(y), float(z)), shapes=shapes)
        parts.append((point, float(weights[n] / weights.sum())))
    return BlendedPoint(tuple(parts), name=f"{mesh.name} vertex {vertex}")


def _triple(vector: Floats) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


def grabbed_place(skin: Skin, vertex: int, pose: npt.ArrayLike) -> BlendedPoint:
    """A vertex as it is seen in one pose (C,), whatever the way of blending; nearly so in poses like it.

    Solvers know weighted means only. So the points on the joints are moved until their mean is where the skin is: by
    what the linear blend misses there.
    """
    channels = np.asarray(pose, np.float64)
    place = vertex_place(skin.mesh, vertex)
    wish = skin.vertices(channels)[vertex].astype(np.float64)
    world = skin.rig.world_from_joint(channels[None])[0]
    # Once, where bones are straight; a point that moves along a bent bone turns with it, and needs a few rounds.
    for _ in range(20):
        missed = wish - skin.rig.states(channels[None], place)[0][0]
        if np.linalg.norm(missed) < _CLOSE:
            break
        place = replace(place, parts=tuple((_moved(skin, point, world, missed), w) for point, w in place.parts))
    return place


def _moved(skin: Skin, point: Point, world: Floats, by: Floats) -> Point:
    frame = world[skin.rig.joint_index(point.joint), :, :3]
    x, y, z = (np.asarray(point.offset) + np.linalg.lstsq(frame, by, rcond=None)[0]).tolist()
    return replace(point, offset=(x, y, z))
