"""Parts of meshes that Draco compressed, as `KHR_draco_mesh_compression` has them; needs the extra "draco"."""

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from inbetweener.formats.gltf.schema import Index

NAME = "KHR_draco_mesh_compression"
INSTALL = "pip install 'inbetweener[draco]'"
_ROOM = 4
"""Times as many vertices as the file says: more would be no mesh of its."""


class Packed(msgspec.Struct, rename="camel"):
    """Where a part's bytes are, and which of Draco's attributes each of its own is."""

    buffer_view: Index
    attributes: dict[str, Index]


def installed() -> bool:
    """Whether the library is there."""
    from importlib.util import find_spec

    return find_spec("DracoPy") is not None


def check(data: bytes, vertices: int) -> None:
    """Raise ValueError where the bytes are no mesh, or promise far more vertices and triangles than told outside."""
    if data[:5] != b"DRACO" or len(data) < 14 or data[7] != 1:
        raise ValueError("it is no mesh")
    has_more, at = data[10] & 0x80, 11 + (data[8] == 1)
    if has_more:
        raise ValueError("it has metadata, which glTF has no use for")
    counts = []
    for _ in range(2):
        value, shift = 0, 0
        while at < len(data) and shift < 35:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                break
        counts.append(value)
    if max(counts) > _ROOM * (vertices + 16) * 2:
        raise ValueError(f"it promises {max(counts)} parts for {vertices} vertices")


def unpacked(packed: Packed, data: bytes) -> tuple[npt.NDArray[np.uint32], dict[str, npt.NDArray[Any]]]:
    """Corners of triangles (n,) and the numbers (V, width) of each attribute.

    Raises ValueError where the bytes are no mesh of Draco's.
    """
    import DracoPy

    try:
        mesh = DracoPy.decode(data)
    except Exception as error:  # the library raises several of its own, none of which has a common ground
        raise ValueError(" ".join(str(error).split())[:120] or type(error).__name__) from None
    faces = getattr(mesh, "faces", None)
    if faces is None:
        raise ValueError("it holds no triangles")
    by_number = {each["unique_id"]: each for each in mesh.attributes}
    found = {}
    for name, number in packed.attributes.items():
        if number not in by_number:
            raise ValueError(f"it has no attribute {number} for {name[:40]}")
        values = np.asarray(by_number[number]["data"])
        found[name] = values.reshape(len(values), -1)
    return np.ascontiguousarray(faces, np.uint32).reshape(-1), found
