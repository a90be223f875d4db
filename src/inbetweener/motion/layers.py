"""Merging additive layers: into the base, or several into one.

A merged clip moves like the one before: exactly wherever sums of curves are exact, elsewhere within a tolerance in
the channel's own unit (see `curves.addition`). Weights are worked in, so a merged layer weighs one. Muted layers show
nothing: merging leaves them out, and only flattening and merging them by name take them away.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.errors import InvalidDocument
from inbetweener.motion.clip import Clip, Curves, Layer
from inbetweener.rig import Rig

TOLERANCE = 1e-4
"""Metres, radians or shares: a tenth of a millimetre, six thousandths of a degree."""


def merge_into_base(rig: Rig, clip: Clip, names: Iterable[str], tolerance: float = TOLERANCE) -> Clip:
    """The clip with the named layers added into its base curves and gone from the stack."""
    merged = [clip.layer(name) for name in names]
    base: dict[str, Curve] = {}
    for channel in _channels(merged):
        default = Curve.constant(rig.channel(channel).default, clip.start)
        base[channel] = _sum([(1.0, clip.curves.get(channel, default)), *_terms(merged, channel)], tolerance)
    left = tuple(layer for layer in clip.layers if layer not in merged)
    return replace(clip, curves=clip.curves.replaced(base), layers=left)


def merge_layers(clip: Clip, names: Iterable[str], into: str, tolerance: float = TOLERANCE) -> Clip:
    """The clip with the named layers replaced by one called `into`, where the lowest of them was."""
    wanted = [clip.layer(name) for name in names]
    merged = [layer for layer in clip.layers if layer in wanted]
    if not merged:
        raise InvalidDocument(f"clip {clip.name!r}: name the layers to merge into {into!r}")
    if into in (layer.name for layer in clip.layers if layer not in merged):
        raise InvalidDocument(f"clip {clip.name!r} already has a layer {into!r}; merge into another name")
    sums = {channel: _sum(_terms(merged, channel), tolerance) for channel in _channels(merged)}
    one = Layer(into, Curves(sums))
    layers = [one if layer is merged[0] else layer for layer in clip.layers if layer not in merged[1:]]
    return replace(clip, layers=tuple(layers))


def flatten(rig: Rig, clip: Clip, tolerance: float = TOLERANCE) -> Clip:
    """The clip as base curves alone; it shows the same motion."""
    return merge_into_base(rig, clip, [layer.name for layer in clip.layers], tolerance)


def _channels(layers: Sequence[Layer]) -> list[str]:
    """The channels that the layers really change, in the order they come."""
    return list(dict.fromkeys(name for layer in layers if _shows(layer) for name in layer.curves))


def _terms(layers: Sequence[Layer], channel: str) -> list[tuple[float, Curve]]:
    return [(layer.weight, layer.curves[channel]) for layer in layers if _shows(layer) and channel in layer.curves]


def _shows(layer: Layer) -> bool:
    return not layer.muted and layer.weight != 0


def _sum(terms: list[tuple[float, Curve]], tolerance: float) -> Curve:
    # A lone curve of full weight is itself: nothing to add, and its keys stay as the animator set them.
    if len(terms) == 1 and terms[0][0] == 1.0:
        return terms[0][1]
    return weighted_sum(terms, tolerance)
