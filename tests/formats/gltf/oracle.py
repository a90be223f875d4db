"""A second opinion on glTF: positions straight from the JSON, sharing no code with the package.

Plain loops and scipy rotations; quaternions here are xyzw, matrices 4×4.
"""

import base64
import json
import struct
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

Array = np.ndarray[Any, Any]

TYPES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LIMITS = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 4294967295}


class Oracle:
    """One file; `order` lists its nodes depth first over all scenes, as documents number their joints."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        chunk = b""
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20 : 20 + size])
            chunk = data[28 + size :]
        else:
            self.json = json.loads(data)
        self.buffers = [self._bytes(path, buffer, chunk) for buffer in self.json.get("buffers", [])]
        self.nodes = self.json.get("nodes", [])
        self.order: list[int] = []
        for scene in self.json.get("scenes", []):
            for root in scene.get("nodes", []):
                self._walk(root)

    @staticmethod
    def _bytes(path: Path, buffer: dict[str, Any], chunk: bytes) -> bytes:
        uri = buffer.get("uri")
        if uri is None:
            return chunk
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (path.parent / uri).read_bytes()

    def _walk(self, node: int) -> None:
        if node not in self.order:
            self.order.append(node)
            for child in self.nodes[node].get("children", []):
                self._walk(child)

    @cache  # noqa: B019  # lives as long as the test
    def accessor(self, index: int) -> Array:
        """Numbers (count, width) as float64."""
        a = self.json["accessors"][index]
        width, code = WIDTHS[a["type"]], TYPES[a["componentType"]]

        def items(view_index: int, offset: int, count: int, letters: str) -> Array:
            view = self.json["bufferViews"][view_index]
            step = view.get("byteStride") or struct.calcsize("<" + letters)
            start = view.get("byteOffset", 0) + offset
            data = self.buffers[view["buffer"]]
            return np.array([struct.unpack_from("<" + letters, data, start + n * step) for n in range(count)], float)

        values = np.zeros((a["count"], width))
        if "bufferView" in a:
            values = items(a["bufferView"], a.get("byteOffset", 0), a["count"], code * width)
        if "sparse" in a:
            s = a["sparse"]
            i, v = s["indices"], s["values"]
            where = items(i["bufferView"], i.get("byteOffset", 0), s["count"], TYPES[i["componentType"]])
            values[where[:, 0].astype(int)] = items(v["bufferView"], v.get("byteOffset", 0), s["count"], code * width)
        if a.get("normalized"):
            values = np.maximum(values / LIMITS[a["componentType"]], -1)
        return values

    def key_times(self, animation: int) -> Array:
        """All key times of a clip."""
        samplers = self.json["animations"][animation]["samplers"]
        return np.unique(np.concatenate([self.accessor(s["input"])[:, 0] for s in samplers]))

    def sampled(self, sampler: dict[str, Any], at: Array, turns: bool, width: int) -> Array:
        """Values (T, width) of a sampler."""
        times, raw = self.accessor(sampler["input"])[:, 0], self.accessor(sampler["output"]).reshape(-1, width)
        mode = sampler.get("interpolation", "LINEAR")
        at = np.clip(at, times[0], times[-1])
        values = raw[1::3] if mode == "CUBICSPLINE" else raw
        if len(times) == 1:
            result = np.repeat(values[:1], len(at), axis=0)
        elif mode == "STEP":
            result = values[np.searchsorted(times, at, side="right") - 1]
        elif mode == "LINEAR" and turns:
            result = Slerp(times, Rotation.from_quat(values))(at).as_quat()
        elif mode == "LINEAR":
            result = np.stack([np.interp(at, times, column) for column in values.T], axis=1)
        else:
            k = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
            h = (times[k + 1] - times[k])[:, None]
            s = (at - times[k])[:, None] / h
            result = (
                (2 * s**3 - 3 * s**2 + 1) * values[k]
                + (s**3 - 2 * s**2 + s) * h * raw[2::3][k]
                + (3 * s**2 - 2 * s**3) * values[k + 1]
                + (s**3 - s**2) * h * raw[0::3][k + 1]
            )
        return result / np.linalg.norm(result, axis=1, keepdims=True) if turns else result

    def world(self, animation: int | None, at: Array) -> Array:
        """World matrices (T, N, 4, 4) of all nodes."""
        moved: dict[tuple[int, str], dict[str, Any]] = {}
        if animation is not None:
            clip = self.json["animations"][animation]
            for channel in clip["channels"]:
                target = channel["target"]
                moved.setdefault((target.get("node"), target["path"]), clip["samplers"][channel["sampler"]])
        result = np.zeros((len(at), len(self.nodes), 4, 4))

        def visit(index: int, above: Array) -> None:
            node = self.nodes[index]
            local = np.zeros((len(at), 4, 4))
            local[:] = np.eye(4)
            if "matrix" in node:
                local[:] = np.array(node["matrix"], float).reshape(4, 4).T
            else:
                parts = {
                    path: np.repeat(np.array(node.get(path, default), float)[None], len(at), axis=0)
                    for path, default in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1]))
                }
                for path in parts:
                    if (index, path) in moved:
                        turns = path == "rotation"
                        parts[path] = self.sampled(moved[index, path], at, turns, 4 if turns else 3)
                local[:, :3, :3] = Rotation.from_quat(parts["rotation"]).as_matrix() * parts["scale"][:, None, :]
                local[:, :3, 3] = parts["translation"]
            result[:, index] = above @ local
            for child in node.get("children", []):
                visit(child, result[:, index])

        children = {child for node in self.nodes for child in node.get("children", [])}
        for root in range(len(self.nodes)):
            if root not in children:
                visit(root, np.broadcast_to(np.eye(4), (len(at), 4, 4)))
        return result

    @cache  # noqa: B019
    def pose(self, animation: int | None, time: float) -> Array:
        """World matrices (N, 4, 4) at one time."""
        return self.world(animation, np.array([time]))[0]

    def positions(self, animation: int | None, at: Array) -> Array:
        """Node origins (T, joints, 3) in the order of a document's joints."""
        return self.world(animation, at)[:, self.order][..., :3, 3]

    def morph_weights(self, node: int, animation: int | None, at: Array) -> Array:
        """Morph weights (T, targets) of a node."""
        mesh = self.json["meshes"][self.nodes[node]["mesh"]]
        count = len(mesh["primitives"][0].get("targets", []))
        start = self.nodes[node].get("weights") or mesh.get("weights") or [0.0] * count
        clip = self.json["animations"][animation] if animation is not None else {"channels": []}
        for channel in clip["channels"]:
            if channel["target"] == {"node": node, "path": "weights"}:
                return self.sampled(clip["samplers"][channel["sampler"]], at, False, count)
        return np.repeat(np.array(start, float)[None], len(at), axis=0)

    def vertices(self, node: int, primitive: int, animation: int | None, time: float) -> Array:
        """World positions (V, 3) of a node's primitive, morphed and skinned."""
        at = np.array([time])
        world = self.pose(animation, time)
        record = self.nodes[node]
        part = self.json["meshes"][record["mesh"]]["primitives"][primitive]
        points = self.accessor(part["attributes"]["POSITION"]).copy()
        weights = self.morph_weights(node, animation, at)[0]
        for weight, target in zip(weights, part.get("targets", []), strict=True):
            if "POSITION" in target:
                points += weight * self.accessor(target["POSITION"])
        points = np.concatenate([points, np.ones((len(points), 1))], axis=1)
        if "skin" not in record:
            return (points @ world[node].T)[:, :3]
        skin = self.json["skins"][record["skin"]]
        bind = [np.eye(4)] * len(skin["joints"])
        if "inverseBindMatrices" in skin:
            bind = [m.reshape(4, 4).T for m in self.accessor(skin["inverseBindMatrices"])]
        bones = np.array([world[joint] @ m for joint, m in zip(skin["joints"], bind, strict=False)])
        sets = range(sum(name.startswith("JOINTS_") for name in part["attributes"]))
        joints = np.concatenate([self.accessor(part["attributes"][f"JOINTS_{n}"]) for n in sets], axis=1).astype(int)
        shares = np.concatenate([self.accessor(part["attributes"][f"WEIGHTS_{n}"]) for n in sets], axis=1)
        shares /= shares.sum(axis=1, keepdims=True)
        return np.einsum("vn,vnrc,vc->vr", shares, bones[joints], points)[:, :3]
