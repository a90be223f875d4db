"""Dragging a motion curve: the tangents' drag, as a gesture."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.edits import set_curves
from inbetweener.maths import quaternions
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.to_page import BlockerInfo
from inbetweener.tangents import Drag, Request
from inbetweener.tangents.agreement import angles_between

_SIZES = {"position": 3, "orientation": 4, "both": 7}


class DragArc:
    """Pulls a point of the motion at one time, while the document's constraints hold."""

    def __init__(self, document: Document, clip: str, gesture: gestures.DragArc) -> None:
        self._document, self._clip, self._gesture = document, clip, gesture
        self._place = to_place(document.rig, gesture.place)
        self.time = gesture.time
        request = Request(self._place, gesture.time, gesture.wanted, document.rules(clip), gesture.layer)
        self.drag = Drag(document.motion(clip), request)

    @property
    def label(self) -> str:
        """What the history will call it."""
        verb = "Turn" if self._gesture.wanted == "orientation" else "Drag"
        return f"{verb} {self._place} at frame {self.time * self._document.clip(self._clip).rate:.4g}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Move the state towards a position, an orientation or both."""
        numbers = require(values, _SIZES[self._gesture.wanted])
        position = numbers[:3] if self._gesture.wanted != "orientation" else None
        turn = quaternions.to_matrix(_unit(numbers[-4:])) if self._gesture.wanted != "position" else None
        solution = self.drag.to(position, turn)
        names, before, after = self.drag.problem.names, self.drag.problem.curves, self.drag.commit()
        changed = {name: after[name] for name in names if after[name] != before[name]}
        return Outcome(
            set_curves(self._document, self._clip, changed, layer=self._gesture.layer) if changed else self._document,
            reached=solution.reached,
            position=_triple(solution.position),
            wish=None if position is None else _triple(position),
            distance=0.0 if position is None else float(np.linalg.norm(solution.position - position)),
            turn=0.0 if turn is None else float(angles_between(solution.turn[None], turn)[0]),
            held=solution.constraint_error,
            blockers=[BlockerInfo(each.name, each.share) for each in solution.blockers],
        )


def _triple(vector: Floats) -> tuple[float, float, float]:
    x, y, z = map(float, vector)
    return x, y, z


def _unit(turn: Floats) -> Floats:
    length = float(np.linalg.norm(turn))
    return turn / length if length > 0 else np.asarray(quaternions.IDENTITY)
