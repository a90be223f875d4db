"""The skin of a mesh as it is drawn: painted once, posed again and again.

Pictures and maps are looked up where corners lie, and triangles are cut until that shows them: colour, bumps, metal and
roughness, shade in hollows, light of its own.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidDocument
from inbetweener.formats.gltf.looks import METAL, Look
from inbetweener.render import colour
from inbetweener.render.finer import Finer
from inbetweener.render.shapes import PLAIN, Batch
from inbetweener.skinning import Mesh, Skin, vertex_normals
from inbetweener.skinning.mesh import Indices, Singles
from inbetweener.skinning.picture import decode_picture

SHARPEST = 512
"""Texels of a picture along its longer side: more are smaller than what is drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Coat:
    """What is on a mesh, at its vertices or at those of finer triangles.

    colours  (n, 3) linear RGB
    looks    (n, 7) the rest of what a batch is painted with
    bumps    (n, 3) unit vectors: right and up along the picture, and outward; None where it is smooth
    """

    finer: Finer | None
    colours: Floats
    looks: Floats
    bumps: Floats | None = None


class Surface:
    """A skin with what does not change from pose to pose worked out once."""

    def __init__(self, skin: Skin, look: Look | None = None) -> None:
        self.skin = skin
        self._coat = painted(skin.mesh, look)
        # Shapes that say nothing of normals would leave the light where the face was before it smiled.
        self._keeps_normals = all(shape.normal_offsets is not None for shape in skin.mesh.shapes)
        mesh = skin.mesh
        self._joints = [skin.rig.joint_index(name) for name in mesh.joints]
        shares = np.bincount(mesh.influences.ravel(), mesh.weights.ravel(), len(mesh.joints))
        self._shares = shares * np.sign(np.linalg.det(mesh.joint_from_mesh[:, :, :3]))

    def vertices(self, channels: Floats, world_from_joint: Floats, offsets: Singles | None = None) -> Singles:
        """Vertices (V, 3) in the world for channel values (C,) and joint transforms (J, 3, 4).

        `offsets` (V, 3) are what soft parts add to the shape.
        """
        return self.skin.vertices(channels, world_from_joint, offsets)

    def posed(self, channels: Floats, world_from_joint: Floats, offsets: Singles | None = None) -> Batch:
        """The skin in one pose."""
        mesh, coat = self.skin.mesh, self._coat
        triangles = mesh.triangles
        if self._is_mirrored(world_from_joint):
            # Seen in a mirror, corners go round the other way.
            triangles = triangles[:, ::-1]
        if self._keeps_normals and offsets is None:
            vertices, normals = self.skin.posed(channels, world_from_joint)
        else:
            vertices, normals = self.vertices(channels, world_from_joint, offsets), None
        if normals is None:
            normals = vertex_normals(vertices, triangles)
        ways: Singles | Floats | None = None
        if coat.bumps is not None and mesh.uvs is not None:
            ways = _along_picture(vertices, mesh.triangles, mesh.uvs)
        if coat.finer is not None:
            finer, turned = coat.finer, triangles is not mesh.triangles
            vertices, normals = finer.mixed(vertices), finer.mixed(normals)
            normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
            ways = None if ways is None else finer.mixed(ways)
            triangles = finer.triangles[:, ::-1] if turned else finer.triangles
        if ways is not None and coat.bumps is not None:
            normals = _bumped(normals, ways, coat.bumps)
        return Batch.painted(vertices, normals, triangles, coat.colours, look=coat.looks)

    def _is_mirrored(self, world_from_joint: Floats) -> bool:
        """Whether most of the mesh is turned inside out by its joints, as a copy for the other side is."""
        signs = np.sign(np.linalg.det(world_from_joint[self._joints, :, :3]))
        return float(self._shares @ signs) < 0.0


def painted(mesh: Mesh, look: Look | None = None) -> Coat:
    """What is on a mesh: the material, its picture and the mesh's own colours together, and what a file says beyond."""
    pictures: dict[str, Floats] = {}
    if mesh.uvs is not None:
        given = {"colour": mesh.material.texture, **(look.maps if look is not None else {})}
        found = {name: _texels(data) for name, data in given.items() if data is not None}
        pictures = {name: texels for name, texels in found.items() if texels is not None}
    finer = None
    if pictures and mesh.uvs is not None:
        height, width = np.max([texels.shape[:2] for texels in pictures.values()], axis=0)
        finer = Finer.of(mesh.triangles, mesh.uvs, (int(width), int(height)))
    count = len(mesh.vertices) if finer is None else len(finer.corners)
    uvs = None if mesh.uvs is None else mesh.uvs if finer is None else finer.mixed(mesh.uvs)

    def seen(name: str) -> Floats | None:
        return None if uvs is None or name not in pictures else _looked_up(pictures[name], uvs)

    paint = np.tile(np.asarray(mesh.material.colour[:3], np.float64), (count, 1))
    if (texels := seen("colour")) is not None:
        paint *= colour.linear(texels)
    if mesh.colours is not None:
        paint *= mesh.colours[:, :3] if finer is None else finer.mixed(mesh.colours[:, :3])
    # Pure black and pure white leave the light nothing to shape.
    paint = np.clip(paint, 0.02, 0.86)
    looks = np.tile(np.array(PLAIN), (count, 1))
    if look is None:
        return Coat(finer, paint, looks)
    rough, metal = (np.full(count, otherwise if each is None else each) for each, otherwise in (
        (look.rough, UNTOLD_ROUGH), (look.metal, 0.0),
    ))  # fmt: skip
    if (told := seen(METAL)) is not None:
        rough, metal = rough * told[:, 1], metal * told[:, 2]
    if look.rough is not None or look.metal is not None:
        rough, metal = np.clip(rough, 0.0, 1.0), np.clip(metal, 0.0, 1.0)
        looks[:, 0] = 160.0 - 156.0 * np.sqrt(rough)
        looks[:, 1] = (0.5 - 0.47 * rough) * (1.0 + metal)
        looks[:, 3] = metal
    if (hollow := seen("occlusion")) is not None:
        looks[:, 2] = 1.0 + look.shade * (hollow[:, 0] - 1.0)
    shining = seen("emission")
    looks[:, 4:] = np.asarray(look.emission) * (1.0 if shining is None else colour.linear(shining))
    bumps = seen("normal")
    if bumps is not None:
        bumps = (2.0 * bumps - 1.0) * (look.bumps, look.bumps, 1.0)
        bumps /= np.maximum(np.linalg.norm(bumps, axis=1, keepdims=True), 1e-12)
    return Coat(finer, paint, looks, bumps)


UNTOLD_ROUGH = 0.55
"""Where a file says only how much of a material is metal."""


def _texels(data: bytes) -> Floats | None:
    """A picture (H, W, 3), as it is stored, from 0 to 1."""
    from PIL import Image

    try:
        image = decode_picture(data)
    except InvalidDocument:
        # The picture is somebody else's and only decoration: the plain colour will do.
        return None
    image.thumbnail((SHARPEST, SHARPEST), Image.Resampling.BOX)
    return np.asarray(image, np.float64) / 255


def _looked_up(texels: Floats, uvs: Singles) -> Floats:
    """The texels at (n, 2)."""
    height, width, _ = texels.shape
    u, v = np.mod(np.nan_to_num(uvs.astype(np.float64)), 1.0).T
    return texels[np.minimum((v * height).astype(int), height - 1), np.minimum((u * width).astype(int), width - 1)]


def _along_picture(vertices: Singles, triangles: Indices, uvs: Singles) -> Floats:
    """(V, 6): which way the picture's right and its up lie in the world at each vertex, of any length."""
    places, at = vertices.astype(np.float64)[triangles], np.nan_to_num(uvs.astype(np.float64))[triangles]
    one, two = places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]
    (u1, v1), (u2, v2) = (at[:, 1] - at[:, 0]).T, (at[:, 2] - at[:, 0]).T
    # Coordinates go down. The sign counts, not the size, so that no small patch of a picture outweighs a large one.
    sign = np.sign(u1 * v2 - u2 * v1)[:, None]
    right = sign * (v2[:, None] * one - v1[:, None] * two)
    up = sign * (u2[:, None] * one - u1[:, None] * two)
    both = np.repeat(np.concatenate([right, up], axis=1), 3, axis=0)
    corners = triangles.ravel()
    return np.stack([np.bincount(corners, column, len(vertices)) for column in both.T], axis=1)


def _bumped(normals: Singles, ways: Singles | Floats, bumps: Floats) -> Singles:
    """Normals (n, 3) turned by what a map says; as they are where the picture has no direction."""
    n = normals.astype(np.float64)
    sides = []
    for way in (ways[:, :3], ways[:, 3:]):
        flat = way - n * np.einsum("ij,ij->i", way, n)[:, None]
        size = np.linalg.norm(flat, axis=1, keepdims=True)
        sides.append(np.divide(flat, size, out=np.zeros_like(flat), where=size > 1e-12))
    made = sides[0] * bumps[:, :1] + sides[1] * bumps[:, 1:2] + n * bumps[:, 2:]
    size = np.linalg.norm(made, axis=1, keepdims=True)
    lost = (size[:, 0] < 1e-6) | (np.abs(sides).sum(axis=(0, 2)) == 0.0)
    return np.where(lost[:, None], n, made / np.maximum(size, 1e-12)).astype(np.float32)
