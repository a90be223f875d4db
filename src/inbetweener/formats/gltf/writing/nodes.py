"""Joints become nodes; meshes find a node to hang from."""

from collections.abc import Sequence

from inbetweener.formats.gltf.schema import Node
from inbetweener.maths import quaternions
from inbetweener.rig import ROOT, Joint


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
