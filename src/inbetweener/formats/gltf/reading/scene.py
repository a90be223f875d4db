"""Nodes become joints: parents first, named apart, matrices taken to pieces."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, are_sane
from inbetweener.formats.gltf.reading.source import Source, named
from inbetweener.formats.gltf.schema import Node
from inbetweener.formats.names import Names
from inbetweener.maths import quaternions, transforms
from inbetweener.maths.transforms import Transform
from inbetweener.rig import ROOT, Joint


@dataclass(frozen=True, slots=True)
class Scene:
    """Joints without rotation orders yet, and where each kept node went."""

    joints: tuple[Joint, ...]
    joint_of_node: dict[int, int]
    shown: frozenset[int]
    """Nodes that are in a scene: only their meshes are shown. All of them when the file has no scene."""

    def name(self, node: int) -> str:
        """The joint name of a kept node."""
        return self.joints[self.joint_of_node[node]].name


def read_scene(source: Source) -> Scene:
    """Every node that a scene holds or that a skin or an animation needs."""
    nodes = source.gltf.nodes
    parents = _parents(source)
    roots = _scene_roots(source, parents)
    order = _below(nodes, roots)
    shown = frozenset(order)
    kept = dict.fromkeys(order)
    for node in _needed(source):
        if node not in kept:
            path = [node]
            while parents[path[-1]] != ROOT and parents[path[-1]] not in kept:
                path.append(parents[path[-1]])
            kept.update(dict.fromkeys(reversed(path)))
    # A joint with its channels.
    source.spend(3500 * len(kept), "/nodes")
    names = _unique_names(source, list(kept))
    place = {node: index for index, node in enumerate(kept)}
    joints = tuple(
        Joint(names[node], place.get(parents[node], ROOT), _rest(source, nodes[node], f"/nodes/{node}"))
        for node in kept
    )
    return Scene(joints, place, shown)


def _parents(source: Source) -> list[int]:
    nodes = source.gltf.nodes
    parents = [ROOT] * len(nodes)
    for index, node in enumerate(nodes):
        for n, child in enumerate(node.children):
            here = f"/nodes/{index}/children/{n}"
            source.item("node", nodes, child, here)
            if parents[child] != ROOT or child == index:
                other = f"node {parents[child]}" if child != index else "itself"
                source.fail(here, f"node {child} is already a child of {other}", "the nodes must form a tree")
            parents[child] = index
    # Every node has one parent at most, so a node that no root reaches lies on or under a ring.
    reached = set(_below(nodes, [n for n, parent in enumerate(parents) if parent == ROOT]))
    for index in range(len(nodes)):
        if index not in reached:
            source.fail(f"/nodes/{index}", "is its own ancestor", "the nodes must form a tree")
    return parents


def _scene_roots(source: Source, parents: list[int]) -> list[int]:
    gltf = source.gltf
    if gltf.scene is not None:
        source.item("scene", gltf.scenes, gltf.scene, "/scene")
    if not gltf.scenes:
        return [n for n, parent in enumerate(parents) if parent == ROOT]
    roots: dict[int, None] = {}
    for s, scene in enumerate(gltf.scenes):
        for n, node in enumerate(scene.nodes):
            here = f"/scenes/{s}/nodes/{n}"
            source.item("node", gltf.nodes, node, here)
            if parents[node] != ROOT:
                source.note(here, f"node {node} is not a root; its ancestors are read too")
                while parents[node] != ROOT:
                    node = parents[node]
            roots[node] = None
    return list(roots)


def _below(nodes: list[Node], roots: list[int]) -> list[int]:
    """Roots and all their descendants, depth first; each once."""
    order: dict[int, None] = {}
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node not in order:
            order[node] = None
            stack.extend(reversed(nodes[node].children))
    return list(order)


def _needed(source: Source) -> list[int]:
    needed: dict[int, None] = {}
    for s, skin in enumerate(source.gltf.skins):
        for n, joint in enumerate(skin.joints):
            source.item("node", source.gltf.nodes, joint, f"/skins/{s}/joints/{n}")
            needed[joint] = None
    for a, animation in enumerate(source.gltf.animations):
        for c, channel in enumerate(animation.channels):
            if channel.target.node is not None:
                here = f"/animations/{a}/channels/{c}/target/node"
                source.item("node", source.gltf.nodes, channel.target.node, here)
                needed[channel.target.node] = None
    return list(needed)


def _unique_names(source: Source, kept: list[int]) -> dict[int, str]:
    wanted = {node: named(source.gltf.nodes[node], f"node_{node}") for node in kept}
    # A made name must not take one that another node brings along.
    taken = Names(wanted.values())
    used: set[str] = set()
    names: dict[int, str] = {}
    renamed = []
    for node, name in wanted.items():
        if name in used:
            name = taken.unused(name)
            renamed.append(name)
        used.add(name)
        names[node] = name
    if renamed:
        shown = ", ".join(renamed[:4]) + (" …" if len(renamed) > 4 else "")
        source.note("/nodes", f"{len(renamed)} nodes share their name with another; called {shown}")
    return names


def _rest(source: Source, node: Node, place: str) -> Transform:
    if node.matrix is not None:
        if node.translation or node.rotation or node.scale:
            source.note(place, "has a matrix and separate parts; the matrix counts")
        matrix = np.array(node.matrix).reshape(4, 4).T
        _require_sane(source, matrix, f"{place}/matrix")
        translation, rotation, scale, shear = transforms.decompose(matrix)
        if shear > 1e-4:
            source.leave_out(f"{place}/matrix", f"has shear, which joints cannot hold; {shear:.2g} of it is lost")
        return _transform(translation, rotation, scale)
    translation = np.array(node.translation or (0.0, 0.0, 0.0))
    scale = np.array(node.scale or (1.0, 1.0, 1.0))
    x, y, z, w = node.rotation or (0.0, 0.0, 0.0, 1.0)
    rotation = np.array([w, x, y, z])
    for name, part in (("translation", translation), ("rotation", rotation), ("scale", scale)):
        _require_sane(source, part, f"{place}/{name}")
    length = float(np.linalg.norm(rotation))
    if abs(length - 1) > 1e-3:
        source.note(f"{place}/rotation", f"has length {length:.4g} instead of 1; made 1")
    return _transform(translation, quaternions.normalised(rotation), scale)


def _require_sane(source: Source, numbers: Floats, place: str) -> None:
    if not are_sane(numbers).all():
        source.fail(place, "is not made of finite numbers below 1e30")


def _transform(translation: Floats, rotation: Floats, scale: Floats) -> Transform:
    tx, ty, tz = map(float, translation)
    w, x, y, z = map(float, rotation)
    sx, sy, sz = map(float, scale)
    return Transform((tx, ty, tz), (w, x, y, z), (sx, sy, sz))
