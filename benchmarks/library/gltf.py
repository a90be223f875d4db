"""Just enough glTF 2.0 for a body that moves: written from a capture, and read from what other programs make of it."""

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.library.plain import Capture, straight

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
_JSON, _BIN = 0x4E4F534A, 0x004E4942


def write(capture: Capture, path: Path) -> None:
    """A node for every joint, called "0", "1", …, and a straight key on every frame for whatever changes."""
    data, accessors, views = bytearray(), [], []

    def added(array: np.ndarray, kind: str) -> int:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * array.size})
        facts: dict[str, Any] = {"componentType": 5126, "count": len(array), "type": kind}
        if kind == "SCALAR":
            facts |= {"min": [float(array.min())], "max": [float(array.max())]}
        accessors.append({"bufferView": len(views) - 1, **facts})
        data.extend(array.astype("<f4").tobytes())
        return len(accessors) - 1

    times = added((np.arange(capture.frames) * capture.frame_time).astype(np.float32), "SCALAR")
    nodes: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for j in range(len(capture.names)):
        turns, moves = _nearest_signs(capture.quaternions[:, j]), capture.translations[:, j]
        node = {"name": str(j), "rotation": turns[0].tolist(), "translation": moves[0].tolist()}
        children = [child for child, parent in enumerate(capture.parents) if parent == j]
        nodes.append({**node, "children": children} if children else node)
        for path_name, values, kind in (("rotation", turns, "VEC4"), ("translation", moves, "VEC3")):
            if np.ptp(values, axis=0).any():
                samplers.append({"input": times, "output": added(values, kind), "interpolation": "LINEAR"})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": j, "path": path_name}})
    roots = [j for j, parent in enumerate(capture.parents) if parent < 0]
    scene = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "animations": [{"channels": channels, "samplers": samplers}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text + struct.pack("<II", len(data), _BIN) + bytes(data)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def _nearest_signs(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations, none with the other sign than the one before."""
    flips = np.where((quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    return quaternions * np.concatenate([[1.0], np.cumprod(flips)])[:, None]


@dataclass(frozen=True)
class Track:
    """Keys of a node's rotation or translation."""

    times: np.ndarray
    values: np.ndarray
    held: bool


@dataclass(frozen=True)
class Tracks:
    """What moves which joint of a capture; whatever has no track is as its node says."""

    capture: Capture
    moving: dict[tuple[int, str], Track]
    rests: dict[tuple[int, str], np.ndarray]

    @property
    def keys(self) -> int:
        """Pairs of time and value, every component of a quaternion or vector by itself."""
        return sum(track.values.size for track in self.moving.values())

    @property
    def whole_keys(self) -> int:
        """The same with a quaternion or vector as one."""
        return sum(len(track.values) for track in self.moving.values())

    def locals(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        joints, times = range(len(self.capture.names)), at * self.capture.frame_time
        turned, moved = ([self._values(j, what, times) for j in joints] for what in ("rotation", "translation"))
        return np.stack(turned, axis=1), np.stack(moved, axis=1)

    def _values(self, joint: int, what: str, times: np.ndarray) -> np.ndarray:
        track = self.moving.get((joint, what))
        if track is None:
            return np.repeat(self.rests[joint, what][None], len(times), axis=0)
        if track.held:
            return track.values[np.clip(np.searchsorted(track.times, times, side="right") - 1, 0, None)]
        return straight(track.times, track.values, times, turning=what == "rotation")


def read(path: Path, capture: Capture) -> Tracks:
    """The tracks of a .glb file whose nodes are called as `write` calls them."""
    content = path.read_bytes()
    size = struct.unpack_from("<I", content, 12)[0]
    scene, data = json.loads(content[20 : 20 + size]), content[28 + size :]

    def numbers(index: int) -> np.ndarray:
        facts = scene["accessors"][index]
        view = scene["bufferViews"][facts["bufferView"]]
        kind, width = np.dtype(COMPONENTS[facts["componentType"]]), WIDTHS[facts["type"]]
        begin = view.get("byteOffset", 0) + facts.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        rows = np.ndarray((facts["count"], width), kind, data, begin, (stride, kind.itemsize)).astype(float)
        return np.maximum(rows / np.iinfo(kind).max, -1.0) if facts.get("normalized") else rows

    joint_of = {n: int(node["name"]) for n, node in enumerate(scene["nodes"]) if node.get("name", "").isdigit()}
    if sorted(joint_of.values()) != list(range(len(capture.names))):
        raise ValueError(f"{path.name} has lost nodes")
    moving = {}
    for animation in scene.get("animations", []):
        for channel in animation["channels"]:
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            kind = sampler.get("interpolation", "LINEAR")
            if target["path"] in ("rotation", "translation") and target["node"] in joint_of:
                assert kind in ("LINEAR", "STEP"), kind
                track = Track(numbers(sampler["input"])[:, 0], numbers(sampler["output"]), kind == "STEP")
                moving[joint_of[target["node"]], target["path"]] = track
    defaults = {"rotation": [0.0, 0.0, 0.0, 1.0], "translation": [0.0, 0.0, 0.0]}
    rests = {
        (joint, what): np.array(scene["nodes"][n].get(what, default))
        for n, joint in joint_of.items()
        for what, default in defaults.items()
    }
    return Tracks(capture, moving, rests)
