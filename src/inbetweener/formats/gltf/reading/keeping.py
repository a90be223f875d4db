"""What a file holds beside what we edit, kept as it is: maps, lights, cameras, extras, whatever extensions say.

Everything keeps its number, as extensions that we do not know may name it: where animation lay, `null` is left in the
lists of accessors and buffer views, to be filled when the file is written.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from inbetweener.document.kept import Kept
from inbetweener.errors import FormatError
from inbetweener.formats.gltf.container import Parts
from inbetweener.formats.gltf.reading.animation import Take
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import DTYPES, WIDTHS, Source
from inbetweener.formats.gltf.schema import EXTRAS, FREE, INSTANCING, Gltf, unused
from inbetweener.skinning.picture import media_type

OURS = ("translation", "rotation", "scale", "weights")
"""What channels of clips are made of; others are kept."""

_Block = npt.NDArray[Any]
_Json = dict[str, Any]


def keep(source: Source, parts: Parts, scene: Scene, takes: list[Take]) -> Kept:
    """The file without the channels that became clips."""
    gltf = source.gltf
    text: _Json = {name: part for name, part in parts.items() if name != "buffers"}
    animations, clips = _animations(parts, takes)
    text["animations"] = animations
    used = set(_accessors(gltf, animations))
    free = {
        index
        for animation in gltf.animations
        for sampler in animation.samplers
        for index in (sampler.input, sampler.output)
        if index not in used
    }
    free |= {n for n, accessor in enumerate(gltf.accessors) if unused(accessor.extras)}
    accessors: list[Any] = msgspec.json.decode(parts.get("accessors", b"[]"), type=list[msgspec.Raw])
    text["accessors"] = [None if n in free else each for n, each in enumerate(accessors)]
    layout = _Layout(source)
    text["bufferViews"] = layout.views(parts, free)
    text["images"] = layout.images(parts, text["bufferViews"])
    for name in ("animations", "accessors", "bufferViews", "images"):
        if not text[name]:
            del text[name]
    joints = tuple(scene.name(n) if n in scene.joint_of_node else "" for n in range(len(gltf.nodes)))
    return Kept(msgspec.json.encode(text), tuple(layout.blocks), joints, clips)


def _animations(parts: Parts, takes: list[Take]) -> tuple[list[_Json], tuple[str, ...]]:
    """What is left of the animations, and the clip that each belongs to."""
    names = {take.index: take.name for take in takes}
    left: list[_Json] = []
    clips = []
    for index, animation in enumerate(msgspec.json.decode(parts.get("animations", b"[]"))):
        channels = [each for each in animation["channels"] if each["target"]["path"] not in OURS]
        channels += [each for each in animation["channels"] if "node" not in each["target"] and each not in channels]
        numbers = list(dict.fromkeys(each["sampler"] for each in channels))
        others = {name: each for name, each in animation.items() if name not in ("channels", "samplers", "name")}
        if isinstance(extras := others.get("extras"), dict) and extras.keys() <= {EXTRAS}:
            del others["extras"]
        if not channels and (index not in names or not others):
            continue
        moved = [{**each, "sampler": numbers.index(each["sampler"])} for each in channels]
        samplers = [animation["samplers"][number] for number in numbers if number < len(animation["samplers"])]
        name = {"name": animation["name"]} if "name" in animation else {}
        left.append({**name, **others, "channels": moved, "samplers": samplers})
        clips.append(names.get(index, ""))
    return left, tuple(clips)


def _accessors(gltf: Gltf, animations: list[_Json]) -> Iterator[int]:
    """Accessors that are needed for more than the motion of clips."""
    for mesh in gltf.meshes:
        for primitive in mesh.primitives:
            yield from primitive.attributes.values()
            if primitive.indices is not None:
                yield primitive.indices
            for target in primitive.targets:
                yield from target.values()
    for skin in gltf.skins:
        if skin.inverse_bind_matrices is not None:
            yield skin.inverse_bind_matrices
    for node in gltf.nodes:
        instanced = node.extensions.get(INSTANCING)
        attributes = instanced.get("attributes") if isinstance(instanced, dict) else None
        yield from attributes.values() if isinstance(attributes, dict) else ()
    for animation in animations:
        for sampler in animation["samplers"]:
            yield from (sampler["input"], sampler["output"])


class _Layout:
    """All data in one buffer: what meshes hold as arrays of their own, so that no file has it twice."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.blocks: list[_Block] = []
        self._size = 0

    def views(self, parts: Parts, free: set[int]) -> list[_Json | None]:
        """The file's views as they lie in our buffer; null where only free accessors lay."""
        gltf = self.source.gltf
        on: dict[int, list[int]] = {}
        for number, accessor in enumerate(gltf.accessors):
            sparse = accessor.sparse
            views = [] if sparse is None else [sparse.indices.buffer_view, sparse.values.buffer_view]
            if accessor.buffer_view is not None:
                views.append(accessor.buffer_view)
            for view in views:
                on.setdefault(view, []).append(number)
        pictures = {image.buffer_view for image in gltf.images}
        records: list[_Json] = msgspec.json.decode(parts.get("bufferViews", b"[]"))
        made: list[_Json | None] = []
        for n, record in enumerate(records):
            here = on.get(n, [])
            idle = here and all(number in free for number in here) and n not in pictures
            if idle or unused(record.get("extras")):
                made.append(None)
                continue
            made.append(self._plain(n, record, [each for each in here if each not in free]))
        return made

    def _plain(self, number: int, record: _Json, accessors: list[int]) -> _Json:
        view, data = self.source.view(number, f"/bufferViews/{number}")
        at = self._put(_cut(data, list(self._spans(number, view.byte_stride, accessors))))
        return {**record, "buffer": 0, "byteOffset": at}

    def _spans(self, view: int, stride: int | None, accessors: list[int]) -> Iterator[tuple[int, int, int]]:
        """Where in a view single-precision rows lie, and how wide they are."""
        for number in accessors:
            accessor = self.source.gltf.accessors[number]
            width = WIDTHS[accessor.type]
            single = accessor.component_type == 5126 and accessor.buffer_view == view
            if single and stride in (None, DTYPES[5126].itemsize * width):
                yield accessor.byte_offset, accessor.byte_offset + 4 * width * accessor.count, width

    def _put(self, blocks: list[_Block]) -> int:
        """The place of these blocks, one after the other."""
        if gap := -self._size % 4:
            self.blocks.append(np.zeros(gap, np.uint8))
            self._size += gap
        at = self._size
        self.blocks += blocks
        self._size += sum(block.nbytes for block in blocks)
        self.source.spend(sum(block.nbytes for block in blocks), "/bufferViews")
        return at

    def images(self, parts: Parts, views: list[_Json | None]) -> list[_Json]:
        """Pictures beside the file come into it, where they are pictures."""
        images: list[_Json] = msgspec.json.decode(parts.get("images", b"[]"))
        for n, image in enumerate(images):
            if not isinstance(image.get("uri"), str) or "bufferView" in image:
                continue
            try:
                data = self.source.resource(image["uri"], f"/images/{n}/uri")
            except FormatError as error:
                self.source.leave_out(f"/images/{n}", f"{error.problem}; its place is kept")
                continue
            mime = image.get("mimeType") or media_type(data)
            if mime is None:
                continue
            views.append(
                {"buffer": 0, "byteOffset": self._put([np.frombuffer(data, np.uint8)]), "byteLength": len(data)}
            )
            stem = image["uri"].rsplit("/", 1)[-1] if not image["uri"].startswith("data:") else ""
            named = {"name": stem} if stem and "name" not in image else {}
            kept = {name: each for name, each in image.items() if name != "uri"}
            images[n] = {**kept, **named, "mimeType": mime, "bufferView": len(views) - 1}
        return images


def _cut(data: memoryview, spans: list[tuple[int, int, int]]) -> list[_Block]:
    """Bytes as blocks: rows of single precision where `spans` says so, plain bytes in between."""
    blocks: list[_Block] = []
    at = 0
    for start, stop, width in sorted(set(spans)):
        if start < at or stop > len(data):
            continue
        if start > at:
            blocks.append(np.frombuffer(data[at:start], np.uint8))
        blocks.append(np.frombuffer(data[start:stop], "<f4").reshape(-1, width))
        at = stop
    if at < len(data):
        blocks.append(np.frombuffer(data[at:], np.uint8))
    return blocks


def filled(text: bytes) -> _Json:
    """A kept file's JSON with something in every place that is null; for those who read it as a file."""
    whole: _Json = msgspec.json.decode(text)
    for name, blank in FREE.items():
        if name in whole:
            whole[name] = [dict(blank) if each is None else each for each in whole[name]]
    return whole
