"""Pulling a point of a keyed pose: the values of its keys change, what is held at that time stays."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, move_key
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.grip import Grip, half_wanted
from inbetweener.document.edits.keys import keyed, level
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_of, held, key_near, moment, near, the_clip, the_place
from inbetweener.errors import InbetweenerError
from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Attach, Contact, Motion, Pin
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted, channels_moving


class NoKeyThere(InbetweenerError):
    """A pose can be changed only where it is keyed; says how to key it."""


@dataclass(frozen=True, slots=True, repr=False)
class PullResult(Result):
    """A document with another pose on a key: where the point is now, how far off, and what blocks.

    distance, turn  metres and radians between the wish and what came of it
    held            metres by which the worst of what is held moved
    """

    clip: str
    point: Place
    time: float
    position: tuple[float, float, float]
    reached: bool
    distance: float
    turn: float
    held: float
    blockers: tuple[Blocker, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Where it is now."""
        x, y, z = self.position
        off = f"{1e3 * self.distance:.2f} mm" + (f" and {math.degrees(self.turn):.2f}°" if self.turn else "")
        return (f"{self.point} at {self.time:g} s: now at {x:.3f}, {y:.3f}, {z:.3f} m, {off} from the target",)

    @property
    def problem(self) -> str:
        """What blocks."""
        blocked = ", ".join(f"{each.name} ({100 * each.share:.0f} %)" for each in self.blockers)
        return "" if self.reached else f"{self.point}: not reached{f'; blocked by {blocked}' if blocked else ''}"

    @property
    def facts(self) -> dict[str, Any]:
        """What a pipeline wants to know about a pull."""
        return {
            "clip": self.clip,
            "point": str(self.point),
            "time": self.time,
            "reached": self.reached,
            "position_m": list(self.position),
            "target_error_m": self.distance,
            "target_error_degrees": math.degrees(self.turn),
            "held_error_m": self.held,
            "blockers": [asdict(blocker) for blocker in self.blockers],
        }


def pull(
    document: Document,
    point: str | Place,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    to: npt.ArrayLike | None = None,
    by: npt.ArrayLike | None = None,
    turn: npt.ArrayLike | None = None,
    turn_to: npt.ArrayLike | None = None,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    clip: str | None = None,
    own: bool = True,
) -> PullResult:
    """Pull a point of the pose on a key `to` a place or `by` some metres, and turn it; words as in `drag`.

    Only values of keys at that time change, in the base curves; tangents stay as they are, so tied keys stay smooth.
    What is pinned, in contact or attached then stays.
    """
    shown, wanted = the_clip(document, clip), half_wanted(to, by, turn, turn_to)
    place, rules = the_place(document, point), held(document, shown.name, pins, contacts, attachments, own=own)
    pulling = Pulling(document, shown.name, place, moment(shown, frame, time), wanted, rules)
    return pulling.to(*Grip(document, shown.name, place, pulling.time).wish(to, by, turn, turn_to))


class Pulling:
    """A pull that is moved any number of times, as under a hand; each move goes on from where the last one ended."""

    def __init__(
        self, document: Document, clip: str, place: Place, time: float, wanted: Wanted, rules: Iterable[Rule]
    ) -> None:
        self._document, self._clip, self._place = document, clip, place
        self._motion = document.motion(clip)
        self._keys = key_times(self._motion, place)
        at = key_near(self._keys, time, self._motion.clip)
        if at is None:
            told = f"there is no key on frame {frame_of(self._motion.clip, time)}: key the pose first"
            nearest = [float(each) for each in self._keys[np.argsort(np.abs(self._keys - time), kind="stable")[:1]]]
            raise NoKeyThere(told + "".join(f", or pull it on frame {frame_of(self._motion.clip, t)}" for t in nearest))
        self.time = float(self._keys[at])
        holding = tuple(rule for rule in rules if rule.holds_at(self.time))
        self._request = PoseRequest((Pull(place, wanted),), holding)
        self._drag = self._begun()
        # Keyed once, as the moves of a hand mostly change the same channels.
        self._ready: dict[int, tuple[Curve, int]] = {}

    def to(self, position: Floats | None, turn: Floats | None) -> PullResult:
        """Pull on towards a position (3,), an orientation (3, 3) or both, as wanted."""
        return self._pulled(self._drag, State(position, turn))

    def best(self, position: Floats | None, turn: Floats | None) -> PullResult:
        """What a wish that is said outright comes to, whatever moves there were."""
        return self._pulled(self._begun(), State(position, turn))

    def _begun(self) -> PoseDrag:
        return PoseDrag(self._document.rig, self._motion.channels([self.time])[0], self._request)

    def _pulled(self, drag: PoseDrag, wish: State) -> PullResult:
        solution = drag.to(wish)
        x, y, z = map(float, solution.positions[0])
        return PullResult(
            self._posed(solution.channels - drag.problem.channels),
            self._clip,
            self._place,
            self.time,
            (x, y, z),
            solution.reached,
            float(solution.distances[0]),
            float(solution.turns[0]),
            solution.pin_error * drag.problem.height,
            tuple(solution.blockers),
        )

    def _posed(self, change: Floats) -> Document:
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
        return keyed(curve, self.time, near(self._motion.clip))


def key_times(motion: Motion, place: Place) -> Floats:
    """The times (K,) at which a place's pose is keyed; single keys count only where there are no others."""
    found = motion.key_times(place)
    if len(found):
        return found
    curves = motion.clip.curves
    names = (motion.rig.channels[c].name for c in channels_moving(motion.rig, place, "both"))
    return np.unique(np.concatenate([np.empty(0), *(curves[name].times for name in names if name in curves)]))
