"""A motion: a rig and a clip compiled together; what every solver reads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import Bundle, Curve
from inbetweener.motion.clip import Clip, Curves, Layer
from inbetweener.motion.layers import heard
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
        """Channel values (T, C): base and layers."""
        values = self.base.evaluate(times)
        if not self.layers:
            return values
        laid = values[..., None]
        for layer in self.layers:
            layer.lay_upon(laid, lambda bundle: bundle.evaluate(times)[..., None])
        return values

    def channel_motion(self, times: npt.ArrayLike) -> Floats:
        """Channel values, velocities and accelerations (T, C, 3)."""
        values = self.base.evaluate_motion(times)
        for layer in self.layers:
            layer.lay_upon(values, lambda bundle: bundle.evaluate_motion(times))
        return values

    @cached_property
    def heard(self) -> tuple[Layer, ...]:
        """The layers that show something, the lowest first, without the curves that their masks leave out."""
        return heard(self.rig, self.clip)

    @property
    def sources(self) -> tuple[Curves, ...]:
        """The curves of the base and of all layers that are heard."""
        return (self.clip.curves, *(layer.curves for layer in self.heard))

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
        found = [
            curve.times for curves in self.sources for name, curve in curves.items() if name in names and len(curve) > 1
        ]
        return np.unique(np.concatenate([np.empty(0), *found]).round(9))


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A layer compiled: the channels (c,) it moves, their curves, and its weight, as a curve where that is keyed."""

    columns: Ints
    bundle: Bundle
    weight: float
    weights: Bundle | None
    overrides: bool

    @classmethod
    def of(cls, rig: Rig, layer: Layer) -> "Laid":
        """A layer on a rig."""
        columns = np.array([rig.channel_index(name) for name in layer.curves])
        weights = None if layer.weights is None else Bundle.of([layer.weights])
        return cls(columns, Bundle.of(list(layer.curves.values())), layer.weight, weights, layer.override)

    def lay_upon(self, values: Floats, read: Callable[[Bundle], Floats]) -> None:
        """Change what lies below, (T, C, orders): values and as many derivatives as `read` tells of curves."""
        own = read(self.bundle)
        if self.overrides:
            own = own - values[:, self.columns]
        values[:, self.columns] += self.weight * own if self.weights is None else _product(read(self.weights), own)


def _product(one: Floats, other: Floats) -> Floats:
    """Of two functions (T, c, orders) and their derivatives those of their product, by the rule of Leibniz."""
    made = np.zeros_like(other)
    for order in range(other.shape[-1]):
        for k in range(order + 1):
            made[..., order] += comb(order, k) * one[..., k] * other[..., order - k]
    return made


_Compiled = tuple[Bundle, list[Laid]]
"""Curves of all channels, and the layers that are heard."""


def _compiled(rig: Rig, clip: Clip) -> _Compiled:
    for curves in (clip.curves, *(layer.curves for layer in clip.layers)):
        for name in curves:
            rig.channel_index(name)
    base = Bundle.of([clip.curves.get(c.name) or _held(c.default) for c in rig.channels])
    return base, [Laid.of(rig, layer) for layer in heard(rig, clip)]


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
