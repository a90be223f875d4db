"""What a motion costs over time, in units that a person can read, whether or not anything is to be guided."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats, frozen, read_only
from inbetweener.curves import Bundle
from inbetweener.guidance import kernels
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.request import cost_weights
from inbetweener.guidance.terms.term import Term, checked
from inbetweener.motion import Kernel, Motion
from inbetweener.rig import Rig, chains


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """What one term measures: times (T,), labels (N,) of joints or channels, values (N, T) in `unit`, such as N·m.

    Rows of several labels together measure the root of the sum of their squares.
    """

    times: Floats
    labels: tuple[str, ...]
    values: Floats
    unit: str


class Meter:
    """Measures motions of one rig by one term, all channels taken together; made once for many motions.

    Where `quiet` kernels quieten a term, it measures so much less: what is left is what guidance would look at.
    """

    def __init__(self, rig: Rig, term: Term, quiet: tuple[Kernel, ...] = ()) -> None:
        self.rig, self.term, self.quiet = rig, term, quiet
        driving = sorted(set(rig.dof_map.channels.tolist()))
        rigid = [rig.channels[c] for c in driving if rig.channels[c].kind not in ("scale", "bend")]
        self._wiring = Wiring.of(rig, tuple(channel.name for channel in rigid))
        self._height = max(chains.size(rig), 1e-9)

    def measure(self, motion: Motion, times: Floats) -> Costs:
        """Each joint's or channel's part at each time."""
        found = checked(self.term, _Seen(self._wiring, motion, times, self._height))
        size, unit = found.reading
        labels = found.labels or (self.term.name,) * found.values.shape[1]
        every = {label: n for n, label in enumerate(dict.fromkeys(labels))}
        squares = np.zeros((len(every), len(times)))
        np.add.at(squares, [every[label] for label in labels], found.values.T**2)
        counted = 1.0 if found.always else cost_weights(self.quiet, times)
        return Costs(frozen(times), tuple(every), frozen(size * np.sqrt(counted * squares)), unit)

    def measured_again(self, before: Costs, motion: Motion, span: tuple[float, float]) -> Costs:
        """The costs of a motion that differs from the measured one only within a span of time."""
        # Rates at the ends of a span may have changed on either side of a key.
        changed = (before.times >= span[0]) & (before.times <= span[1])
        if not changed.any():
            return before
        values = before.values.copy()
        values[:, changed] = self.measure(motion, before.times[changed]).values
        return replace(before, values=frozen(values))


class _Seen(Moments):
    """A motion as terms see it where nobody asks for derivatives."""

    def __init__(self, wiring: Wiring, motion: Motion, times: Floats, height: float) -> None:
        channels = motion.channel_motion(times)
        even = np.full(len(times), 1.0 / max(len(times), 1))
        super().__init__(wiring, times, even, channels[:, wiring.columns], channels, height, differentiable=False)
        self._motion = motion

    @cached_property
    def jerks(self) -> Floats:
        """(T, C); found only where a term asks, as they take longer than all the rest."""
        values = _to_jerks(self._motion.base, self.times)
        for layer in self._motion.layers:
            layer.lay_upon(values, lambda bundle: _to_jerks(bundle, self.times))
        return values[:, self.wiring.columns, 3]


def _to_jerks(bundle: Bundle, times: Floats) -> Floats:
    """(T, C, 4): values, velocities, accelerations, jerks."""
    count = len(bundle)
    motion, segments = np.empty((len(times), count, 4)), np.empty((len(times), count), np.int64)
    derivatives, slopes = np.empty((len(times), count, 4, 4)), np.ones(len(bundle.times))
    kernels.differentiate(bundle.keys, slopes, read_only(times), motion, segments, derivatives)
    return motion
