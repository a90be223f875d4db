"""Skins: which nodes deform a mesh, and where each of them finds it."""

from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.formats.gltf import schema
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.source import Source


class Skins:
    """Joints (as nodes) and inverse bind matrices (K, 3, 4) of every skin."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self._read: dict[int, tuple[list[int], Floats]] = {}

    def get(self, index: int, place: str) -> tuple[list[int], Floats]:
        """The skin that `place` points at."""
        skin = self.source.item("skin", self.source.gltf.skins, index, place)
        if index not in self._read:
            self._read[index] = (skin.joints, self._inverse_bind(skin, f"/skins/{index}"))
            self._check_roots(skin, f"/skins/{index}")
        return self._read[index]

    def _inverse_bind(self, skin: schema.Skin, place: str) -> Floats:
        count = len(skin.joints)
        if skin.inverse_bind_matrices is None:
            return np.asarray(frozen(np.broadcast_to(np.eye(3, 4), (count, 3, 4))))
        here = f"{place}/inverseBindMatrices"
        record = self.accessors.record(skin.inverse_bind_matrices, here)
        columns = self.accessors.floats(skin.inverse_bind_matrices, here, "MAT4")
        if record.component_type != 5126:
            self.source.fail(here, "inverse bind matrices must be floats")
        if len(columns) < count:
            self.source.fail(here, f"{len(columns)} matrices for {count} joints")
        if record.buffer_view is not None and self.source.gltf.buffer_views[record.buffer_view].byte_stride:
            self.source.note(
                here, "its bufferView has a byteStride, which only vertex data may have; read all the same"
            )
        matrices = columns[:count].reshape(count, 4, 4).transpose(0, 2, 1).astype(np.float64)
        if np.abs(matrices[:, 3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-5:
            self.source.note(here, "a last row is not 0 0 0 1; taken as if it were")
        return np.asarray(frozen(matrices[:, :3]))

    def _check_roots(self, skin: schema.Skin, place: str) -> None:
        """A skin's joints shall hang together; we do not need it, so say so and go on."""
        roots, enter, leave = self._tree
        if len({roots[joint] for joint in skin.joints}) > 1:
            self.source.note(f"{place}/joints", "the joints have no common root; read as they are")
        if skin.skeleton is not None:
            top = skin.skeleton
            self.source.item("node", self.source.gltf.nodes, top, f"{place}/skeleton")
            if not all(enter[top] <= enter[joint] < leave[top] for joint in skin.joints):
                self.source.note(f"{place}/skeleton", f"node {top} is not above all joints; ignored")

    @cached_property
    def _tree(self) -> tuple[list[int], list[int], list[int]]:
        """Each node's root, and the stretch of a depth-first walk that its subtree takes."""
        nodes = self.source.gltf.nodes
        children = {child for node in nodes for child in node.children}
        roots, enter, leave = list(range(len(nodes))), [0] * len(nodes), [0] * len(nodes)
        clock = 0
        stack = [node for node in range(len(nodes)) if node not in children]
        while stack:
            node = stack.pop()
            if node < 0:
                leave[~node] = clock
                continue
            enter[node] = clock
            clock += 1
            stack.append(~node)
            for child in nodes[node].children:
                roots[child] = roots[node]
                stack.append(child)
        return roots, enter, leave
