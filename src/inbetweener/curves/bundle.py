"""Many curves laid end to end, ready for the kernels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bytes, Floats, Ints, frozen, stacked_offsets
from inbetweener.curves import kernels
from inbetweener.curves.curve import Curve


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """Frozen arrays of C curves with N keys in all; curve c owns keys starts[c] … starts[c+1].

    starts (C+1,), times (N,), values (N,), ins and outs (N, 2), kinds (N,) interpolation of the segment after each key.
    """

    starts: Ints
    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes

    @classmethod
    def of(cls, curves: Sequence[Curve]) -> Self:
        """The given curves, in order."""

        def joined(name: str, *shape: int) -> npt.NDArray[Any]:
            return np.concatenate([np.empty((0, *shape)), *(getattr(curve, name) for curve in curves)])

        return cls(
            starts=frozen(stacked_offsets(len(curve) for curve in curves), np.int64),
            times=frozen(joined("times")),
            values=frozen(joined("values")),
            ins=frozen(joined("ins", 2)),
            outs=frozen(joined("outs", 2)),
            kinds=frozen(joined("interpolations"), np.uint8),
        )

    def replaced(self, curves: Mapping[int, Curve]) -> Self:
        """The same with other curves in some places, each of as many keys as the one that was there."""
        times, values, kinds = self.times.copy(), self.values.copy(), self.kinds.copy()
        ins, outs = self.ins.copy(), self.outs.copy()
        for number, curve in curves.items():
            keys = slice(self.starts[number], self.starts[number + 1])
            times[keys], values[keys], kinds[keys] = curve.times, curve.values, curve.interpolations
            ins[keys], outs[keys] = curve.ins, curve.outs
        for array in (times, values, ins, outs, kinds):
            array.flags.writeable = False
        return type(self)(self.starts, times, values, ins, outs, kinds)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def evaluate(self, at: npt.ArrayLike) -> Floats:
        """Values (T, C) at times (T,) in seconds."""
        at = _times(at)
        result = np.empty((len(at), len(self)))
        kernels.evaluate(self.keys, at, result)
        return result

    def evaluate_motion(self, at: npt.ArrayLike) -> Floats:
        """Values, velocities, accelerations (T, C, 3); on a key where they jump, those of the segment after it."""
        at = _times(at)
        result = np.empty((len(at), len(self), 3))
        kernels.evaluate_motion(self.keys, at, result)
        return result

    def differentiate(self, at: npt.ArrayLike) -> tuple[Ints, Floats]:
        """Exact derivatives by the tangents of the active segments.

        Returns segments (T, C), the index into the bundle's keys where the active Bezier segment starts, −1 where no
        tangent matters; and (T, C, 3, 4): d(value, velocity, acceleration) by (out width, out height, in width, in
        height). The in tangent belongs to key segment + 1. ∂c/∂y_out = 3λ(1−λ)², ∂c/∂y_in = −3λ²(1−λ),
        ∂c/∂x = −ċ·∂c/∂y.
        """
        at = _times(at)
        segments = np.empty((len(at), len(self)), np.int64)
        result = np.empty((len(at), len(self), 3, 4))
        kernels.differentiate(self.keys, at, segments, result)
        return segments, result

    @property
    def keys(self) -> kernels.Keys:
        """What kernels read."""
        return kernels.Keys(self.starts, self.times, self.values, self.ins, self.outs, self.kinds)


def _times(at: npt.ArrayLike) -> Floats:
    return np.ascontiguousarray(np.atleast_1d(np.asarray(at, dtype=np.float64)))


def evaluate(curve: Curve, at: npt.ArrayLike) -> Floats:
    """Values (T,) of one curve at times (T,)."""
    return Bundle.of([curve]).evaluate(at)[:, 0]
