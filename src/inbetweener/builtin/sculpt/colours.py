"""The colours of a sculpt: each place takes that of the nearest part, and paint goes on top."""

from collections.abc import Callable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.builtin.sculpt.borders import Skin, with_border
from inbetweener.builtin.sculpt.field import Field, region_distances
from inbetweener.builtin.sculpt.shape import Colour, Sculpt
from inbetweener.rig import Rig


def coloured(skin: Skin, sculpt: Sculpt, rig: Rig, field: Field) -> tuple[Skin, Floats]:
    """The skin cut along every border between colours, and linear RGB (V, 3) for its vertices."""
    width = 0.08 * sculpt.cell
    layers = [*_layers(sculpt, field), *_paint(sculpt, rig)]
    for _, function in layers:
        skin = with_border(skin, function, width)
    rgb = np.empty((len(skin.points), 3))
    rgb[:] = _colours(sculpt)[-1]
    # The first of the plain colours wins, the last of the paints.
    plain = len(layers) - len(sculpt.paint)
    for colour, function in [*reversed(layers[:plain]), *layers[plain:]]:
        rgb[function(skin.points) > -0.5 * width] = colour
    return skin, rgb


def _colours(sculpt: Sculpt) -> list[Colour]:
    return list(dict.fromkeys(part.colour for limb in sculpt.limbs for part in limb.parts))


def _layers(sculpt: Sculpt, field: Field) -> list[tuple[Colour, Callable[[Floats], Floats]]]:
    """For every colour but the last, a function that is positive where it is nearer than all those after it."""
    colours = _colours(sculpt)
    which = np.array([colours.index(part.colour) for limb in sculpt.limbs for part in limb.parts])

    def nearer(n: int) -> Callable[[Floats], Floats]:
        def function(points: Floats) -> Floats:
            distances = field.part_distances(points)
            return distances[:, which > n].min(axis=1) - distances[:, which == n].min(axis=1)

        return function

    return [(colour, nearer(n)) for n, colour in enumerate(colours[:-1])]


def _paint(sculpt: Sculpt, rig: Rig) -> list[tuple[Colour, Callable[[Floats], Floats]]]:
    def within(n: int) -> Callable[[Floats], Floats]:
        return lambda points: -region_distances(sculpt.paint[n].region, rig, points)

    return [(paint.region.colour, within(n)) for n, paint in enumerate(sculpt.paint)]
