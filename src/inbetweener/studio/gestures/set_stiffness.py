"""Sliding the stiffness of channels, as a gesture."""

from collections.abc import Sequence
from dataclasses import replace

from inbetweener.document import Document
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures

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
