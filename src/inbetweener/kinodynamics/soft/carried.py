"""What a joint and those below it carry of a mesh: the vertices of a soft part, and how much of each is theirs."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.skinning import Mesh


class Same:
    """A mesh that is equal to itself alone, by which what is made of it can be remembered."""

    __slots__ = ("thing",)

    def __init__(self, thing: Mesh) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """Vertices (v,) that a part moves, by their numbers in the mesh, and its share (v,) in each, from 0 to 1."""

    mesh: Mesh
    vertices: Ints
    shares: Floats

    @classmethod
    def by(cls, joints: tuple[str, ...], mesh: Mesh) -> Self:
        """What some joints, the uppermost first, carry of a mesh; nothing is named."""
        if not len(mesh.vertices) or not len(mesh.triangles):
            raise InvalidLooseness(f"mesh {mesh.name!r} is empty, so {joints[0]!r} has nothing of it that could swing")
        own = np.array([name in joints for name in mesh.joints], np.bool_)
        shares = np.where(own[mesh.influences], mesh.weights, 0.0).sum(axis=1, dtype=np.float64)
        vertices = np.flatnonzero(shares > 0)
        if not len(vertices):
            raise InvalidLooseness(
                f"joint {joints[0]!r} carries nothing of mesh {mesh.name!r}; name one of {', '.join(mesh.joints[:6])}"
            )
        return cls(mesh, frozen(vertices, np.int64), frozen(np.minimum(shares[vertices], 1.0)))

    @property
    def triangles(self) -> Ints:
        """Triangles (F, 3) between these vertices, numbered among them."""
        among = np.full(len(self.mesh.vertices), -1, np.int64)
        among[self.vertices] = np.arange(len(self.vertices))
        found = among[self.mesh.triangles]
        return found[(found >= 0).all(axis=1)]
