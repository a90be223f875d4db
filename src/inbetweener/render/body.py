"""The character of a document in motion: its skin, its bones, and the room it takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.document import Document
from inbetweener.formats.gltf.looks import look_of
from inbetweener.kinodynamics import LooseMotion
from inbetweener.maths import dual_quaternions, transforms
from inbetweener.motion import Clip, Motion
from inbetweener.render import colour, shapes
from inbetweener.render.shapes import EMPTY, Batch, joined
from inbetweener.render.surface import Surface
from inbetweener.rig import ROOT, Rig, bent
from inbetweener.skinning import Skin
from inbetweener.skinning.mesh import Singles

THICKNESS = 0.1
"""Of a bone, relative to its length; held between the two shares of the character's size below."""
THINNEST, THICKEST = 0.003, 0.017


def skeleton(rig: Rig, channels: Floats, world_from_joint: Floats, size: float) -> Batch:
    """The joints (J, 3, 4) of one pose (C,); `size` is about the size of the character in metres."""
    if not rig.joints:
        return EMPTY
    starts, tips, owners = _spans(rig, world_from_joint, bent_bones(rig, channels, world_from_joint))
    lengths = np.linalg.norm(tips - starts, axis=-1)
    drawn = lengths > 1e-3 * size
    starts, tips, owners, lengths = starts[drawn], tips[drawn], owners[drawn], lengths[drawn]
    thick = np.clip(THICKNESS * lengths, THINNEST * size, THICKEST * size)
    directions = (tips - starts) / lengths[:, None]
    bones = shapes.copies(shapes.bone(), _laid_along(directions, lengths, thick), starts)
    # A joint is a ball as thick as the thickest bone that starts in it.
    radii = np.full(len(rig.joints), 1.2 * THINNEST * size)
    np.maximum.at(radii, owners, 0.75 * thick)
    balls = shapes.copies(shapes.ball(), radii[:, None, None] * np.eye(3), world_from_joint[..., 3])
    return joined(
        [
            Batch.painted(*bones, colour.linear(colour.BONE)),
            Batch.painted(*balls, colour.linear(colour.JOINT)),
        ]
    )


def bent_bones(rig: Rig, channels: Floats, world_from_joint: Floats) -> dict[int, Floats]:
    """By bent joint: the places (S + 1, 3) between the steps of its bone, from start to end, in one pose (C,)."""
    found = {}
    for name, screws in bent.screws(rig, channels[None]).items():
        joint, steps = rig.joint_index(name), dual_quaternions.exponential(screws[0])
        end, move = rig.bones.ends[joint], np.array(dual_quaternions.IDENTITY)
        places = [np.zeros(3)]
        for number, step in enumerate(steps, start=1):
            move = dual_quaternions.product(move, step)
            places.append(dual_quaternions.apply(move, end * number / len(steps)))
        found[joint] = transforms.apply(world_from_joint[joint], np.array(places))
    return found


def _spans(rig: Rig, world_from_joint: Floats, curved: dict[int, Floats]) -> tuple[Floats, Floats, Ints]:
    """Start (n, 3), tip (n, 3) and owning joint (n,) of every bone.

    The last joint of a limb has no child; where a point is named on it, such as the end site of a BVH file, the bone
    reaches to that. A curved bone is drawn by its pieces, and what hangs from it starts where it hangs.
    """
    origins = world_from_joint[..., 3]
    spans: list[tuple[Floats, Floats, int]] = []
    for joint, each in enumerate(rig.joints):
        if each.parent == ROOT:
            continue
        start = origins[each.parent]
        if (places := curved.get(each.parent)) is not None:
            steps = len(places) - 1
            start = places[bent.steps_passed(float(rig.bones.attachments[joint]), steps)]
        spans.append((start, origins[joint], each.parent))
    leaves = set(range(len(rig.joints))) - {joint.parent for joint in rig.joints}
    for point in rig.points:
        joint = rig.joint_index(point.joint)
        if joint in leaves and joint not in curved and any(point.offset):
            spans.append((origins[joint], transforms.apply(world_from_joint[joint], [point.offset])[0], joint))
    for joint, places in curved.items():
        spans += [(a, b, joint) for a, b in pairwise(places)]
    starts, tips = (np.array([span[side] for span in spans]).reshape(-1, 3) for side in (0, 1))
    return starts, tips, np.array([owner for _, _, owner in spans], np.int64)


def _laid_along(directions: Floats, lengths: Floats, thick: Floats) -> Floats:
    """Matrices (n, 3, 3) that lay the unit bone along each direction."""
    helper = np.eye(3)[np.argmin(np.abs(directions), axis=-1)]
    x = np.cross(helper, directions)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    z = np.cross(x, directions)
    return np.stack([x * thick[:, None], directions * lengths[:, None], z * thick[:, None]], axis=-1)


MOST_FRAMES_MEASURED = 200
MOST_VERTICES_MEASURED = 2_000_000
SMOOTH_S = 0.5
"""How sluggishly a camera follows, in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Channel values (C,) and joint transforms (J, 3, 4) at one time; offsets (V, 3) of soft meshes by number."""

    channels: Floats
    world_from_joint: Floats
    offsets: Mapping[int, Singles] = field(default_factory=dict)

    @property
    def origins(self) -> Floats:
        """Where the joints are (J, 3)."""
        return self.world_from_joint[:, :, 3]


class Body:
    """A document's rig and meshes with one clip; with `follow`, a camera may travel with it when it goes far."""

    def __init__(self, document: Document, clip: Clip, *, follow: bool = False) -> None:
        self.follow = follow
        self.rig = document.rig
        self.clip = clip
        self.motion = document.shown_motion(clip.name) if document.clips else Motion(document.rig, clip)
        poses = self.motion.channels(clip.frame_times)
        self.surfaces = {
            number: Surface(Skin(mesh, document.rig, document.blending, poses=poses), look_of(document, mesh))
            for number, mesh in enumerate(document.meshes)
            if len(mesh.triangles)
        }

    def poses(self, times: Floats) -> list[Pose]:
        """The poses at times in seconds (T,)."""
        channels = self.motion.channels(times)
        soft = self.motion.offsets(times) if isinstance(self.motion, LooseMotion) else {}
        world = self.rig.world_from_joint(channels)
        return [
            Pose(pose, world[n], {number: offsets[n] for number, offsets in soft.items()})
            for n, pose in enumerate(channels)
        ]

    def pose(self, time: float) -> Pose:
        """The pose at a time in seconds."""
        return self.poses(np.array([time]))[0]

    def skin(self, pose: Pose) -> Batch:
        """All meshes in one pose."""
        return joined(
            surface.posed(pose.channels, pose.world_from_joint, pose.offsets.get(number))
            for number, surface in self.surfaces.items()
        )

    def bones(self, pose: Pose) -> Batch:
        """The skeleton in one pose."""
        return skeleton(self.rig, pose.channels, pose.world_from_joint, self.size)

    def vertices(self, pose: Pose) -> Floats:
        """Joints, named points and vertices (n, 3) of one pose."""
        skins = [
            surface.vertices(pose.channels, pose.world_from_joint, pose.offsets.get(number))
            for number, surface in self.surfaces.items()
        ]
        joints, offsets = self.rig.point_arrays(self.rig.points)
        named = transforms.apply(pose.world_from_joint[joints], offsets[:, None])[:, 0]
        return np.concatenate([pose.origins, named, *skins]).astype(np.float64)

    @cached_property
    def size(self) -> float:
        """About how large the character is, in metres: the diagonal of its first pose."""
        return diagonal(self.vertices(self.pose(self.clip.start))) or 1.0

    @cached_property
    def extent(self) -> Floats:
        """Joints, points and vertices (n, 3) over the whole clip, less the path along which a camera follows.

        All frames are measured unless the clip is long or the mesh heavy.
        """
        count = sum(len(surface.skin.mesh.vertices) for surface in self.surfaces.values()) + 1
        return self._measured(int(np.clip(MOST_VERTICES_MEASURED // count, 8, MOST_FRAMES_MEASURED)))

    @cached_property
    def rough_extent(self) -> Floats:
        """The same from a few frames: enough to lay a floor, without waiting."""
        return self._measured(8)

    def _measured(self, most: int) -> Floats:
        times = self.clip.frame_times
        times = times[np.unique(np.linspace(0, len(times) - 1, min(most, len(times))).round().astype(int))]
        poses = zip(times, self.poses(times), strict=True)
        return np.concatenate([np.empty((0, 3)), *(self.vertices(pose) - self.path(time) for time, pose in poses)])

    def path(self, time: float) -> Floats:
        """Where a following camera is carried to at a time (3,), level; zero for a character that stays in place."""
        times, places = self._path
        if not len(times):
            return np.zeros(3)
        return np.array([np.interp(time, times, places[:, 0]), 0.0, np.interp(time, times, places[:, 1])])

    @cached_property
    def _path(self) -> tuple[Floats, Floats]:
        from scipy.ndimage import gaussian_filter1d

        times = self.clip.frame_times
        if not self.follow or not self.rig.joints:
            return np.empty(0), np.empty((0, 2))
        level = self.motion.joint_positions(times).mean(axis=1)[:, [0, 2]]
        if diagonal(level) < 2.5 * self.size:
            return np.empty(0), np.empty((0, 2))
        return times, gaussian_filter1d(level, SMOOTH_S * self.clip.rate, axis=0, mode="nearest")


def diagonal(points: Floats) -> float:
    """The diagonal of the box around points (n, k)."""
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
