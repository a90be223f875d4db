"""Numbers into one buffer: accessors, each distinct array once, aligned, with bounds where glTF wants them."""

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from inbetweener.formats.gltf.schema import (
    VERTEX_DATA,
    VERTEX_INDICES,
    Accessor,
    BufferView,
    ComponentType,
    ElementType,
    Node,
)
from inbetweener.maths import quaternions
from inbetweener.rig import ROOT, Joint

Use = Literal["animation", "binding"]
_COMPONENTS: dict[str, ComponentType] = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_TYPES: dict[int, ElementType] = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Packer:
    """Collects accessors and buffer views; data of one plain use shares a view, as glTF keeps uses apart."""

    def __init__(self) -> None:
        self.accessors: list[Accessor] = []
        self._blocks: list[tuple[bytes | bytearray, int | None]] = []
        self._shared: dict[Use, int] = {}
        self._known: dict[tuple[int | Use, str, int, bytes], int] = {}

    def plain(self, values: npt.ArrayLike, use: Use, *, bounds: bool = False) -> int:
        """Float data (n,) or (n, width) that is not vertex data."""
        return self._add(np.asarray(values, "<f4"), use, bounds)

    def vertices(self, values: npt.NDArray[Any], *, bounds: bool = False) -> int:
        """A vertex attribute (V, width) in its own number type."""
        return self._add(values, VERTEX_DATA, bounds)

    def corners(self, triangles: npt.NDArray[np.int32], vertex_count: int) -> int:
        """Indices of triangles (F, 3), as small as they can be; the largest short means something else."""
        return self._add(triangles.reshape(-1).astype("<u2" if vertex_count < 65536 else "<u4"), VERTEX_INDICES, False)

    def picture(self, data: bytes) -> int:
        """A buffer view that holds an encoded picture."""
        self._blocks.append((data, None))
        return len(self._blocks) - 1

    def finish(self) -> tuple[list[BufferView], bytes]:
        """The buffer views and the buffer."""
        views, whole = [], bytearray()
        for data, target in self._blocks:
            views.append(BufferView(buffer=0, byte_offset=len(whole), byte_length=len(data), target=target))
            whole += data
            whole += b"\0" * (-len(whole) % 4)
        return views, bytes(whole)

    def _add(self, values: npt.NDArray[Any], target: int | Use, bounds: bool) -> int:
        values = np.ascontiguousarray(values)
        columns = values.reshape(len(values), -1)
        kind, data = values.dtype.str[1:], values.tobytes()
        key = (target, kind, columns.shape[1], hashlib.blake2b(data, digest_size=16).digest())
        if key not in self._known:
            accessor = Accessor(
                component_type=_COMPONENTS[kind],
                type=_TYPES[columns.shape[1]],
                count=len(values),
                buffer_view=len(self._blocks),
            )
            if isinstance(target, int):
                self._blocks.append((data, target))
            else:
                accessor.buffer_view, accessor.byte_offset = self._append_plain(data, target)
            self._known[key] = len(self.accessors)
            self.accessors.append(accessor)
        index = self._known[key]
        if bounds:
            self.accessors[index].min = columns.min(axis=0).tolist()
            self.accessors[index].max = columns.max(axis=0).tolist()
        return index

    def _append_plain(self, data: bytes, use: Use) -> tuple[int, int]:
        if use not in self._shared:
            self._shared[use] = len(self._blocks)
            self._blocks.append((bytearray(), None))
        block = self._blocks[self._shared[use]][0]
        assert isinstance(block, bytearray)
        offset = len(block)
        block += data
        return self._shared[use], offset


class Nodes:
    """One node a joint, in the same order; more may follow for meshes."""

    def __init__(self, joints: Sequence[Joint]) -> None:
        self.records = [_node(joint) for joint in joints]
        self.parents = [joint.parent for joint in joints]
        self.of_joint = {joint.name: j for j, joint in enumerate(joints)}
        self._names = set(self.of_joint)
        for j, parent in enumerate(self.parents):
            if parent != ROOT:
                self.records[parent].children.append(j)

    def add(self, name: str, parent: int = ROOT) -> int:
        """A new node at its parent's origin, or at the world's; its name is made unique."""
        unique, number = name or "mesh", 1
        while unique in self._names:
            unique, number = f"{name}_{number}", number + 1
        self._names.add(unique)
        self.records.append(Node(name=unique, children=[]))
        self.parents.append(parent)
        if parent != ROOT:
            self.records[parent].children.append(len(self.records) - 1)
        return len(self.records) - 1

    def root_of(self, node: int) -> int:
        """The topmost ancestor."""
        while self.parents[node] != ROOT:
            node = self.parents[node]
        return node

    def gather(self, roots: Sequence[int]) -> None:
        """Put several roots under a new one, because glTF wants the joints of a skin to have a common root."""
        top = self.add("root")
        for root in roots:
            self.parents[root] = top
            self.records[top].children.append(root)

    def roots(self) -> list[int]:
        """All nodes without parent."""
        return [node for node, parent in enumerate(self.parents) if parent == ROOT]


def _node(joint: Joint) -> Node:
    rest = joint.rest
    w, x, y, z = (float(part) for part in quaternions.normalised(rest.rotation))
    return Node(
        name=joint.name,
        children=[],
        translation=rest.translation if any(rest.translation) else None,
        rotation=(x, y, z, w) if (x, y, z) != (0.0, 0.0, 0.0) else None,
        scale=rest.scale if rest.scale != (1.0, 1.0, 1.0) else None,
    )
