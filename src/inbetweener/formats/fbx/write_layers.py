"""Layers of a clip as layers of FBX, wherever these do the same; else a clip is written flat, and that is told.

FBX lays whole properties upon each other, three numbers at once, weighed by what stays between none and all. Layers
that add are added by channel, those that override pass through what they leave.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.formats.degrees import DofCurves, scaled
from inbetweener.formats.fbx.planes import ADDED, PASSED_THROUGH, stays_within
from inbetweener.motion import Clip, Layer
from inbetweener.motion.layers import masked
from inbetweener.rig import Rig

BY_CHANNEL = {"RotationAccumulationMode": 1, "ScaleAccumulationMode": 1}
"""Numbers are added to numbers; otherwise turns are products, and so are scales."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A layer as FBX has it: curves by degree of freedom and by shape, what it weighs, and whether it overrides."""

    name: str
    dofs: dict[int, Curve]
    shapes: dict[str, Curve]
    weight: float
    weights: Curve | None
    overrides: bool

    def properties(self) -> dict[str, float | int]:
        """What the layer says of itself."""
        mode = PASSED_THROUGH if self.overrides else ADDED
        return {"Weight": 100.0 * self.weight, "BlendMode": mode, **BY_CHANNEL}


def layers_of(rig: Rig, clip: Clip, shapes: frozenset[str], tolerance: float) -> list[Laid] | None:
    """The layers of a clip, the lowest first; None where FBX cannot have them so."""
    if rig.turned or any(layer.muted or layer.solo for layer in clip.layers):
        return None
    base = DofCurves(rig, replace(clip, layers=()), tolerance)
    touched: set[int] = set()
    made = []
    for layer in clip.layers:
        laid = _laid(rig, masked(rig, layer), shapes, tolerance)
        if laid is None:
            return None
        if laid.overrides:
            # The rest of each property: as it is below.
            for dof in {3 * (dof // 3) + n for dof in laid.dofs for n in range(3)} - laid.dofs.keys():
                if dof in touched:
                    return None
                found = base.curve(dof)
                laid.dofs[dof] = Curve.constant(float(rig.rest_dofs[dof]), clip.start) if found is None else found
        touched |= laid.dofs.keys()
        made.append(laid)
    return made


def _laid(rig: Rig, layer: Layer, shapes: frozenset[str], tolerance: float) -> Laid | None:
    weight = layer.weight
    factor = 1.0
    if layer.weights is not None:
        if not stays_within(layer.weights, 1.0):
            return None
        weight = 1.0
    elif not 0.0 <= weight <= 1.0:
        if layer.override:
            return None
        # More than all of it: curves that are so much larger.
        weight, factor = 1.0, weight
    terms: dict[int, list[tuple[float, Curve]]] = {}
    for dof, share, name in _entries(rig):
        if name in layer.curves:
            terms.setdefault(dof, []).append((share * factor, layer.curves[name]))
    dofs: dict[int, Curve] = {}
    mapping = rig.linear_map
    for dof, listed in terms.items():
        if layer.override:
            if len(listed) > 1 or mapping.starts[dof + 1] - mapping.starts[dof] > 1:
                return None
            dofs[dof] = scaled(listed[0][1], listed[0][0], float(mapping.bias[dof]))
        else:
            dofs[dof] = scaled(listed[0][1], listed[0][0]) if len(listed) == 1 else weighted_sum(listed, tolerance)
    own = {name: scaled(curve, factor) for name, curve in layer.curves.items() if name in shapes}
    return Laid(layer.name, dofs, own, weight, layer.weights, layer.override)


def _entries(rig: Rig) -> Iterator[tuple[int, float, str]]:
    """Each degree of freedom with how much of which channel it takes."""
    mapping = rig.linear_map
    for dof in range(len(mapping.bias)):
        for n in range(mapping.starts[dof], mapping.starts[dof + 1]):
            yield dof, float(mapping.factors[n]), rig.channels[mapping.channels[n]].name
