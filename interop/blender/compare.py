"""Two sights of the same motion, and how far they are apart."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from scipy.spatial import KDTree

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.formats.straighten import straightened
from inbetweener.skinning import Skin

MATCHING_FRAMES = 6
"""Vertices are told apart by where they are in this many frames; all frames are compared then."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A clip at `times` (F,): joint positions (F, J, 3) by name and vertices (F, V, 3) of all meshes, metres, Y up."""

    times: Floats
    names: tuple[str, ...]
    joints: Floats
    vertices: Floats

    @classmethod
    def of(cls, document: Document, clip: str, times: Floats) -> Self:
        """What glTF can say of a document: straight bones, linear blending, vertices that belong to a triangle."""
        plain = replace(straightened(document).document, blending="linear")
        motion = plain.motion(clip)
        channels = motion.channels(times)
        parts = [np.empty((len(times), 0, 3))]
        for mesh in plain.meshes:
            skin, used = Skin(mesh, plain.rig, "linear"), np.unique(mesh.triangles)
            parts.append(np.array([skin.vertices(pose)[used] for pose in channels]))
        said = [j for j, joint in enumerate(plain.rig.joints) if joint.name not in _skinned_nodes(plain)]
        names = tuple(plain.rig.joints[j].name for j in said)
        return cls(times, names, motion.joint_positions(times)[:, said], np.concatenate(parts, axis=1))

    @classmethod
    def recorded(cls, path: Path) -> dict[str, Self]:
        """What Blender saw, by clip."""
        with np.load(path) as found:
            names = tuple(str(name) for name in found["names"])
            return {
                str(clip): cls(found[f"times {n}"], names, found[f"joints {n}"], found[f"vertices {n}"])
                for n, clip in enumerate(found["clips"])
            }

    def at(self, frames: slice) -> Self:
        """Some of the frames."""
        return type(self)(self.times[frames], self.names, self.joints[frames], self.vertices[frames])

    def height(self) -> float:
        """From the lowest to the highest in the first frame; flat things are measured along their longest side."""
        everything = np.concatenate([self.joints[0], self.vertices[0]])
        extent = np.ptp(everything, axis=0)
        return float(extent[1] if extent[1] > 0.1 * extent.max() else extent.max())


@dataclass(frozen=True, slots=True)
class Apart:
    """The largest distances over a clip, in parts of the character's height, and joints that are missing."""

    joints: float
    vertices: float
    missing: tuple[str, ...] = ()

    @classmethod
    def between(cls, ours: Sight, theirs: Sight) -> Self:
        """Joints are matched by name, vertices by the way they go; each vertex must have one on the other side."""
        height = ours.height()
        place = {name: n for n, name in enumerate(theirs.names)}
        shared = [n for n, name in enumerate(ours.names) if name in place]
        other = [place[ours.names[n]] for n in shared]
        joints = np.linalg.norm(ours.joints[:, shared] - theirs.joints[:, other], axis=-1).max(initial=0.0)
        vertices = _farthest(ours.vertices, theirs.vertices)
        missing = tuple(name for name in ours.names if name not in place)
        return cls(float(joints) / height, vertices / height, missing)

    def worse(self, other: Self) -> Self:
        """The larger of both in every respect."""
        missing = tuple(dict.fromkeys(self.missing + other.missing))
        return type(self)(max(self.joints, other.joints), max(self.vertices, other.vertices), missing)


def _skinned_nodes(document: Document) -> set[str]:
    """Joints that only show a skin: glTF says that where these are does not matter."""
    shown = {mesh.name.rpartition(":")[0] or mesh.name for mesh in document.meshes if len(mesh.joints) > 1}
    return shown.difference(*(mesh.joints for mesh in document.meshes))


def _farthest(ours: Floats, theirs: Floats) -> float:
    """How far any vertex, of either side, is from the one of the other side that goes its way."""
    if ours.shape[1] == 0 and theirs.shape[1] == 0:
        return 0.0
    if ours.shape[1] == 0 or theirs.shape[1] == 0:
        return np.inf
    looked = np.unique(np.linspace(0, len(ours) - 1, MATCHING_FRAMES).round().astype(int))
    ways = [side[looked].transpose(1, 0, 2).reshape(side.shape[1], -1) for side in (ours, theirs)]
    _, there = KDTree(ways[1]).query(ways[0])
    _, here = KDTree(ways[0]).query(ways[1])
    apart = (
        float(np.linalg.norm(a - b, axis=-1).max())
        for frame in range(len(ours))
        for a, b in ((ours[frame], theirs[frame][there]), (theirs[frame], ours[frame][here]))
    )
    return max(apart)
