# SPDX-License-Identifier: GPL-3.0-or-later
"""One tab in the sidebar of the 3D view."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty

from . import method_operators, pins, readiness
from .arcs import ENDS, SHOWN
from .refusal import Refused


def _changed(_: bpy.types.PropertyGroup, __: bpy.types.Context) -> None:
    SHOWN.stale = True


class InbetweenerSettings(bpy.types.PropertyGroup):
    """What is shown, kept with the scene."""

    show: BoolProperty(name="Arcs", description="Show the arcs of what is selected", update=_changed)
    end: EnumProperty(name="Of", description="Which end of bones", items=ENDS, update=_changed)
    around: IntProperty(
        name="Around",
        description="Frames before and after the current one; 0 for all",
        min=0,
        soft_max=250,
        update=_changed,
    )

    fade: BoolProperty(name="Fade", description="Frames far from the current one are faint")
    axes: BoolProperty(name="Axes", description="Show at every frame how it is turned")
    gizmo: BoolProperty(
        name="Gizmo",
        description="Arrows, squares and rings at the current frame: drag along axes, in planes, or turn it",
        default=True,
    )


class INBETWEENER_PT_arcs(bpy.types.Panel):
    """Arcs, drags and pins"""

    bl_label = "Inbetweener"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Inbetweener"

    def draw(self, context: bpy.types.Context) -> None:
        """Lay the tab out."""
        layout, settings = self.layout, context.scene.inbetweener
        layout.use_property_split, layout.use_property_decorate = True, False
        if not readiness.is_ready():
            layout.label(text=f"Getting ready: {readiness.percent()} %", icon="SORTTIME")
        layout.prop(settings, "show", toggle=True, icon="CURVE_PATH")
        column = layout.column()
        column.active = settings.show
        column.prop(settings, "end")
        column.prop(settings, "around")
        row = column.row(heading="Show")
        row.prop(settings, "fade")
        row.prop(settings, "axes")
        row.prop(settings, "gizmo")
        if SHOWN.problem:
            layout.label(text=SHOWN.problem, icon="ERROR")
        row = layout.row(align=True)
        row.operator("inbetweener.pin", icon="PINNED").kind = "pin"
        row.operator("inbetweener.pin", text="Contact", icon="SNAP_ON").kind = "contact"
        layout.operator("inbetweener.fit", icon="FCURVE")
        for name, icon in (("send", "EXPORT"), ("fetch", "IMPORT")):
            row = layout.row(align=True)
            row.operator(f"inbetweener.{name}", icon=icon)
            row.operator(f"inbetweener.{name}", text="", icon="FILE").by_file = True
        if context.object is None:
            return
        try:
            rules = pins.held(context.object)
            self._methods(context)
        except Refused as problem:
            layout.label(text=str(problem), icon="ERROR")
            return
        for rule in rules:
            layout.label(text=str(rule), icon="PINNED" if rule.kind == "pin" else "SNAP_ON")
        if rules:
            layout.operator("inbetweener.unpin", icon="UNPINNED")

    def _methods(self, context: bpy.types.Context) -> None:
        header, body = self.layout.panel("inbetweener_methods", default_closed=False)
        header.label(text="Pose, Contacts, Physics")
        if body is not None:
            method_operators.draw(body, context)


CLASSES = (InbetweenerSettings, INBETWEENER_PT_arcs)
