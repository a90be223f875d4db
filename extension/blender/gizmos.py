# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles to take hold of at the current frame of an arc: arrows for axes, squares for planes, rings to turn by."""

import bpy
from mathutils import Matrix, Vector

from . import arcs
from .pointer import towards_eye

AXES = "XYZ"
GAP = 0.3
"""Sizes of a gizmo between the frame and its arrows."""
EDGE = 0.25
"""What is seen at a smaller cosine than this is seen from its edge."""
_ALONG = {
    "X": Matrix(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))),
    "Y": Matrix(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))),
    "Z": Matrix.Identity(3),
}
"""What turns Z, along which gizmos are drawn, into each axis."""


class INBETWEENER_GGT_arc(bpy.types.GizmoGroup):
    """Moves and turns the current frame of an arc along axes"""

    bl_idname = "INBETWEENER_GGT_arc"
    bl_label = "Arc"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Where an arc is shown at the current frame, and gizmos are wanted."""
        return context.scene.inbetweener.gizmo and arcs.current(context) is not None

    def setup(self, context: bpy.types.Context) -> None:
        """Make them once."""
        theme = context.preferences.themes[0].user_interface
        self._made: list[tuple[bpy.types.Gizmo, str]] = []
        self._local = _is_local(context)
        for axis in AXES:
            for kind, held, plane in (
                ("GIZMO_GT_arrow_3d", "MOVE", False),
                ("GIZMO_GT_primitive_3d", "MOVE", True),
                ("GIZMO_GT_dial_3d", "TURN", False),
            ):
                made = self.gizmos.new(kind)
                self._operate(made, axis, held, plane)
                made.color = getattr(theme, f"axis_{axis.lower()}")
                made.alpha, made.alpha_highlight = 0.6, 1.0
                made.color_highlight = tuple(min(1.0, each + 0.3) for each in made.color)
                made.use_draw_modal = made.use_draw_offset_scale = True
                if kind == "GIZMO_GT_arrow_3d":
                    # The middle is the frame itself, which is dragged freely.
                    made.length, made.matrix_offset = 0.7, Matrix.Translation((0.0, 0.0, GAP))
                if kind == "GIZMO_GT_dial_3d":
                    made.draw_options, made.line_width, made.scale_basis = {"CLIP"}, 2.0, 0.8
                if plane:
                    made.scale_basis = 0.1
                    # Off the middle, as the squares of Blender's own gizmo are.
                    made.matrix_offset = Matrix.Translation((4.0, 4.0, 0.0))
                self._made.append((made, axis))

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put them where the arc is now."""
        found = arcs.current(context)
        if found is None:
            return
        if self._local != _is_local(context):
            self._local = _is_local(context)
            for n, (made, axis) in enumerate(self._made):
                self._operate(made, axis, "TURN" if n % 3 == 2 else "MOVE", n % 3 == 1)
        arc, number = found
        axes = Matrix(arc.turns[arc.a_frame * number]) if self._local else Matrix.Identity(3)
        at, eye = Matrix.Translation(arc.ticks[number]), Vector(towards_eye(context))
        for n, (made, axis) in enumerate(self._made):
            turned = axes @ _ALONG[axis]
            made.matrix_basis = at @ turned.to_4x4()
            # A ring or square that is seen from its edge, or an arrow from its end, would lie across the frame.
            cosine = abs(turned.col[2].dot(eye))
            made.hide = cosine > 1.0 - EDGE**2 if n % 3 == 0 else cosine < EDGE

    def _operate(self, made: bpy.types.Gizmo, axis: str, held: str, plane: bool) -> None:
        does = made.target_set_operator("inbetweener.drag")
        does.held, does.axis, does.plane, does.local = held, axis, plane, self._local


def _is_local(context: bpy.types.Context) -> bool:
    """Whether the scene's transforms are along the axes of what is held."""
    return bool(context.scene.transform_orientation_slots[0].type == "LOCAL")


CLASSES = (INBETWEENER_GGT_arc,)
