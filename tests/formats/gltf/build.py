"""Small glTF files put together in tests: JSON as dictionaries, data appended as it is needed."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Build:
    """A file being made: change `json` freely, then `save`."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": []}
        self.data = b""

    def view(self, data: bytes, **more: Any) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more})
        self.data += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: Any, dtype: str = "f4", **more: Any) -> int:
        array = np.asarray(values, "<" + dtype)
        columns = array.reshape(len(array), -1)
        self.json["accessors"].append(
            {
                "bufferView": self.view(array.tobytes()),
                "componentType": COMPONENTS[dtype],
                "type": TYPES[columns.shape[1]],
                "count": len(array),
                "min": columns.min(axis=0).tolist(),
                "max": columns.max(axis=0).tolist(),
                **more,
            }
        )
        return len(self.json["accessors"]) - 1

    def triangle(self, **primitive: Any) -> None:
        """One node with one mesh of one triangle."""
        points = self.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        attributes = {"POSITION": points, **primitive.pop("attributes", {})}
        self.json |= {"nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": attributes, **primitive}]}]}

    def animation(self, path: str, times: Any, values: Any, mode: str = "LINEAR", node: int = 0) -> None:
        """A clip with one channel."""
        sampler = {"input": self.accessor(times), "output": self.accessor(values), "interpolation": mode}
        channel = {"sampler": 0, "target": {"node": node, "path": path}}
        self.json.setdefault("animations", []).append({"samplers": [sampler], "channels": [channel]})

    def save(self, folder: Path) -> Path:
        if self.data:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
            self.json.setdefault("buffers", [{"byteLength": len(self.data), "uri": uri}])
        path = folder / "made.gltf"
        path.write_text(json.dumps({key: value for key, value in self.json.items() if value != []}))
        return path
