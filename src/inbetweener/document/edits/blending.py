"""Edits of how the skin is blended."""

from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.errors import UnknownName
from inbetweener.skinning import BLENDINGS, Blending, check_weights


def set_blending(document: Document, blending: Blending) -> Document:
    """The document with all its meshes blended in one of the ways of `Blending`; their weights must be sound."""
    if blending not in BLENDINGS:
        raise UnknownName("way of blending", blending, BLENDINGS)
    for mesh in document.meshes:
        check_weights(mesh)
    return document if document.blending == blending else replace(document, blending=blending)
