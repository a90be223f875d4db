"""Triangles ready to be drawn, whatever draws them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import read_only
from inbetweener.render.kernels import Surface
from inbetweener.skinning.mesh import Indices, Singles


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Triangles with a look at each vertex.

    vertices   (V, 3) metres in the world
    normals    (V, 3) unit vectors
    paint      (V, 5) linear RGB, opacity, and glow: 0 is lit by the lamps, 1 shines by itself
    triangles  (F, 3) counter-clockwise from outside
    """

    vertices: Singles
    normals: Singles
    paint: Singles
    triangles: Indices

    @classmethod
    def painted(
        cls,
        vertices: npt.ArrayLike,
        normals: npt.ArrayLike,
        triangles: npt.ArrayLike,
        colour: npt.ArrayLike,
        *,
        opacity: float = 1.0,
        glow: float = 0.0,
    ) -> "Batch":
        """Triangles in one linear colour (3,) or one a vertex (V, 3)."""
        vertices = np.ascontiguousarray(vertices, np.float32)
        paint = np.empty((len(vertices), 5), np.float32)
        paint[:, :3] = colour
        paint[:, 3] = opacity
        paint[:, 4] = glow
        return cls(
            vertices, np.ascontiguousarray(normals, np.float32), paint, np.ascontiguousarray(triangles, np.int32)
        )

    def __len__(self) -> int:
        return len(self.triangles)

    @property
    def record(self) -> Surface:
        """As kernels read it."""
        looks = read_only(self.vertices), read_only(self.normals), read_only(self.paint)
        return Surface(*looks, read_only(self.triangles))

    def tinted(self, colour: npt.ArrayLike, opacity: float, share: float = 1.0) -> "Batch":
        """The same triangles with their colours drawn towards one colour, and an opacity."""
        paint = self.paint.copy()
        paint[:, :3] += np.float32(share) * (np.asarray(colour, np.float32) - paint[:, :3])
        paint[:, 3] = opacity
        return Batch(self.vertices, self.normals, paint, self.triangles)


EMPTY = Batch(
    np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 5), np.float32), np.zeros((0, 3), np.int32)
)


def joined(batches: Iterable[Batch]) -> Batch:
    """All triangles in one batch."""
    listed = [batch for batch in batches if len(batch)]
    if not listed:
        return EMPTY
    if len(listed) == 1:
        return listed[0]
    starts = np.cumsum([0, *(len(batch.vertices) for batch in listed[:-1])])
    return Batch(
        np.concatenate([batch.vertices for batch in listed]),
        np.concatenate([batch.normals for batch in listed]),
        np.concatenate([batch.paint for batch in listed]),
        np.concatenate([batch.triangles + np.int32(start) for batch, start in zip(listed, starts, strict=True)]),
    )
