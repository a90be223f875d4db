"""A clip: base curves and additive layers over a stretch of time.

A merged clip moves like the one before: exactly wherever sums of curves are exact, elsewhere within a tolerance in
the channel's own unit (see `curves.addition`). Weights are worked in, so a merged layer weighs one. Muted layers show
nothing: merging leaves them out, and only flattening and merging them by name take them away.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.rig import Rig


class Curves(Mapping[str, Curve]):
    """Curves by channel name; immutable, so that clips may share them."""

    __slots__ = ("_curves",)

    def __init__(self, curves: Mapping[str, Curve] | None = None) -> None:
        self._curves = dict(curves or {})

    def __getitem__(self, name: str) -> Curve:
        return self._curves[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._curves)

    def __len__(self) -> int:
        return len(self._curves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self._curves == (other._curves if isinstance(other, Curves) else other)

    __hash__ = None  # type: ignore[assignment]  # curves hold arrays

    def __repr__(self) -> str:
        return f"Curves({', '.join(self._curves)})"

    def differing(self, other: "Curves") -> list[str]:
        """Names of curves that are in one alone, or are not the very same in both."""
        if self is other:
            return []
        mine, theirs = self._curves, other._curves
        return [name for name in {**mine, **theirs} if mine.get(name) is not theirs.get(name)]

    def replaced(self, changes: Mapping[str, Curve | None]) -> "Curves":
        """A copy with some curves put in, or taken out where the change is None; all others are shared."""
        kept = {name: curve for name, curve in self._curves.items() if changes.get(name, curve) is not None}
        return Curves({**kept, **{name: curve for name, curve in changes.items() if curve is not None}})


@dataclass(frozen=True)
class Layer:
    """Curves that are added to those below, times `weight`, unless muted."""

    name: str
    curves: Curves = field(default_factory=Curves)
    weight: float = 1.0
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """Costs count less around `centre` seconds: a bell `width` seconds wide (one standard deviation)."""

    centre: float
    width: float
    depth: float = 1.0

    def __post_init__(self) -> None:
        if not (self.width > 0 and np.isfinite([self.centre, self.width, self.depth]).all()):
            raise InvalidDocument(f"kernel at {self.centre:g} s: its width of {self.width:g} s must be positive")


MOST_FRAMES = 1_000_000
"""Of a clip: more than two hours at 120 frames a second. Whatever is looked at frame by frame must fit into memory."""


@dataclass(frozen=True)
class Clip:
    """Curves by channel name, from `start` to `end` seconds, shown at `rate` frames a second.

    A channel without a curve keeps its default. `loops` says that the end flows into the start, `kernels` when guidance
    lets effort be ([OM] Eq. 9).
    """

    name: str
    end: float
    start: float = 0.0
    rate: float = 24.0
    curves: Curves = field(default_factory=Curves)
    layers: tuple[Layer, ...] = ()
    loops: bool = False
    kernels: tuple[Kernel, ...] = ()

    def __post_init__(self) -> None:
        if not (np.isfinite(self.rate) and self.rate > 0):
            raise InvalidDocument(f"clip {self.name!r}: rate {self.rate:g} frames a second must be positive")
        if not (np.isfinite(self.start) and np.isfinite(self.end) and self.start <= self.end):
            raise InvalidDocument(f"clip {self.name!r}: end {self.end:g} s lies before start {self.start:g} s")
        if (self.end - self.start) * self.rate > MOST_FRAMES:
            raise InvalidDocument(
                f"clip {self.name!r}: {(self.end - self.start) * self.rate:.3g} frames are more than {MOST_FRAMES}"
            )

    @property
    def frame_times(self) -> Floats:
        """The times (F,) of all whole frames from start to end."""
        # A hair of slack, so that an end computed as frames / rate still counts as a frame.
        count = int(np.floor((self.end - self.start) * self.rate + 1e-6)) + 1
        return self.start + np.arange(count) / self.rate

    def layer(self, name: str) -> Layer:
        """The layer called `name`."""
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise UnknownName("layer", name, [layer.name for layer in self.layers])


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


def difference(rig: Rig, before: Clip, after: Clip, tolerance: float = TOLERANCE) -> Curves:
    """What a layer must add to one clip so that it moves like another; channels that move alike are left out."""
    names = dict.fromkeys(name for clip in (before, after) for name in (*clip.curves, *_channels(clip.layers)))
    sums: dict[str, Curve] = {}
    for channel in names:
        default = Curve.constant(rig.channel(channel).default, after.start)
        was, now = (
            [(1.0, clip.curves.get(channel, default)), *_terms(clip.layers, channel)] for clip in (before, after)
        )
        if was != now:
            sums[channel] = weighted_sum([*now, *((-weight, curve) for weight, curve in was)], tolerance)
    return Curves(sums)


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
