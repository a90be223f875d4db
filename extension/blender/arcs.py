# SPDX-License-Identifier: GPL-3.0-or-later
"""The arcs of what is selected: where it goes, its frames coloured by speed, its keys."""

from dataclasses import dataclass, field

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from inbetweener.errors import InbetweenerError

from .pins import Held, Place, held
from .refusal import Refused
from .take import Take

A_FRAME = 4
"""Samples a frame of an arc that is known exactly; a measured one has its frames alone."""
SLOW, FAST, KEY, HELD, LOCKED, WISH = (
    (0.25, 0.55, 1.0, 1.0),
    (1.0, 0.45, 0.2, 1.0),
    (1.0, 0.85, 0.2, 1.0),
    (0.35, 0.9, 0.45, 1.0),
    (0.95, 0.3, 0.85, 1.0),
    (1.0, 0.2, 0.2, 1.0),
)


@dataclass
class Arc:
    """A place over time: points (n, 3), `a_frame` to a frame from `first` on; frames that have keys; what holds it."""

    ob: str
    place: Place
    first: float
    a_frame: int
    points: np.ndarray
    keys: np.ndarray
    rules: list[Held] = field(default_factory=list)

    @property
    def ticks(self) -> np.ndarray:
        """(F, 3) where whole frames are."""
        return self.points[:: self.a_frame]

    @property
    def frames(self) -> np.ndarray:
        """(F,) the frames of the ticks."""
        return self.first + np.arange(len(self.ticks))

    def colours(self) -> np.ndarray:
        """(F, 4) of ticks: blue where slow, orange where fast; keys yellow, held ones green."""
        ticks = self.ticks
        speeds = np.linalg.norm(np.gradient(ticks, axis=0), axis=1) if len(ticks) > 1 else np.zeros(1)
        share = (speeds / (speeds.max() or 1.0))[:, None]
        colours = (1.0 - share) * np.array(SLOW) + share * np.array(FAST)
        colours[np.isin(self.frames.round(3), self.keys.round(3))] = KEY
        for rule in self.rules:
            colours[[rule.holds_at(float(frame)) for frame in self.frames]] = HELD
        return colours


class Shown:
    """What the viewport shows: arcs, locked frames, the wish of a drag that falls short, and why there are no arcs.

    Arcs are `stale` once a curve has changed, and doubtful once anything else has that may mean others: those `of`
    which they were made tell.
    """

    def __init__(self) -> None:
        self.arcs: list[Arc] = []
        self.locks: set[tuple[str, Place, float]] = set()
        self.wish: np.ndarray | None = None
        self.problem = ""
        self.stale, self.doubtful = True, False
        self.of: object = None

    def clear(self) -> None:
        """Show nothing: undo, another file, or the arcs were turned off."""
        self.arcs, self.wish, self.problem = [], None, ""
        self.stale, self.doubtful, self.of = True, False, None


SHOWN = Shown()


def selected(context: bpy.types.Context) -> dict[str, list[Place]]:
    """By object, the places whose arcs are wanted: selected bones in pose mode, else objects with an action."""
    end = context.scene.inbetweener.end
    if context.mode == "POSE":
        found: dict[str, list[Place]] = {}
        for bone in context.selected_pose_bones or ():
            found.setdefault(bone.id_data.name, []).append((bone.name, end))
        return found
    chosen = [ob for ob in context.selected_objects if ob.animation_data and ob.animation_data.action]
    return {ob.name: [("", "HEAD")] for ob in chosen}


def made(ob: bpy.types.Object, places: list[Place], scene: bpy.types.Scene, first: int, last: int) -> list[Arc]:
    """The arcs of some places on an object, from one frame to another."""
    take = Take(ob, places, scene)
    try:
        return arcs_of(take, places, held(ob), first, last)
    finally:
        take.close()


def arcs_of(take: Take, places: list[Place], rules: list[Held], first: int, last: int) -> list[Arc]:
    """The same of an object that has been taken already."""
    a_frame = A_FRAME if take.is_exact else 1
    times = take.times(first, last, a_frame)
    posed = take.motion.rig.posed(take.motion.channels(times))
    found = []
    for place in places:
        point = take.place(place)
        keys = take.motion.key_times(point) * take.rate
        mine = [rule for rule in rules if rule.place == place]
        found.append(Arc(take.name, place, first, a_frame, posed.states(point)[0], keys, mine))
    return found


def window(scene: bpy.types.Scene) -> tuple[int, int]:
    """From which frame to which arcs are shown."""
    around = scene.inbetweener.around
    if around == 0:
        return scene.frame_start, scene.frame_end
    return max(scene.frame_start, scene.frame_current - around), min(scene.frame_end, scene.frame_current + around)


def wanted(context: bpy.types.Context) -> object:
    """Whose arcs are to be shown, and from which frame to which."""
    return context.scene.inbetweener.show and (context.scene.name, selected(context), window(context.scene))


def refresh(context: bpy.types.Context) -> None:
    """Make the arcs of what is selected anew; why there are none is told where they would be."""
    SHOWN.clear()
    SHOWN.stale, SHOWN.of = False, wanted(context)
    if not context.scene.inbetweener.show:
        return
    try:
        for name, places in selected(context).items():
            SHOWN.arcs += made(bpy.data.objects[name], places, context.scene, *window(context.scene))
    except (Refused, InbetweenerError) as problem:
        SHOWN.problem = str(problem)


def draw() -> None:
    """Draw what is shown; called by Blender for every 3D view."""
    if not SHOWN.arcs:
        return
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    lines = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    dots = gpu.shader.from_builtin("POINT_FLAT_COLOR")
    viewport = gpu.state.viewport_get()
    for arc in SHOWN.arcs:
        lines.bind()
        lines.uniform_float("viewportSize", viewport[2:])
        lines.uniform_float("lineWidth", 2.0)
        lines.uniform_float("color", (0.9, 0.9, 0.9, 0.7))
        batch_for_shader(lines, "LINE_STRIP", {"pos": np.ascontiguousarray(arc.points, np.float32)}).draw(lines)
        colours = arc.colours()
        for ob, place, frame in SHOWN.locks:
            if (ob, place) == (arc.ob, arc.place):
                colours[arc.frames == frame] = LOCKED
        content = {
            "pos": np.ascontiguousarray(arc.ticks, np.float32),
            "color": np.ascontiguousarray(colours, np.float32),
        }
        gpu.state.point_size_set(7.0)
        batch_for_shader(dots, "POINTS", content).draw(dots)
    if SHOWN.wish is not None:
        gpu.state.point_size_set(10.0)
        content = {"pos": SHOWN.wish[None].astype(np.float32), "color": np.array([WISH], np.float32)}
        batch_for_shader(dots, "POINTS", content).draw(dots)
    gpu.state.point_size_set(1.0)
    gpu.state.blend_set("NONE")
