"""A clip: base curves and layers upon them over a stretch of time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.errors import InvalidDocument, UnknownName


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
    """Curves upon those below: added to them, times `weight`; or, with `override`, in their place, by that share.

    weights  how much it weighs over time, where that is keyed: then `weight` says nothing
    solo     where any layer is solo, only those are heard; the base always is
    joints   whose channels it moves, where it is masked; otherwise any
    """

    name: str
    curves: Curves = field(default_factory=Curves)
    weight: float = 1.0
    muted: bool = False
    override: bool = False
    solo: bool = False
    joints: tuple[str, ...] = ()
    weights: Curve | None = None


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
