"""Corrections: what is added to keyed curves so that loose motion hits its targets, kept as layers.

The correction of one target is λ φ(t) + β ψ(t) a channel, with the bell φ and the wiggle ψ of its target ([IKD] Eq. 9).
Both are curves on the same keys, so the sum is such a curve again, exactly: what was solved with is what is kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.kinodynamics.bell import Bell, cubic
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Rig

BUMPS = 4
"""Bumps after a target that stops something, evenly spread."""

HEIGHT, SLOPE = 0, 1
"""The first two numbers of a correction: λ, what it adds at the target's time, and β, the slope it adds there."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The parts of one target's correction, on the same keys, as they run in a clip: the bell φ, the wiggle ψ and, of
    what holds over a stretch, B-splines along it; of a pose, bumps before it; of what is stopped, bumps after it.
    """

    parts: tuple[Curve, ...]

    @classmethod
    def of(
        cls,
        bell: Bell,
        time: float,
        clip: Clip,
        until: float | None = None,
        bumps: Literal["before", "after"] | None = None,
    ) -> Self:
        """A bell around a time, or a stretch of it; in a loop, what reaches beyond one end comes in at the other.

        With bumps before it, or after it, where the bell itself is over soon.
        """
        if until is not None:
            own = bell.stretch(time, until, frames_of(time, until, clip))
        elif bumps == "after":
            own = _on_keys([*bell.let_go().curves(time), *_after(bell, time)])
        else:
            own = list(bell.curves(time))
            own += _before(own[0], time) if bumps else []
        whole = clip.end - clip.start
        if not clip.loops or not whole > 0:
            return cls(tuple(own))
        first, last = float(own[0].times[0]), float(own[0].times[-1])
        since, until = np.floor((clip.start - last) / whole), np.ceil((clip.end - first) / whole)
        turns = whole * np.arange(since, until + 1)
        turns = turns[(first + turns < clip.end) & (last + turns > clip.start)]
        if len(turns) == 1 and turns[0] == 0.0:
            return cls(tuple(own))
        times = np.sort((own[0].times + turns[:, None]).ravel())
        times = times[np.r_[True, np.diff(times) > 1e-9]]
        bundle = Bundle.of(own)
        # Value and slope on every key of every turn say it all: cubic pieces, smooth where they meet.
        summed = np.sum([bundle.evaluate_motion(times - turn)[:, :, :2] for turn in turns], axis=0)
        return cls(tuple(cubic(times, summed[:, i, 0], summed[:, i, 1]) for i in range(len(own))))

    def motion(self, times: npt.ArrayLike) -> Floats:
        """(T, B, 3): values, velocities and accelerations of all parts."""
        return Bundle.of(self.parts).evaluate_motion(times)

    def curve(self, *numbers: float) -> Curve:
        """The sum of all parts, each so many times: λ φ + β ψ."""
        by = np.array(numbers)[:, None]
        first = self.parts[0]
        return replace(
            first,
            values=(by * [part.values for part in self.parts]).sum(axis=0),
            ins=np.stack([first.ins[:, 0], (by * [part.ins[:, 1] for part in self.parts]).sum(axis=0)], axis=1),
            outs=np.stack([first.outs[:, 0], (by * [part.outs[:, 1] for part in self.parts]).sum(axis=0)], axis=1),
        )

    def curves(self, rig: Rig, coefficients: Floats) -> Curves:
        """The curves by channel for coefficients (B, C), of channels that are corrected at all."""
        changed = np.flatnonzero(coefficients.any(axis=0))
        return Curves({rig.channels[c].name: self.curve(*map(float, coefficients[:, c])) for c in changed})


def _before(bell: Curve, time: float) -> list[Curve]:
    """A bump at each key of a bell before a time, over by the next one: what swings is wound up by them."""
    inner = [n for n in range(1, len(bell)) if bell.times[n] < time - 1e-9]
    nothing = np.zeros(len(bell))
    return [cubic(bell.times, np.where(np.arange(len(bell)) == n, 1.0, 0.0), nothing) for n in inner]


def _after(bell: Bell, time: float) -> list[Curve]:
    """Bumps after a time, the last over where the bell is."""
    keys = time + bell.after * np.linspace(0.0, 1.0, BUMPS + 2)
    return [cubic(keys, row, np.zeros(len(keys))) for row in np.eye(len(keys))[1:-1]]


def _on_keys(curves: list[Curve]) -> list[Curve]:
    """The same curves, on the keys of all; beyond its own ends each is nothing."""
    times = np.unique(np.concatenate([each.times for each in curves]).round(9))
    times = times[np.r_[True, np.diff(times) > 1e-6]]
    found = []
    for each in curves:
        inside = (times > each.times[0] - 1e-6) & (times < each.times[-1] + 1e-6)
        values, rates = Bundle.of([each]).evaluate_motion(times)[:, 0, :2].T
        found.append(cubic(times, np.where(inside, values, 0.0), np.where(inside, rates, 0.0)))
    return found


def frames_of(time: float, until: float, clip: Clip) -> int:
    """How many parts, of a frame or less, a stretch of time has."""
    return max(1, int(np.ceil((until - time) * clip.rate - 1e-6)))


def without_layers(clip: Clip, names: Iterable[str]) -> Clip:
    """The clip as it is before the targets called `names` were solved for: itself where they never were."""
    gone = set(names)
    kept = tuple(layer for layer in clip.layers if layer.name not in gone)
    # The windows found for a clip are known by the clip itself.
    return clip if len(kept) == len(clip.layers) else replace(clip, layers=kept)


def with_layers(clip: Clip, layers: Sequence[Layer]) -> Clip:
    """The clip with corrections put in: in the place of layers of the same names, else on top."""
    new = {layer.name: layer for layer in layers}
    kept = tuple(new.pop(layer.name, layer) for layer in clip.layers)
    return replace(clip, layers=(*kept, *new.values()))
