"""FBX 7.x, binary or text: joints, skins, blend shapes, materials and clips, with the tangents of their curves."""

from inbetweener.formats.fbx.read import read
from inbetweener.formats.fbx.write import write

__all__ = ["read", "write"]
