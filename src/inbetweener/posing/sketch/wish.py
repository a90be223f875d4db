"""What a stroke wishes of bones: how far every sample turns in the view plane, and where it goes."""

import math
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.posing.sketch.bones import Samples


@dataclass(frozen=True, slots=True, eq=False)
class Wishes:
    """By sample of the bones.

    angles (M,) radians about the axis towards the eye, from how it is now, any number of turns; positions (M, 3) in the
    world; asked (M, 2) where in the view plane the stroke, strictly taken, would have it. With `kept`, only the first
    position of a bone counts: it keeps the length of every step and goes where its angles lead.
    """

    samples: Samples
    angles: Floats
    positions: Floats
    asked: Floats
    kept: bool = False

    def eased(self, largest: float) -> "Wishes":
        """The same, with turns of more than `largest` radians in one step spread over the steps around it."""
        angles = self.angles.copy()
        for joint, turn in self.largest_turns().items():
            if turn > largest:
                rows, width = self.samples.rows[joint], 2 * math.ceil(0.5 * turn / largest) + 1
                padded = np.pad(angles[rows], width // 2, mode="edge")
                angles[rows] = np.convolve(padded, np.full(width, 1.0 / width), mode="valid")
        return replace(self, angles=angles)

    def largest_turns(self) -> dict[int, float]:
        """By joint: radians in one step along its bone, at most."""
        turns = np.abs(np.diff(self.angles))
        return {joint: float(turns[rows.start : rows.stop - 1].max()) for joint, rows in self.samples.rows.items()}
