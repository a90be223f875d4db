# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapping as Blender's own tools do it: to increments, or to what is under the pointer, as the scene's magnet says."""

import bpy
import numpy as np
from mathutils import Vector

MOST = 16
"""Surfaces of the character itself that a look may pass through."""
AHEAD = 1e-4
"""Metres by which a look goes on behind a surface that it passes through."""


def wanted(scene: bpy.types.Scene, ctrl: bool) -> bool:
    """Whether to snap: the magnet says so, and Ctrl the opposite."""
    return bool(scene.tool_settings.use_snap) != ctrl


def to_surface(
    context: bpy.types.Context, mover: bpy.types.Object, origin: np.ndarray, direction: np.ndarray
) -> np.ndarray | None:
    """Where a look (3,) along a direction (3,) meets something to snap to: a face, or the vertex of it that is nearest.

    What the mover deforms or carries is looked through. None where nothing is met, or the magnet asks for no surface.
    """
    elements = context.scene.tool_settings.snap_elements
    if not {"FACE", "VERTEX"} & set(elements):
        return None
    graph, at, way = context.evaluated_depsgraph_get(), Vector(origin), Vector(direction).normalized()
    for _ in range(MOST):
        met, place, _, face, ob, matrix = context.scene.ray_cast(graph, at, way)
        if not met:
            return None
        if not _follows(ob.original, mover):
            break
        at = place + AHEAD * way
    else:
        return None
    if "VERTEX" not in elements:
        return np.array(place)
    mesh = ob.evaluated_get(graph).data
    corners = [matrix @ mesh.vertices[n].co for n in mesh.polygons[face].vertices]
    return np.array(min(corners, key=lambda corner: (corner - place).length))


def _follows(ob: bpy.types.Object | None, mover: bpy.types.Object) -> bool:
    """Whether an object moves with another: as its child, or bent by it."""
    while ob is not None:
        if ob == mover or any(each.type == "ARMATURE" and each.object == mover for each in ob.modifiers):
            return True
        ob = ob.parent
    return False
