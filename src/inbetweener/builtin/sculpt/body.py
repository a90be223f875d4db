"""A whole sculpted mesh: surface, weights and colours together."""

import numpy as np

from inbetweener.builtin.sculpt.borders import Skin
from inbetweener.builtin.sculpt.colours import coloured
from inbetweener.builtin.sculpt.field import Field
from inbetweener.builtin.sculpt.shape import Sculpt
from inbetweener.builtin.sculpt.surface import polygonised
from inbetweener.builtin.sculpt.weights import smooth_weights, strongest
from inbetweener.maths import transforms
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh


def sculpt_mesh(name: str, sculpt: Sculpt, rig: Rig) -> Mesh:
    """The skinned mesh of a sculpt on a rig at rest, made afresh."""
    field = Field.of(sculpt, rig)
    points, triangles = polygonised(field, sculpt.cell)
    owning = np.array([rig.joint_index(part.joint) for limb in sculpt.limbs for part in limb.parts])
    owners = owning[np.argmin(field.part_distances(points), axis=1)]
    weights = smooth_weights(rig, owners, triangles, sculpt.softness)
    skin, rgb = coloured(Skin(points, weights, triangles), sculpt, rig, field)
    vertices, normals = field.pulled(skin.points, np.full((len(skin.points), 1), 0.1 * sculpt.cell), 3)
    influences, kept = strongest(skin.extra)
    used, slots = np.unique(influences, return_inverse=True)
    return Mesh(
        name=name,
        vertices=vertices.astype(np.float32),
        triangles=skin.triangles.astype(np.int32),
        joints=tuple(rig.joints[j].name for j in used),
        joint_from_mesh=transforms.inverse(rig.rest_world()[used]),
        influences=slots.reshape(influences.shape).astype(np.int32),
        weights=kept.astype(np.float32),
        normals=normals.astype(np.float32),
        colours=np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1).astype(np.float32),
    )
