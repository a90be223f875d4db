"""Limits of a channel that several curves make together: what they leave to the one that is edited."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, evaluate
from inbetweener.motion import Layer, Motion
from inbetweener.motion.layers import channels_of
from inbetweener.rig import Channel
from inbetweener.tangents.variables import segment_at

SAMPLES = 64
"""How many times a segment what the other curves add is looked at."""


def shares_channel(motion: Motion, layer: str | None, name: str) -> bool:
    """Whether a channel's value is more than the edited curve itself."""
    return layer is not None or any(name in each.curves for each in motion.heard)


def weights_of(motion: Motion, layer: str | None, names: Sequence[str], times: npt.ArrayLike) -> Floats:
    """By how much (T, F) the edited curves count in what is seen: a layer's weight, one for the base, less what layers
    above override. Nothing in a layer that is not heard, or of a channel that its mask leaves out."""
    at = np.asarray(times, np.float64)
    result = np.ones((len(at), len(names)))
    above = list(motion.heard)
    if layer is not None:
        edited = motion.clip.layer(layer)
        order = [each.name for each in motion.clip.layers]
        above = [each for each in above if order.index(each.name) > order.index(layer)]
        alone = any(each.solo and not each.muted for each in motion.clip.layers)
        if edited.muted or (alone and not edited.solo):
            return np.zeros_like(result)
        result *= _weights(edited, at)[:, None]
        if edited.joints:
            result[:, [name not in channels_of(motion.rig, edited.joints) for name in names]] = 0.0
    for each in above:
        if each.override:
            covered = [name in each.curves for name in names]
            result[:, covered] *= 1.0 - _weights(each, at)[:, None]
    return result


def _weights(layer: Layer, times: Floats) -> Floats:
    return np.full(len(times), layer.weight) if layer.weights is None else evaluate(layer.weights, times)


def with_limits_left(motion: Motion, layer: str | None, channel: Channel, curve: Curve, time: float) -> Channel:
    """The channel with the limits that its edited curve must keep around `time`, whatever the others add there.

    Sound but not exact: the others count with their extremes over the segments that a drag at `time` can change.
    """
    if (np.isinf(channel.lower) and np.isinf(channel.upper)) or not shares_channel(motion, layer, channel.name):
        return channel
    k = segment_at(curve, time)
    low, high = room_left(motion, layer, channel, curve, curve.times[max(0, k - 1) : k + 3])
    # Where the others take up more than there is, nothing is left but what is there: the drag may not add to it.
    return replace(channel, lower=min(low, high), upper=high)


def room_left(motion: Motion, layer: str | None, channel: Channel, curve: Curve, edges: Floats) -> tuple[float, float]:
    """Between which values an edited curve keeps its channel's limits from the first edge to the last."""
    times = sample_times(edges)
    weights = weights_of(motion, layer, [channel.name], times)[:, 0]
    own = evaluate(curve, times)
    seen = weights != 0.0
    if not seen.any():
        return -np.inf, np.inf
    others = (total(motion, channel.name, edges) - weights * own)[seen]
    room = np.sort([(limit - others) / weights[seen] for limit in (channel.lower, channel.upper)], axis=0)
    return float(room[0].max()), float(room[1].min())


def total(motion: Motion, name: str, edges: Floats) -> Floats:
    """Values of a channel, base and layers together, SAMPLES to each piece between edges."""
    return motion.channels(sample_times(edges))[:, motion.rig.channel_index(name)]


def sample_times(edges: Floats) -> Floats:
    """Times from the first edge to the last, SAMPLES to a piece."""
    return np.interp(np.linspace(0, len(edges) - 1, SAMPLES * (len(edges) - 1) + 1), np.arange(len(edges)), edges)
