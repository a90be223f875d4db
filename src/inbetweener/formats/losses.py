"""What files that know skeletons, skins and curves, and nothing else of ours, cannot hold."""

import math

from inbetweener.document import Document
from inbetweener.rig import Channel
from inbetweener.skinning import Blending


def losses_of(document: Document, name: str, *blendings: Blending) -> list[str]:
    """A line for each kind of thing that the format called `name` has no place for; `blendings` it can say."""
    losses = []
    if document.props:
        # They would come back as joints and meshes of the character.
        losses.append(f"{len(document.props)} props are left out: {name} cannot tell them from the character")
    if document.rig.points:
        losses.append(f"{len(document.rig.points)} named points are left out: {name} has none")
    controls = [channel.name for channel in document.rig.channels if channel.kind == "control"]
    if controls:
        losses.append(f"{len(controls)} controls are written as the joints they move: {name} has none")
    limited = [channel for channel in document.rig.channels if channel.kind != "shape" and _is_restrained(channel)]
    if limited:
        losses.append(f"limits and stiffness of {len(limited)} channels are left out: {name} has none")
    losses += blended(document, *blendings)
    if name != "glTF":
        losses += beside(document)
    heard = [each.clip for each in document.stagings if each.sound is not None]
    if heard:
        losses.append(f"the sound of {len(heard)} clips is left out: only .tween files and MP4 movies have it")
    if document.view is not None:
        losses.append("the view is left out: it belongs to no node")
    return losses


def merged_layers(document: Document, name: str) -> list[str]:
    """A line on layers, for formats that have none."""
    layered = [clip.name for clip in document.clips if clip.layers]
    return [f"the layers of {len(layered)} clips are merged: {name} has none"] if layered else []


def blended(document: Document, *blendings: Blending) -> list[str]:
    """A line on a way of blending that is neither linear nor one of those that the format can say."""
    if document.blending in ("linear", *blendings) or not document.meshes:
        return []
    return [f"{document.blending} blending is left out: other programs will blend the skin linearly"]


def beside(document: Document) -> list[str]:
    """A line on what a glTF file had that only glTF can hold."""
    if document.source is None or document.source.kept is None:
        return []
    from inbetweener.formats.gltf.beside import words

    found = words(document.source.kept)
    return [f"left out, as only glTF holds them: {', '.join(found)}"] if found else []


def _is_restrained(channel: Channel) -> bool:
    return math.isfinite(channel.lower) or math.isfinite(channel.upper) or channel.stiffness != 1.0
