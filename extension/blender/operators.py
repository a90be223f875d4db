# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animator can do: show arcs, drag them, pin and unpin, fit, and take an action to the Studio and back."""

from pathlib import Path

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy_extras import view3d_utils
from mathutils import Vector

from inbetweener import formats
from inbetweener.errors import InbetweenerError

from . import arcs, pins, readiness
from .arcs import SHOWN, Arc
from .dragging import Dragging
from .exchange import fetched, sent
from .fitting import fit
from .refusal import Refused

NEAR = 14.0
"""Pixels: how near to a frame of an arc a press must be."""
AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
ENDS = [("HEAD", "Head", "The start of a bone"), ("TAIL", "Tail", "The end of a bone")]


class INBETWEENER_OT_arcs(bpy.types.Operator):
    """Show the arcs of selected bones or objects, or hide them"""

    bl_idname = "inbetweener.arcs"
    bl_label = "Show Arcs"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Turn arcs on or off."""
        context.scene.inbetweener.show = not context.scene.inbetweener.show
        if SHOWN.problem:
            self.report({"WARNING"}, SHOWN.problem)
        return {"FINISHED"}


class INBETWEENER_OT_drag(bpy.types.Operator):
    """Drag an arc: only Bezier handles change. Ctrl-click locks a frame; X, Y, Z keep to an axis; Esc cancels"""

    bl_idname = "inbetweener.drag"
    bl_label = "Drag Arc"
    bl_options = {"REGISTER"}  # noqa: RUF012

    bone: StringProperty(name="Bone", description="Without a name, the object itself")
    end: EnumProperty(name="End", items=ENDS)
    frame: FloatProperty(name="Frame")
    target: FloatVectorProperty(name="Target", subtype="TRANSLATION", unit="LENGTH")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Drag the active object's bone to a place at once."""
        try:
            drag = Dragging(context.object, (self.bone, self.end), self.frame, context.scene)
            try:
                drag.to(self.target)
            except Exception:
                drag.cancel()
                raise
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return self._kept(context, drag)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take hold of the frame that is under the pointer, if there is one."""
        if not SHOWN.arcs or context.region is None or context.region.type != "WINDOW":
            return {"PASS_THROUGH"}
        found = under(context, (event.mouse_region_x, event.mouse_region_y))
        if found is None:
            return {"PASS_THROUGH"}
        arc, number = found
        frame = float(arc.frames[number])
        if event.ctrl:
            SHOWN.locks ^= {(arc.ob, arc.place, frame)}
            context.area.tag_redraw()
            return {"FINISHED"}
        if not readiness.is_ready():
            self.report({"INFO"}, f"Inbetweener is getting ready: {readiness.percent()} %")
            return {"CANCELLED"}
        locks = [at for ob, place, at in SHOWN.locks if (ob, place) == (arc.ob, arc.place)]
        try:
            self._drag = Dragging(bpy.data.objects[arc.ob], arc.place, frame, context.scene, locks)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self._arc = arc
        self._axis: str | None = None
        (self.bone, self.end), self.frame = arc.place, frame
        self._pressed = self._point(context, event)
        context.window_manager.modal_handler_add(self)
        context.area.header_text_set(self._drag.told())
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the pointer; whatever goes wrong cancels the drag and leaves the file as it was."""
        try:
            return self._followed(context, event)
        except Exception as problem:
            self._end(context)
            self._drag.cancel()
            arcs.refresh(context)
            self.report({"ERROR"}, f"drag cancelled: {problem}")
            return {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender itself ends the drag: another file, another screen."""
        self._drag.cancel()
        SHOWN.clear()

    def _followed(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type in {"ESC", "RIGHTMOUSE"}:
            self._end(context)
            self._drag.cancel()
            arcs.refresh(context)
            return {"CANCELLED"}
        if event.type in AXES and event.value == "PRESS":
            self._axis = None if self._axis == event.type else event.type
        if event.type == "MOUSEMOVE" or event.type in AXES:
            way = self._point(context, event) - self._pressed
            if self._axis is not None:
                way = np.array(AXES[self._axis]) * float(way @ np.array(AXES[self._axis]))
            wish = self._drag.start + way
            solution = self._drag.to(wish)
            self.target = tuple(wish)
            SHOWN.wish = None if solution.reached else wish
            self._redraw(context)
            context.area.header_text_set(self._drag.told())
        if event.type == "LEFTMOUSE" and event.value == "RELEASE":
            self._end(context)
            return self._kept(context, self._drag)
        return {"RUNNING_MODAL"}

    def _redraw(self, context: bpy.types.Context) -> None:
        """Where the arc is now."""
        motion = self._drag.moved()
        times = self._drag.take.times(self._arc.first, self._arc.frames[-1], self._arc.a_frame)
        self._arc.points = motion.states(times, self._drag.place)[0]
        context.area.tag_redraw()

    def _point(self, context: bpy.types.Context, event: bpy.types.Event) -> np.ndarray:
        """Where the pointer is, as far away as what is dragged was."""
        at = (event.mouse_region_x, event.mouse_region_y)
        depth = Vector(self._drag.start)
        return np.array(view3d_utils.region_2d_to_location_3d(context.region, context.region_data, at, depth))

    def _end(self, context: bpy.types.Context) -> None:
        SHOWN.wish = None
        context.area.header_text_set(None)
        context.area.tag_redraw()

    def _kept(self, context: bpy.types.Context, drag: Dragging) -> set[str]:
        drag.keep()
        told = drag.told()
        if drag.froze:
            told += "; automatic handles of these curves are aligned now"
        self.report({"INFO"} if drag.drag.solution.reached else {"WARNING"}, told)
        bpy.ops.ed.undo_push(message=f"Drag {drag.place} at frame {self.frame:g}")
        SHOWN.stale = True
        return {"FINISHED"}


class INBETWEENER_OT_pin(bpy.types.Operator):
    """Pin selected bones, or the object: other drags leave them where they are; again to unpin"""

    bl_idname = "inbetweener.pin"
    bl_label = "Pin"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    kind: EnumProperty(
        name="Kind",
        items=[
            ("pin", "Pin", "Keeps its arc as it is"),
            ("contact", "Contact", "Stays where it is at the first frame"),
        ],
    )
    over: EnumProperty(
        name="Over",
        items=[
            ("ALL", "All Frames", "As long as the action lasts"),
            ("FRAME", "This Frame", "At the current frame"),
            ("PREVIEW", "Preview Range", "From its first frame to its last"),
        ],
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pin what is not pinned so, unpin what is."""
        scene = context.scene
        first = last = None
        if self.over == "FRAME":
            first = last = float(scene.frame_current)
        elif self.over == "PREVIEW":
            first, last = float(scene.frame_preview_start), float(scene.frame_preview_end)
        elif self.kind == "contact":
            first, last = float(scene.frame_start), float(scene.frame_end)
        chosen = arcs.selected(context)
        if not chosen:
            self.report({"ERROR"}, "nothing is selected that has an action; select bones in pose mode, or objects")
            return {"CANCELLED"}
        try:
            for name, places in chosen.items():
                ob, rules = bpy.data.objects[name], pins.held(bpy.data.objects[name])
                for place in places:
                    rules = pins.toggled(rules, pins.Held(*place, self.kind, first, last))
                pins.keep(ob, rules)
        except Refused as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        SHOWN.stale = True
        return {"FINISHED"}


class INBETWEENER_OT_unpin(bpy.types.Operator):
    """Remove every pin and contact of the active object"""

    bl_idname = "inbetweener.unpin"
    bl_label = "Unpin All"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be pinned."""
        return context.object is not None and pins.PROPERTY in context.object

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Unpin all."""
        del context.object[pins.PROPERTY]
        SHOWN.stale = True
        return {"FINISHED"}


class INBETWEENER_OT_fit(bpy.types.Operator):
    """Replace the keys of a baked or captured action by few; nothing moves farther than the tolerance"""

    bl_idname = "inbetweener.fit"
    bl_label = "Fit to Few Keys"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    tolerance: FloatProperty(name="Tolerance", default=0.005, min=1e-5, soft_max=0.1, subtype="DISTANCE")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Of the active object."""
        return context.object is not None and readiness.is_ready()

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Fit, and say what came of it."""
        try:
            report = fit(context.object, context.scene, self.tolerance)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, str(report))
        SHOWN.stale = True
        return {"FINISHED"}


class INBETWEENER_OT_send(bpy.types.Operator):
    """Write the active object with bones, skins, action and pins to a file that the Studio opens; curves stay curves"""

    bl_idname = "inbetweener.send"
    bl_label = "Send to Studio"
    bl_options = {"REGISTER"}  # noqa: RUF012

    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.tween", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Of the active object."""
        return context.object is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where to, beside this file by default."""
        folder = Path(bpy.data.filepath).parent if bpy.data.filepath else Path.home()
        self.filepath = self.filepath or str(folder / f"{bpy.path.clean_name(context.object.name)}.tween")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Write, and say what is not in it."""
        try:
            made = sent(context.object, context.scene)
            path = Path(bpy.path.abspath(self.filepath)).with_suffix(".tween")
            formats.write(made.document, path)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        for line in made.left:
            self.report({"WARNING"}, line)
        self.report({"INFO"}, f"{path.name} written; open it with: inbetweener studio {path}")
        return {"FINISHED"}


class INBETWEENER_OT_fetch(bpy.types.Operator):
    """Take the curves and pins of a file that was sent to the Studio back into the active object's action"""

    bl_idname = "inbetweener.fetch"
    bl_label = "Fetch from Studio"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.tween", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Into the active object."""
        return context.object is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask which file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read, and put it into the action."""
        try:
            document = formats.read(Path(bpy.path.abspath(self.filepath))).document
            told = fetched(context.object, context.scene, document)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, told)
        SHOWN.stale = True
        return {"FINISHED"}


def under(context: bpy.types.Context, at: tuple[int, int]) -> tuple[Arc, int] | None:
    """The arc and number of the tick that is nearest to a pixel, where one is near enough."""
    matrix = np.array(context.region_data.perspective_matrix)
    half = np.array([context.region.width, context.region.height]) / 2.0
    best, nearest = None, NEAR
    for arc in SHOWN.arcs:
        seen = np.column_stack([arc.ticks, np.ones(len(arc.ticks))]) @ matrix.T
        before = seen[:, 3] > 0.0
        pixels = half * (1.0 + seen[:, :2] / np.where(before, seen[:, 3], 1.0)[:, None])
        away = np.where(before, np.linalg.norm(pixels - np.array(at), axis=1), np.inf)
        if away.min() < nearest:
            best, nearest = (arc, int(np.argmin(away))), float(away.min())
    return best


CLASSES = (
    INBETWEENER_OT_arcs,
    INBETWEENER_OT_drag,
    INBETWEENER_OT_pin,
    INBETWEENER_OT_unpin,
    INBETWEENER_OT_fit,
    INBETWEENER_OT_send,
    INBETWEENER_OT_fetch,
)
