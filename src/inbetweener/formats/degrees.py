"""What files that know joints only are told: one curve for every degree of freedom."""

from dataclasses import replace

from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.formats.handled import handled_curves
from inbetweener.motion import Clip
from inbetweener.motion.layers import flatten
from inbetweener.rig import Rig


class DofCurves:
    """A clip's degrees of freedom and shapes as one curve each: layers, controls and handles worked in."""

    def __init__(self, rig: Rig, clip: Clip, tolerance: float) -> None:
        self.rig = rig
        self.tolerance = tolerance
        self.clip = flatten(rig, clip, tolerance) if clip.layers else replace(clip, layers=())
        self._handled = (
            handled_curves(rig, self.clip, list(self.clip.curves.values()))
            if rig.turned and len(self.clip.curves)
            else {}
        )

    def curve(self, dof: int) -> Curve | None:
        """Of a degree of freedom, numbered nine a joint; None where nothing moves it."""
        if dof in self._handled:
            return self._handled[dof]
        mapping = self.rig.linear_map
        entries = slice(mapping.starts[dof], mapping.starts[dof + 1])
        constant, terms = float(mapping.bias[dof]), []
        for c, factor in zip(mapping.channels[entries], mapping.factors[entries], strict=True):
            channel = self.rig.channels[c]
            curve = self.channel(channel.name)
            if curve is None:
                constant += factor * channel.default
            else:
                terms.append((float(factor), curve))
        if not terms:
            return None
        if len(terms) == 1:
            return scaled(terms[0][1], terms[0][0], constant)
        return weighted_sum([*terms, (1.0, Curve.constant(constant, self.clip.start))], self.tolerance)

    def channel(self, name: str) -> Curve | None:
        """Of a channel, where it has one."""
        return self.clip.curves.get(name)


def scaled(curve: Curve, factor: float, shift: float = 0.0) -> Curve:
    """factor · curve + shift."""
    if factor == 1.0 and shift == 0.0:
        return curve
    # Captured motion has no tangents: what is nought is shared.
    ins, outs = (side * (1.0, factor) if side.any() else side for side in (curve.ins, curve.outs))
    return Curve(curve.times, factor * curve.values + shift, ins, outs, curve.interpolations, curve.tied)
