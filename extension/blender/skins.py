# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature deforms, as meshes of ours."""

import bpy
import numpy as np

from inbetweener.skinning import Material, Mesh, normalised_weights

from .refusal import some


def meshes_of(ob: bpy.types.Object) -> tuple[tuple[Mesh, ...], list[str]]:
    """What the armature deforms, in its own rest pose; and what could not be taken."""
    found, left = [], []
    for other in bpy.data.objects:
        if other.type != "MESH" or not any(each.type == "ARMATURE" and each.object is ob for each in other.modifiers):
            continue
        mesh = _mesh(ob, other)
        if mesh is None:
            left.append(f"{other.name} is not weighted to any bone")
            continue
        found.append(mesh)
        further = [each.name for each in other.modifiers if each.type != "ARMATURE"]
        if further:
            left.append(f"{other.name}: modifiers {some(further)} are left out")
        if other.data.shape_keys is not None:
            left.append(f"{other.name}: shape keys are left out")
    return tuple(found), left


def _mesh(ob: bpy.types.Object, other: bpy.types.Object) -> Mesh | None:
    data = other.data
    vertices = np.empty(3 * len(data.vertices), np.float32)
    data.vertices.foreach_get("co", vertices)
    data.calc_loop_triangles()
    triangles = np.empty(3 * len(data.loop_triangles), np.int32)
    data.loop_triangles.foreach_get("vertices", triangles)
    groups = {group.index: group.name for group in other.vertex_groups if group.name in ob.data.bones}
    joints = list(dict.fromkeys(groups.values()))
    if not joints:
        return None
    rows = [[(joints.index(groups[g.group]), g.weight) for g in v.groups if g.group in groups] for v in data.vertices]
    width = max(1, *(len(row) for row in rows))
    influences, weights = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width))
    for n, row in enumerate(rows):
        for k, (joint, weight) in enumerate(row):
            influences[n, k], weights[n, k] = joint, weight
    mended = normalised_weights(influences, weights, len(joints))
    # Where the armature object stands does not matter: bones and skin are both in its space.
    into = np.array(ob.matrix_world.inverted() @ other.matrix_world)
    bind = np.array([(np.linalg.inv(np.array(ob.data.bones[name].matrix_local)) @ into)[:3] for name in joints])
    material = next((each for each in data.materials if each is not None), None)
    red, green, blue, alpha = material.diffuse_color if material is not None else (0.8, 0.8, 0.8, 1.0)
    look = Material(material.name if material else "", (red, green, blue, alpha))
    return Mesh(
        other.name, vertices.reshape(-1, 3), triangles.reshape(-1, 3), tuple(joints), bind,
        mended.influences, mended.weights, material=look,
    )  # fmt: skip
