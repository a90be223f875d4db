# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animator can do besides dragging: show arcs, pin and unpin, fit."""

import bpy
from bpy.props import EnumProperty, FloatProperty

from inbetweener.errors import InbetweenerError

from . import arcs, pins, readiness
from .arcs import SHOWN
from .fitting import fit
from .refusal import Refused


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
        pins.keep(context.object, [])
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


CLASSES = (
    INBETWEENER_OT_arcs,
    INBETWEENER_OT_pin,
    INBETWEENER_OT_unpin,
    INBETWEENER_OT_fit,
)
