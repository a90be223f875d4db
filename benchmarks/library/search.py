"""The coarsest setting of a peer at which it is as near as we are."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.library.peers import Peer, Thinned
from benchmarks.library.plain import Capture, Distance

TRIALS = 10
"""Settings tried for one error at most."""

Measure = Callable[[Distance], float]
Tried = tuple[Thinned, Distance]


@dataclass
class Search:
    """A peer's settings tried so far on one clip: by way and number what it made, and how far that is off."""

    peer: Peer
    capture: Capture
    truth: np.ndarray
    tried: dict[tuple[str, int], Tried] = field(default_factory=dict)

    def within(self, error: float, of: Measure) -> Tried | None:
        """The fewest keys of all tries that are within an error; None where even the finest settings are not."""
        for way in self.peer.ways:
            self._look(way, error, of)
        kept = [each for each in self.tried.values() if of(each[1]) <= error]
        return min(kept, key=lambda each: each[0].keys, default=None)

    def _look(self, way: str, error: float, of: Measure) -> None:
        """Try settings until the coarsest within an error is among them; none but the finest, if that is not."""
        for trial in range(TRIALS):
            known = {number: of(off) for (its, number), (_, off) in self.tried.items() if its == way}
            fine = max((number for number, off in known.items() if off <= error), default=-1)
            coarse = min((n for n, off in known.items() if off > error and n > fine), default=self.peer.coarsest + 1)
            if coarse - fine == 1:
                return
            if fine < 0:
                number = 0
            elif coarse in known:
                number = (fine + coarse) // 2 if trial % 2 else self._led(known, (fine, coarse), error)
            else:
                number = self.peer.first if fine == 0 else self._led(known, (fine,), error)
            self._try(way, min(max(number, fine + 1), coarse - 1))

    def _led(self, known: dict[int, float], ends: Sequence[int], error: float) -> int:
        """Where the nearest of some known settings leads if errors grow as they should, which they do roughly."""
        nearest = min(ends, key=lambda n: abs(math.log(max(known[n], 1e-9) / error)))
        return nearest + round(math.log(error / max(known[nearest], 1e-9)) / math.log(self.peer.step))

    def _try(self, way: str, number: int) -> None:
        made = self.peer.thin(way, number)
        self.tried[way, number] = made, Distance.between(self.capture.looked_at(made.moving), self.truth)
