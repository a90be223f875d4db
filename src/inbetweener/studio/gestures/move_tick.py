"""Moving a frame's tick along the motion curve, as a gesture."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.rig import chains
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.loose_grip import LooseGrip
from inbetweener.studio.gestures.scale_timing import Retiming
from inbetweener.studio.gestures.values import require, triple
from inbetweener.studio.protocol import gestures
from inbetweener.tangents import Retimed, shift_timing
from inbetweener.tangents.problem import changed_motion

ON_THE_PATH = 0.01
"""Heights of the character: a tick this near to the pointer has followed it; the path itself stays where it is."""

STEPS = 24
"""Into how many pieces the way of a tick is cut beforehand; in between it is taken to be straight."""


class MoveTick(Retiming):
    """Lets the body arrive at a spot of its path on the frame that is dragged there.

    Where the tick can get is found out once, when it is taken hold of (`tangents.move_tick` searches anew for every
    target, too slowly for a hand): a move then asks only for the nearest spot.
    """

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveTick) -> None:
        super().__init__(document, clip, gesture, "Move the tick of")
        self._grip = LooseGrip(document, clip, self.place, gesture.time)
        self._near = ON_THE_PATH * chains.size(document.rig)
        earliest, latest = (self._shifted(amount).amount for amount in (-1.0, 1.0))
        self._amounts = np.linspace(earliest, latest, STEPS + 1)
        self._way = np.array([self._position(self._shifted(float(amount))) for amount in self._amounts])

    def to(self, values: Sequence[float]) -> Outcome:
        """As near to the pointer as the path comes and the widths allow."""
        wish = require(values, 3)
        target = np.asarray(self._grip.position(wish))
        retimed = self._shifted(nearest_on(self._way, self._amounts, target))
        position = self._position(retimed)
        distance = float(np.linalg.norm(position - target))
        made = self.outcome(retimed, distance <= self._near)
        return Outcome(
            made.document,
            made.reached,
            triple(self._grip.shown(position)),
            triple(wish),
            distance=distance,
            text=made.text,
        )

    def _shifted(self, amount: float) -> Retimed:
        return shift_timing(self.motion, self.time, amount, channels=self.names, layer=self.layer)

    def _position(self, retimed: Retimed) -> Floats:
        return changed_motion(self.motion, self.layer, retimed.curves).states([self.time], self.place)[0][0]


def nearest_on(way: Floats, amounts: Floats, target: Floats) -> float:
    """The amount, between those (n,) at the corners (n, 3) of a way, where the way comes nearest to a target."""
    steps = np.diff(way, axis=0)
    lengths = np.maximum((steps * steps).sum(axis=1), 1e-30)
    share = np.clip(((target - way[:-1]) * steps).sum(axis=1) / lengths, 0.0, 1.0)
    gaps = np.linalg.norm(way[:-1] + share[:, None] * steps - target, axis=1)
    best = int(np.argmin(gaps))
    return float(amounts[best] + share[best] * (amounts[best + 1] - amounts[best]))
