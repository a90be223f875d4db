# SPDX-License-Identifier: GPL-3.0-or-later
"""Dragging an arc with the pointer: what Blender's own tools do with axes, planes, numbers, steps and the wheel."""

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, StringProperty

from inbetweener.errors import InbetweenerError

from . import arcs, readiness, snapping
from .arcs import ENDS, SHOWN, Arc
from .dragging import Dragging
from .hand import TURN, Hand, increment
from .pointer import Pointer, require_view, towards_eye
from .refusal import Refused

NEAR = 14.0
"""Pixels: how near to a frame of an arc a press must be."""
NOTCH = 0.05
"""How much faster or slower one notch of the wheel makes it."""
AXES = [("NONE", "None", "Freely"), *((axis, axis, f"The axis {axis}") for axis in "XYZ")]


class INBETWEENER_OT_drag(bpy.types.Operator):
    """Drag an arc: only Bezier handles change. Ctrl-click locks a frame; X, Y, Z keep to an axis, with Shift to a
    plane; numbers can be typed; Ctrl snaps, Shift is slow, the wheel scales timing; Esc cancels"""

    bl_idname = "inbetweener.drag"
    bl_label = "Drag Arc"
    bl_options = {"REGISTER"}  # noqa: RUF012

    bone: StringProperty(name="Bone", description="Without a name, the object itself")
    end: EnumProperty(name="End", items=ENDS)
    frame: FloatProperty(name="Frame", description="Of the arc; between frames too")
    target: FloatVectorProperty(
        name="Target", subtype="TRANSLATION", unit="LENGTH", description="Where to, in the world"
    )
    turn: FloatVectorProperty(
        name="Turn", description="Axis times angle in the world: turns where it stands instead of moving it"
    )
    faster: FloatProperty(name="Faster", description="Scales the timing around the frame; slower below 0", soft_max=0.5)
    axis: EnumProperty(name="Axis", description="Keep to it from the start", items=AXES, options={"SKIP_SAVE"})
    plane: BoolProperty(name="Plane", description="Across the axis instead of along it", options={"SKIP_SAVE"})
    local: BoolProperty(name="Local", description="The axis of the bone, not of the world", options={"SKIP_SAVE"})
    held: EnumProperty(
        name="Take Hold",
        items=[
            ("POINTER", "Under the Pointer", "The frame of an arc that is under the pointer"),
            ("MOVE", "This Frame", "The current frame of the active arc, to move it"),
            ("TURN", "Turn", "The current frame of the active arc, to turn it"),
        ],
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Drag the active object's bone to a place at once, or turn it."""
        turning, moving = any(self.turn), self.properties.is_property_set("target")
        try:
            drag = Dragging(context.object, (self.bone, self.end), self.frame, context.scene, turning=turning)
            try:
                if self.faster:
                    drag.faster(self.faster)
                if moving or turning:
                    drag.to(self.target if moving else None, self.turn if turning else None)
            except Exception:
                drag.cancel()
                raise
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return self._kept(context, drag)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take hold of the frame that is under the pointer, if there is one, or of the one that a gizmo is for."""
        if not SHOWN.arcs or context.region is None or context.region.type != "WINDOW":
            return {"PASS_THROUGH"}
        at = (event.mouse_region_x, event.mouse_region_y)
        found = under(context, at) if self.held == "POINTER" else arcs.current(context)
        if found is None:
            return {"PASS_THROUGH"}
        arc, number = found
        frame = float(arc.frames[number])
        if event.ctrl and self.held == "POINTER":
            SHOWN.locks ^= {(arc.ob, arc.place, frame)}
            arcs.redraw()
            return {"FINISHED"}
        if not readiness.is_ready():
            self.report({"INFO"}, f"Inbetweener is getting ready: {readiness.percent()} %")
            return {"CANCELLED"}
        locks = [each for ob, place, each in SHOWN.locks if (ob, place) == (arc.ob, arc.place)]
        self._turns = self.held == "TURN"
        try:
            self._drag = Dragging(bpy.data.objects[arc.ob], arc.place, frame, context.scene, locks, turning=self._turns)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self._arc = arc
        self._hand = Hand(self._drag.axes)
        if self.axis != "NONE":
            self._hand.keep_to(self.axis, self.plane, self.local)
        (self.bone, self.end), self.frame = arc.place, frame
        self._wheel = 0
        self._pointer = Pointer(context, event, self._drag.start)
        context.window_manager.modal_handler_add(self)
        self._tell(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the pointer; whatever goes wrong cancels the drag and leaves the file as it was."""
        try:
            require_view(context)
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
        pressed = event.value == "PRESS"
        if pressed and event.type in {"ESC", "RIGHTMOUSE"}:
            self._end(context)
            self._drag.cancel()
            arcs.refresh(context)
            return {"CANCELLED"}
        if (event.type == "LEFTMOUSE" and event.value == "RELEASE") or (
            pressed and event.type in {"RET", "NUMPAD_ENTER"}
        ):
            # Where the pointer lets go counts: a busy Blender may not have told of the last moves.
            if event.type == "LEFTMOUSE":
                self._pointer.go(context, event)
                self._go(context, event)
            self._end(context)
            return self._kept(context, self._drag)
        if event.type in {"WHEELUPMOUSE", "WHEELDOWNMOUSE"}:
            self._wheel += 1 if event.type == "WHEELUPMOUSE" else -1
            self._drag.faster(NOTCH * self._wheel)
            self.faster = self._drag.amount
        elif event.type == "MOUSEMOVE":
            self._pointer.go(context, event)
        elif event.type not in {"LEFT_CTRL", "RIGHT_CTRL"} and not (
            pressed and self._hand.press(event.type, event.shift)
        ):
            return {"RUNNING_MODAL"}
        self._go(context, event)
        self._redraw()
        self._tell(context)
        return {"RUNNING_MODAL"}

    def _go(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        snaps = snapping.wanted(context.scene, event.ctrl)
        if self._turns:
            axis = self._hand.turn_axis()
            # Seen from behind, the pointer turns the other way.
            sign = 1.0 if float(axis @ towards_eye(context)) > 0.0 else -1.0
            step = TURN / (5.0 if event.shift else 1.0) if snaps else 0.0
            self.turn = tuple(self._hand.angle(sign * self._pointer.turned, step) * axis)
            solution, wish = self._drag.to(turn=self.turn), self._drag.start
        else:
            step = increment(context.region_data.view_distance, event.shift) if snaps else 0.0
            wish = self._drag.start + self._hand.way(self._pointer.gone, step)
            if snaps and not self._hand.is_typed and not self._hand.axis:
                mover = bpy.data.objects[self._arc.ob]
                met = snapping.to_surface(context, mover, *self._pointer.look(context, event))
                wish = wish if met is None else met
            solution = self._drag.to(wish)
            self.target = tuple(wish)
        SHOWN.wish = None if solution.reached else wish

    def _redraw(self) -> None:
        """Where the arc is now."""
        motion = self._drag.moved()
        times = self._drag.take.times(self._arc.first, self._arc.frames[-1], self._arc.a_frame)
        self._arc.points, self._arc.turns = motion.states(times, self._drag.place)
        arcs.redraw()

    def _tell(self, context: bpy.types.Context) -> None:
        said = self._hand.told()
        context.area.header_text_set(f"{said}  |  {self._drag.told()}" if said else self._drag.told())

    def _end(self, context: bpy.types.Context) -> None:
        SHOWN.wish = None
        if context.area is not None:
            context.area.header_text_set(None)
        arcs.redraw()

    def _kept(self, context: bpy.types.Context, drag: Dragging) -> set[str]:
        drag.keep()
        told = drag.told()
        if drag.froze:
            told += "; automatic handles of these curves are aligned now"
        self.report({"INFO"} if drag.drag.solution.reached else {"WARNING"}, told)
        did = "Turn" if any(self.turn) else "Drag"
        bpy.ops.ed.undo_push(message=f"{did} {drag.place} at frame {self.frame:g}")
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


CLASSES = (INBETWEENER_OT_drag,)
