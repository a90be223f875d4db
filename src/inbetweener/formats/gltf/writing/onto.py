"""What we make of a document put onto the file that it came from: only what was edited changes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from inbetweener.document import Document
from inbetweener.document.budget import Budget
from inbetweener.document.kept import Kept
from inbetweener.errors import InbetweenerError, InvalidDocument
from inbetweener.formats.gltf.beside import words_of_mesh
from inbetweener.formats.gltf.reading.keeping import filled
from inbetweener.formats.gltf.reading.meshes import Shown, read_meshes
from inbetweener.formats.gltf.reading.scene import Scene, read_scene
from inbetweener.formats.gltf.reading.source import DTYPES, WIDTHS, Accessors, Source
from inbetweener.formats.gltf.schema import EXTRAS, FREE, Buffer, Gltf
from inbetweener.rig import ROOT
from inbetweener.skinning import Mesh

_Json = dict[str, Any]
_LISTS = ("nodes", "meshes", "skins", "materials", "textures", "images", "accessors", "bufferViews", "animations")


@dataclass(slots=True)
class Base:
    """The kept file as JSON, and what of a document is in it already."""

    kept: Kept
    document: Document
    whole: _Json
    scene: Scene
    shown: Shown
    data: bytes
    node_of: dict[str, int]
    """The node that each joint was."""
    same: set[str]
    """Meshes of the document that are as they were."""

    @property
    def new_meshes(self) -> tuple[Mesh, ...]:
        """Those that the file does not have, or has otherwise."""
        return tuple(mesh for mesh in self.document.meshes if mesh.name not in self.same)

    def channels(self) -> dict[int, tuple[str, ...]]:
        """By joint, the shape channels that are the morph weights of its node."""
        by_name = {mesh.name: mesh for mesh in self.document.meshes}
        found = {}
        for node, names in self.shown.meshes_of_node.items():
            kept = [by_name[name] for name in names if name in self.same]
            most = max((mesh.shapes for mesh in kept), key=len, default=())
            if most:
                joint = self.document.rig.joint_index(self.kept.joints[node])
                found[joint] = tuple(shape.channel for shape in most)
        return found

    def homes(self) -> set[int]:
        """Joints whose nodes show meshes of the file."""
        nodes = [n for n, names in self.shown.meshes_of_node.items() if any(name in self.same for name in names)]
        return {self.document.rig.joint_index(self.kept.joints[node]) for node in nodes}


def base_of(document: Document) -> tuple[Base | None, list[str]]:
    """The file that a document came from, ready to be written onto, and a line where that cannot be."""
    kept = None if document.source is None else document.source.kept
    if kept is None or document.source is None or document.source.format != "gltf":
        return None, []
    rig = document.rig
    try:
        whole = filled(kept.text)
        data = b"".join(block.tobytes() for block in kept.blocks)
        whole["buffers"] = [{"byteLength": max(len(data), 1)}]
        source = Source(Path(document.name), msgspec.convert(whole, Gltf), data, Budget(0, trust=True))
        scene = read_scene(source)
        shown = read_meshes(source, Accessors(source), scene)
    except (InbetweenerError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidDocument(f"what is kept of the file that it came from cannot be read: {error}") from None
    node_of = {name: node for node, name in enumerate(kept.joints) if name}
    names = {joint.name for joint in rig.joints}
    for joint in rig.joints:
        node = node_of.get(joint.name)
        parent = None if joint.parent == ROOT else rig.joints[joint.parent].name
        if node is not None and node in scene.joint_of_node:
            was = scene.joints[scene.joint_of_node[node]].parent
            above = None if was == ROOT else kept.joints[list(scene.joint_of_node)[was]]
            if above != parent:
                return None, [f"joint {joint.name!r} hangs elsewhere now: {_LOST}"]
    if gone := [name for name in node_of if name not in names]:
        return None, [f"joint {gone[0]!r} is no more: {_LOST}"]
    whole["accessors"] = msgspec.json.decode(kept.text).get("accessors", [])
    whole["bufferViews"] = msgspec.json.decode(kept.text).get("bufferViews", [])
    base = Base(kept, document, whole, scene, shown, data, node_of, set())
    return base, [*_find_same(base), *_clips_left_out(base)]


_LOST = "maps, lights, cameras and extensions of the file that it came from are left out"


def _find_same(base: Base) -> list[str]:
    """Note the meshes that nobody changed, and take the others off their nodes: a line for each that loses looks."""
    losses = []
    now = {mesh.name: mesh for mesh in base.document.meshes}
    renamed = {joint.name: base.kept.joints[node] for node, joint in _joints(base)}
    as_read = {mesh.name: mesh for mesh in base.shown.meshes}
    for node, names in base.shown.meshes_of_node.items():
        if all(name in now and _alike(now[name], as_read[name], renamed) for name in names):
            base.same.update(names)
        else:
            record = base.whole["nodes"][node]
            lost = words_of_mesh(base.whole["meshes"][record["mesh"]], base.whole.get("materials", []))
            if lost and (changed := [name for name in names if name in now]):
                losses.append(f"mesh {changed[0]!r} was changed and is written anew, without {', '.join(lost)}")
            for part in ("mesh", "skin", "weights"):
                record.pop(part, None)
    return losses


def _clips_left_out(base: Base) -> list[str]:
    """A line for each clip that is no more under its name, and had channels that we only keep."""
    names = {clip.name for clip in base.document.clips}
    losses = []
    for name, animation in zip(base.kept.clips, base.whole.get("animations", []), strict=False):
        if name and name not in names and (channels := animation["channels"]):
            paths = ", ".join(dict.fromkeys(str(each["target"]["path"])[:40] for each in channels))
            count = f"{len(channels)} channel{'s' if len(channels) > 1 else ''}"
            losses.append(f"clip {name!r} is no more under that name; {count} that it had beside ({paths}) left out")
    return losses


def _joints(base: Base) -> Iterable[tuple[int, Any]]:
    return ((node, base.scene.joints[j]) for node, j in base.scene.joint_of_node.items())


def _alike(now: Mesh, then: Mesh, renamed: dict[str, str]) -> bool:
    if len(now.shapes) != len(then.shapes):
        return False
    shapes = tuple(replace(b, channel=a.channel) for a, b in zip(now.shapes, then.shapes, strict=True))
    return now == replace(then, joints=tuple(renamed[name] for name in then.joints), shapes=shapes)


class _Slots:
    """A list of the file: what is new takes the places of what is no more, then stands behind the others."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.free = [n for n, each in enumerate(items) if each is None]

    def add(self, item: Any) -> int:
        if self.free:
            number = self.free.pop(0)
            self.items[number] = item
            return number
        self.items.append(item)
        return len(self.items) - 1

    def closed(self, blank: _Json) -> list[Any]:
        """The list with something in every place."""
        while self.items and self.items[-1] is None:
            self.items.pop()
        return [dict(blank) if each is None else each for each in self.items]


def merged(base: Base, ours: Gltf, data: bytes) -> tuple[_Json, bytes]:
    """The file with what `ours` has: joints by name, everything else as new; and its data."""
    whole, new = base.whole, msgspec.json.decode(msgspec.json.encode(ours))
    slots = {name: _Slots(whole.get(name, [])) for name in _LISTS if name != "animations"}
    joined = base.data + b"\0" * (-len(base.data) % 4)
    numbers: dict[str, list[int]] = {name: [] for name in _LISTS}

    def put(name: str, items: list[_Json], change: Callable[[_Json], None]) -> None:
        for item in items:
            change(item)
            numbers[name].append(slots[name].add(item))

    def moved(record: _Json, key: str, name: str) -> None:
        if key in record:
            record[key] = numbers[name][record[key]]

    views = new.get("bufferViews", [])
    accessors = new.get("accessors", [])
    _spread(views, accessors, len(slots["bufferViews"].free))
    put("bufferViews", views, lambda view: view.update(byteOffset=view.get("byteOffset", 0) + len(joined)))
    put("accessors", accessors, lambda each: moved(each, "bufferView", "bufferViews"))
    put("images", new.get("images", []), lambda each: moved(each, "bufferView", "bufferViews"))

    def texture(each: _Json) -> None:
        moved(each, "source", "images")
        for extension in each.get("extensions", {}).values():
            moved(extension, "source", "images")

    put("textures", new.get("textures", []), texture)
    put("materials", new.get("materials", []), lambda each: _material(each, moved))
    put("meshes", new.get("meshes", []), lambda each: _mesh(each, moved))
    nodes = _nodes(base, new.get("nodes", []), slots["nodes"])
    numbers["nodes"] = nodes

    def skin(each: _Json) -> None:
        moved(each, "inverseBindMatrices", "accessors")
        each["joints"] = [nodes[joint] for joint in each["joints"]]

    put("skins", new.get("skins", []), skin)
    for node in new.get("nodes", []):
        moved(node, "mesh", "meshes")
        moved(node, "skin", "skins")
    animations = new.get("animations", [])
    moving = {c["target"]["node"] for each in animations for c in each["channels"] if c["target"]["path"] != "weights"}
    hung = _hang(base, new.get("nodes", []), nodes, slots["nodes"], moving)
    for name, each in slots.items():
        if made := each.closed(FREE.get(name, {})):
            whole[name] = made
    whole["animations"] = _animations(base, animations, moved)
    known = set(base.node_of.values())
    _scenes(whole, [nodes[n] for n in new["scenes"][0].get("nodes", []) if nodes[n] not in known], hung)
    whole["asset"] = {**whole.get("asset", {}), **new["asset"]}
    whole["buffers"][0] = msgspec.to_builtins(Buffer(byte_length=max(len(joined) + len(data), 4)))
    for name in ("extensionsUsed", "extensionsRequired"):
        if listed := [*dict.fromkeys([*whole.get(name, []), *new.get(name, [])])]:
            whole[name] = listed
    # glTF forbids empty lists.
    return {name: each for name, each in whole.items() if each != []}, (joined + data) or b"\0\0\0\0"


def _spread(views: list[_Json], accessors: list[_Json], room: int) -> None:
    """Accessors on one view take views of their own while there is room for them."""
    shared: dict[int, int] = {}
    for accessor in accessors:
        shared[accessor["bufferView"]] = shared.get(accessor["bufferView"], 0) + 1
    for accessor in accessors:
        view = accessor["bufferView"]
        if shared[view] > 1 and len(views) < room:
            shared[view] -= 1
            start = accessor.pop("byteOffset", 0)
            size = accessor["count"] * WIDTHS[accessor["type"]] * DTYPES[accessor["componentType"]].itemsize
            own = {**views[view], "byteOffset": views[view].get("byteOffset", 0) + start, "byteLength": size}
            views.append(own)
            accessor["bufferView"] = len(views) - 1


def _material(record: _Json, moved: Callable[[_Json, str, str], None]) -> None:
    base = record.get("pbrMetallicRoughness", {})
    if "baseColorTexture" in base:
        moved(base["baseColorTexture"], "index", "textures")


def _mesh(record: _Json, moved: Callable[[_Json, str, str], None]) -> None:
    for primitive in record["primitives"]:
        for attributes in (primitive["attributes"], *primitive.get("targets", [])):
            for name in attributes:
                moved(attributes, name, "accessors")
        moved(primitive, "indices", "accessors")
        moved(primitive, "material", "materials")


def _nodes(base: Base, new: list[_Json], slots: _Slots) -> list[int]:
    """The number that each of our nodes has in the file; joints that the file has keep theirs."""
    rig = base.document.rig
    numbers = []
    for n, node in enumerate(new):
        known = base.node_of.get(rig.joints[n].name) if n < len(rig.joints) else None
        numbers.append(slots.add(node) if known is None else known)
    return numbers


def _hang(base: Base, new: list[_Json], numbers: list[int], slots: _Slots, moving: set[int]) -> set[int]:
    """Put our nodes, with their numbers, where they hang; of joints that the file has, only what differs.

    Nodes that clips are `moving` may be no matrices. Returns those that hang on something now.
    """
    hung: set[int] = set()
    rig, whole = base.document.rig, slots.items
    for n, node in enumerate(new):
        children = [numbers[child] for child in node.pop("children", [])]
        there = whole[numbers[n]]
        if there is not node:
            j = base.scene.joint_of_node.get(numbers[n])
            matrix = "matrix" in there and n in moving
            if matrix or j is None or base.scene.joints[j].rest != rig.joints[n].rest:
                for part in ("matrix", "translation", "rotation", "scale"):
                    there.pop(part, None)
                there.update({part: node[part] for part in ("translation", "rotation", "scale") if part in node})
            if j is None or base.scene.joints[j].name != node["name"]:
                there["name"] = node["name"]
            for part in ("mesh", "skin"):
                if part in node:
                    there[part] = node[part]
        kept = there.get("children", [])
        if added := [child for child in children if child not in kept]:
            there["children"] = [*kept, *added]
            hung.update(added)
    for n, names in base.channels().items():
        was = base.shown.defaults_of_node[numbers[n]]
        now = [float(rig.channel(name).default) for name in names]
        if now != was:
            whole[numbers[n]]["weights"] = now
    return hung


def _animations(base: Base, new: list[_Json], moved: Callable[[_Json, str, str], None]) -> list[_Json]:
    """Our clips, each with what the file's animation had beside it; then those that are no clips."""
    left = dict(zip(base.kept.clips, base.whole.get("animations", []), strict=False))
    made = []
    for animation in new:
        for sampler in animation["samplers"]:
            moved(sampler, "input", "accessors")
            moved(sampler, "output", "accessors")
        for channel in animation["channels"]:
            moved(channel["target"], "node", "nodes")
        others = left.get(animation.get("name", ""))
        if others is not None:
            count = len(animation["samplers"])
            animation["samplers"] += others["samplers"]
            animation["channels"] += [{**each, "sampler": each["sampler"] + count} for each in others["channels"]]
            extras = others.get("extras")
            if isinstance(extras, dict):
                animation["extras"] = {**extras, EXTRAS: animation["extras"][EXTRAS]}
            animation = {**others, **animation}
        made.append(animation)
    pairs = zip(base.kept.clips, base.whole.get("animations", []), strict=False)
    return [*made, *(each for name, each in pairs if not name)]


def _scenes(whole: _Json, roots: list[int], hung: set[int]) -> None:
    """Roots that are new come into the scene; what hangs on something now is a root no longer."""
    scenes = whole.get("scenes", [])
    for scene in scenes:
        if "nodes" in scene:
            scene["nodes"] = [node for node in scene["nodes"] if node not in hung]
    if scenes and roots:
        here = scenes[min(whole.get("scene", 0), len(scenes) - 1)]
        here["nodes"] = [*here.get("nodes", []), *(root for root in roots if root not in here.get("nodes", []))]
    for scene in scenes:
        if not scene.get("nodes", [0]):
            del scene["nodes"]
