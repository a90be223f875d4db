"""What there is to see at one time, without saying who draws it.

The character may stand in its own light. The light sees a picture of distances. Its first two moments are blurred, and
Chebyshev's inequality bounds how much of the light passes: one look-up a pixel, soft, and the same for whoever draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import UnknownName
from inbetweener.render import kernels
from inbetweener.render.camera import Camera
from inbetweener.render.floor import Floor
from inbetweener.render.shapes import Batch
from inbetweener.skinning.mesh import Singles

TEXELS = 320
SOFTNESS = 0.009
"""The blur, relative to the width of the map."""


@dataclass(frozen=True, slots=True, eq=False)
class LightMap:
    """What the key light sees.

    moments (N, N, 2) mean and mean square of the distance from the light; map_from_world (3, 4) takes a place to column
    and row in 0 … 1 and to its distance, in widths of the map.
    """

    moments: Singles
    map_from_world: Floats
    is_used: bool = True


UNUSED = LightMap(np.zeros((2, 2, 2), np.float32), np.zeros((3, 4)), is_used=False)


def light_map(casting: Batch, body: Batch, towards_light: Floats) -> LightMap:
    """The map of all triangles of `casting` around `body`; unused when there is no body."""
    from scipy.ndimage import gaussian_filter

    if not len(body):
        return UNUSED
    helper = np.eye(3)[np.argmin(np.abs(towards_light))]
    across = np.cross(helper, towards_light)
    across /= np.linalg.norm(across)
    axes = np.stack([across, np.cross(towards_light, across), -towards_light])
    seen = body.vertices.astype(np.float64) @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    width = 1.3 * float((high - low).max()) + 1e-9
    corner = (low + high) / 2 - width / 2
    map_from_world = np.column_stack([axes, -corner]) / width
    places = casting.vertices @ map_from_world[:, :3].T + map_from_world[:, 3]
    places[:, :2] *= TEXELS
    distance = np.full((TEXELS, TEXELS), np.inf, np.float32)
    kernels.lowest(np.ascontiguousarray(places), casting.triangles, distance)
    # Where there is nothing the light goes as far as the body reaches, so edges blur into a known distance.
    distance = np.clip(distance, 0.0, 1.0)
    moments = [gaussian_filter(moment, SOFTNESS * TEXELS) for moment in (distance, distance * distance)]
    return LightMap(np.ascontiguousarray(np.stack(moments, axis=-1)), map_from_world)


Style = Literal["shaded", "skeleton", "x-ray"]
STYLES: tuple[Style, ...] = get_args(Style)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Batches in the order they are drawn: solid, what shows through everything, and glass from far to near."""

    camera: Camera
    solid: Batch
    overlay: Batch
    glass: tuple[Batch, ...]
    floor: Floor | None
    light_map: LightMap = UNUSED


@dataclass(frozen=True, slots=True)
class Look:
    """What a picture shows, and how.

    `points` are points or joints whose motion curves are drawn. `onion` is a number of pale copies spread evenly over
    the clip, or the frames to show them at, counted from the start of the clip. `camera` is a Camera or the name of a
    preset; "scene" is the one keyed in the clip; "view" or None is the document's own view,
    and a framing of the whole clip where it has none.
    """

    style: Style = "shaded"
    camera: Camera | str | None = None
    points: tuple[str, ...] = ()
    onion: int | Sequence[int] = ()
    ground: bool = True

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UnknownName("style", self.style, STYLES)
