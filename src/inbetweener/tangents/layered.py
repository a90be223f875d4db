"""Limits of a channel that several curves add up to: what they leave to the one that is edited."""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, evaluate
from inbetweener.motion import Motion
from inbetweener.rig import Channel
from inbetweener.tangents.variables import segment_at

SAMPLES = 64
"""How many times a segment what the other curves add is looked at."""


def shares_channel(motion: Motion, layer: str | None, name: str) -> bool:
    """Whether a channel's value is more than the edited curve itself."""
    return layer is not None or any(name in each.curves and not each.muted for each in motion.clip.layers)


def weight_of(motion: Motion, layer: str | None) -> float:
    """By how much the edited curves count: a layer's weight, one for the base."""
    return 1.0 if layer is None else motion.clip.layer(layer).weight


def with_limits_left(motion: Motion, layer: str | None, channel: Channel, curve: Curve, time: float) -> Channel:
    """The channel with the limits that its edited curve must keep around `time`, whatever the others add there.

    Sound but not exact: the others count with their extremes over the segments that a drag at `time` can change.
    """
    if (np.isinf(channel.lower) and np.isinf(channel.upper)) or not shares_channel(motion, layer, channel.name):
        return channel
    weight, k = weight_of(motion, layer), segment_at(curve, time)
    if weight == 0.0:
        return replace(channel, lower=-np.inf, upper=np.inf)
    edges = curve.times[max(0, k - 1) : k + 3]
    others = total(motion, channel.name, edges) - weight * evaluate(curve, sample_times(edges))
    low, high = (channel.lower - others.min()) / weight, (channel.upper - others.max()) / weight
    if weight < 0.0:
        low, high = high, low
    # Where the others take up more than there is, nothing is left but what is there: the drag may not add to it.
    return replace(channel, lower=min(low, high), upper=high)


def total(motion: Motion, name: str, edges: Floats) -> Floats:
    """Values of a channel, base and layers together, SAMPLES to each piece between edges."""
    return motion.channels(sample_times(edges))[:, motion.rig.channel_index(name)]


def sample_times(edges: Floats) -> Floats:
    """Times from the first edge to the last, SAMPLES to a piece."""
    return np.interp(np.linspace(0, len(edges) - 1, SAMPLES * (len(edges) - 1) + 1), np.arange(len(edges)), edges)
