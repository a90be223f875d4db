"""What a change moves that was to stay.

Retiming, posing and moving keys are wishes of their own: an animator who asks for them gets them, pins and contacts
or not. But nothing is broken in silence: the answer names what moved, and Escape takes it back.
"""

import numpy as np

from inbetweener.contacts.measure import look_times, spread
from inbetweener.document.document import Document
from inbetweener.rig import chains

NOTICED = 1e-3
"""Heights of the character by which a point must move before it is worth a word."""
LOOKS = 2
"""Looks a frame: this is done on every move of a hand."""


class Breakage:
    """The constraints that are on in a clip, and where their points were."""

    def __init__(self, document: Document, clip: str) -> None:
        self._document, self._clip = document, clip
        motion = document.motion(clip)
        shown = motion.clip
        self._noticed = NOTICED * chains.size(document.rig) if document.rig.joints else 0.0
        self._watched = []
        for constraint in document.constraints:
            rule = constraint.rule
            start, end = max(rule.start, shown.start), min(rule.end, shown.end)
            if constraint.on and constraint.clip == clip and start <= end:
                times = look_times(motion, start, end, LOOKS)
                self._watched.append((constraint.name, rule, times, rule.states(motion, times)[0]))

    def text(self, document: Document) -> str:
        """One line on what the changed document moves, empty when all stays."""
        if not self._watched or document is self._document:
            return ""
        motion, moved = document.motion(self._clip), []
        for name, rule, times, before in self._watched:
            after = rule.states(motion, times)[0]
            strayed = float(np.linalg.norm(after - before, axis=1).max())
            off = spread(after) - spread(before) if rule.stands else strayed
            if off > self._noticed:
                moved.append(f"{name} ({100 * off:.2g} cm)")
        return f"this moves: {', '.join(moved)}" if moved else ""
