# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the pointer has gone in the viewport, and how far round, since something was taken hold of."""

import math

import bpy
import numpy as np
from bpy_extras import view3d_utils
from mathutils import Vector

from .refusal import Refused

SLOWLY = 0.1
"""What Shift leaves of the pointer's way."""


class Pointer:
    """Adds up the way of the pointer, as far away from the eye as a place (3,) is: `gone` (3,), `turned` in radians."""

    def __init__(self, context: bpy.types.Context, event: bpy.types.Event, place: np.ndarray) -> None:
        self._place = Vector(place)
        self.gone, self.turned = np.zeros(3), 0.0
        self._last, self._angle = self.at(context, event), self._bearing(context, event)

    def at(self, context: bpy.types.Context, event: bpy.types.Event) -> np.ndarray:
        """Where it is."""
        pixel = (event.mouse_region_x, event.mouse_region_y)
        return np.array(view3d_utils.region_2d_to_location_3d(context.region, context.region_data, pixel, self._place))

    def go(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """It has moved: a tenth of that counts while Shift is held."""
        share = SLOWLY if event.shift else 1.0
        point, angle = self.at(context, event), self._bearing(context, event)
        self.gone = self.gone + share * (point - self._last)
        # The short way round.
        self.turned += share * ((angle - self._angle + math.pi) % (2.0 * math.pi) - math.pi)
        self._last, self._angle = point, angle

    def look(self, context: bpy.types.Context, event: bpy.types.Event) -> tuple[np.ndarray, np.ndarray]:
        """From where, and in which direction (3,), one looks at what is under it."""
        pixel = (event.mouse_region_x, event.mouse_region_y)
        about = (context.region, context.region_data, pixel)
        return np.array(view3d_utils.region_2d_to_origin_3d(*about)), np.array(
            view3d_utils.region_2d_to_vector_3d(*about)
        )

    def _bearing(self, context: bpy.types.Context, event: bpy.types.Event) -> float:
        """In which direction, as an angle, it is from the place."""
        centre = view3d_utils.location_3d_to_region_2d(context.region, context.region_data, self._place)
        return 0.0 if centre is None else math.atan2(event.mouse_region_y - centre.y, event.mouse_region_x - centre.x)


def require_view(context: bpy.types.Context) -> None:
    """Refuse to follow the pointer where Blender knows no view any more: another window's keys may take it away."""
    if context.area is None:
        raise Refused("the view in which it was held is gone; take hold again")


def towards_eye(context: bpy.types.Context) -> np.ndarray:
    """(3,) out of the screen."""
    return np.array(context.region_data.view_matrix.inverted().col[2])[:3]
