"""A whole sculpted mesh: surface, weights and colours together."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.examples.sculpt.field import Field, inside
from inbetweener.examples.sculpt.shape import Sculpt
from inbetweener.examples.sculpt.surface import polygonised
from inbetweener.examples.sculpt.weights import smooth_weights
from inbetweener.maths import transforms
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh


def sculpt_mesh(name: str, sculpt: Sculpt, rig: Rig) -> Mesh:
    """The skinned mesh of a sculpt on a rig at rest, made afresh."""
    field = Field.of(sculpt, rig)
    vertices, normals, triangles = polygonised(field, sculpt.cell)
    parts = [part for limb in sculpt.limbs for part in limb.parts]
    nearest = field.nearest_parts(vertices)
    owners = np.array([rig.joint_index(part.joint) for part in parts])[nearest]
    influences, weights = smooth_weights(rig, owners, triangles, sculpt.softness)
    used, slots = np.unique(influences, return_inverse=True)
    return Mesh(
        name=name,
        vertices=vertices.astype(np.float32),
        triangles=triangles.astype(np.int32),
        joints=tuple(rig.joints[j].name for j in used),
        joint_from_mesh=transforms.inverse(rig.rest_world()[used]),
        influences=slots.reshape(influences.shape).astype(np.int32),
        weights=weights.astype(np.float32),
        normals=normals.astype(np.float32),
        colours=_colours(sculpt, rig, vertices, np.array([part.colour for part in parts])[nearest]),
    )


def _colours(
    sculpt: Sculpt, rig: Rig, vertices: Floats, rgb: Floats
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    for paint in sculpt.paint:
        rgb[inside(paint.region, rig, vertices)] = paint.region.colour
    return np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1).astype(np.float32)
