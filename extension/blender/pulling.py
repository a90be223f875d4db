# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing by pulling: the bones above follow as if all had inverse kinematics, and what is pinned stays.

The pose of the current frame changes, shown in the properties themselves; kept, it is keyed there.
"""

from collections.abc import Sequence

import bpy
import numpy as np
import numpy.typing as npt

from inbetweener.posing import PoseDrag, PoseRequest, Pull, Solution, State

from .action import rate_of
from .armature import bone_of
from .gesture import Gesture
from .pins import Place, held
from .refusal import Refused
from .setter import Setter
from .take import Take

SAME = 1e-7
"""What a property may change by without being keyed."""


class Pulling(Gesture):
    """Places of one object that are pulled at the current frame.

    `chain` bones from each upwards may move, all if 0; or the bones that are named, and no `only` others.
    """

    def __init__(
        self,
        ob: bpy.types.Object,
        places: Sequence[Place],
        scene: bpy.types.Scene,
        chain: int = 0,
        only: Sequence[str] = (),
    ) -> None:
        self._object, self.frame = ob.name, float(scene.frame_current_final)
        rules = [each for each in held(ob) if each.holds_at(self.frame) and each.place not in places]
        self.take = Take(ob, [*places, *(each.place for each in rules)], scene, self.frame, posing=True)
        try:
            rig = self.take.motion.rig
            self._paths = [_split(channel.name) for channel in rig.channels]
            self.before = self._as_it_is(ob)
            self._shown = self.before.copy()
            pins = tuple(each.constraint(self.take.place, rate_of(scene)) for each in rules)
            bones = set(only) or _upwards(ob, places, chain)
            free = self._free(ob, bones, turning=bool(only)) if bones else None
            self.places = tuple(self.take.place(place) for place in places)
            self.drag = PoseDrag(rig, self.before, PoseRequest(tuple(map(Pull, self.places)), pins, free))
            self.begin()
        except Exception:
            self.take.close()
            raise

    @property
    def starts(self) -> npt.NDArray[np.float64]:
        """(n, 3) where the places were."""
        return np.array([state.position for state in self.drag.start])

    def to(self, *targets: npt.ArrayLike) -> Solution:
        """Pull each place towards a target (3,) in the world, and show that."""
        self.require()
        solution = self.drag.to(*(State(np.asarray(target, np.float64)) for target in targets))
        self._show(solution.channels)
        return solution

    def keep(self) -> int:
        """Key what changed at the current frame; how many properties that are."""
        self.require()
        self.end()
        ob, after = bpy.data.objects[self._object], self.drag.solution.channels
        changed = np.flatnonzero(np.abs(after - self.before) > SAME).tolist()
        # Without keys there is only a pose, to be keyed as any other.
        for c in changed if self.take.sources else ():
            self._key(ob, c, float(self.before[c]))
        return len(changed)

    def cancel(self) -> None:
        """Put the pose back as it was."""
        self.end()
        if not self.lost and self._object in bpy.data.objects:
            self._show(self.before)

    def told(self) -> str:
        """One line on where the pull is."""
        solution = self.drag.solution
        names = ", ".join(dict.fromkeys(map(str, self.places)))
        if solution.reached:
            return f"{names}: pulled to where it was wished"
        blocked = ", ".join(each.name for each in solution.blockers[:2]) or "the length of its bones"
        return f"{names}: {1000.0 * float(solution.distances.max()):.1f} mm short; held by {blocked}"

    def _show(self, pose: npt.NDArray[np.float64]) -> None:
        ob = bpy.data.objects[self._object]
        setters: dict[str, Setter] = {}
        for column in np.flatnonzero(np.abs(pose - self._shown) > 0.0).tolist():
            path, index = self._paths[column]
            setters.setdefault(path, Setter(ob, path)).take(column, index)
        for setter in setters.values():
            setter.put(pose)
        self._shown = pose.copy()

    def _as_it_is(self, ob: bpy.types.Object) -> npt.NDArray[np.float64]:
        """(C,) the pose that is seen: it may be another than the keyed one."""
        found = []
        for path, index in self._paths:
            now = ob.path_resolve(path)
            found.append(float(now[index] if hasattr(now, "__len__") else now))
        return np.array(found)

    def _free(self, ob: bpy.types.Object, bones: set[str], turning: bool) -> frozenset[str]:
        """What may move of some bones: where `turning`, no bone leaves its parent."""
        names = [
            channel.name
            for channel in self.take.motion.rig.channels
            if channel.poses and not (turning and channel.kind == "translation")
        ]
        found = frozenset(name for name in names if bone_of(name) in bones)
        if not found:
            raise Refused(f"{ob.name}: {', '.join(sorted(bones)[:3])} have nothing that may move; unlock or add bones")
        return found

    def _key(self, ob: bpy.types.Object, column: int, before: float) -> None:
        """Key a property; one that had no keys stays as it was at the other poses."""
        path, index = self._paths[column]
        owner, _, name = path.rpartition(".")
        keeper = ob.path_resolve(owner) if owner else ob
        told = {"index": index} if hasattr(getattr(keeper, name, None), "__len__") else {}
        group = {"group": bone_of(path)} if bone_of(path) else {}
        if f"{path}[{index}]" not in self.take.sources:
            value = getattr(keeper, name)[index]
            for frame in self._poses():
                getattr(keeper, name)[index] = before
                keeper.keyframe_insert(name, frame=frame, **told, **group)
            getattr(keeper, name)[index] = value
        keeper.keyframe_insert(name, frame=self.frame, **told, **group)

    def _poses(self) -> list[float]:
        """The frames before and after that have keys."""
        every = np.unique(np.concatenate([each.keys.points[:, 0] for each in self.take.sources.values()]))
        return [*every[every < self.frame][-1:].tolist(), *every[every > self.frame][:1].tolist()]


def _upwards(ob: bpy.types.Object, places: Sequence[Place], chain: int) -> set[str]:
    """As many bones as a chain has, from each place upwards; none where all may move."""
    found: set[str] = set()
    for name, _ in places:
        bone = ob.pose.bones[name] if name else None
        for _ in range(chain):
            if bone is not None:
                found.add(bone.name)
                bone = bone.parent
    return found


def _split(name: str) -> tuple[str, int]:
    """A path and the index behind it."""
    path, _, index = name.rpartition("[")
    return path, int(index[:-1])


def along(stroke: npt.ArrayLike, start: npt.ArrayLike, lengths: Sequence[float]) -> npt.NDArray[np.float64]:
    """(n, 3) where the ends of bones of some lengths (n,) are that lie on a stroke (m, 3), from a start (3,) on.

    The stroke is moved so that it begins at the start, and goes on straight where it is too short.
    """
    line = np.asarray(stroke, np.float64)
    line = line[np.append(True, np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-9)]
    if len(line) < 2:
        raise Refused("the stroke is a point; draw it longer")
    line = line - line[0] + np.asarray(start, np.float64)
    last = line[-1] - line[-2]
    beyond = line[-1] + last / np.linalg.norm(last) * (2.0 * sum(lengths) + 1.0)
    line = np.vstack([line, beyond])
    found, at, segment = [], line[0], 0
    for length in lengths:
        # The first place behind this one that is as far away as the bone is long.
        for k in range(segment, len(line) - 1):
            a, b = (at if k == segment else line[k]), line[k + 1]
            if np.linalg.norm(b - at) < length:
                continue
            way, gone = b - a, a - at
            p, q, r = way @ way, 2.0 * gone @ way, gone @ gone - length**2
            share = (-q + np.sqrt(max(q * q - 4.0 * p * r, 0.0))) / (2.0 * p)
            at, segment = a + min(max(share, 0.0), 1.0) * way, k
            found.append(at)
            break
    return np.array(found)
