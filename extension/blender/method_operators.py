# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts, guidance and looseness as operators: of the active object, on the bones that are selected."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import PRESETS

from . import loose, methods, readiness
from .arcs import ENDS, SHOWN
from .refusal import Refused


class _Method(bpy.types.Operator):
    """What all have in common: a refusal is one line, and the file is as it was."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Of the active object."""
        if not readiness.is_all_ready():
            cls.poll_message_set("Inbetweener is still getting ready; the status bar says how far")
            return False
        return context.object is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do it, and say what came of it."""
        try:
            lines, problem = self.do(context)
        except (Refused, InbetweenerError) as refused:
            self.report({"ERROR"}, str(refused))
            return {"CANCELLED"}
        for line in lines:
            self.report({"INFO"}, line)
        if problem:
            self.report({"WARNING"}, problem)
        SHOWN.stale = True
        return {"FINISHED"}

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """What it does: lines to tell, and what fell short."""
        raise NotImplementedError


def chosen(context: bpy.types.Context) -> list[str]:
    """The selected bones of the active object, parents first."""
    if context.mode != "POSE":
        return []
    mine = [bone for bone in context.selected_pose_bones or () if bone.id_data == context.object]
    return [bone.name for bone in sorted(mine, key=lambda bone: len(bone.parent_recursive))]


class INBETWEENER_OT_find_contacts(_Method):
    """Find where the selected bones, or without any hands, feet and toes, are nearly still: these are contacts"""

    bl_idname = "inbetweener.find_contacts"
    bl_label = "Find Contacts"

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Find them."""
        end = context.scene.inbetweener.end
        result = methods.find_contacts(context.object, context.scene, [(bone, end) for bone in chosen(context)])
        return result.lines, result.problem


class INBETWEENER_OT_plant(_Method):
    """Let the active object's contacts stand: key poses agree, then handles hold them in between; no key is added"""

    bl_idname = "inbetweener.plant"
    bl_label = "Plant Contacts"

    agree: BoolProperty(name="Agree", description="Change values of keys so that poses agree", default=True)
    hold: BoolProperty(name="Hold", description="Change handles so that it stands between them", default=True)

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Agree, then hold."""
        wanted = [methods.agree] * self.agree + [methods.hold] * self.hold
        if not wanted:
            raise Refused("neither poses nor handles may change; choose Agree, Hold or both")
        results = [each(context.object, context.scene) for each in wanted]
        return tuple(line for each in results for line in each.lines), results[-1].problem


class INBETWEENER_OT_guide(_Method):
    """Lead the handles of the active object's action to less effort or jerk; keys stay, pins and contacts hold"""

    bl_idname = "inbetweener.guide"
    bl_label = "Guide"

    effort: FloatProperty(name="Effort", description="What torques cost", default=1.0, min=0.0, soft_max=2.0)
    jerk: FloatProperty(name="Jerk", description="What sudden changes cost", default=0.0, min=0.0, soft_max=2.0)
    acceleration: FloatProperty(name="Acceleration", description="What haste costs", min=0.0, soft_max=2.0)
    keep: FloatProperty(name="Stay", description="How much to stay with what is there", default=0.3, min=0.001)
    gravity: BoolProperty(name="Gravity", description="Whether torques hold the body up too")
    preview: BoolProperty(name="Preview Range", description="Only handles within the preview range change")
    selected: BoolProperty(name="Selected Bones", description="Only handles of the selected bones change")

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Guide."""
        scene = context.scene
        costs = {"torque": self.effort, "jerk": self.jerk, "acceleration": self.acceleration}
        bones = chosen(context) if self.selected else []
        if self.selected and not bones:
            raise Refused("no bone is selected; select those that may change, or switch Selected Bones off")
        result = methods.guide(
            context.object,
            scene,
            {name: weight for name, weight in costs.items() if weight},
            frames=(float(scene.frame_preview_start), float(scene.frame_preview_end)) if self.preview else None,
            bones=bones,
            regularise=self.keep,
            gravity=self.gravity,
        )
        return result.lines, result.problem


class INBETWEENER_OT_loosen(_Method):
    """Let the selected bones swing about their keys, the last of a chain most; seen once it is baked"""

    bl_idname = "inbetweener.loosen"
    bl_label = "Loosen"

    preset: EnumProperty(
        name="Looseness",
        items=[
            ("custom", "Custom", "As the numbers below say"),
            *(
                (name, name.title(), f"{each.frequency:g} Hz, damping {each.damping:g}")
                for name, each in PRESETS.items()
            ),
            ("none", "None", "They swing no more"),
        ],
        default="relaxed",
    )
    frequency: FloatProperty(name="Swings", description="A second", default=3.0, min=0.05, max=100.0)
    damping: FloatProperty(name="Damping", description="1 comes to rest soonest", default=0.5, min=0.0, max=100.0)
    tip: FloatProperty(
        name="Tip", description="What the last of a chain has of the first one's swings", default=0.6, min=0.05, max=1.0
    )

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Keep the springs with the object."""
        bones = chosen(context)
        if not bones:
            raise Refused("no bone is selected; select those that shall swing, in pose mode")
        if self.preset == "none":
            loose.without(context.object, set(bones))
            return (f"{len(bones)} bones swing no more",), ""
        if self.preset == "custom":
            frequency, damping = self.frequency, self.damping
        else:
            frequency, damping = PRESETS[self.preset].frequency, PRESETS[self.preset].damping
        loose.loosened(context.object, loose.falling(bones, frequency, damping, self.tip))
        return (f"{len(bones)} bones swing; bake to see it",), ""


class INBETWEENER_OT_mark(_Method):
    """Let loose motion hit a mark: the active bone must be at the 3D cursor, or where it is keyed, at this frame"""

    bl_idname = "inbetweener.mark"
    bl_label = "Mark"

    end: EnumProperty(name="End", items=ENDS, default="TAIL")
    at: EnumProperty(
        name="At",
        items=[("KEYED", "As Keyed", "Where it is now"), ("CURSOR", "3D Cursor", "Where the cursor is")],
    )
    length: FloatProperty(name="Hold", description="So many frames from here on", min=0.0)

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Keep the mark with the object, instead of one that the bone had at this frame."""
        bone, ob, frame = context.active_pose_bone, context.object, float(context.scene.frame_current)
        if bone is None:
            raise Refused("no bone is active; click on the one that shall hit the mark")
        local = bone.head if self.end == "HEAD" else bone.tail
        x, y, z = context.scene.cursor.location if self.at == "CURSOR" else ob.matrix_world @ local
        until = frame + self.length if self.length else None
        made = loose.Mark(bone.name, self.end, frame, (x, y, z), until)
        others = [each for each in loose.marks(ob) if (each.bone, each.end, each.frame) != (bone.name, self.end, frame)]
        loose.keep(ob, loose.swings(ob), [*others, made])
        return (f"{made}: marked",), ""


class INBETWEENER_OT_unmark(_Method):
    """Remove every spring and mark of the active object"""

    bl_idname = "inbetweener.unmark"
    bl_label = "Tighten All"

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Nothing swings any more."""
        loose.keep(context.object, [], [])
        return (), ""


class INBETWEENER_OT_bake(_Method):
    """Bake what swings, with its marks hit, into a new action of few keys; the action before is kept"""

    bl_idname = "inbetweener.bake"
    bl_label = "Bake Looseness"

    tolerance: FloatProperty(name="Tolerance", default=0.001, min=1e-5, soft_max=0.1, subtype="DISTANCE")

    def do(self, context: bpy.types.Context) -> tuple[tuple[str, ...], str]:
        """Simulate, solve, bake."""
        return (methods.bake(context.object, context.scene, self.tolerance),), ""


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The part of the tab that has all this."""
    column = layout.column(align=True)
    column.operator("inbetweener.pull", icon="CON_KINEMATIC")
    column.operator("inbetweener.line", icon="CURVE_BEZCURVE")
    column = layout.column(align=True)
    column.operator("inbetweener.find_contacts", icon="VIEWZOOM")
    column.operator("inbetweener.plant", icon="SNAP_ON")
    layout.operator("inbetweener.guide", icon="FORCE_TURBULENCE")
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("inbetweener.loosen", icon="FORCE_HARMONIC")
    row.operator("inbetweener.mark", icon="PIVOT_CURSOR")
    ob = context.object
    if ob is not None and (loose.swings(ob) or loose.marks(ob)):
        column.operator("inbetweener.bake", icon="ACTION")
        for swing in loose.swings(ob):
            layout.label(text=str(swing), icon="FORCE_HARMONIC")
        for mark in loose.marks(ob):
            layout.label(text=str(mark), icon="PIVOT_CURSOR")
        layout.operator("inbetweener.unmark", icon="X")


CLASSES = (
    INBETWEENER_OT_find_contacts,
    INBETWEENER_OT_plant,
    INBETWEENER_OT_guide,
    INBETWEENER_OT_loosen,
    INBETWEENER_OT_mark,
    INBETWEENER_OT_unmark,
    INBETWEENER_OT_bake,
)
