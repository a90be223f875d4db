"""Dragging the ends of a pin's or contact's range, as a gesture."""

from collections.abc import Sequence

from inbetweener.document import Document
from inbetweener.document.edits import replace_rule
from inbetweener.document.edits.words import near
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures


class MoveRange:
    """Gives a constraint another stretch of time within its clip; a lock keeps to one moment."""

    def __init__(self, document: Document, _clip: str, gesture: gestures.MoveRange) -> None:
        self._document = document
        self._constraint = document.constraint(gesture.constraint)
        self._shown = document.clip(self._constraint.clip)
        self.time: float | None = None
        self.label = f"Move range of {gesture.constraint}"

    def to(self, values: Sequence[float]) -> Outcome:
        """From a start to an end, whichever comes first, cut to the clip."""
        wished = [float(value) for value in require(values, 2)]
        first, last = self._shown.start, self._shown.end
        start, end = (min(max(each, first), last) for each in sorted(wished))
        if self._constraint.rule.is_momentary:
            end = start
        else:
            # An empty range would be another kind of constraint, or none.
            end = max(end, min(start + near(self._shown), last))
            start = min(start, max(end - near(self._shown), first))
        rule = self._constraint.rule
        reached = [start, end] == wished
        if (rule.start, rule.end) == (start, end):
            return Outcome(self._document, reached=reached)
        return Outcome(replace_rule(self._document, self._constraint.name, rule.during(start, end)), reached=reached)
