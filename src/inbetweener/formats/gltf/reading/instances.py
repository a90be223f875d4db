"""Nodes that show their mesh in many places, as `EXT_mesh_gpu_instancing` has them."""

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np

from inbetweener.arrays import frozen
from inbetweener.formats.gltf.reading.source import Accessors, Source
from inbetweener.formats.gltf.schema import INSTANCING, Index
from inbetweener.maths import quaternions
from inbetweener.skinning import Mesh


class Instanced(msgspec.Struct):
    """Accessors of places, turns and sizes, each one a row; and what a program wants beside."""

    attributes: dict[str, Index]


def instances(source: Source, accessors: Accessors, node: int, mesh: Mesh) -> Iterator[Mesh]:
    """The mesh of a node once for every place; once where there are none that make sense."""
    place = f"/nodes/{node}/extensions/{INSTANCING}"
    try:
        told = msgspec.convert(source.gltf.nodes[node].extensions[INSTANCING], Instanced).attributes
    except msgspec.ValidationError as error:
        source.leave_out(place, f"makes no sense ({error}); the mesh is shown once")
        yield mesh
        return
    found = {
        name: accessors.floats(told[name], f"{place}/attributes/{name}", width).astype(np.float64)
        for name, width in (("TRANSLATION", "VEC3"), ("ROTATION", "VEC4"), ("SCALE", "VEC3"))
        if name in told
    }
    count = min((len(values) for values in found.values()), default=0)
    if not count:
        yield mesh
        return
    source.spend((3000 + 40 * len(mesh.vertices)) * count, place)
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)) if "ROTATION" not in found else found["ROTATION"][:count]
    matrices = np.zeros((count, 3, 4))
    matrices[:, :, :3] = quaternions.to_matrix(quaternions.normalised(turns[:, [3, 0, 1, 2]]))
    if "SCALE" in found:
        matrices[:, :, :3] *= found["SCALE"][:count, None, :]
    if "TRANSLATION" in found:
        matrices[:, :, 3] = found["TRANSLATION"][:count]
    for matrix in matrices:
        yield replace(mesh, joint_from_mesh=frozen(matrix[None]))
