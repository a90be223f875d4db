"""A curve: keys in time order, immutable."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, Bytes, Floats, frozen, same
from inbetweener.curves import widths
from inbetweener.curves.key import BEZIER, INTERPOLATIONS, LINEAR, Key, Tangent
from inbetweener.errors import InvalidCurve

LONG = 8192
"""Numbers from which on a product is shared out among threads, which on a busy machine wait for each other for long."""


def _square(row: Floats) -> float:
    """The sum of squares."""
    return float(row.dot(row) if len(row) < LONG else np.einsum("i,i->", row, row))


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Values over time through n ≥ 1 keys; held before the first key and after the last.

    times           (n,) seconds, strictly increasing
    values          (n,)
    ins, outs       (n, 2) tangents (width x ≥ 0 in seconds, height y)
    interpolations  (n,) of the segment that starts at each key: CONSTANT, LINEAR or BEZIER
    tied            (n,) whether in and out keep the same slope when edited

    A tangent next to a segment that is not Bezier is kept but has no effect.
    """

    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    interpolations: Bytes
    tied: Bools

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("times", "values", "ins", "outs"):
            put(self, name, frozen(getattr(self, name)))
        put(self, "interpolations", frozen(self.interpolations, np.uint8))
        put(self, "tied", frozen(self.tied, np.bool_))
        self._check()

    @classmethod
    def from_keys(cls, keys: Iterable[Key]) -> Self:
        """A curve through the given keys, which must be in time order."""
        rows = list(keys)
        return cls(
            times=np.array([k.time for k in rows]),
            values=np.array([k.value for k in rows]),
            ins=np.array([(k.in_tangent.x, k.in_tangent.y) for k in rows]).reshape(-1, 2),
            outs=np.array([(k.out_tangent.x, k.out_tangent.y) for k in rows]).reshape(-1, 2),
            interpolations=np.array([INTERPOLATIONS.index(k.interpolation) for k in rows], np.uint8),
            tied=np.array([k.tied for k in rows], np.bool_),
        )

    @classmethod
    def sampled(cls, times: npt.ArrayLike, values: npt.ArrayLike) -> Self:
        """A linear key on every sample: dense motion as it came, to be thinned by `fit`."""
        times = frozen(times)
        tangents, linear, tied = _plain(len(times))
        return cls(times, frozen(values), tangents, tangents, linear, tied)

    @classmethod
    def constant(cls, value: float, time: float = 0.0) -> Self:
        """One key: the same value for ever."""
        return cls.from_keys([Key(time, value)])

    def __len__(self) -> int:
        return len(self.times)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        return all(
            same(getattr(self, name), getattr(other, name))
            for name in ("times", "values", "ins", "outs", "interpolations", "tied")
        )

    __hash__ = None  # type: ignore[assignment]  # arrays inside: compared by value, never used as a dictionary key

    def __repr__(self) -> str:
        return f"Curve({len(self)} keys, {self.times[0]:g} to {self.times[-1]:g} s)"

    def key(self, index: int) -> Key:
        """The key at `index`, as a value of its own."""
        (ix, iy), (ox, oy) = self.ins[index], self.outs[index]
        return Key(
            time=float(self.times[index]),
            value=float(self.values[index]),
            in_tangent=Tangent(float(ix), float(iy)),
            out_tangent=Tangent(float(ox), float(oy)),
            interpolation=INTERPOLATIONS[self.interpolations[index]],
            tied=bool(self.tied[index]),
        )

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys in time order."""
        return tuple(self.key(i) for i in range(len(self)))

    def __iter__(self) -> Iterator[Key]:
        return iter(self.keys)

    def with_tangents(self, ins: npt.ArrayLike, outs: npt.ArrayLike) -> "Curve":
        """The same keys with other tangents."""
        return with_tangents([self], [np.asarray(ins, np.float64)], [np.asarray(outs, np.float64)])[0]

    def _check(self) -> None:
        n = len(self.times)
        if n == 0:
            raise InvalidCurve("a curve needs at least one key")
        for name, shape in (
            ("values", (n,)),
            ("ins", (n, 2)),
            ("outs", (n, 2)),
            ("interpolations", (n,)),
            ("tied", (n,)),
        ):
            if getattr(self, name).shape != shape:
                raise InvalidCurve(f"{name} has shape {getattr(self, name).shape}; {n} keys need {shape}")
        # Large files make tens of thousands of curves: a sum of squares tells at once that all numbers are finite.
        with np.errstate(over="ignore", invalid="ignore"):
            size = _square(self.times) + _square(self.values)
        if not math.isfinite(size):
            self._check_finite()
        step = self.times[1:] - self.times[:-1]
        if n > 1 and step.min() <= 0:
            i = int(np.argmin(step > 0))
            raise InvalidCurve(
                f"key {i + 1} at {self.times[i + 1]:g} s does not come after key {i} at {self.times[i]:g} s"
            )
        if self.interpolations.max() > BEZIER:
            raise InvalidCurve(f"key {int(np.argmax(self.interpolations))}: unknown interpolation")
        self._check_tangents()

    def _check_tangents(self) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            sizes = [_square(flat) for flat in (self.ins.ravel(), self.outs.ravel())]
        if not math.isfinite(sum(sizes)):
            self._check_finite()
        step = self.times[1:] - self.times[:-1]
        for side, tangents, size in (("in", self.ins, sizes[0]), ("out", self.outs, sizes[1])):
            if size == 0 and not tangents.any():
                continue
            bad = (tangents[:, 0] < 0) | ((tangents[:, 0] == 0) & (tangents[:, 1] != 0))
            if bad.any():
                x, y = tangents[np.argmax(bad)]
                problem = "is negative" if x < 0 else f"is zero with height {y:g}"
                raise InvalidCurve(f"key {int(np.argmax(bad))}: width of the {side} tangent {problem}")
        bezier = self.interpolations[:-1] == BEZIER
        if bezier.any():
            forward = widths.are_monotone(self.outs[:-1, 0] / step, self.ins[1:, 0] / step) | ~bezier
            if not forward.all():
                i = int(np.argmin(forward))
                raise InvalidCurve(
                    f"segment after key {i} at {self.times[i]:g} s: "
                    f"tangent widths {self.outs[i, 0]:g} and {self.ins[i + 1, 0]:g} "
                    f"make time run backwards within {step[i]:g} s; shorten them"
                )

    def _check_finite(self) -> None:
        for name in ("times", "values", "ins", "outs"):
            finite = np.isfinite(getattr(self, name)).reshape(len(self), -1).all(axis=1)
            if not finite.all():
                raise InvalidCurve(f"key {int(np.argmin(finite))}: {name} is not a finite number")


def with_tangents(
    curves: Sequence[Curve], ins: Sequence[Floats], outs: Sequence[Floats], values: Sequence[Floats] | None = None
) -> tuple[Curve, ...]:
    """The same curves with other tangents (n, 2) and, where given, other values (n,), which must be finite.

    A drag makes dozens of curves for every move of the hand: what they share with the old ones is sound and needs no
    second look, and the tangents of all of them are looked at together.
    """
    made = []
    put = object.__setattr__
    given_values = [curve.values for curve in curves] if values is None else [frozen(each) for each in values]
    for curve, own, *tangents in zip(curves, given_values, ins, outs, strict=True):
        new = object.__new__(Curve)
        for name in ("times", "interpolations", "tied"):
            put(new, name, getattr(curve, name))
        put(new, "values", own)
        for name, given in zip(("ins", "outs"), tangents, strict=True):
            array = frozen(given)
            if array.shape != curve.ins.shape:
                raise InvalidCurve(f"{name} has shape {array.shape}; {len(curve)} keys need {curve.ins.shape}")
            put(new, name, array)
        made.append(new)
    if made and not _all_sound(made):
        for new in made:
            new._check_tangents()
    return tuple(made)


def _all_sound(curves: Sequence[Curve]) -> bool:
    """Whether the tangents of all curves are sure to be sound; where not, each must be looked at by itself."""
    times = np.concatenate([curve.times for curve in curves])
    ins, outs = (np.concatenate([getattr(curve, side) for curve in curves]) for side in ("ins", "outs"))
    if not (np.isfinite(ins).all() and np.isfinite(outs).all()):
        return False
    if (ins[:, 0] < 0).any() or (outs[:, 0] < 0).any():
        return False
    if (ins[ins[:, 0] == 0, 1] != 0).any() or (outs[outs[:, 0] == 0, 1] != 0).any():
        return False
    # From the last key of a curve to the first of the next time may run backwards: no segment, nothing to check.
    within = np.ones(len(times), np.bool_)
    within[np.cumsum([len(curve) for curve in curves]) - 1] = False
    starts = np.flatnonzero(within & (np.concatenate([curve.interpolations for curve in curves]) == BEZIER))
    step = times[starts + 1] - times[starts]
    return bool(widths.are_monotone(outs[starts, 0] / step, ins[starts + 1, 0] / step).all())


@lru_cache(maxsize=8)
def _plain(n: int) -> tuple[Floats, Bytes, Bools]:
    """Tangents, interpolations and ties of n linear keys; shared, as sampled curves of one clip have equal lengths."""
    return frozen(np.zeros((n, 2))), frozen(np.full(n, LINEAR), np.uint8), frozen(np.ones(n), np.bool_)
