"""How far the skin keeps from obstacles."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen, stacked_offsets
from inbetweener.document import kernels
from inbetweener.document.document import Document
from inbetweener.errors import InvalidDocument
from inbetweener.maths import transforms
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.motion import GROUND, Clear, Motion, Obstacle
from inbetweener.rig import Joint, Point, Rig
from inbetweener.skinning import Blending, BlendShape, Mesh, Skin

FLAT = 1e-9
"""A solid squeezed to less than this share of its size is not there: scale nought is how animators hide things."""


class Clearance:
    """Measures motions of one rig against the obstacles of a document, prepared for doing so again and again.

    Looks at no more than `vertices` vertices of the skin, spread out evenly over the rest pose; at all by default.
    Fewer can only find a greater distance: by a gap between them at most, as wide as the pose stretches it.
    """

    def __init__(self, document: Document, *, vertices: int | None = None) -> None:
        obstacles = [prop for prop in document.props if prop.role == "obstacle"]
        self.names = tuple(prop.name for prop in obstacles)
        self._joints: tuple[Joint, ...] = document.rig.joints
        kept = _spread_out(document.meshes, document.rig, vertices)
        self._meshes = tuple(_thinned(mesh, rows) for mesh, rows in zip(document.meshes, kept, strict=True))
        self._blending: Blending = document.blending
        self._skin = _Skin.of(self._meshes, document.rig)
        self._own = np.array([prop.transform.matrix() for prop in obstacles]).reshape(-1, 3, 4)
        holders = [(-1 if prop.joint is None else document.rig.joint_index(prop.joint)) for prop in obstacles]
        self._held = np.array([o for o, joint in enumerate(holders) if joint >= 0], np.int64)
        self._holders = np.array(holders, np.int64)[self._held]
        sizes = np.array([_rounded_box(prop.solid) for prop in obstacles]).reshape(-1, 4)
        self._halves, self._radii = sizes[:, :3], frozen(sizes[:, 3])
        self._still = self._placed(self._own[None], self._halves)

    @property
    def vertex_count(self) -> int:
        """How many vertices are looked at."""
        return len(self._skin.weights)

    def measure(self, motion: Motion, times: npt.ArrayLike) -> Floats:
        """The least signed distance (T, O) in metres of the skin from each obstacle, negative inside.

        Infinite where there is no skin or the obstacle is scaled to nothing. An unevenly scaled sphere or capsule, or
        a sheared obstacle, gives a distance that is never too large in size.
        """
        if motion.rig.joints is not self._joints and motion.rig.joints != self._joints:
            raise InvalidDocument("this motion has other joints than the document that the clearance was prepared for")
        channels = motion.channels(times)
        world = motion.rig.world_from_joint(channels)
        result = np.empty((len(world), len(self.names)))
        kernels.least_distances(*self._posed(motion, channels, world), *self._solids(world), result)
        return result

    def least(self, motion: Motion) -> dict[str, float]:
        """The least distance in metres of the skin from each obstacle, on all frames and half frames of the clip."""
        clip = motion.clip
        times = np.linspace(clip.start, clip.end, 2 * len(clip.frame_times) - 1)
        return dict(zip(self.names, self.measure(motion, times).min(axis=0).tolist(), strict=True))

    def _posed(self, motion: Motion, channels: Floats, world: Floats) -> tuple[Floats, Ints, Floats, Floats]:
        """Vertices (T, V, 3), their influences and weights, and transforms (T, K, 3, 4) that finish them."""
        skin, rig = self._skin, motion.rig
        if self._blending == "linear" and not rig.bends:
            moves = transforms.product(world[:, skin.joints], skin.joint_from_mesh)
            return skin.shaped(rig, channels), skin.influences, skin.weights, np.ascontiguousarray(moves)
        # The whole clip says how fine the steps are, so that every stretch of it is blended alike.
        poses = motion.channels(motion.clip.frame_times)
        skins = [Skin(mesh, rig, self._blending, poses=poses) for mesh in self._meshes]
        none = np.empty((len(channels), 0, 3))
        each = [np.stack([each.vertices(pose) for pose in channels]) for each in skins] if len(channels) else []
        still = np.tile(np.eye(3, 4), (len(channels), 1, 1, 1))
        count = self.vertex_count
        placed = np.ascontiguousarray(np.concatenate([none, *each], axis=1))
        return placed, np.zeros((count, 1), np.int64), np.ones((count, 1)), still

    def _solids(self, world: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Transforms (T, O, 3, 4), half extents (T, O, 3), radii (O,) and lengths (T, O) of the obstacles."""
        matrices, halves, lengths = (np.repeat(part, len(world), axis=0) for part in self._still)
        if len(self._held):
            carried = transforms.product(world[:, self._holders], self._own[self._held])
            placed = self._placed(carried, self._halves[self._held])
            for whole, part in zip((matrices, halves, lengths), placed, strict=True):
                whole[:, self._held] = part
        return matrices, halves, self._radii, lengths

    def _placed(self, world_from_prop: Floats, halves: Floats) -> tuple[Floats, Floats, Floats]:
        """prop_from_world, half extents, and the length in metres of one unit of the prop."""
        linear = world_from_prop[..., :3]
        # A stretched box is a box; a stretched sphere is no sphere, and keeps its stretch.
        stretch = np.where((halves > 0).all(axis=-1, keepdims=True), np.linalg.norm(linear, axis=-2), 1.0)
        there = stretch.min(axis=-1) > FLAT
        matrix = world_from_prop.copy()
        matrix[..., :3] /= np.where(there[..., None], stretch, 1.0)[..., None, :]
        lengths = np.linalg.svd(matrix[..., :3], compute_uv=False)[..., -1]
        there = there & (lengths > FLAT)
        matrix[~there] = np.eye(3, 4)
        return transforms.inverse(matrix), halves * stretch, np.where(there, lengths, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Skin:
    """Vertices (V, 3) of all meshes as one, with their influences on K joints; and their shapes by channel."""

    vertices: Floats
    influences: Ints
    weights: Floats
    joints: Ints
    joint_from_mesh: Floats
    shapes: tuple[tuple[str, slice, Floats], ...]

    @classmethod
    def of(cls, meshes: tuple[Mesh, ...], rig: Rig) -> "_Skin":
        first_vertex = stacked_offsets(len(mesh.vertices) for mesh in meshes)
        first_joint = stacked_offsets(len(mesh.joints) for mesh in meshes)
        width = max((mesh.influences.shape[1] for mesh in meshes), default=0)
        influences = np.zeros((first_vertex[-1], width), np.int64)
        weights = np.zeros((first_vertex[-1], width))
        for mesh, start, joint in zip(meshes, first_vertex[:-1], first_joint[:-1], strict=True):
            # The heaviest first: the kernel stops at the first that weighs nothing.
            order = np.argsort(-mesh.weights, axis=1, kind="stable")
            rows = slice(start, start + len(mesh.vertices)), slice(mesh.influences.shape[1])
            influences[rows] = joint + np.take_along_axis(mesh.influences, order, axis=1)
            weights[rows] = np.take_along_axis(mesh.weights, order, axis=1)
        return cls(
            frozen(np.concatenate([np.empty((0, 3)), *(mesh.vertices for mesh in meshes)])),
            frozen(influences, np.int64),
            frozen(weights),
            frozen([rig.joint_index(name) for mesh in meshes for name in mesh.joints], np.int64),
            frozen(np.concatenate([np.empty((0, 3, 4)), *(mesh.joint_from_mesh for mesh in meshes)])),
            tuple(
                (shape.channel, slice(start, start + len(mesh.vertices)), frozen(shape.offsets))
                for mesh, start in zip(meshes, first_vertex[:-1], strict=True)
                for shape in mesh.shapes
            ),
        )

    def shaped(self, rig: Rig, channels: Floats) -> Floats:
        """Vertices (T, V, 3) after the shapes, or (1, V, 3) where there are none."""
        if not self.shapes:
            return self.vertices[None]
        result = np.repeat(self.vertices[None], len(channels), axis=0)
        for channel, rows, offsets in self.shapes:
            result[:, rows] += channels[:, rig.channel_index(channel), None, None] * offsets
        return result


def _spread_out(meshes: tuple[Mesh, ...], rig: Rig, most: int | None) -> list[Ints]:
    """Which vertices of each mesh to look at, in order: all, or as many as asked for, far apart in the rest pose."""
    first = stacked_offsets(len(mesh.vertices) for mesh in meshes)
    if most is None or most >= first[-1]:
        return [np.arange(len(mesh.vertices)) for mesh in meshes]
    if most < 1:
        raise InvalidDocument(f"a clearance cannot look at {most} vertices; it needs one at least")
    world = rig.rest_world()
    rest = np.concatenate([Skin(mesh, rig.keyed).vertices(rig.defaults, world) for mesh in meshes]).astype(np.float64)
    chosen = np.empty(most, np.int64)
    differing = kernels.spread_out(rest, chosen)
    found = np.sort(chosen[:differing])
    edges = np.searchsorted(found, first)
    return [found[a:b] - start for a, b, start in zip(edges[:-1], edges[1:], first[:-1], strict=True)]


def staying_clear(document: Document) -> Clear:
    """The skin, and what joints carry, stay out of the scene's obstacles, of the ground and of each other."""
    solids = [(prop, Obstacle(prop.name, prop.solid, prop.transform, prop.joint)) for prop in document.props]
    obstacles = (*(solid for prop, solid in solids if prop.role == "obstacle"), GROUND)
    worn = tuple(solid for prop, solid in solids if prop.role != "obstacle" and prop.joint is not None)
    return Clear(obstacles, skin_points(document), worn, itself=True)


def skin_points(document: Document) -> tuple[Point, ...]:
    """The corners of the hulls of the skin, each on the joint that it follows most.

    Without a skin, all joints and named points.
    """
    rig, found = document.rig, list[Point]()
    for mesh in document.meshes:
        leading = np.take_along_axis(mesh.influences, np.argmax(mesh.weights, axis=1)[:, None], axis=1)[:, 0]
        for k in np.unique(leading):
            turn = mesh.joint_from_mesh[k]
            own = _hull(mesh.vertices[leading == k] @ turn[:, :3].T + turn[:, 3])
            found += [Point(mesh.joints[k], tuple(offset)) for offset in own.tolist()]
    return tuple(found) or rig.places


def _hull(points: Floats) -> Floats:
    """Those (n, 3) that the convex hull of all needs."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[np.sort(ConvexHull(points).vertices)]
    except QhullError:
        # Too few, or all in one plane: all are corners.
        return points


def _thinned(mesh: Mesh, rows: Ints) -> Mesh:
    """The mesh with some of its vertices only, and no surface."""
    if len(rows) == len(mesh.vertices):
        return mesh
    return replace(
        mesh,
        vertices=mesh.vertices[rows],
        triangles=np.empty((0, 3), np.int32),
        influences=mesh.influences[rows],
        weights=mesh.weights[rows],
        normals=None,
        uvs=None,
        colours=None,
        shapes=tuple(BlendShape(shape.name, shape.channel, shape.offsets[rows]) for shape in mesh.shapes),
    )


def _rounded_box(solid: Solid) -> tuple[float, float, float, float]:
    """Half extents and radius: every solid is a box that was grown by a radius."""
    match solid:
        case Sphere(radius):
            return 0.0, 0.0, 0.0, radius
        case Capsule(radius, half):
            return 0.0, half, 0.0, radius
        case Box(half_extents):
            return (*half_extents, 0.0)
