"""The floor: how high it lies, its grid, and the soft shadow that ties a character to it."""

from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats, frozen
from inbetweener.render import colour, kernels
from inbetweener.render.camera import Camera
from inbetweener.render.shapes import Batch
from inbetweener.skinning.mesh import Singles

TEXELS = 256
_COLOURS = np.array([colour.BACK_TOP, colour.BACK_BOTTOM, colour.FLOOR, colour.LINE])
_EMPTY = np.zeros((2, 2), np.float32)

# Layers of the shadow: up to which height, over the size of the character, they catch it; how dark; how blurred.
_LAYERS = ((0.05, 0.40, 0.012), (0.30, 0.34, 0.03), (4.0, 0.30, 0.06))


@dataclass(frozen=True, slots=True)
class Floor:
    """A level floor whose grid fades out around `centre` (x, z), and a square of shadow on it.

    `shadow` (N, N) is 0 … 1 over the square from `corner` (x, z), `width` metres wide; rows run along z.
    """

    height: float
    centre: tuple[float, float]
    fade: float
    step: float
    shadow: Singles = field(default_factory=lambda: _EMPTY, compare=False)
    corner: tuple[float, float] = (0.0, 0.0)
    width: float = 1.0

    def square(self) -> Floats:
        """Where the shadow lies: corner x and z, width."""
        return np.array([*self.corner, self.width])


NO_FLOOR = Floor(0.0, (0.0, 0.0), 1.0, 1.0)


class Backdrops:
    """Keeps the last backdrop: in a movie with a still camera all frames share it."""

    def __init__(self) -> None:
        self._last: tuple[Camera, Floor | None, tuple[int, int]] | None = None
        self._picture = np.empty((0, 0, 4), np.float32)

    def of(self, camera: Camera, floor: Floor | None, size: tuple[int, int]) -> Singles:
        """The backdrop (H, W, 4); the same array as before when nothing changed."""
        bare = floor and replace(floor, shadow=_EMPTY, corner=(0.0, 0.0), width=1.0)
        if self._last != (camera, bare, size):
            self._last = camera, bare, size
            self._picture = backdrop(camera, floor, size)
        return self._picture


def backdrop(camera: Camera, floor: Floor | None, size: tuple[int, int]) -> Singles:
    """The background and the floor without its shadow (H, W, 4): sRGB, and the floor's inverse depth in 1/m."""
    width, height = size
    picture = np.empty((height, width, 4), np.float32)
    laid = floor or NO_FLOOR
    grid = np.array([laid.height, *laid.centre, laid.fade, laid.step])
    kernels.backdrop(view(camera, height), _COLOURS, floor is not None, grid, picture)
    return picture


def view(camera: Camera, height: int) -> kernels.View:
    """A camera as kernels read it, for pictures of that height."""
    return kernels.View(frozen(camera.eye), frozen(camera.axes()), camera.focal(height))


def floor_height(low: float, size: float) -> float:
    """Zero for a character that stands on it or flies above; the lowest point for one that was made elsewhere."""
    return 0.0 if -0.15 * size <= low <= 2.0 * size else low


def grid_step(size: float) -> float:
    """A round distance of 1, 2 or 5 × a power of ten: about a quarter of the character."""
    wanted = max(size, 1e-6) / 3.5
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(power * max((f for f in (1.0, 2.0, 5.0) if f * power <= wanted), default=1.0))


def shadowed(
    batch: Batch, height: float, size: float, towards_light: Floats
) -> tuple[Singles, tuple[float, float], float]:
    """The shadow of triangles on the floor: texels, the corner of their square, and its width.

    Each triangle is pushed along the light to the floor. What touches the floor casts a dark, crisp shadow; what is
    high above casts a pale and wide one.
    """
    from scipy.ndimage import gaussian_filter

    if not len(batch):
        return _EMPTY, (0.0, 0.0), 1.0
    above = np.maximum(batch.vertices[:, 1].astype(np.float64) - height, 0.0)
    lean = 0.55 / max(float(towards_light[1]), 0.3)
    # Far up, the slanted shadow would leave the picture: it then falls straight down.
    slide = lean * size * np.tanh(above / size)
    places = np.stack(
        [
            batch.vertices[:, 0] - slide * towards_light[0],
            batch.vertices[:, 2] - slide * towards_light[2],
            above,
        ],
        axis=-1,
    )
    low, high = places[:, :2].min(axis=0), places[:, :2].max(axis=0)
    room = 0.2 * size
    width = float((high - low).max()) + 2 * room
    corner = (low + high) / 2 - width / 2
    places[:, :2] = (places[:, :2] - corner) * (TEXELS / width)
    heights = np.full((TEXELS, TEXELS), np.inf, np.float32)
    kernels.lowest(places, batch.triangles, heights)
    light = np.ones((TEXELS, TEXELS))
    for reach, dark, blur in _LAYERS:
        cover = np.where(heights < reach * size, 1 / (1 + heights / size), 0.0)
        if cover.any():
            rise = min(float(heights[cover > 0].mean()) / size, 1.0)
            light *= 1 - dark * gaussian_filter(cover, blur * (1 + rise) * size * TEXELS / width)
    return (1 - light).astype(np.float32), (float(corner[0]), float(corner[1])), width
