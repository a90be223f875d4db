"""A point on something soft: the tip of a hat, that targets may be put on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SoftPoint:
    """A vertex of a soft mesh, wherever the mesh has swung to.

    `LooseMotion.states` knows where it is; `LooseMotion.rigid_place` is the place on the body that is there at one
    time, by which an inverse takes its Jacobian as if it were fixed to its bone ([IKD] §4.4).
    """

    mesh: str
    vertex: int

    def __str__(self) -> str:
        return f"{self.mesh} vertex {self.vertex}"
