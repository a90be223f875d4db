"""Meshes on springs: every vertex is pulled along to where joints and shapes have it ([IKD] §4.5).

All vertices hang on springs alike, so what they are filtered by is the same for all. Linear blending is linear in the
transforms of joints, and in these times the weights of shapes: these few numbers are filtered, not the vertices, and a
window of any length costs no more than a skin. Other ways of blending are given the swing that linear blending has.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.kinodynamics.filter import response
from inbetweener.kinodynamics.soft import kernels
from inbetweener.kinodynamics.soft.carried import Carried, Same
from inbetweener.kinodynamics.soft.elastic import SWING
from inbetweener.kinodynamics.soft.history import History, looking_back
from inbetweener.kinodynamics.soft.part import SpringyPart
from inbetweener.maths import transforms
from inbetweener.motion import Motion
from inbetweener.skinning.mesh import Indices, Singles


@dataclass(frozen=True, slots=True, eq=False)
class Featured:
    """Features (v, 4 + 3 S) of the vertices that a part carries: the place at rest, 1, and the offsets of S shapes.

    joints (K,) those of the mesh's joints that any of them hangs on; influences (v, N) among these; weights (v, N);
    reach: metres across
    """

    carried: Carried
    features: Floats
    joints: Ints
    influences: Indices
    weights: Singles
    reach: float


@lru_cache(maxsize=32)
def featured(mesh: Same, joints: tuple[str, ...]) -> Featured:
    """The features of what joints carry of a mesh."""
    carried = Carried.by(joints, mesh.thing)
    own, chosen = carried.mesh, carried.vertices
    rest = own.vertices[chosen].astype(np.float64)
    columns = [rest, np.ones((len(rest), 1)), *(shape.offsets[chosen].astype(np.float64) for shape in own.shapes)]
    used = np.unique(own.influences[chosen][own.weights[chosen] > 0])
    among = np.zeros(len(own.joints), np.int32)
    among[used] = np.arange(len(used))
    sized = np.linalg.norm(own.joint_from_mesh[0, :, :3], axis=0).max()
    return Featured(
        carried,
        frozen(np.concatenate(columns, axis=1)),
        frozen(used, np.int64),
        frozen(among[own.influences[chosen]], np.int32),
        frozen(own.weights[chosen], np.float32),
        float(np.linalg.norm(np.ptp(rest, axis=0)) * sized),
    )


class SpringyBody:
    """A part tuned: vertices that steps of `step` seconds pull along; drag as a looseness has it."""

    def __init__(self, mesh: Featured, part: SpringyPart, step: float, drag: float) -> None:
        self.mesh, self.part, self.step, self.drag = mesh, part, step, drag
        self.carried = mesh.carried
        self._history: History | None = None

    @property
    def watched(self) -> frozenset[str]:
        """Joints and channels whose movement shakes the part."""
        mesh = self.carried.mesh
        return frozenset((self.part.joint, *mesh.joints, *(shape.channel for shape in mesh.shapes)))

    def window(self, error: float) -> float:
        """Seconds after which a swing has come down to `error` metres."""
        decay = self.part.spring.decay
        return float("inf") if decay == 0 else np.log(max(SWING * self.mesh.reach / error, math.e)) / decay

    def weights(self, count: int) -> Floats:
        """(n + 2,): what a vertex's keyed places count from a step before the window to its end.

        It begins there with the speed between the places a step before and after, so that this is of places too.
        """
        pulled, begun = response(self.part.spring, self.step, self.drag, count)
        result = np.r_[0.0, pulled]
        result[:3] += -begun[1] / (2 * self.step), begun[0], begun[1] / (2 * self.step)
        return result

    def offsets(self, motion: Motion, times: Floats, count: int) -> Singles:
        """How far vertices are off (T, v, 3) in mesh space."""
        seen = looking_back(times, self.step, count)
        transformed = self._transformed(motion, seen.moments)
        swung = np.empty((len(times), transformed[0].size))
        flat = transformed.reshape(len(transformed), -1)
        kernels.weigh_windows(flat, seen.rows, self.weights(count)[:, None].copy(), swung)
        now = transformed[seen.rows[:, -1]]
        changes = swung.reshape(now.shape) - now
        mesh, result = self.mesh, np.empty((len(times), len(self.mesh.features), 3), np.float32)
        for change, linear, into in zip(changes, np.ascontiguousarray(now[..., :4]), result, strict=True):
            kernels.pull_back(change, linear, mesh.features, mesh.influences, mesh.weights, self.carried.shares, into)
        return result

    def _transformed(self, motion: Motion, moments: Floats) -> Floats:
        """(N, K, 3, 4 + 3 S): what each of the K joints does to the features, as seen from the frame."""
        mesh, rig = self.carried.mesh, motion.rig
        self._history = history = History.of(motion, self.part.joint, self._history)
        channels, world = history.everything(moments)
        joints = self.mesh.joints
        own = [rig.joint_index(mesh.joints[j]) for j in joints]
        carrying = transforms.product(world[:, own], mesh.joint_from_mesh[joints])
        if self.part.frame == "joint":
            carrying = transforms.product(transforms.inverse(world[:, [rig.joint_index(self.part.joint)]]), carrying)
        weights = channels[:, [rig.channel_index(shape.channel) for shape in mesh.shapes]]
        shaped = carrying[:, :, :, None, :3] * weights[:, None, None, :, None]
        return np.concatenate([carrying, shaped.reshape(*carrying.shape[:3], -1)], axis=-1)
