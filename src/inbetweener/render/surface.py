"""The skin of a character: its meshes posed, with normals and a colour at every vertex."""

import io

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths import transforms
from inbetweener.render import colour
from inbetweener.render.batch import Batch
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh, kernels, skinned
from inbetweener.skinning.mesh import Material, Singles


class Surface:
    """A mesh with what does not change from pose to pose worked out once."""

    def __init__(self, mesh: Mesh, rig: Rig) -> None:
        self.mesh = mesh
        self.rig = rig
        self._joints = [rig.joint_index(name) for name in mesh.joints]
        self._paint = vertex_colours(mesh)

    def vertices(self, channels: Floats, world_from_joint: Floats) -> Singles:
        """Vertices (V, 3) in the world for channel values (C,) and joint transforms (J, 3, 4)."""
        return skinned(self.mesh, self.rig, channels, world_from_joint)

    def posed(self, channels: Floats, world_from_joint: Floats) -> Batch:
        """The skin in one pose."""
        vertices = self.vertices(channels, world_from_joint)
        normals = smooth_normals(vertices, self.mesh.triangles)
        if self.mesh.normals is not None and not self.mesh.shapes:
            matrices = np.ascontiguousarray(
                transforms.product(world_from_joint[self._joints], self.mesh.joint_from_mesh)
            )
            given = np.empty_like(vertices)
            kernels.blend_linear(self.mesh.normals, self.mesh.influences, self.mesh.weights, matrices, False, given)
            normals = _unit(given)
        return Batch.painted(vertices, normals, self.mesh.triangles, self._paint)


def smooth_normals(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> Singles:
    """Unit normals (V, 3): the mean of the faces around each vertex, weighted by area."""
    vertices, triangles = np.asarray(vertices, np.float64), np.asarray(triangles)
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    faces = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for i in range(3):
        for axis in range(3):
            normals[:, axis] += np.bincount(triangles[:, i], faces[:, axis], len(vertices))
    return _unit(normals)


def vertex_colours(mesh: Mesh) -> Floats:
    """Linear RGB (V, 3): the material, its texture where each vertex lies, and the mesh's own colours together."""
    painted = np.tile(np.asarray(mesh.material.colour[:3], np.float64), (len(mesh.vertices), 1))
    if mesh.material.texture is not None and mesh.uvs is not None:
        painted *= _texture(mesh.material, mesh.uvs)
    if mesh.colours is not None:
        painted *= mesh.colours[:, :3]
    # Pure black and pure white leave the light nothing to shape.
    return np.clip(painted, 0.02, 0.86)


def _texture(material: Material, uvs: Singles) -> Floats:
    """Linear RGB (V, 3) of a texture at (V, 2), averaged over a few texels as a vertex stands for an area."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(material.texture or b"")) as opened:
            image = opened.convert("RGB")
    except (UnidentifiedImageError, OSError):
        # The picture is somebody else's and only decoration: the plain colour will do.
        return np.ones((len(uvs), 3))
    image.thumbnail((256, 256), Image.Resampling.BOX)
    texels = colour.linear(np.asarray(image, np.float64) / 255)
    height, width, _ = texels.shape
    u, v = np.mod(np.nan_to_num(uvs.astype(np.float64)), 1.0).T
    return texels[np.minimum((v * height).astype(int), height - 1), np.minimum((u * width).astype(int), width - 1)]


def _unit(vectors: npt.ArrayLike) -> Singles:
    vectors = np.asarray(vectors, np.float64)
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 0, vectors / np.where(length > 0, length, 1.0), [0.0, 1.0, 0.0]).astype(np.float32)
