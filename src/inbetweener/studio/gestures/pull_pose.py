"""Posing by pin-and-drag on a key frame, as a gesture."""

from collections.abc import Callable, Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.edits.grip import Grip
from inbetweener.document.edits.pull import NoKeyThere, Pulling, PullResult
from inbetweener.document.edits.words import frame_of
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import triple, wished_state
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.to_page import BlockerInfo
from inbetweener.studio.watched import watched_motion


class PullPose:
    """Pulls a point of a keyed pose; what is pinned or in contact at that time stays."""

    def __init__(self, document: Document, clip: str, gesture: gestures.PullPose) -> None:
        self._wanted = gesture.wanted
        place, shown = to_place(document.rig, gesture.place), document.clip(clip)
        try:
            self._pulling = Pulling(document, clip, place, gesture.time, gesture.wanted, document.rules(clip))
        except NoKeyThere as error:
            number = frame_of(shown, gesture.time)
            raise NoKeyThere(f"there is no key on frame {number}: press K to key the pose here") from error
        self.time = self._pulling.time
        self._grip = Grip(document, clip, place, self.time, watched_motion(document, clip))
        self.label = f"Pose {place} at frame {frame_of(shown, self.time)}"

    def to(self, values: Sequence[float]) -> Outcome:
        """Pull towards a position, an orientation or both, from the pose that the last move led to."""
        return self._pulled(self._pulling.to, values)

    def settled(self, values: Sequence[float]) -> Outcome:
        """What is kept: what `edits.pull` makes of the last wish alone."""
        return self._pulled(self._pulling.best, values)

    def _pulled(self, pull: Callable[[Floats | None, Floats | None], PullResult], values: Sequence[float]) -> Outcome:
        wish, turn = wished_state(values, self._wanted)
        made = pull(self._grip.position(wish), self._grip.turn(turn))
        return Outcome(
            made.document,
            reached=made.reached,
            position=triple(self._grip.shown(np.array(made.position))),
            wish=None if wish is None else triple(wish),
            distance=made.distance,
            turn=made.turn,
            held=made.held,
            blockers=[BlockerInfo(each.name, each.share) for each in made.blockers],
        )
