"""The soft parts of a looseness, found on their meshes and tuned."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.dynamics.inverse import EARTH
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics.soft.carried import Same
from inbetweener.kinodynamics.soft.elastic import ElasticBody, elastic
from inbetweener.kinodynamics.soft.part import FELT, ElasticPart, SoftPart
from inbetweener.kinodynamics.soft.springy import SpringyBody, featured
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Point, Rig
from inbetweener.rig.chains import descendants
from inbetweener.rig.freedom import channels_moving
from inbetweener.skinning import Mesh
from inbetweener.skinning.mesh import Singles

SoftBody = ElasticBody | SpringyBody

FORGOTTEN = 1e-6
"""Metres of a swing that counts as over."""

LONGEST = 30.0
"""Seconds: a window that looks farther back than this shows nothing new."""


class Softened:
    """Soft parts on the meshes of a rig, compiled once for many motions.

    window  seconds, or None: found for every part so that what it misses is below `error` metres
    loose   channels that swing themselves: parts that these move are shaken by the loose motion, all others by the
            keyed one, which is known without simulation
    """

    def __init__(
        self,
        rig: Rig,
        meshes: Sequence[Mesh],
        parts: Sequence[SoftPart],
        *,
        step: float,
        window: float | None = None,
        error: float = 0.001,
        gravity: float = 1.0,
        drag: float = 1.0,
        loose: frozenset[int] = frozenset(),
    ) -> None:
        self.rig, self.meshes, self.step = rig, tuple(meshes), step
        self.window, self.error = window, error
        bodies: list[tuple[int, SoftBody]] = []
        for part in parts:
            rig.joint_index(part.joint)
            number, joints = self.number(part.mesh), (part.joint, *descendants(rig, part.joint))
            mesh = Same(meshes[number])
            if isinstance(part, ElasticPart):
                solid = elastic(mesh, joints, replace(part, spring=FELT))
                bodies.append((number, ElasticBody(solid, part, step, gravity * np.array(EARTH))))
            else:
                bodies.append((number, SpringyBody(featured(mesh, joints), part, step, drag)))
        self.bodies = tuple(bodies)
        self._rides = tuple(bool(loose & _moving(rig, body.watched)) for _, body in bodies)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Which meshes are soft, by their numbers."""
        return tuple(sorted({number for number, _ in self.bodies}))

    def number(self, mesh: str) -> int:
        """The number of the mesh called `mesh`."""
        names = [each.name for each in self.meshes]
        if mesh not in names:
            raise UnknownName("mesh", mesh, names)
        return names.index(mesh)

    def mesh(self, name: str) -> Mesh:
        """The mesh called `name`."""
        return self.meshes[self.number(name)]

    def count(self, body: SoftBody, clip: Clip) -> int:
        """How many steps a part's window has; none looks farther back than a clip that does not loop."""
        window = self.window if self.window is not None else body.window(self.error)
        longest = LONGEST if clip.loops else clip.end - clip.start
        return max(1, int(np.ceil(min(window, longest) / self.step - 1e-9)))

    def missed(self, motion: Motion, keyed: Motion, times: Floats, window: float | None = None) -> Floats:
        """(T,) metres: how far any soft vertex is from where windows that show all of its swing have it.

        In windows of that many seconds or, where none are given, its own; what carries it moves as it does in `motion`.
        """
        result = np.zeros(len(times))
        for (number, body), rides in zip(self.bodies, self._rides, strict=True):
            if not len(times):
                continue
            shaking, mesh = motion if rides else keyed, self.meshes[number]
            counts = [
                self.count(body, motion.clip) if window is None else max(1, int(np.ceil(window / self.step - 1e-9))),
                int(np.ceil(min(body.window(FORGOTTEN), LONGEST) / self.step)),
            ]
            seen, whole = (body.offsets(shaking, times, count).astype(np.float64) for count in counts)
            metres = np.linalg.norm(mesh.joint_from_mesh[0, :, :3], axis=0).max()
            result = np.maximum(result, metres * np.linalg.norm(seen - whole, axis=2).max(axis=1, initial=0.0))
        return result

    def offsets(self, motion: Motion, keyed: Motion, times: Floats, number: int) -> Singles:
        """How far all vertices of a mesh are off (T, V, 3) in mesh space, before joints carry them."""
        result = np.zeros((len(times), len(self.meshes[number].vertices), 3), np.float32)
        for (of, body), rides in zip(self.bodies, self._rides, strict=True):
            if of == number and len(times):
                shaking = motion if rides else keyed
                found = body.offsets(shaking, times, self.count(body, motion.clip))
                for frame, moved in zip(result, found, strict=True):
                    frame[body.carried.vertices] += moved
        return result


def _moving(rig: Rig, watched: frozenset[str]) -> frozenset[int]:
    """The channels that move any of some joints, and those among them that are channels themselves."""
    joints = {joint.name for joint in rig.joints}
    found = {rig.channel_index(name) for name in watched - joints}
    for name in watched & joints:
        found |= channels_moving(rig, Point(name, (1.0, 1.0, 1.0)), "both")
    return frozenset(found)
