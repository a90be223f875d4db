# SPDX-License-Identifier: GPL-3.0-or-later
"""The arcs of what is selected: where it goes, its frames coloured by speed, its keys; measured ones bit by bit."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from inbetweener.errors import InbetweenerError

from .pins import Held, Place, held
from .refusal import Refused
from .take import Take

A_FRAME, SAMPLES = 4, 600
"""Samples a frame of an arc that is known exactly, fewer where all its frames would have more; a measured one has its
frames alone."""
SLICE = 0.012
"""Seconds that measuring may take before Blender has its turn again."""
AXIS = 0.03
"""Sizes of the object: how long the axes at the ticks are."""
FAINT = 0.12
"""What the fading leaves of the farthest frames."""
ENDS = [("HEAD", "Head", "The start of a bone"), ("TAIL", "Tail", "The end of a bone")]
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
    """A place over time: points (n, 3) and turns (n, 3, 3), `a_frame` to a frame from `first` on.

    `keys` are the frames that have some, `rules` what holds it, `size` the length that axes are measured by.
    """

    ob: str
    place: Place
    first: float
    a_frame: int
    points: np.ndarray
    turns: np.ndarray
    keys: np.ndarray
    size: float = 1.0
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

    def strength(self, frames: np.ndarray, now: float) -> np.ndarray:
        """(n,) how opaque frames (n,) are where those far from the current one fade."""
        away = np.abs(frames - now)
        return 1.0 - (1.0 - FAINT) * away / max(1.0, float(away.max(initial=0.0)))

    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """(6F, 3) ends of the axes of every tick, two by two, and (6F, 4) their colours: red, green, blue."""
        ticks, turns = self.ticks, self.turns[:: self.a_frame]
        tips = ticks[:, None] + AXIS * self.size * np.swapaxes(turns, 1, 2)
        ends = np.stack([np.broadcast_to(ticks[:, None], tips.shape), tips], axis=2).reshape(-1, 3)
        return ends, np.tile(np.repeat(np.eye(3, 4) + np.array([0.0, 0.0, 0.0, 1.0]), 2, axis=0), (len(ticks), 1))


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
        self.making: Iterator[None] | None = None

    def stop(self) -> None:
        """Measure no further; the copy that is measured goes."""
        if self.making is not None:
            making, self.making = self.making, None
            making.close()  # type: ignore[attr-defined]

    def clear(self) -> None:
        """Show nothing: undo, another file, or the arcs were turned off."""
        self.stop()
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
    """The arcs of some places on an object, from one frame to another, all at once."""
    found: list[Arc] = []
    for _ in making(found, ob, places, scene, first, last):
        pass
    return found


def making(
    found: list[Arc], ob: bpy.types.Object, places: list[Place], scene: bpy.types.Scene, first: int, last: int
) -> Iterator[None]:
    """The same into a list, with a stop whenever a slice of time is over; whoever stops for good closes it."""
    take = Take(ob, places, scene)
    try:
        yield
        a_frame = min(A_FRAME, max(1, SAMPLES // max(1, last - first))) if take.is_exact else 1
        times = take.times(first, last, a_frame)
        channels = take.motion.channels(times)
        points = [take.place(place) for place in places]
        parts: list[list[tuple[np.ndarray, np.ndarray]]] = []
        begun = time.perf_counter()
        # What is exact takes less than a slice.
        for some in [channels] if take.is_exact else np.split(channels, len(channels)):
            posed = take.motion.rig.posed(some)
            parts.append([posed.states(point) for point in points])
            if time.perf_counter() - begun > SLICE:
                yield
                begun = time.perf_counter()
        rules = held(ob)
        for n, place in enumerate(places):
            states, turns = (np.concatenate([part[n][half] for part in parts]) for half in (0, 1))
            keys = take.motion.key_times(points[n]) * take.rate
            mine = [rule for rule in rules if rule.place == place]
            found.append(Arc(take.name, place, first, a_frame, states, turns, keys, take.size, mine))
    finally:
        take.close()


def current(context: bpy.types.Context) -> tuple[Arc, int] | None:
    """The arc of the active bone or object, or else the first, and which of its ticks is the current frame."""
    bone = context.active_pose_bone.name if context.mode == "POSE" and context.active_pose_bone else ""
    name = context.object.name if context.object else ""
    for arc in sorted(SHOWN.arcs, key=lambda arc: (arc.ob, arc.place[0]) != (name, bone)):
        number = round(context.scene.frame_current - arc.first)
        return (arc, number) if 0 <= number < len(arc.ticks) else None
    return None


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
    """Make the arcs of what is selected anew, at once; why there are none is told where they would be."""
    begin(context)
    while go_on():
        pass


def begin(context: bpy.types.Context) -> None:
    """Begin to make the arcs of what is selected anew; those of before are shown until then."""
    SHOWN.stop()
    SHOWN.stale, SHOWN.of = False, wanted(context)
    if context.scene.inbetweener.show:
        SHOWN.making = _remade(selected(context), context.scene, *window(context.scene))
    else:
        SHOWN.clear()
        SHOWN.stale, SHOWN.of = False, wanted(context)


def go_on() -> bool:
    """Go on for a slice of time; whether there is more to do."""
    if SHOWN.making is None:
        return False
    try:
        next(SHOWN.making)
    except StopIteration:
        SHOWN.making = None
    except (Refused, InbetweenerError) as problem:
        SHOWN.making, SHOWN.arcs, SHOWN.problem = None, [], str(problem)
    except Exception as problem:
        # Blender calls no timer again that has raised: one bad object would end all arcs until the next start.
        SHOWN.making, SHOWN.arcs = None, []
        SHOWN.problem = f"no arcs, by a fault of Inbetweener's: {type(problem).__name__}: {problem}"
    return SHOWN.making is not None


def _remade(chosen: dict[str, list[Place]], scene: bpy.types.Scene, first: int, last: int) -> Iterator[None]:
    found: list[Arc] = []
    for name, places in chosen.items():
        yield from making(found, bpy.data.objects[name], places, scene, first, last)
    SHOWN.arcs, SHOWN.wish, SHOWN.problem = found, None, ""


def redraw() -> None:
    """Have all 3D views drawn again: every window shows the same arcs."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def draw() -> None:
    """Draw what is shown; called by Blender for every 3D view."""
    if not SHOWN.arcs:
        return
    scene = bpy.context.scene
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("ALPHA")
    lines = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    dots = gpu.shader.from_builtin("POINT_FLAT_COLOR")
    viewport = gpu.state.viewport_get()
    for arc in SHOWN.arcs:
        at = arc.first + np.arange(len(arc.points)) / arc.a_frame
        strength = arc.strength(at, scene.frame_current) if scene.inbetweener.fade else np.ones(len(at))
        line = np.column_stack([np.full((len(at), 3), 0.9), 0.7 * strength])
        lines.bind()
        lines.uniform_float("viewportSize", viewport[2:])
        lines.uniform_float("lineWidth", 2.0)
        _draw(lines, "LINE_STRIP", arc.points, line)
        if scene.inbetweener.axes:
            ends, colours = arc.axes()
            colours[:, 3] = np.repeat(strength[:: arc.a_frame], 6)
            lines.uniform_float("lineWidth", 1.5)
            _draw(lines, "LINES", ends, colours)
        colours = arc.colours()
        for ob, place, frame in SHOWN.locks:
            if (ob, place) == (arc.ob, arc.place):
                colours[arc.frames == frame] = LOCKED
        colours[:, 3] *= strength[:: arc.a_frame]
        gpu.state.point_size_set(7.0)
        _draw(dots, "POINTS", arc.ticks, colours)
    if SHOWN.wish is not None:
        gpu.state.point_size_set(10.0)
        _draw(dots, "POINTS", SHOWN.wish[None], np.array([WISH]))
    gpu.state.point_size_set(1.0)
    gpu.state.blend_set("NONE")


def _draw(shader: gpu.types.GPUShader, kind: str, places: np.ndarray, colours: np.ndarray) -> None:
    content = {"pos": np.ascontiguousarray(places, np.float32), "color": np.ascontiguousarray(colours, np.float32)}
    batch_for_shader(shader, kind, content).draw(shader)
