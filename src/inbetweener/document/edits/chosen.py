"""The curves that tools write to: those of a clip's base, or of a layer that was chosen."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import LINEAR, Curve, tangent_presets
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.document.edits.words import frame_of
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Motion
from inbetweener.tangents.layered import weights_of

SAME_TIME = 1e-6
"""Seconds within which a key is the key of that moment."""


class Chosen:
    """The base of a clip, or one of its layers: its curves, and what their keys do to what is seen."""

    def __init__(self, document: Document, clip: str, layer: str | None = None) -> None:
        self._document, self.layer = document, layer
        self.clip, self.motion = document.clip(clip), document.motion(clip)
        self.curves = curves_of(document, clip, layer)

    def pose_times(self, time: float) -> Floats:
        """The times (n,) of all poses there, and `time`; single keys count only where there are no others."""
        curves = self.curves.values()
        poses = [curve.times for curve in curves if len(curve) > 1] or [curve.times for curve in curves]
        found = np.unique(np.concatenate([[time], *poses]))
        return found[np.diff(found, prepend=-np.inf) > SAME_TIME]

    def blank(self, channel: int, time: float) -> float:
        """What a channel without a curve there has: its default in the base, nothing in a layer that adds, and in one
        that overrides what lies below it at that time: a first key changes nothing that is seen then."""
        if self.layer is None:
            return float(self._document.rig.channels[channel].default)
        layers = self.clip.layers
        at = [each.name for each in layers].index(self.layer)
        if not layers[at].override:
            return 0.0
        below = Motion(self._document.rig, replace(self.clip, layers=layers[:at]))
        return float(below.channels([time])[0, channel])

    def still(self, channel: int, times: Floats, time: float) -> Curve:
        """The curve of a channel that stands still so far, with keys at the times (n,)."""
        curve = self.curves.get(self._document.rig.channels[channel].name)
        return level(times, self.blank(channel, time) if curve is None else float(curve.values[0]))

    def weights(self, channels: Ints, time: float) -> Floats:
        """By how much (n,) keys there count in channels at a time; raises where one cannot be seen."""
        names = [self._document.rig.channels[c].name for c in channels]
        found = weights_of(self.motion, self.layer, names, [time])[0]
        hidden = [name for name, weight in zip(names, found, strict=True) if weight == 0.0]
        if hidden:
            owner = "The base" if self.layer is None else f"Layer {self.layer!r}"
            reason = "is overridden" if self.layer is None else "is muted, weightless, overridden or masked"
            where = f"{hidden[0]} on frame {frame_of(self.clip, time)}"
            raise InvalidEdit(f"{owner} {reason} for {where}: no change would be seen; choose another layer", "layer")
        return found

    def put(self, curves: Mapping[str, Curve | None]) -> Document:
        """The document with these curves there."""
        return set_curves(self._document, self.clip.name, curves, layer=self.layer) if curves else self._document


def level(times: Floats, value: float) -> Curve:
    """A curve that keeps one value through keys at the times (n,), ready to be shaped."""
    n = len(times)
    bare = Curve(times, np.full(n, value), np.zeros((n, 2)), np.zeros((n, 2)), np.full(n, LINEAR), np.ones(n))  # type: ignore[arg-type]
    return tangent_presets.flat(bare)
