"""Targets under the hand: dragged in space and time, their bells and weights shaped."""

from collections.abc import Sequence
from dataclasses import replace

from inbetweener.document import Document
from inbetweener.document.edits.words import near
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.studio.gestures.aiming import Aiming
from inbetweener.studio.gestures.values import require, triple
from inbetweener.studio.looseness import unit
from inbetweener.studio.protocol import loose_gestures

LEAST_WEIGHT, MOST_WEIGHT = 1e-3, 1e3
LONGEST = 100.0
"""Seconds that a bell may reach to either side."""


class DragTarget(Aiming):
    """Moves or turns a target in space, or changes the velocity that it wants."""

    verb = "Drag"

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.DragTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._wanted = gesture.wanted
        if not isinstance(self.target, PointTarget):
            raise InvalidDocument(f"{gesture.target!r} wants a pose, which has no place to be dragged to")

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target somewhere else."""
        assert isinstance(self.target, PointTarget)
        numbers = require(values, {"orientation": 4, "both": 7}.get(self._wanted, 3))
        if self._wanted == "velocity":
            return replace(self.target, velocity=triple(numbers))
        target = self.target
        if self._wanted != "orientation":
            target = replace(target, position=triple(numbers[:3]))
        if self._wanted != "position":
            w, x, y, z = map(float, numbers[-4:])
            target = replace(target, orientation=unit((w, x, y, z)))
        return target


class MoveTarget(Aiming):
    """Moves a target in time, within its clip."""

    verb = "Move"

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.MoveTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._shown = document.clip(clip)

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target at another time."""
        (time,) = map(float, require(values, 1))
        return replace(self.target, time=min(max(time, self._shown.start), self._shown.end))


class ShapeBell(Aiming):
    """Makes a target's bell wider or narrower, on either side."""

    verb = "Shape the bell of"

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.ShapeBell) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._least = near(document.clip(clip))

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target with another bell."""
        before, after = (min(max(float(each), self._least), LONGEST) for each in require(values, 2))
        return replace(self.target, bell=replace(self.target.bell, before=before, after=after))


class WeighTarget(Aiming):
    """Lets a target count more or less."""

    verb = "Weigh"

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.WeighTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target with another weight."""
        (weight,) = map(float, require(values, 1))
        return replace(self.target, weight=min(max(weight, LEAST_WEIGHT), MOST_WEIGHT))
