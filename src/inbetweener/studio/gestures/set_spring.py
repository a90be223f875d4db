"""Sliding springs, and the world that they swing in, as gestures."""

from collections.abc import Sequence
from dataclasses import replace

from inbetweener.document import Document
from inbetweener.document.edits import replace_loosening, set_looseness
from inbetweener.document.edits.loosen import loose_springs
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import loose_gestures

SLOWEST, FASTEST, MOST_DAMPED = 0.05, 100.0, 10.0
"""Hz, and the damping ratio: where sliders end."""

_RANGES = {"gravity": (-100.0, 100.0), "drag": (0.0, 1.0), "window": (0.01, 30.0), "error": (1e-6, 1.0)}


class SetSpring:
    """Gives joints or channels one spring each, or all together; what is shown swings by it at once."""

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.SetSpring) -> None:
        self._document, self._clip, self._tip = document, clip, gesture.tip
        self._names = None if gesture.names is None else list(dict.fromkeys(gesture.names))
        self._springs = document.loosening(clip).looseness.springs
        self.label = f"Spring of {_whose(self._names, chained=gesture.tip is not None)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Let them swing so often a second, so damped, within reason."""
        frequency, damping = map(float, require(values, 2))
        spring = Spring(min(max(frequency, SLOWEST), FASTEST), min(max(damping, 0.0), MOST_DAMPED))
        reached = (spring.frequency, spring.damping) == (frequency, damping)
        springs = loose_springs(self._document, self._clip, self._names, spring, tip=self._tip)
        if all(self._springs.get(name) == each for name, each in springs.items()):
            return Outcome(self._document, reached=reached)
        looseness = self._document.loosening(self._clip).looseness.with_springs(springs)
        return Outcome(set_looseness(self._document, self._clip, looseness), reached=reached)


class SetLooseness:
    """Gives the world of a clip's springs another gravity, drag, window or error."""

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: loose_gestures.SetLooseness) -> None:
        self._document, self._loosening, self._part = document, document.loosening(clip), gesture.part
        least, most = _RANGES[gesture.part]
        if gesture.part == "window":
            found = document.clip(clip)
            most = max(least, min(most, found.end - found.start))
        self._range = least, most
        self.label = f"Set {_NAMES[gesture.part]}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Set it, within reason."""
        (wish,) = map(float, require(values, 1))
        value = min(max(wish, self._range[0]), self._range[1])
        if getattr(self._loosening.looseness, self._part) == value:
            return Outcome(self._document, reached=value == wish)
        looseness: Looseness = replace(self._loosening.looseness, **{self._part: value})  # type: ignore[arg-type]
        changed = replace_loosening(self._document, replace(self._loosening, looseness=looseness))
        return Outcome(changed, reached=value == wish)


def _whose(names: list[str] | None, *, chained: bool) -> str:
    if names is None:
        return "the whole body"
    if chained:
        return f"the chain from {names[0]}" if len(names) == 1 else f"{len(names)} chains"
    return names[0] if len(names) == 1 else f"{len(names)} parts"


_NAMES = {"gravity": "gravity", "drag": "drag", "window": "the window", "error": "the windows' error"}
