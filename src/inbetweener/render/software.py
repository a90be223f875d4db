"""Drawing without a graphics driver: the same picture from compiled loops, the same to the bit every time."""

import numpy as np

from inbetweener.arrays import Bytes, Floats
from inbetweener.render import colour, kernels
from inbetweener.render.batch import Batch
from inbetweener.render.floor import Floor
from inbetweener.render.light import lamps
from inbetweener.render.scene import Scene
from inbetweener.skinning.mesh import Indices, Singles

SAMPLES = 2
"""Samples across a pixel, both ways."""
FAINT = 0.32
"""How much of a motion curve shows through what stands before it."""
SOLID, GLASS, THROUGH = range(3)
BACKDROP = np.array([colour.BACK_TOP, colour.BACK_BOTTOM, colour.FLOOR, colour.LINE, colour.SHADOW])
_NO_FLOOR = Floor(0.0, (0.0, 0.0), 1.0, 1.0, np.zeros((2, 2), np.float32))


class SoftwareBackend:
    """Draws scenes at one size, reusing its buffers."""

    name = "software"

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        width, height = size
        self._picture = np.empty((height * SAMPLES, width * SAMPLES, 3), np.float32)
        self._nearness = np.empty((height * SAMPLES, width * SAMPLES), np.float32)
        self._seen = np.empty((height * SAMPLES, width * SAMPLES), np.int32)

    def draw(self, scene: Scene) -> Bytes:
        """The picture (H, W, 3)."""
        self._backdrop(scene)
        self._draw(scene, scene.solid, SOLID)
        for batch in scene.glass:
            self._draw(scene, batch, GLASS)
        self._draw(scene, scene.overlay, THROUGH)
        result = np.empty((self.size[1], self.size[0], 3), np.uint8)
        kernels.resolve(self._picture, SAMPLES, result)
        return result

    def close(self) -> None:
        """Nothing to give back."""

    def _backdrop(self, scene: Scene) -> None:
        width, height = self.size
        picture, nearness = np.empty((height, width, 3), np.float32), np.empty((height, width), np.float32)
        floor = scene.floor or _NO_FLOOR
        kernels.backdrop(
            np.asarray(scene.camera.eye), scene.camera.axes(), _focal(scene, height), BACKDROP,
            scene.floor is not None, floor.numbers(), floor.shadow, picture, nearness,
        )  # fmt: skip
        self._picture[:] = picture.repeat(SAMPLES, axis=0).repeat(SAMPLES, axis=1)
        self._nearness[:] = nearness.repeat(SAMPLES, axis=0).repeat(SAMPLES, axis=1)

    def _draw(self, scene: Scene, batch: Batch, mode: int) -> None:
        if not len(batch):
            return
        width, height = self.size
        screen = np.ascontiguousarray(scene.camera.pixels(batch.vertices, (width * SAMPLES, height * SAMPLES)))
        nearness, seen = self._target(mode)
        seen.fill(-1)
        kernels.rasterise(screen, batch.triangles, 1e-3 * scene.camera.distance, nearness, seen)
        kernels.light(
            nearness, seen, screen, batch.triangles, batch.vertices, batch.normals, batch.paint,
            np.asarray(scene.camera.eye, np.float64), lamps(scene.camera), self._nearness, mode, FAINT, self._picture,
        )  # fmt: skip

    def _target(self, mode: int) -> tuple[Singles, Indices]:
        """Where a batch is drawn: what shows through everything is sorted only among itself."""
        return (np.zeros_like(self._nearness) if mode == THROUGH else self._nearness), self._seen


def _focal(scene: Scene, height: int) -> float:
    return float(height / (2 * np.tan(scene.camera.fov / 2)))


def lamp_numbers(scene: Scene) -> Floats:
    """The lamps of a scene."""
    return lamps(scene.camera)
