# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing in the viewport: pull a bone with all above it, or lay a chain of bones along a stroke."""

from collections.abc import Sequence
from itertools import pairwise

import bpy
import gpu
import numpy as np
from bpy.props import CollectionProperty, EnumProperty, FloatVectorProperty, IntProperty, StringProperty
from gpu_extras.batch import batch_for_shader

from inbetweener.errors import InbetweenerError

from . import readiness, snapping
from .arcs import ENDS, SHOWN
from .hand import Hand, increment
from .pointer import Pointer, require_view
from .pulling import Pulling, along
from .refusal import Refused


class INBETWEENER_OT_pull(bpy.types.Operator):
    """Pull the active bone: those above follow, what is pinned stays, and the pose is keyed here. X, Y, Z, numbers,
    Ctrl and Shift as in Blender's own tools; Esc cancels"""

    bl_idname = "inbetweener.pull"
    bl_label = "Pull Pose"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    bone: StringProperty(name="Bone", description="The active one by default")
    end: EnumProperty(name="End", items=ENDS, default="TAIL")
    chain: IntProperty(name="Chain", description="Bones that may move, from the pulled one up; 0 for all", min=0)
    target: FloatVectorProperty(
        name="Target", subtype="TRANSLATION", unit="LENGTH", description="Where to, in the world"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """An armature in pose mode."""
        return context.mode == "POSE" and readiness.is_ready()

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Pull to a place at once."""
        try:
            pull = self._begun(context)
            try:
                pull.to(self.target)
            except Exception:
                pull.cancel()
                raise
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return self._kept(pull)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take hold of the active bone."""
        self.bone = ""
        try:
            self._pull = self._begun(context)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        start = self._pull.starts[0]
        axes = np.array(
            (context.object.matrix_world @ context.object.pose.bones[self.bone].matrix).to_3x3().normalized()
        )
        self._hand, self._pointer = Hand(axes), Pointer(context, event, start)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the pointer; whatever goes wrong puts the pose back."""
        pressed = event.value == "PRESS"
        try:
            require_view(context)
            if pressed and event.type in {"ESC", "RIGHTMOUSE"}:
                self.cancel(context)
                return {"CANCELLED"}
            if pressed and event.type in {"LEFTMOUSE", "RET", "NUMPAD_ENTER"}:
                context.area.header_text_set(None)
                return self._kept(self._pull)
            if event.type == "MOUSEMOVE":
                self._pointer.go(context, event)
            elif event.type not in {"LEFT_CTRL", "RIGHT_CTRL"} and not (
                pressed and self._hand.press(event.type, event.shift)
            ):
                return {"RUNNING_MODAL"}
            snaps = snapping.wanted(context.scene, event.ctrl)
            step = increment(context.region_data.view_distance, event.shift) if snaps else 0.0
            self.target = tuple(self._pull.starts[0] + self._hand.way(self._pointer.gone, step))
            self._pull.to(self.target)
        except Exception as problem:
            self.cancel(context)
            self.report({"ERROR"}, f"pull cancelled: {problem}")
            return {"CANCELLED"}
        context.area.header_text_set("  |  ".join(filter(None, (self._hand.told(), self._pull.told()))))
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """The pose as it was; Blender itself may ask for that."""
        if context.area is not None:
            context.area.header_text_set(None)
        self._pull.cancel()

    def _begun(self, context: bpy.types.Context) -> Pulling:
        if not self.bone:
            if context.active_pose_bone is None:
                raise Refused("no bone is active; click on the one to pull")
            self.bone = context.active_pose_bone.name
        return Pulling(context.object, [(self.bone, self.end)], context.scene, self.chain)

    def _kept(self, pull: Pulling) -> set[str]:
        count = pull.keep()
        keyed = f"; {count} properties keyed" if pull.take.sources else "; not keyed, as nothing of it is"
        self.report({"INFO"} if pull.drag.solution.reached else {"WARNING"}, pull.told() + keyed)
        SHOWN.stale = True
        return {"FINISHED"}


class InbetweenerStrokePoint(bpy.types.PropertyGroup):
    """A point of a stroke, in the world."""

    location: FloatVectorProperty(name="Location", subtype="TRANSLATION", unit="LENGTH")


class INBETWEENER_OT_line(bpy.types.Operator):
    """Lay the selected chain of bones along a line that is drawn in the view; the pose is keyed here, Esc cancels"""

    bl_idname = "inbetweener.line"
    bl_label = "Line of Action"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    stroke: CollectionProperty(type=InbetweenerStrokePoint, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Bones must be selected."""
        return context.mode == "POSE" and bool(context.selected_pose_bones) and readiness.is_ready()

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Lay the chain along the stroke, in the world."""
        try:
            told, reached = laid(context, np.array([tuple(each.location) for each in self.stroke]).reshape(-1, 3))
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"} if reached else {"WARNING"}, told)
        SHOWN.stale = True
        return {"FINISHED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Wait for the press that begins the line."""
        try:
            first = chain(context)[0]
        except Refused as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self._pointer = Pointer(context, event, np.array(context.object.matrix_world @ first.head))
        self._points: list[np.ndarray] = []
        self._draws = False
        self._drawn = bpy.types.SpaceView3D.draw_handler_add(_draw, (self._points,), "WINDOW", "POST_VIEW")
        context.area.header_text_set(
            "Draw the line along which the bones shall lie, from the first of them on; Esc: not"
        )
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Gather the line while the button is down."""
        try:
            require_view(context)
        except Refused as problem:
            self.cancel(context)
            self.report({"ERROR"}, f"line cancelled: {problem}")
            return {"CANCELLED"}
        if event.type in {"ESC", "RIGHTMOUSE"}:
            self.cancel(context)
            return {"CANCELLED"}
        if event.type == "LEFTMOUSE":
            self._draws = event.value == "PRESS"
            if not self._draws:
                self.cancel(context)
                for point in self._points:
                    self.stroke.add().location = point
                return self.execute(context)
        if self._draws and event.type in {"LEFTMOUSE", "MOUSEMOVE"}:
            self._points.append(self._pointer.at(context, event))
            context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Draw nothing any more."""
        bpy.types.SpaceView3D.draw_handler_remove(self._drawn, "WINDOW")
        if context.area is not None:
            context.area.header_text_set(None)
            context.area.tag_redraw()


def chain(context: bpy.types.Context) -> list[bpy.types.PoseBone]:
    """The selected bones of the active object, each the child of the one before."""
    chosen = [each for each in context.selected_pose_bones if each.id_data == context.object]
    ordered = sorted(chosen, key=lambda bone: len(bone.parent_recursive))
    for parent, child in pairwise(ordered):
        if child.parent != parent:
            raise Refused(f"{child.name} is no child of {parent.name}; select bones that follow each other")
    if not ordered:
        raise Refused(f"no bone of {context.object.name} is selected; select a chain")
    return ordered


def laid(context: bpy.types.Context, stroke: np.ndarray) -> tuple[str, bool]:
    """Lay the selected chain along a stroke (n, 3); a line on how well that went, and whether it did."""
    bones, ob = chain(context), context.object
    heads = np.array([ob.matrix_world @ bone.head for bone in bones])
    ends = np.array([*heads[1:], ob.matrix_world @ bones[-1].tail])
    lengths = np.linalg.norm(ends - heads, axis=1)
    targets = along(stroke, heads[0], lengths.tolist())
    places: list[tuple[str, str]] = [*((bone.name, "HEAD") for bone in bones[1:]), (bones[-1].name, "TAIL")]
    pull = Pulling(ob, places, context.scene, only=[bone.name for bone in bones])  # type: ignore[arg-type]
    try:
        # Bit by bit, as a hand would: a chain that is to bend knows then which way.
        for share in np.linspace(0.25, 1.0, 4):
            solution = pull.to(*(pull.starts + share * (targets - pull.starts)))
    except Exception:
        pull.cancel()
        raise
    pull.keep()
    off = float(solution.distances.max())
    return f"{len(bones)} bones lie along the line, {1000.0 * off:.1f} mm from it at most", bool(solution.reached)


def _draw(points: Sequence[np.ndarray]) -> None:
    if len(points) < 2:
        return
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", 3.0)
    shader.uniform_float("color", (1.0, 0.6, 0.1, 1.0))
    batch_for_shader(shader, "LINE_STRIP", {"pos": np.array(points, np.float32)}).draw(shader)


CLASSES = (InbetweenerStrokePoint, INBETWEENER_OT_pull, INBETWEENER_OT_line)
