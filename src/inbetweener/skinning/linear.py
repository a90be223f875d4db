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


def world_from_mesh(mesh: Mesh, rig: Rig, world_from_joint: Floats) -> Floats:
    """Where each of the mesh's K joints takes it: (..., K, 3, 4) for joint transforms (..., J, 3, 4)."""
    joints = [rig.joint_index(name) for name in mesh.joints]
    return np.ascontiguousarray(transforms.product(world_from_joint[..., joints, :, :], mesh.joint_from_mesh))


def skinned(mesh: Mesh, rig: Rig, channels: Floats, world_from_joint: Floats) -> Singles:
    """Vertices (V, 3) in the world, for one pose: channel values (C,) and their joint transforms (J, 3, 4)."""
    return skinned_frames(mesh, rig, channels[None], world_from_joint[None])[0]


def skinned_frames(mesh: Mesh, rig: Rig, channels: Floats, world_from_joint: Floats) -> Singles:
    """Vertices (T, V, 3) in the world, for channel values (T, C) and their joint transforms (T, J, 3, 4)."""
    matrices = world_from_mesh(mesh, rig, world_from_joint)
    result = np.empty((len(channels), *mesh.vertices.shape), np.float32)
    for frame, values in enumerate(channels):
        vertices = shaped(mesh, rig, values)
        kernels.blend_linear(vertices, mesh.influences, mesh.weights, matrices[frame], True, result[frame])
    return result
