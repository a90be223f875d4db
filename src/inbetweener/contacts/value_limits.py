"""Channel limits while contacts are held: extremes of segments that come too near to a limit, as rows to push back."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.contacts.free_keys import IN_SLOPE, IN_WIDTH, NUMBERS, OUT_SLOPE, OUT_WIDTH, VALUE, FreeKeys
from inbetweener.curves import BEZIER, Bundle
from inbetweener.curves.value_limits import Shape, ValueLimits
from inbetweener.rig import Channel

if TYPE_CHECKING:
    from scipy import sparse

MARGIN = 1e-4
"""Curves are kept this far inside their limits, in the channel's unit, so that pushing back may give way a little."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyLimits:
    """The limits of all segments of free keys; slopes (S, 2) the variables of the slopes at their ends, −1 for none."""

    keys: FreeKeys
    limits: ValueLimits
    slopes: Ints
    level: Floats

    @classmethod
    def of(cls, keys: FreeKeys, channels: list[Channel]) -> Self:
        """The limits of all segments of the free curves."""
        bundle = keys.bundle
        inner = np.ones(len(bundle.times), np.bool_)
        inner[bundle.starts[1:] - 1] = False
        segments = np.flatnonzero(inner & (bundle.kinds == BEZIER))
        lower, upper = (
            np.repeat([getattr(channel, side) for channel in channels], np.diff(bundle.starts))[segments]
            for side in ("lower", "upper")
        )
        limits = ValueLimits.of(bundle, segments, lower, upper)
        variables, chosen = np.full(NUMBERS * len(bundle.times), -1, np.int64), keys.chosen.tocoo()
        variables[chosen.row] = chosen.col
        level = np.zeros(len(keys))
        level[chosen.col] = -keys.numbers.ravel()[chosen.row] / chosen.data
        rows = np.stack([NUMBERS * limits.keys + OUT_SLOPE, NUMBERS * (limits.keys + 1) + IN_SLOPE], axis=1)
        return cls(keys, limits, variables[rows], level)

    def worst(self, shaped: Bundle) -> float:
        """How far the worst curve goes beyond its limits."""
        return self.limits.worst(_shape(shaped))

    def rows(self, shaped: Bundle) -> "tuple[Floats, sparse.csr_array]":
        """(m,) how far extremes are beyond the margin, signed, and how these move with z: sparse (m, n)."""
        from scipy import sparse

        limits, key = self.limits, self.limits.keys
        ends = np.stack([shaped.values[key], shaped.values[key + 1]])
        # No extreme can be asked to stay within less than its own keys.
        low, high = (
            np.minimum(limits.low + MARGIN, ends.min(axis=0)),
            np.maximum(limits.high - MARGIN, ends.max(axis=0)),
        )
        near = replace(limits, low=low, high=high).beyond(_shape(shaped), 0.0)
        by = np.sign(near.by)[:, None] * limits.cuts(near, _shape(shaped)).rows
        key = key[near.segments]
        after, out, in_ = key + 1, shaped.outs[key], shaped.ins[key + 1]
        entries = [
            (key, VALUE, by[:, 0]),
            (after, VALUE, by[:, 2]),
            (key, OUT_SLOPE, by[:, 1] * out[:, 0]),
            (key, OUT_WIDTH, by[:, 1] * out[:, 1] / np.maximum(out[:, 0], 1e-12)),
            (after, IN_SLOPE, by[:, 3] * in_[:, 0]),
            (after, IN_WIDTH, by[:, 3] * in_[:, 1] / np.maximum(in_[:, 0], 1e-12)),
        ]
        rows = np.tile(np.arange(len(key)), len(entries))
        columns = np.concatenate([NUMBERS * k + number for k, number, _ in entries])
        weights = np.concatenate([w for _, _, w in entries])
        raw = sparse.csr_array((weights, (rows, columns)), shape=(len(key), NUMBERS * len(shaped.times)))
        derivative = (raw @ self.keys.chosen).tocsr()
        movable = np.flatnonzero(np.diff(derivative.indptr))
        return near.by[movable], derivative[movable]

    def brought_in(self, z: Floats) -> Floats:
        """z with all curves inside."""
        start, keys = np.zeros(len(z)), self.keys
        return self.limits.brought_in(
            z, lambda at: _shape(keys.shaped(at)), self.slopes, self.level, start, keys.owners
        )


def _shape(bundle: Bundle) -> Shape:
    return Shape(bundle.values, bundle.ins, bundle.outs)
