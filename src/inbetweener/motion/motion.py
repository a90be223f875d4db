"""A motion: a rig and a clip compiled together; what every solver reads."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import Bundle, Curve
from inbetweener.motion.clip import Clip
from inbetweener.rig import Place, Point, Rig, bent
from inbetweener.rig.freedom import channels_moving


class Motion:
    """Where everything is, at any time. Times are seconds (T,)."""

    def __init__(self, rig: Rig, clip: Clip, twin: "Motion | None" = None) -> None:
        """Compile a clip for a rig; of a `twin` for the same rig, what both have in common is taken over."""
        self.rig, self.clip = rig, clip
        known = None if twin is None else _exchanged(twin, rig, clip)
        self._compiled: _Compiled = _compiled(rig, clip) if known is None else known
        self.base, self.layers = self._compiled

    def channels(self, times: npt.ArrayLike) -> Floats:
        """Channel values (T, C): base plus layers."""
        values = self.base.evaluate(times)
        for weight, indices, bundle in self.layers:
            values[:, indices] += weight * bundle.evaluate(times)
        return values

    def channel_motion(self, times: npt.ArrayLike) -> Floats:
        """Channel values, velocities and accelerations (T, C, 3)."""
        values = self.base.evaluate_motion(times)
        for weight, indices, bundle in self.layers:
            values[:, indices] += weight * bundle.evaluate_motion(times)
        return values

    def world_from_joint(self, times: npt.ArrayLike) -> Floats:
        """Joint transforms (T, J, 3, 4)."""
        return self.rig.world_from_joint(self.channels(times))

    def joint_positions(self, times: npt.ArrayLike) -> Floats:
        """Joint origins (T, J, 3) in metres."""
        return np.ascontiguousarray(self.world_from_joint(times)[..., 3])

    def point_positions(self, times: npt.ArrayLike, points: Iterable[Point]) -> Floats:
        """Positions (T, P, 3) of points in metres."""
        return self.rig.posed(self.channels(times)).positions(list(points))

    def states(self, times: npt.ArrayLike, place: Place) -> tuple[Floats, Floats]:
        """Positions (T, 3) and orientations (T, 3, 3) of a place on the body."""
        return self.rig.states(self.channels(times), place)

    def key_times(self, place: Place) -> Floats:
        """All times (K,) at which a channel that moves the place has one of several keys, in the base or in a layer."""
        names = {self.rig.channels[c].name for c in channels_moving(self.rig, place, "both")}
        names |= bent.channels_bending(self.rig, place)
        sources = (self.clip.curves, *(layer.curves for layer in self.clip.layers if not layer.muted))
        found = [
            curve.times for curves in sources for name, curve in curves.items() if name in names and len(curve) > 1
        ]
        return np.unique(np.concatenate([np.empty(0), *found]).round(9))


_Compiled = tuple[Bundle, list[tuple[float, Ints, Bundle]]]
"""Curves of all channels, and layers: weights, channels (c,) and their curves."""


def _compiled(rig: Rig, clip: Clip) -> _Compiled:
    for curves in (clip.curves, *(layer.curves for layer in clip.layers)):
        for name in curves:
            rig.channel_index(name)
    base = Bundle.of([clip.curves.get(c.name) or _held(c.default) for c in rig.channels])
    layers = [
        (
            layer.weight,
            np.array([rig.channel_index(name) for name in layer.curves]),
            Bundle.of(list(layer.curves.values())),
        )
        for layer in clip.layers
        if layer.curves and not layer.muted and layer.weight != 0
    ]
    return base, layers


def _exchanged(twin: Motion, rig: Rig, clip: Clip) -> _Compiled | None:
    """What a twin has compiled, with the base curves that are others now; None where more than these differs."""
    if twin.rig is not rig or twin.clip.layers is not clip.layers:
        return None
    old, new = twin.clip.curves, clip.curves
    names = old.differing(new)
    if not all(name in old and name in new and len(old[name]) == len(new[name]) for name in names):
        return None
    base, layers = twin._compiled
    return (base.replaced({rig.channel_index(name): new[name] for name in names}) if names else base), layers


@lru_cache(maxsize=4096)
def _held(value: float) -> Curve:
    """The curve of a channel without one; made once, as drags compile a motion for every move of the hand."""
    return Curve.constant(value)
