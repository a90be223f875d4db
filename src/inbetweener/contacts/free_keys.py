"""What may change about the keys of many curves, as one vector of scaled variables.

Unlike a drag, which frees one segment of every curve, contacts reach over many segments, and every curve may have its
own. So each key has a slope of its own (two where it is broken), a width on either side and, on request, a value.
With the slopes as variables tied tangents stay tied by themselves, and values are linear in all but the widths.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.curves import BEZIER, LINEAR, Bundle, Curve
from inbetweener.rig import Channel

if TYPE_CHECKING:
    from scipy import sparse

Ranges = Sequence[tuple[float, float]]
"""Stretches of time: start and end in seconds."""

VALUE, IN_SLOPE, IN_WIDTH, OUT_SLOPE, OUT_WIDTH = range(5)
NUMBERS = 5
"""The numbers of a key, in this order in every array of all numbers."""

LEAST_WIDTH, MOST_WIDTH = 0.05, 0.8
"""How wide tangents may become, relative to their segment; any two such widths keep time running forward."""

WIDTH_STEP = 0.1
"""How far a width may move in one step, relative to its segment."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeKeys:
    """F curves with N keys, and n variables.

    bundle      the curves before
    numbers     (N, 5) all numbers of the keys before
    owners      (n,) the curve that each variable belongs to
    chosen      sparse (5N, n): numbers = numbers before + chosen · z
    lower, upper, step  (n,) bounds on z, and how far z may move at once
    """

    bundle: Bundle
    numbers: Floats
    owners: Ints
    chosen: "sparse.csr_array"
    lower: Floats
    upper: Floats
    step: Floats

    def __len__(self) -> int:
        return len(self.lower)

    @classmethod
    def of(
        cls,
        curves: Sequence[Curve],
        channels: Sequence[Channel],
        units: Floats,
        ranges: Sequence[Ranges],
        values: bool,
    ) -> Self:
        """Free what shapes the Bezier segments of each curve within its ranges; key values in them too, if wanted.

        `units` (F,) say which change of a channel counts as one.
        """
        from scipy import sparse

        bundle = Bundle.of(curves)
        rows: list[int] = []
        columns: list[int] = []
        weights: list[float] = []
        bounds: list[tuple[float, float, float]] = []
        owners: list[int] = []

        def free(key: int, numbers: Sequence[int], scale: float, lower: float, upper: float, step: float) -> None:
            rows.extend(NUMBERS * key + number for number in numbers)
            columns.extend([len(bounds)] * len(numbers))
            weights.extend([scale] * len(numbers))
            bounds.append((lower / scale, upper / scale, step / scale))
            owners.append(int(np.searchsorted(bundle.starts, key, side="right")) - 1)

        for f, (curve, channel) in enumerate(zip(curves, channels, strict=True)):
            first, unit = int(bundle.starts[f]), float(units[f])
            touched = _touched(curve, ranges[f])
            lengths = np.diff(curve.times)
            for k in range(len(curve)):
                before, after = k > 0 and bool(touched[k - 1]), k + 1 < len(curve) and bool(touched[k])
                before &= bool(curve.ins[k, 0] > 0)
                after &= bool(curve.outs[k, 0] > 0)
                near = [lengths[i] for i, yes in ((k - 1, before), (k, after)) if yes]
                slope = 3.0 * unit / min(near) if near else 1.0
                if curve.tied[k] and near:
                    free(first + k, (IN_SLOPE, OUT_SLOPE), slope, -np.inf, np.inf, np.inf)
                else:
                    for yes, number in ((before, IN_SLOPE), (after, OUT_SLOPE)):
                        if yes:
                            free(first + k, (number,), slope, -np.inf, np.inf, np.inf)
                if values and any(a <= curve.times[k] <= b for a, b in ranges[f]):
                    value = float(curve.values[k])
                    lower, upper = min(channel.lower, value) - value, max(channel.upper, value) - value
                    free(first + k, (VALUE,), unit, lower, upper, np.inf)
            # With values free there is room enough, and without widths everything is linear.
            for segment in () if values else np.flatnonzero(touched):
                k = int(segment)
                widths = np.array([curve.outs[k, 0], curve.ins[k + 1, 0]]) / lengths[k]
                if (widths < LEAST_WIDTH).any() or (widths > MOST_WIDTH).any():
                    continue
                for key, number, width in ((k, OUT_WIDTH, widths[0]), (k + 1, IN_WIDTH, widths[1])):
                    low, high = (LEAST_WIDTH - width) * lengths[k], (MOST_WIDTH - width) * lengths[k]
                    free(first + key, (number,), lengths[k], low, high, WIDTH_STEP * lengths[k])
        shape = (NUMBERS * len(bundle.times), len(bounds))
        lower_upper_step = np.array(bounds).reshape(-1, 3)
        return cls(
            bundle,
            frozen(_numbers(bundle)),
            frozen(owners, np.int64),
            sparse.csr_array((weights, (rows, columns)), shape=shape),
            *(frozen(column) for column in lower_upper_step.T),
        )

    def with_widths(self, share: float) -> Floats:
        """z (n,) with the keys as they were, but all free widths this share of their segments."""
        z, chosen = np.zeros(len(self)), self.chosen.tocoo()
        widths = np.isin(chosen.row % NUMBERS, (IN_WIDTH, OUT_WIDTH))
        row, column, length = chosen.row[widths], chosen.col[widths], chosen.data[widths]
        z[column] = share - self.numbers.ravel()[row] / length
        return np.clip(z, self.lower, self.upper)

    def shaped(self, z: Floats) -> Bundle:
        """The curves that z describes."""
        numbers = self.numbers + (self.chosen @ z).reshape(-1, NUMBERS)
        ins = np.stack([numbers[:, IN_WIDTH], numbers[:, IN_SLOPE] * numbers[:, IN_WIDTH]], axis=1)
        outs = np.stack([numbers[:, OUT_WIDTH], numbers[:, OUT_SLOPE] * numbers[:, OUT_WIDTH]], axis=1)
        b = self.bundle
        return Bundle(b.starts, b.times, frozen(numbers[:, VALUE]), frozen(ins), frozen(outs), b.kinds)

    def derivative(self, shaped: Bundle, times: Floats) -> "sparse.csr_array":
        """How the values at times (T,) move with z: sparse (T·F, n), row t·F + f."""
        from scipy import sparse

        _, by_tangent = shaped.differentiate(times)
        out_width, out_height, in_width, in_height = np.moveaxis(by_tangent[:, :, 0], -1, 0)
        key, kind = _segments(shaped, times)
        after = np.minimum(key + 1, len(shaped.times) - 1)
        share = _value_share(shaped, times, key, kind, out_height, in_height)
        out_slope, in_slope = _slopes(shaped.outs)[key], _slopes(shaped.ins)[after]
        entries = [
            (key, VALUE, 1.0 - share),
            (after, VALUE, share),
            (key, OUT_SLOPE, out_height * shaped.outs[key, 0]),
            (key, OUT_WIDTH, out_width + out_slope * out_height),
            (after, IN_SLOPE, in_height * shaped.ins[after, 0]),
            (after, IN_WIDTH, in_width + in_slope * in_height),
        ]
        rows = np.tile(np.arange(key.size), len(entries))
        columns = np.concatenate([(NUMBERS * k + number).ravel() for k, number, _ in entries])
        weights = np.concatenate([w.ravel() for _, _, w in entries])
        raw = sparse.csr_array((weights, (rows, columns)), shape=(key.size, NUMBERS * len(shaped.times)))
        return (raw @ self.chosen).tocsr()

    def changed(self, curves: Mapping[str, Curve], names: Sequence[str], z: Floats) -> dict[str, Curve]:
        """The named curves with the keys that z describes; times, kinds and ties as they were."""
        shaped, made = self.shaped(z), {}
        for f, name in enumerate(names):
            keys, before = slice(shaped.starts[f], shaped.starts[f + 1]), curves[name]
            made[name] = Curve(
                before.times,
                shaped.values[keys],
                shaped.ins[keys],
                shaped.outs[keys],
                before.interpolations,
                before.tied,
            )
        return made


def _touched(curve: Curve, ranges: Ranges) -> Bools:
    """(keys − 1,) which Bezier segments have a part within any of the ranges."""
    start, end = curve.times[:-1], curve.times[1:]
    within = np.zeros(len(start), np.bool_)
    for a, b in ranges:
        within |= (start < b - 1e-9) & (end > a + 1e-9)
    return within & (curve.interpolations[:-1] == BEZIER)


def _numbers(bundle: Bundle) -> Floats:
    columns = [bundle.values, _slopes(bundle.ins), bundle.ins[:, 0], _slopes(bundle.outs), bundle.outs[:, 0]]
    return np.stack(columns, axis=1)


def _slopes(tangents: Floats) -> Floats:
    x, y = tangents.T
    return np.divide(y, x, out=np.zeros(len(x)), where=x > 0)


def _segments(bundle: Bundle, times: Floats) -> tuple[Ints, Ints]:
    """(T, F) the key that starts the segment at each time, and its kind; −1 before the first and after the last key."""
    key = np.empty((len(times), len(bundle)), np.int64)
    kind = np.empty((len(times), len(bundle)), np.int64)
    for f in range(len(bundle)):
        first, last = int(bundle.starts[f]), int(bundle.starts[f + 1])
        at = np.searchsorted(bundle.times[first:last], times, side="right") - 1
        key[:, f] = first + np.maximum(at, 0)
        kind[:, f] = np.where((at < 0) | (at == last - first - 1), -1, bundle.kinds[key[:, f]].astype(np.int64))
    return key, kind


def _value_share(bundle: Bundle, times: Floats, key: Ints, kind: Ints, out_height: Floats, in_height: Floats) -> Floats:
    """(T, F) how much of the next key's value there is at each time; the rest is of the key before."""
    after = np.minimum(key + 1, len(bundle.times) - 1)
    length = np.where(kind >= 0, bundle.times[after] - bundle.times[key], 1.0)
    linear = (times[:, None] - bundle.times[key]) / length
    # The derivatives 3u(1−u)² and −3u²(1−u) by the heights tell u without solving for it again.
    both = out_height - in_height
    u = np.divide(-in_height, both, out=np.zeros_like(both), where=both > 0)
    return np.where(kind == BEZIER, u * u * (3.0 - 2.0 * u), np.where(kind == LINEAR, linear, 0.0))
