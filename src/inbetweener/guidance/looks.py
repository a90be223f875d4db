"""The moments at which guidance looks at what must hold, and what the parameters make of the motion there."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.parameters import Parameters
from inbetweener.motion import Motion


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Times (T,); channels (T, A) of all channels before, offsets (T, C) of the free ones, which count with `weight`.

    That (C,) is how much of its curve a channel has, where a layer's curves are led; the rest is the offset.
    """

    parameters: Parameters
    wiring: Wiring
    weight: Floats
    height: float
    times: Floats
    channels: Floats
    offsets: Floats

    @classmethod
    def of(
        cls, motion: Motion, parameters: Parameters, wiring: Wiring, weight: Floats, height: float, times: Floats
    ) -> Self:
        """At some times (T,), which may be none."""
        channels = motion.channels(times) if len(times) else np.zeros((0, len(motion.rig.channels)))
        own = parameters.motion(parameters.start, times)[0][..., 0]
        offsets = channels[:, wiring.columns] - weight * own
        return cls(parameters, wiring, weight, height, frozen(times), frozen(channels), frozen(offsets))

    def at(self, x: Floats) -> tuple[Moments, Floats, Ints]:
        """The moments with parameters x (P,), how free channels there change with local ones, and which these are."""
        motion, derivatives, indices = self.parameters.motion(x, self.times)
        channels = self.channels.copy()
        channels[:, self.wiring.columns] = self.weight * motion[..., 0] + self.offsets
        moments = Moments(self.wiring, self.times, self.times, motion, channels[..., None], self.height)
        return moments, self.weight[:, None] * derivatives[:, :, 0], indices
