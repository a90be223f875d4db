"""Making the motion around a time faster or slower, as a gesture."""

from collections.abc import Sequence

from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import set_curves
from inbetweener.motion import Constraint, Motion
from inbetweener.rig import Place
from inbetweener.rig.freedom import channels_moving
from inbetweener.studio.gestures.breakage import Breakage
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.moments import frame
from inbetweener.studio.gestures.values import require
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import gestures
from inbetweener.tangents import NothingToDrag, Retimed, scale_timing
from inbetweener.tangents.problem import edited_curves
from inbetweener.tangents.variables import can_change, segment_at, turns_along


class Retiming:
    """What both timing gestures share: the channels of a place, and the document that new widths make.

    Channels that also move a contact keep their widths, as long as others are left that move the place.
    """

    def __init__(
        self, document: Document, clip: str, gesture: gestures.ScaleTiming | gestures.MoveTick, verb: str
    ) -> None:
        self.time = gesture.time
        self.motion = document.motion(clip)
        self.place = to_place(document.rig, gesture.place)
        self.layer = gesture.layer
        moving = timed_channels(self.motion, self.place, self.time, self.layer)
        # Hips in a hurry would drag planted feet along; the arm can hurry alone. Where nothing could, it is told.
        contacts = [rule for rule in document.rules(clip) if rule.stands]
        self.names = _moving_none(self.motion, moving, contacts, self.time, self.layer) or moving
        self.label = f"{verb} {self.place} at frame {frame(self.motion.clip, self.time)}"
        self._document, self._clip = document, clip
        self._before = edited_curves(self.motion, self.layer)
        self._breakage = Breakage(document, clip)

    def outcome(self, retimed: Retimed, reached: bool) -> Outcome:
        """What the new widths make, and a word on what they move."""
        changed = {name: retimed.curves[name] for name in self.names if retimed.curves[name] != self._before[name]}
        if not changed:
            return Outcome(self._document, reached=reached)
        document = set_curves(self._document, self._clip, changed, layer=self.layer)
        return Outcome(document, reached=reached, text=self._breakage.text(document))


class ScaleTiming(Retiming):
    """Widens or narrows the tangents around a time, in the channels that move a place."""

    def __init__(self, document: Document, clip: str, gesture: gestures.ScaleTiming) -> None:
        super().__init__(document, clip, gesture, "Timing of")

    def to(self, values: Sequence[float]) -> Outcome:
        """Faster by an amount, slower below zero; as much of it as all curves allow."""
        (amount,) = map(float, require(values, 1))
        retimed = scale_timing(self.motion, self.time, amount, channels=self.names, layer=self.layer)
        return self.outcome(retimed, abs(retimed.amount - amount) <= 1e-9)


def _moving_none(
    motion: Motion, names: tuple[str, ...], contacts: Sequence[Constraint], time: float, layer: str | None
) -> tuple[str, ...]:
    """Those of the channels that move no point of a contact while their widths change."""
    curves, rig = edited_curves(motion, layer), motion.rig
    planted = [(each, each.channels(rig)) for each in contacts]

    def moves_one(name: str) -> bool:
        start, end = _reach(curves[name], time)
        return any(each.start < end and start < each.end and rig.channel_index(name) in own for each, own in planted)

    return tuple(name for name in names if not moves_one(name))


def _reach(curve: Curve, time: float) -> tuple[float, float]:
    """The stretch over which other widths around a time change a curve: a tied key takes its other side along."""
    key = segment_at(curve, time)
    before, after = turns_along(curve, key)
    return float(curve.times[key - before]), float(curve.times[key + 1 + after])


def timed_channels(motion: Motion, place: Place, time: float, layer: str | None) -> tuple[str, ...]:
    """The channels that move a place and have a segment at that time whose tangents can change."""
    curves = edited_curves(motion, layer)
    moving = (motion.rig.channels[c].name for c in sorted(channels_moving(motion.rig, place, "both")))
    found = tuple(name for name in moving if can_change(curves.get(name), time))
    if not found:
        what = f"{place} has no Bezier segment at frame {frame(motion.clip, time)}"
        raise NothingToDrag(f"{what}; retime between two keys of its curves")
    return found
