"""A point on something soft: the tip of a hat, that targets may be put on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Motion
from inbetweener.rig import BlendedPoint, Point
from inbetweener.skinning import vertex_place

if TYPE_CHECKING:
    from inbetweener.kinodynamics.soft.softened import Softened


@dataclass(frozen=True, slots=True)
class SoftPoint:
    """A vertex of a soft mesh, wherever the mesh has swung to.

    `LooseMotion.soft_states` tells where it is; `LooseMotion.rigid_place` is the place on the body that is there at one
    time, by which an inverse takes its Jacobian as if it were fixed to its bone ([IKD] §4.4).
    """

    mesh: str
    vertex: int

    def __str__(self) -> str:
        return f"{self.mesh} vertex {self.vertex}"


def soft_states(
    motion: Motion, keyed: Motion, softened: "Softened", times: Floats, point: SoftPoint
) -> tuple[Floats, Floats]:
    """Positions (T, 3) of a soft vertex, and orientations (T, 3, 3) of the joint that carries it most."""
    places = rigid_places(motion, keyed, softened, times, point)
    found = [motion.states([time], place) for time, place in zip(times, places, strict=True)]
    if not found:
        return np.empty((0, 3)), np.empty((0, 3, 3))
    return np.concatenate([state[0] for state in found]), np.concatenate([state[1] for state in found])


def rigid_places(
    motion: Motion, keyed: Motion, softened: "Softened", times: Floats, point: SoftPoint
) -> list[BlendedPoint]:
    """For each of times (T,) the place on the body where a soft vertex is then, as linear blending carries it.

    Blend shapes move it as they move the vertex.
    """
    number = softened.number(point.mesh)
    mesh = softened.meshes[number]
    at_rest = vertex_place(mesh, point.vertex)
    offsets = softened.offsets(motion, keyed, times, number)[:, point.vertex].astype(np.float64)
    turned = {name: frame[:, :3] for name, frame in zip(mesh.joints, mesh.joint_from_mesh, strict=True)}
    return [
        BlendedPoint(tuple((_moved(part, turned[part.joint] @ offset), w) for part, w in at_rest.parts), str(point))
        for offset in offsets
    ]


def _moved(point: Point, by: Floats) -> Point:
    x, y, z = (np.asarray(point.offset) + by).tolist()
    return Point(point.joint, (x, y, z), point.name, point.shapes)
