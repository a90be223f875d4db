"""Posing by pin-and-drag on a key frame, as a gesture."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, move_key
from inbetweener.document import Document
from inbetweener.document.edits import set_curves
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Motion
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Place
from inbetweener.rig.freedom import channels_moving
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.keying import keyed, level
from inbetweener.studio.gestures.loose_grip import LooseGrip
from inbetweener.studio.gestures.moments import frame, key_near
from inbetweener.studio.gestures.values import triple, wished_state
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.to_page import BlockerInfo


class NoKeyThere(InbetweenerError):
    """A pose can be changed only where it is keyed; says how to key it."""


class PullPose:
    """Pulls a point of a keyed pose; the values of its keys change, in the base curves.

    What is pinned or in contact at that time stays. Tangents stay as they are, so tied keys stay smooth.
    """

    def __init__(self, document: Document, clip: str, gesture: gestures.PullPose) -> None:
        self._document, self._clip, self._wanted = document, clip, gesture.wanted
        self._motion = document.motion(clip)
        self._place = to_place(document.rig, gesture.place)
        self._keys = key_times(self._motion, self._place)
        shown = self._motion.clip
        at = key_near(self._keys, gesture.time, shown)
        if at is None:
            number = frame(shown, gesture.time)
            raise NoKeyThere(f"there is no key on frame {number}: press K to key the pose here")
        self.time = float(self._keys[at])
        self.label = f"Pose {self._place} at frame {frame(shown, self.time)}"
        # What blocks is called as its kind is: a planted foot is a contact, not a pin.
        holding = tuple(rule for rule in document.rules(clip) if rule.holds_at(self.time))
        self._grip = LooseGrip(document, clip, self._place, self.time)
        pose = self._motion.channels([self.time])[0]
        request = PoseRequest((Pull(self._place, self._wanted),), holding)
        self._drag = PoseDrag(document.rig, pose, request)
        # Keyed once, as the moves of a hand mostly change the same channels.
        self._ready: dict[int, tuple[Curve, int]] = {}

    def to(self, values: Sequence[float]) -> Outcome:
        """Pull towards a position, an orientation or both."""
        wish, wished_turn = wished_state(values, self._wanted)
        position, turn = self._grip.position(wish), self._grip.turn(wished_turn)
        solution = self._drag.to(State(position, turn))
        return Outcome(
            self._posed(solution.channels),
            reached=solution.reached,
            position=triple(self._grip.shown(solution.positions[0])),
            wish=None if wish is None else triple(wish),
            distance=float(solution.distances[0]),
            turn=float(solution.turns[0]),
            held=solution.pin_error * self._drag.problem.height,
            blockers=[BlockerInfo(b.name, b.share) for b in solution.blockers],
        )

    def _posed(self, channels: Floats) -> Document:
        change = channels - self._drag.problem.channels
        curves = {self._motion.rig.channels[c].name: self._changed(int(c), change[c]) for c in np.flatnonzero(change)}
        return set_curves(self._document, self._clip, curves) if curves else self._document

    def _changed(self, channel: int, by: float) -> Curve:
        if channel not in self._ready:
            self._ready[channel] = self._keyed(channel)
        curve, key = self._ready[channel]
        return move_key(curve, key, value=float(curve.values[key]) + by).curve

    def _keyed(self, channel: int) -> tuple[Curve, int]:
        """A channel's curve with a key here, and which one.

        A channel that has stood still gets a key wherever the place has one: with one key only, a single new pose
        would change all others.
        """
        described = self._motion.rig.channels[channel]
        curve = self._motion.clip.curves.get(described.name)
        if curve is None or len(curve) == 1:
            value = described.default if curve is None else float(curve.values[0])
            return level(self._keys, value), int(np.searchsorted(self._keys, self.time))
        return keyed(curve, self.time, self._motion.clip)


def key_times(motion: Motion, place: Place) -> Floats:
    """The times (K,) at which a place's pose is keyed; single keys count only where there are no others."""
    found = motion.key_times(place)
    if len(found):
        return found
    curves = motion.clip.curves
    names = (motion.rig.channels[c].name for c in channels_moving(motion.rig, place, "both"))
    return np.unique(np.concatenate([np.empty(0), *(curves[name].times for name in names if name in curves)]))
