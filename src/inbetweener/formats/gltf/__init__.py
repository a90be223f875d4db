"""glTF 2.0, as .gltf or .glb: joints, skins, morph targets, materials and clips."""

from inbetweener.formats.gltf.read import read
from inbetweener.formats.gltf.write import write

__all__ = ["read", "write"]
