"""Pulling a point of a keyed pose: the values of its keys change, what is held at that time stays."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.anatomy import Anatomy
from inbetweener.anatomy.part import SURE
from inbetweener.arrays import Floats, Ints
from inbetweener.curves import Curve
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.grip import Grip, half_wanted
from inbetweener.document.edits.keys import Ready, keyed, raised, ready
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_of, held, key_near, moment, near, the_clip, the_place
from inbetweener.errors import InbetweenerError, InvalidEdit
from inbetweener.maths.blocker import Blocker
from inbetweener.motion import Attach, Contact, Pin
from inbetweener.motion.layers import channels_of
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import ROOT, Place, Point, Rig, chains
from inbetweener.rig.freedom import Wanted, channels_moving
from inbetweener.rig.mirror import Mirror


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
    layer: str | None = None,
    own: bool = True,
    key: bool = False,
    alone: bool = False,
    planted: bool = False,
    symmetric: bool = False,
) -> PullResult:
    """Pull a point of the pose on a key `to` a place or `by` some metres, and turn it; words as in `drag`.

    Only values of keys at that time change, in the base curves or in those of a `layer`; tangents stay as they are, so
    tied keys stay smooth. What is pinned, in contact or attached then stays. With `key` a pose that is not keyed there
    becomes so, in the channels that the pull changes; `alone`, the point's own joint moves and no other; `planted`,
    feet that stand on the ground stay, but for one that is pulled itself, and hips are pulled without being turned;
    `symmetric`, the limb of the other side does the same in the mirror, wherever it was, and what carries both
    neither leans nor turns to a side.
    """
    shown, wanted = the_clip(document, clip), half_wanted(to, by, turn, turn_to)
    place, rules = the_place(document, point), held(document, shown.name, pins, contacts, attachments, own=own)
    pulling = Pulling(
        document,
        shown.name,
        place,
        moment(shown, frame, time),
        wanted,
        rules,
        layer=layer,
        key=key,
        alone=alone,
        planted=planted,
        symmetric=symmetric,
    )
    return pulling.best(*Grip(document, shown.name, place, pulling.time).wish(to, by, turn, turn_to))


WALKED = 8
"""Steps in which a hand would come to a wish that falls short outright."""


class Pulling:
    """A pull that is moved any number of times, as under a hand; each move goes on from where the last one ended."""

    def __init__(
        self,
        document: Document,
        clip: str,
        place: Place,
        time: float,
        wanted: Wanted,
        rules: Iterable[Rule],
        *,
        layer: str | None = None,
        key: bool = False,
        alone: bool = False,
        planted: bool = False,
        symmetric: bool = False,
    ) -> None:
        self._document, self._clip, self._place = document, clip, place
        self._chosen = Chosen(document, clip, layer)
        self._motion = self._chosen.motion
        self._keys = key_times(self._chosen, place)
        at = key_near(self._keys, time, self._motion.clip)
        if at is None and key:
            at = int(np.searchsorted(self._keys, time))
            self._keys = np.insert(self._keys, at, time)
        if at is None:
            told = f"there is no key on frame {frame_of(self._motion.clip, time)}: key the pose first"
            nearest = [float(each) for each in self._keys[np.argsort(np.abs(self._keys - time), kind="stable")[:1]]]
            raise NoKeyThere(told + "".join(f", or pull it on frame {frame_of(self._motion.clip, t)}" for t in nearest))
        self.time = float(self._keys[at])
        holding = tuple(rule for rule in rules if rule.holds_at(self.time))
        self._level: Floats | None = None
        if planted:
            feet = standing_feet(document.anatomy(), document.rig, self._motion.channels([self.time])[0], place)
            holding += tuple(Pin(foot, "both", self.time, self.time) for foot in feet)
            if wanted == "position" and _carries(document.rig, place, feet):
                # Who sinks into the knees keeps the hips level: to tilt them is the shorter way, and not meant.
                wanted, self._level = "both", self._motion.states([self.time], place)[1][0]
        free = own_channels(document.rig, place) if alone else None
        if layer is not None and (joints := self._motion.clip.layer(layer).joints):
            masked = frozenset(channels_of(document.rig, joints))
            free = masked if free is None else free & masked
        self._mirrored = Opposite.of(document.rig, place) if symmetric else None
        if self._mirrored is not None:
            free = (own_poses(document.rig) if free is None else free) - self._mirrored.lopsided
        self._request = PoseRequest((Pull(place, wanted),), holding, free)
        self._drag = self._begun()
        # Keyed once, as the moves of a hand mostly change the same channels.
        self._ready: dict[int, Ready] = {}
        self._smooths = key

    def to(self, position: Floats | None, turn: Floats | None) -> PullResult:
        """Pull on towards a position (3,), an orientation (3, 3) or both, as wanted."""
        return self._pulled(self._drag, self._state(position, turn))

    def best(self, position: Floats | None, turn: Floats | None) -> PullResult:
        """What a wish that is said outright comes to, whatever moves there were.

        Where that falls short it is walked to as a hand does: a limb that is straight bends on a short way, and
        knows no direction to bend in on a long one.
        """
        outright = self._pulled(self._begun(), self._state(position, turn))
        if outright.reached or position is None:
            return outright
        drag = self._begun()
        (start,), _ = self._motion.states([self.time], self._place)
        for share in np.arange(1, WALKED) / WALKED:
            drag.to(self._state(start + share * (position - start), turn))
        walked = self._pulled(drag, self._state(position, turn))
        return walked if walked.reached or walked.distance < outright.distance else outright

    def _state(self, position: Floats | None, turn: Floats | None) -> State:
        return State(position, turn if self._level is None else self._level)

    def _begun(self) -> PoseDrag:
        return PoseDrag(self._document.rig, self._motion.channels([self.time])[0], self._request)

    def _pulled(self, drag: PoseDrag, wish: State) -> PullResult:
        solution = drag.to(wish)
        x, y, z = map(float, solution.positions[0])
        posed = solution.channels if self._mirrored is None else self._mirrored.put(solution.channels)
        return PullResult(
            self._posed(posed - drag.problem.channels),
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
        chosen = [int(c) for c in np.flatnonzero(change)]
        if not chosen:
            return self._document
        rises = change[chosen] / self._chosen.weights(np.array(chosen), self.time)
        curves = raised([self._prepared(c) for c in chosen], rises)
        names = [self._motion.rig.channels[c].name for c in chosen]
        return self._chosen.put(dict(zip(names, curves, strict=True)))

    def _prepared(self, channel: int) -> Ready:
        if channel not in self._ready:
            curve, key = self._keyed(channel)
            before = self._chosen.curves.get(self._motion.rig.channels[channel].name)
            self._ready[channel] = (
                ready(before, curve, key, near(self._motion.clip)) if self._smooths else (curve, key, False)
            )
        return self._ready[channel]

    def _keyed(self, channel: int) -> tuple[Curve, int]:
        """A channel's curve with a key here, and which one.

        A channel that has stood still gets a key wherever the place has one: with one key only, a single new pose
        would change all others.
        """
        curve = self._chosen.curves.get(self._motion.rig.channels[channel].name)
        if curve is None or len(curve) == 1:
            still = self._chosen.still(channel, self._keys, self.time)
            return still, int(np.searchsorted(self._keys, self.time))
        return keyed(curve, self.time, near(self._motion.clip))


@dataclass(frozen=True, slots=True, eq=False)
class Opposite:
    """The limb of the other side: its channels (n,), which take the mirror image of those of a limb.

    lopsided  names of channels of the trunk that lean or turn it to a side, which no mirror image of the pull would
    """

    mirror: Mirror
    channels: Ints
    lopsided: frozenset[str]

    @classmethod
    def of(cls, rig: Rig, place: Place) -> "Opposite | None":
        """The one opposite to the limb that carries a place most; None on the trunk, which has none.

        A limb is all that hangs on the first joint with a partner, from the trunk outwards.
        """
        mirror = Mirror.of(rig)
        joint = rig.joint_index(max(place.parts, key=lambda part: part[1])[0].joint)
        top = -1
        while joint != ROOT:
            if mirror.joints[joint] != joint:
                top = joint
            joint = rig.joints[joint].parent
        if top < 0:
            return None
        name = rig.joints[mirror.joints[top]].name
        limb = {name, *chains.descendants(rig, name)}
        found = [c for c, channel in enumerate(rig.channels) if {drive.joint for drive in channel.drives} <= limb]
        aside = np.flatnonzero((mirror.channels == np.arange(len(rig.channels))) & (mirror.signs() < 0.0))
        lopsided = frozenset(rig.channels[c].name for c in aside)
        return cls(mirror, np.array([c for c in found if rig.channels[c].drives], np.int64), lopsided)

    def put(self, pose: Floats) -> Floats:
        """The pose (C,) with that limb as the mirror image of the other, within its limits."""
        rig, made = self.mirror.rig, pose.copy()
        image = self.mirror.pose(pose)[self.channels]
        listed = [rig.channels[c] for c in self.channels]
        image = np.clip(image, [each.lower for each in listed], [each.upper for each in listed])
        apart = np.abs(image - pose[self.channels]) > SAME
        made[self.channels[apart]] = image[apart]
        return made


SAME = 1e-9
"""Values of channels that differ by less are the same, but for rounding."""


def own_poses(rig: Rig) -> frozenset[str]:
    """The channels by which a pull that names none may pose a body."""
    switches = {handle.channels[-1] for handle in rig.handles}
    return frozenset(channel.name for channel in rig.channels if channel.poses) - switches


def own_channels(rig: Rig, place: Place) -> frozenset[str]:
    """The channels that turn the joint that carries a place most, and nothing else of the body; all where it has none.

    A handle that turns the joint is left alone: its target says where the limb ends, not how one joint is turned.
    """
    joint = max(place.parts, key=lambda part: part[1])[0].joint
    found = [
        channel.name
        for channel in rig.channels
        if channel.kind in ("rotation", "control") and {drive.joint for drive in channel.drives} == {joint}
    ]
    if not found:
        raise InvalidEdit(f"{joint!r} has no rotations of its own; turn the joint above it", "alone")
    return frozenset(found)


def _carries(rig: Rig, place: Place, feet: Iterable[Point]) -> bool:
    """Whether any of these feet hang on what a place is part of."""
    joint = max(place.parts, key=lambda part: part[1])[0].joint
    return any(foot.joint in chains.descendants(rig, joint) for foot in feet)


STANDS = 0.06
"""A foot this near to where feet are at rest, in heights of the character, stands."""


def standing_feet(anatomy: Anatomy, rig: Rig, pose: Floats, pulled: Place | None = None) -> tuple[Point, ...]:
    """The feet that stand in a pose (C,), without one that carries what is pulled."""
    feet = [part.joint for part in anatomy.find("foot") if part.confidence >= SURE]
    taken = {part.joint for part, _ in pulled.parts} if pulled else set()
    free = [foot for foot in feet if not taken & {foot, *chains.descendants(rig, foot)}]
    if not free:
        return ()
    height, points = chains.height(rig), [Point(foot) for foot in free]
    now, rest = (rig.posed(np.atleast_2d(each)).positions(points)[0, :, 1] for each in (pose, rig.defaults))
    return tuple(foot for foot, y, ground in zip(points, now, rest, strict=True) if y <= ground + STANDS * height)


def key_times(chosen: Chosen, place: Place) -> Floats:
    """The times (K,) at which a place's pose is keyed; single keys count only where there are no others.

    In a layer only its own keys are meant: there may be one on every frame below.
    """
    motion, curves = chosen.motion, chosen.curves
    names = [motion.rig.channels[c].name for c in channels_moving(motion.rig, place, "both")]
    own = [curves[name].times for name in names if name in curves]
    found = [times for times in own if len(times) > 1] if chosen.layer is not None else [motion.key_times(place)]
    every = np.unique(np.concatenate([np.empty(0), *found]))
    return every if len(every) else np.unique(np.concatenate([np.empty(0), *own]))
