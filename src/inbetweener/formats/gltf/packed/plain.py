"""A compressed file as the plain one that it stands for."""

from typing import Any

import msgspec
import numpy as np

from inbetweener.formats.gltf.container import Parts, pointer
from inbetweener.formats.gltf.packed import draco, meshopt
from inbetweener.formats.gltf.reading.source import DTYPES, WIDTHS, Source
from inbetweener.formats.gltf.schema import Gltf

_Json = dict[str, Any]


def is_packed(gltf: Gltf) -> bool:
    """Whether there is anything here that we can unpack."""
    named = {*gltf.extensions_used, *gltf.extensions_required}
    if named & {*meshopt.NAMES}:
        return any(view.extensions.keys() & {*meshopt.NAMES} for view in gltf.buffer_views)
    return draco.NAME in named and (draco.installed() or draco.NAME in gltf.extensions_required)


def plain(source: Source, parts: Parts) -> tuple[Gltf, Parts, bytes]:
    """The file's JSON, twice, and its data as one buffer, without compression."""
    whole: _Json = {name: msgspec.json.decode(part) for name, part in parts.items()}
    made = _Plain(source, whole)
    made.views()
    if draco.NAME in {*source.gltf.extensions_used, *source.gltf.extensions_required}:
        made.meshes()
    whole["buffers"] = [{"byteLength": max(len(made.data), 1)}]
    for name in ("extensionsUsed", "extensionsRequired"):
        left = [each for each in whole.get(name, []) if each not in (*meshopt.NAMES, draco.NAME)]
        whole.pop(name, None)
        if left:
            whole[name] = left
    text = msgspec.json.encode(whole)
    return msgspec.json.decode(text, type=Gltf), msgspec.json.decode(text, type=Parts), bytes(made.data) or b"\0"


class _Plain:
    def __init__(self, source: Source, whole: _Json) -> None:
        self.source, self.whole = source, whole
        self.data = bytearray()

    def _put(self, data: bytes | memoryview) -> _Json:
        self.data += b"\0" * (-len(self.data) % 4)
        at = len(self.data)
        self.data += data
        return {"buffer": 0, "byteOffset": at, "byteLength": len(data)}

    def views(self) -> None:
        """All views in one buffer, those of meshopt unpacked."""
        for n, record in enumerate(self.whole.get("bufferViews", [])):
            extensions = record.get("extensions", {})
            name = next((each for each in meshopt.NAMES if each in extensions), None)
            if name is None:
                data: bytes | memoryview = self.source.view(n, f"/bufferViews/{n}")[1]
            else:
                data = self._unpacked(extensions.pop(name), f"/bufferViews/{n}/extensions/{name}")
                if len(data) < record["byteLength"]:
                    self.source.fail(
                        f"/bufferViews/{n}", f"promises {record['byteLength']} bytes, unpacked it has {len(data)}"
                    )
                if not extensions:
                    del record["extensions"]
            record.update(self._put(data))

    def _unpacked(self, record: Any, place: str) -> bytes:
        source = self.source
        try:
            packed = msgspec.convert(record, meshopt.Packed)
        except msgspec.ValidationError as error:
            problem, _, where = str(error).partition(" - at ")
            source.fail(place + pointer(where.strip("`")).rstrip("/"), problem)
        source.spend(10 * packed.count + 3 * packed.count * packed.byte_stride, place)
        data = source.stretch(packed.buffer, packed.byte_offset, packed.byte_length, place)
        try:
            return meshopt.unpacked(packed, data)
        except meshopt.Unreadable as error:
            source.fail(place, str(error), "it is damaged; fetch it again")

    def meshes(self) -> None:
        """Parts of meshes that Draco holds get accessors with data of their own."""
        done: dict[int, None] = {}
        for m, mesh in enumerate(self.whole.get("meshes", [])):
            for p, part in enumerate(mesh["primitives"]):
                extensions = part.get("extensions", {})
                if draco.NAME not in extensions:
                    continue
                place = f"/meshes/{m}/primitives/{p}/extensions/{draco.NAME}"
                if not draco.installed():
                    remedy = f"{draco.INSTALL}, or unpack it: npx @gltf-transform/cli copy IN.glb OUT.glb"
                    self.source.fail(place, "is compressed with Draco, which needs a library", remedy)
                self._mesh(part, extensions.pop(draco.NAME), place, done)
                if not extensions:
                    del part["extensions"]

    def _mesh(self, part: _Json, record: Any, place: str, done: dict[int, None]) -> None:
        source = self.source
        try:
            packed = msgspec.convert(record, draco.Packed)
        except msgspec.ValidationError as error:
            source.fail(place, str(error))
        told = [source.item("accessor", source.gltf.accessors, n, place).count for n in part["attributes"].values()]
        data = bytes(source.view(packed.buffer_view, f"{place}/bufferView")[1])
        try:
            draco.check(data, max(told, default=0))
            source.spend(60 * max(told, default=0) * len(told), place)
            corners, found = draco.unpacked(packed, data)
        except ValueError as error:
            source.fail(place, f"Draco cannot read it: {error}", "it is damaged; fetch it again")
        accessors = self.whole["accessors"]
        for name, values in found.items():
            if name in part["attributes"] and part["attributes"][name] not in done:
                number = part["attributes"][name]
                done[number] = None
                self._fill(accessors[number], values, f"/accessors/{number}")
        if "indices" in part and part["indices"] not in done:
            done[part["indices"]] = None
            if corners.max(initial=0) > 65535:
                accessors[part["indices"]]["componentType"] = 5125
            self._fill(accessors[part["indices"]], corners[:, None], f"/accessors/{part['indices']}")

    def _fill(self, accessor: _Json, values: Any, place: str) -> None:
        kind, width = DTYPES[accessor["componentType"]], WIDTHS[accessor["type"]]
        if values.shape[1] != width:
            self.source.fail(place, f"Draco has {values.shape[1]} numbers for {accessor['type']}")
        rows = np.ascontiguousarray(values.astype(kind))
        padded = np.zeros((len(rows), -(-rows.dtype.itemsize * width // 4) * 4), np.uint8)
        padded[:, : rows.dtype.itemsize * width] = rows.view(np.uint8).reshape(len(rows), -1)
        is_list = width == 1
        view = self._put(rows.tobytes() if is_list else padded.tobytes())
        if not is_list:
            view["byteStride"] = padded.shape[1]
        self.whole.setdefault("bufferViews", []).append(view)
        accessor.update(bufferView=len(self.whole["bufferViews"]) - 1, count=len(rows))
        accessor.pop("byteOffset", None)
