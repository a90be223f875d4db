"""The skin of a character: its meshes posed, with normals and a colour at every vertex."""

import io

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.render import colour
from inbetweener.render.batch import Batch
from inbetweener.skinning import Mesh, Skin, vertex_normals
from inbetweener.skinning.mesh import Material, Singles


class Surface:
    """A skin with what does not change from pose to pose worked out once."""

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._colours = vertex_colours(skin.mesh)
        # Shapes that say nothing of normals would leave the light where the face was before it smiled.
        self._keeps_normals = all(shape.normal_offsets is not None for shape in skin.mesh.shapes)

    def vertices(self, channels: Floats, world_from_joint: Floats, offsets: Singles | None = None) -> Singles:
        """Vertices (V, 3) in the world for channel values (C,) and joint transforms (J, 3, 4).

        `offsets` (V, 3) are what soft parts add to the shape.
        """
        return self.skin.vertices(channels, world_from_joint, offsets)

    def posed(self, channels: Floats, world_from_joint: Floats, offsets: Singles | None = None) -> Batch:
        """The skin in one pose."""
        triangles = self.skin.mesh.triangles
        if self._keeps_normals and offsets is None:
            vertices, normals = self.skin.posed(channels, world_from_joint)
        else:
            vertices, normals = self.vertices(channels, world_from_joint, offsets), None
        if normals is None:
            normals = vertex_normals(vertices, triangles)
        return Batch.painted(vertices, normals, triangles, self._colours)


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
