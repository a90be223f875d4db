"""A clip's degrees of freedom as weighted sums of its curves: controls, layers and defaults folded in."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints, frozen, stacked_offsets
from inbetweener.curves import BEZIER, CONSTANT, Bundle, Curve
from inbetweener.curves.kernels import Keys
from inbetweener.formats.gltf.writing.kernels import Weighted
from inbetweener.formats.handled import handled_curves
from inbetweener.motion import Clip, flatten, heard
from inbetweener.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """D numbers over time: bias[d] + Σ weight · curve over entries starts[d] … starts[d+1]."""

    bundle: Bundle
    bias: Floats
    starts: Ints
    curves: Ints
    weights: Floats

    @property
    def records(self) -> tuple[Keys, Weighted]:
        """As the kernels take them."""
        bias, weights = frozen(self.bias), frozen(self.weights)
        return self.bundle.keys, Weighted(bias, frozen(self.starts, np.int64), frozen(self.curves, np.int64), weights)

    def stops(self) -> Floats:
        """The times of all keys."""
        first = self.bundle.times[: self.bundle.starts[1]]
        if len(self.bundle.times) == len(first) * len(self.bundle):
            rows = self.bundle.times.reshape(len(self.bundle), -1)
            if (rows == first).all():
                return first
        return np.unique(self.bundle.times)

    def _segments(self) -> Bytes:
        """Interpolations of all segments; the last key of a curve starts none."""
        inner = np.ones(len(self.bundle.kinds), np.bool_)
        inner[self.bundle.starts[1:] - 1] = False
        return self.bundle.kinds[inner]

    def is_held(self) -> bool:
        """True when nothing ever changes between keys."""
        return bool((self._segments() == CONSTANT).all())

    def has_bezier(self) -> bool:
        """True when some segment is neither held nor straight."""
        return bool((self._segments() == BEZIER).any())

    def evaluate(self, times: Floats) -> Floats:
        """Values (T, D) at times (T,); on a key, those that start there."""
        values = self.bundle.evaluate(times)[:, self.curves] * self.weights
        result = np.broadcast_to(self.bias, (len(times), len(self.bias))).copy()
        for d in range(len(self.bias)):
            result[:, d] += values[:, self.starts[d] : self.starts[d + 1]].sum(axis=1)
        return result


class ClipSums:
    """Makes the sums for any degrees of freedom of a rig under a clip."""

    def __init__(self, rig: Rig, clip: Clip) -> None:
        self.rig = rig
        if any(layer.override or layer.weights is not None for layer in heard(rig, clip)):
            # These are no sums of curves.
            clip = replace(flatten(rig, clip), layers=())
        self._curves: list[Curve] = []
        self._made: dict[range, Sums | None] = {}
        self._constants = rig.defaults.copy()
        self._of_channel: list[list[tuple[int, float]]] = [[] for _ in rig.channels]
        for name, curve in clip.curves.items():
            c = rig.channel_index(name)
            self._constants[c] = 0.0
            self._add(c, curve, 1.0)
        for layer in heard(rig, clip):
            for name, curve in layer.curves.items():
                self._add(rig.channel_index(name), curve, layer.weight)
        self._handled = handled_curves(rig, clip, self._curves) if rig.turned and self._curves else {}

    def _add(self, channel: int, curve: Curve, weight: float) -> None:
        self._of_channel[channel].append((len(self._curves), weight))
        self._curves.append(curve)

    def dofs(self, indices: range) -> Sums | None:
        """Sums for degrees of freedom, numbered nine a joint; None when no curve moves any of them."""
        if indices not in self._made:
            self._made[indices] = self._dofs(indices)
        return self._made[indices]

    def _dofs(self, indices: range) -> Sums | None:
        handled = [self._handled[d] for d in indices if d in self._handled]
        if handled:
            # All three angles of a joint, as curves of their own.
            return Sums(Bundle.of(handled), np.zeros(3), stacked_offsets([1, 1, 1]), np.arange(3), np.ones(3))
        mapping = self.rig.linear_map
        rows = []
        for d in indices:
            entries = slice(mapping.starts[d], mapping.starts[d + 1])
            rows.append((mapping.bias[d], list(zip(mapping.channels[entries], mapping.factors[entries], strict=True))))
        return self._sums(rows)

    def channels(self, names: Iterable[str]) -> Sums | None:
        """Sums for channels by name; None when none of them has a curve."""
        return self._sums([(0.0, [(self.rig.channel_index(name), 1.0)]) for name in names])

    def _sums(self, rows: list[tuple[float, list[tuple[int, float]]]]) -> Sums | None:
        bias, entries = [], []
        for constant, channels in rows:
            bias.append(constant + sum(weight * self._constants[c] for c, weight in channels))
            entries.append([(n, weight * w) for c, weight in channels for n, w in self._of_channel[c]])
        used = {n: i for i, n in enumerate(dict.fromkeys(n for row in entries for n, _ in row))}
        if not used:
            return None
        return Sums(
            Bundle.of([self._curves[n] for n in used]),
            np.array(bias),
            stacked_offsets(len(row) for row in entries),
            np.array([used[n] for row in entries for n, _ in row], np.int64),
            np.array([weight for row in entries for _, weight in row]),
        )
