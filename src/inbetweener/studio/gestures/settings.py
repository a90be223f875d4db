"""Sliders as gestures: a channel's value at a time, its stiffness, and how loose a part is."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.curves import Curve, move_key
from inbetweener.document import Document
from inbetweener.document.edits import replace_loosening, set_looseness
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.constraints import Breakage
from inbetweener.document.edits.loosen import loose_springs
from inbetweener.document.edits.words import frame_read, key_near
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.studio.gestures.hand import Outcome, require
from inbetweener.studio.protocol import gestures
from inbetweener.tangents import drag_value


class SetValue:
    """On a key the key's value changes, between keys the tangents; a channel without keys gets one, for all times.

    The value is the channel's, layers and all; limits are kept.
    """

    def __init__(self, document: Document, clip: str, gesture: gestures.SetValue) -> None:
        self._document, self._clip, self._gesture = document, clip, gesture
        self._motion = document.motion(clip)
        self._channel = document.rig.channel(gesture.channel)
        self._chosen, self._number = Chosen(document, clip, gesture.layer), document.rig.channel_index(gesture.channel)
        self._curve = self._chosen.curves.get(gesture.channel)
        self._key = self._keyed()
        self.time: float | None = gesture.time
        if self._curve is not None and len(self._curve) > 1 and self._key is not None:
            self.time = float(self._curve.times[self._key])
        self._now = float(self._motion.channels([self.time])[0, self._number])
        (self._weight,) = self._chosen.weights(np.array([self._number]), self.time)
        self._breakage = Breakage(document, clip)
        self.label = f"Set {gesture.channel} at frame {frame_read(self._motion.clip, gesture.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Bring the channel to a value, or as near as its limits allow."""
        (wish,) = map(float, require(values, 1))
        if self._curve is not None and self._key is None:
            return self._between(wish)
        # A channel that is beyond a limit already may stay there, but goes no farther.
        value = min(max(wish, min(self._channel.lower, self._now)), max(self._channel.upper, self._now))
        by = (value - self._now) / self._weight
        if self._curve is None or self._key is None:
            blank = self._chosen.blank(self._number, self._gesture.time)
            curve = Curve.constant(blank + by, self._gesture.time)
        else:
            curve = move_key(self._curve, self._key, value=float(self._curve.values[self._key]) + by).curve
        return self._outcome(curve, value == wish)

    def _keyed(self) -> int | None:
        """The key that is meant: one near the time, or the only one there is."""
        if self._curve is None:
            return None
        if len(self._curve) == 1:
            return 0
        return key_near(self._curve.times, self._gesture.time, self._motion.clip)

    def _between(self, wish: float) -> Outcome:
        gesture = self._gesture
        dragged = drag_value(self._motion, gesture.channel, gesture.time, wish, layer=gesture.layer)
        return self._outcome(dragged.curves[gesture.channel], dragged.reached)

    def _outcome(self, curve: Curve, reached: bool) -> Outcome:
        if curve == self._curve:
            return Outcome(self._document, reached=reached, text=self._limit(reached))
        document = self._chosen.put({self._gesture.channel: curve})
        moved = self._breakage.text(document)
        return Outcome(document, reached=reached, text="; ".join(filter(None, (self._limit(reached), moved))))

    def _limit(self, reached: bool) -> str:
        lower, upper = self._channel.lower, self._channel.upper
        if reached or not (np.isfinite(lower) or np.isfinite(upper)):
            return ""
        return f"{self._channel.name} keeps its limits, {lower:g} to {upper:g}"


SLOWEST, FASTEST, MOST_DAMPED = 0.05, 100.0, 10.0
"""Hz, and the damping ratio: where sliders end."""

_RANGES = {"gravity": (-100.0, 100.0), "drag": (0.0, 1.0), "window": (0.01, 30.0), "error": (1e-6, 1.0)}


class SetSpring:
    """Gives joints or channels one spring each, or all together; what is shown swings by it at once."""

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: gestures.SetSpring) -> None:
        self._document, self._clip, self._tip = document, clip, gesture.tip
        self._names = None if gesture.names is None else list(dict.fromkeys(gesture.names))
        self._springs = document.loosening(clip).looseness.springs
        self.label = f"Spring of {_whose(self._names, chained=gesture.tip is not None)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Let them swing so often a second, so damped, within reason."""
        frequency, damping = map(float, require(values, 2))
        spring = Spring(min(max(frequency, SLOWEST), FASTEST), min(max(damping, 0.0), MOST_DAMPED))
        reached = (spring.frequency, spring.damping) == (frequency, damping)
        springs = {
            name: replace(each, air=self._springs[name].air if name in self._springs else each.air)
            for name, each in loose_springs(self._document, self._clip, self._names, spring, tip=self._tip).items()
        }
        if all(self._springs.get(name) == each for name, each in springs.items()):
            return Outcome(self._document, reached=reached)
        looseness = self._document.loosening(self._clip).looseness.with_springs(springs)
        return Outcome(set_looseness(self._document, self._clip, looseness), reached=reached)


class SetLooseness:
    """Gives the world of a clip's springs another gravity, drag, window or error."""

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: gestures.SetLooseness) -> None:
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


LEAST, MOST = 1e-3, 1e3
"""Stiffness is relative; beyond these, what is stiff does not move and what is loose does it all."""


class SetStiffness:
    """Gives channels one stiffness; nothing moves until the next drag."""

    time: float | None = None

    def __init__(self, document: Document, _clip: str, gesture: gestures.SetStiffness) -> None:
        self._document = document
        self._names = frozenset(gesture.channels)
        for name in self._names:
            document.rig.channel_index(name)
        count = len(self._names)
        self.label = f"Stiffness of {gesture.channels[0] if count == 1 else f'{count} channels'}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Make them this stiff, within reason."""
        (wish,) = map(float, require(values, 1))
        stiffness = min(max(wish, LEAST), MOST)
        rig = self._document.rig
        channels = tuple(
            replace(each, stiffness=stiffness) if each.name in self._names and each.stiffness != stiffness else each
            for each in rig.channels
        )
        if all(a is b for a, b in zip(channels, rig.channels, strict=True)):
            return Outcome(self._document, reached=stiffness == wish)
        document = replace(self._document, rig=replace(rig, channels=channels))
        return Outcome(document, reached=stiffness == wish)
