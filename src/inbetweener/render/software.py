"""Drawing without a graphics driver: the same picture from compiled loops, the same to the bit every time."""

import numpy as np

from inbetweener.arrays import Bytes, frozen, read_only
from inbetweener.render import colour, kernels
from inbetweener.render.colour import lamps
from inbetweener.render.floor import NO_FLOOR, Backdrops, view
from inbetweener.render.scene import Scene
from inbetweener.render.shapes import Batch

SAMPLES = 2
"""Samples across a pixel, both ways."""
FAINT = 0.32
"""How much of a motion curve shows through what stands before it."""
SOLID, GLASS, THROUGH = range(3)


class SoftwareBackend:
    """Draws scenes at one size, reusing its buffers."""

    name = "software"

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        width, height = size
        self._picture = np.empty((height * SAMPLES, width * SAMPLES, 3), np.float32)
        self._nearness = np.empty((height * SAMPLES, width * SAMPLES), np.float32)
        self._backdrops = Backdrops()
        self._seen = np.empty((height * SAMPLES, width * SAMPLES), np.int32)

    def draw(self, scene: Scene) -> Bytes:
        """The picture (H, W, 3)."""
        self._backdrop(scene)
        self._draw(scene, scene.solid, SOLID)
        self._draw(scene, scene.overlay, THROUGH)
        for batch in scene.glass:
            self._draw(scene, batch, GLASS)
        result = np.empty((self.size[1], self.size[0], 3), np.uint8)
        kernels.resolve(self._picture, SAMPLES, result)
        return result

    def close(self) -> None:
        """Nothing to give back."""

    def _backdrop(self, scene: Scene) -> None:
        camera, floor = scene.camera, scene.floor or NO_FLOOR
        kernels.shadow_floor(
            self._backdrops.of(camera, scene.floor, self.size), view(camera, self.size[1]), np.array(colour.SHADOW),
            floor.square(), floor.shadow, self._picture, self._nearness,
        )  # fmt: skip

    def _draw(self, scene: Scene, batch: Batch, mode: int) -> None:
        if not len(batch):
            return
        width, height = self.size
        screen = np.ascontiguousarray(scene.camera.pixels(batch.vertices, (width * SAMPLES, height * SAMPLES)))
        # What shows through everything is sorted only among itself, and then joins the rest.
        nearness = np.zeros_like(self._nearness) if mode == THROUGH else self._nearness
        self._seen.fill(-1)
        seen = kernels.Seen(read_only(screen), nearness, self._seen)
        kernels.rasterise(seen, batch.triangles, 1e-3 * scene.camera.distance)
        kernels.light(seen, batch.record, _lighting(scene), self._nearness, mode, FAINT, self._picture)
        if mode == THROUGH:
            np.maximum(self._nearness, nearness, out=self._nearness)


def _lighting(scene: Scene) -> kernels.Lighting:
    """What shades the triangles of a scene."""
    seen = scene.light_map
    return kernels.Lighting(
        frozen(scene.camera.eye), frozen(lamps(scene.camera)), read_only(seen.map_from_world), read_only(seen.moments)
    )
