# SPDX-License-Identifier: GPL-3.0-or-later
"""An animated object as the solver sees it: exactly where its bones are plain, by measuring a copy elsewhere."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import bpy
import numpy as np

from inbetweener.curves import Bundle, Curve
from inbetweener.host import measured_rig
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Channel, Point
from inbetweener.rig.channel import ChannelKind

from .action import Source, rate_of, sources
from .armature import bone_of, chain, locked, obstacle, plain, size_of
from .bones import OBJECT, rig_of
from .dependencies import Dependencies, closure
from .limits import limits
from .pins import Place
from .refusal import Refused
from .stripped import Stripped

FRAME = "frame"
"""What the channel is called that tells which frame a pose is of, where that matters."""
_KINDS: dict[str, ChannelKind] = {"location": "translation", "rotation": "rotation", "scale": "scale"}


class Take:
    """The motion of an object, for some places on it, to be changed at a frame or only seen; close it when done.

    What is only to be posed need not have keys, as long as it can be taken exactly.
    """

    def __init__(
        self,
        ob: bpy.types.Object,
        places: Sequence[Place],
        scene: bpy.types.Scene,
        frame: float | None = None,
        posing: bool = False,
    ) -> None:
        self.name, self.places = ob.name, tuple(dict.fromkeys(places))
        bones = [bone for bone, _ in self.places if bone]
        gone = [bone for bone in bones if ob.type != "ARMATURE" or bone not in ob.pose.bones]
        if gone:
            raise Refused(f"{ob.name} has no bone {gone[0]!r} any more; unpin it, or undo its renaming")
        self.rate = rate_of(scene)
        if ob.library or (ob.override_library and ob.override_library.is_system_override):
            raise Refused(f"{ob.name} is linked from another file; make a library override that can be edited")
        if scene.render.frame_map_old != scene.render.frame_map_new:
            raise Refused(
                "the scene stretches its time; set Time Stretching to 100 and 100 in the output's frame range"
            )
        if ob.type == "ARMATURE" and ob.data.pose_position == "REST":
            raise Refused(f"{ob.name} shows its rest position; set the armature to Pose Position")
        self.size = size_of(ob)
        self._lengths = {each.name: float(each.length) for each in ob.data.bones} if ob.type == "ARMATURE" else {}
        self.stripped: Stripped | None = None
        self.obstacle = obstacle(ob, bones)
        needs = closure(ob, bones) if self.obstacle else Dependencies({bone.name for bone in chain(ob, bones)})
        kept = needs.bones
        self.sources = sources(ob, scene, lambda path: (name := bone_of(path)) is None or name in kept)
        if not self.sources and (self.obstacle or not posing):
            raise Refused(f"{ob.name} has no action with keys that move it; key some poses first")
        clip = Clip("action", end=scene.frame_end / self.rate, start=scene.frame_start / self.rate, rate=self.rate)
        self.motion = self._measured(ob, clip, needs, frame) if self.obstacle else self._exact(ob, clip)

    @property
    def is_exact(self) -> bool:
        """Whether nothing has to be measured."""
        return self.stripped is None

    def place(self, place: Place) -> Point:
        """The head or tail of a bone, or the origin of the object."""
        bone, end = place
        called = _called(self.name, place)
        if not self.is_exact:
            return Point(called)
        if not bone:
            return Point(self.name + OBJECT, name=called)
        return Point(bone, (0.0, self._lengths[bone] if end == "TAIL" else 0.0, 0.0), name=called)

    def times(self, first: float, last: float, a_frame: int = 1) -> np.ndarray:
        """Seconds from one frame to another."""
        return np.linspace(first, last, round((last - first) * a_frame) + 1) / self.rate

    def close(self) -> None:
        """Take away the copy that was measured."""
        if self.stripped is not None:
            self.stripped.close()
            self.stripped = None

    def _exact(self, ob: bpy.types.Object, clip: Clip) -> Motion:
        bones = plain(ob, [bone for bone, _ in self.places if bone])
        held = frozenset(name for name, each in self.sources.items() if each.held)
        rig, curves = rig_of(bones, {name: each.curve for name, each in self.sources.items()}, self.size, held)
        return Motion(rig, replace(clip, curves=Curves(curves)))

    def _measured(self, ob: bpy.types.Object, clip: Clip, needs: Dependencies, frame: float | None) -> Motion:
        self.stripped = Stripped(ob, self.places, needs.bones, needs.moves)
        try:
            known = [each for each in self.sources.values() if self.stripped.has(each.path)]
            self.stripped.follow((each.path, each.index) for each in known)
            channels = [_channel(ob, each) for each in known]
            curves = {each.name: each.curve for each in known}
            if needs.moves:
                # Nobody may change it: it only says when a pose is, for whatever else moves.
                channels.append(Channel(FRAME, "control", free=False))
                curves[FRAME] = _frames(clip, curves.values())
            # What a channel does not move at that moment, no tangent of it can move there.
            moments = [] if frame is None else [frame / self.rate]
            poses = Bundle.of(list(curves.values())).evaluate(moments)
            bodies = [_called(self.name, place) for place in self.places]
            rig = measured_rig(bodies, channels, self.stripped.measure, self.size, poses)
        except Exception:
            self.close()
            raise
        return Motion(rig, replace(clip, curves=Curves(curves)))


def _frames(clip: Clip, others: Iterable[Curve]) -> Curve:
    """The frame at every time, as a straight line from the first to the last that anybody asks for."""
    ends = np.array([clip.start, clip.end, *(time for each in others for time in (each.times[0], each.times[-1]))])
    times = np.array([ends.min() - 1.0, ends.max() + 1.0])
    return Curve.sampled(times, times * clip.rate)


def _channel(ob: bpy.types.Object, source: Source) -> Channel:
    """A keyed property: places and turns may change, unless locked; switches, scales and what is held may not."""
    owner, _, name = source.path.rpartition(".")
    kind: ChannelKind = next((kind for word, kind in _KINDS.items() if name.startswith(word)), "control")
    free = kind in ("translation", "rotation") and not source.held
    lower, upper = -math.inf, math.inf
    if free:
        keeper = ob.path_resolve(owner) if owner else ob
        free = f"{name}[{source.index}]" not in locked(keeper)
        lower, upper = limits(keeper).get(f"{name}[{source.index}]", (lower, upper))
    return Channel(source.name, kind, lower=lower, upper=upper, free=free)


def _called(ob: str, place: Place) -> str:
    """What an animator calls a place."""
    bone, end = place
    return f"{bone} tail" if bone and end == "TAIL" else bone or ob
