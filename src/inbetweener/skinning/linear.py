"""Linear blend skinning: each vertex moves by the weighted mean of its joints' transforms."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import transforms
from inbetweener.rig import Rig
from inbetweener.skinning import kernels
from inbetweener.skinning.mesh import Mesh, Singles


def shaped(mesh: Mesh, rig: Rig, channels: Floats) -> Singles:
    """Vertices (V, 3) in mesh space after the blend shapes, for channel values (C,)."""
    vertices = mesh.vertices
    for shape in mesh.shapes:
        weight = np.float32(channels[rig.channel_index(shape.channel)])
        if weight != 0:
            vertices = vertices + weight * shape.offsets
    return vertices


def skinned(mesh: Mesh, rig: Rig, channels: Floats, world_from_joint: Floats) -> Singles:
    """Vertices (V, 3) in the world, for one pose: channel values (C,) and their joint transforms (J, 3, 4)."""
    joints = [rig.joint_index(name) for name in mesh.joints]
    matrices = np.ascontiguousarray(transforms.product(world_from_joint[joints], mesh.joint_from_mesh))
    result = np.empty_like(mesh.vertices)
    kernels.blend_linear(shaped(mesh, rig, channels), mesh.influences, mesh.weights, matrices, True, result)
    return result
