"""Timing by tangent widths: the motion around a time faster or slower, or a frame's tick moved along its path."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.constraints import Breakage
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.grip import Grip, half_wanted
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_of, held, moment, the_clip, the_place
from inbetweener.motion import Attach, Contact, Motion
from inbetweener.rig import Place, chains
from inbetweener.rig.freedom import channels_moving
from inbetweener.tangents import NothingToDrag, Retimed, shift_timing
from inbetweener.tangents import scale_timing as scaled
from inbetweener.tangents.problem import changed_motion, edited_curves
from inbetweener.tangents.variables import can_change, segment_at, turns_along

ON_THE_PATH = 0.01
"""Heights of the character: a tick this near to the pointer has followed it; the path itself stays where it is."""
STEPS = 24
"""Into how many pieces the way of a tick is cut beforehand; in between it is taken to be straight."""


@dataclass(frozen=True, slots=True, repr=False)
class TimingResult(Result):
    """A retimed document: how much of the wish the widths allowed, where the point is, and what moved along.

    distance  metres between the wished place of a tick and the one it got to; none for faster and slower
    moves     a line on what moved that the document holds, empty when all stayed
    """

    point: Place
    time: float
    amount: float
    reached: bool
    position: tuple[float, float, float]
    distance: float
    moves: str

    @property
    def lines(self) -> tuple[str, ...]:
        """What it came to."""
        x, y, z = self.position
        retimed = f"{self.point} at {self.time:g} s: timing changed by {self.amount:.3g}"
        return tuple(filter(None, (f"{retimed}, now at {x:.3f}, {y:.3f}, {z:.3f} m", self.moves)))

    @property
    def problem(self) -> str:
        """Less than wished."""
        if self.reached:
            return ""
        near = f"comes no nearer than {1e3 * self.distance:.1f} mm on its path; "
        return f"{self.point}: {near if self.distance else ''}the widths of its tangents allow no more"

    @property
    def facts(self) -> dict[str, Any]:
        """What a pipeline wants to know about it."""
        return {
            "point": str(self.point),
            "time": self.time,
            "amount": self.amount,
            "reached": self.reached,
            "position_m": list(self.position),
            "target_error_m": self.distance,
            "moves": self.moves,
        }


def scale_timing(
    document: Document,
    point: str | Place,
    amount: float,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    clip: str | None = None,
    layer: str | None = None,
    own: bool = True,
) -> TimingResult:
    """Make the motion of a point around a time faster (amount > 0) or slower, by the widths of tangents alone.

    As much of it as all curves allow. Channels that also move a contact keep their widths, as long as others are left
    that move the point.
    """
    shown = the_clip(document, clip)
    rules = held(document, shown.name, (), contacts, attachments, own=own)
    place, when = the_place(document, point), moment(shown, frame, time)
    return Retiming(document, shown.name, place, when, rules, layer).faster(amount)


def move_tick(
    document: Document,
    point: str | Place,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    to: npt.ArrayLike | None = None,
    by: npt.ArrayLike | None = None,
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    clip: str | None = None,
    layer: str | None = None,
    own: bool = True,
) -> TimingResult:
    """Let a point be, at a time, where its path comes nearest to a place; the path stays, the timing changes."""
    half_wanted(to, by, None, None)
    shown = the_clip(document, clip)
    rules = held(document, shown.name, (), contacts, attachments, own=own)
    place, when = the_place(document, point), moment(shown, frame, time)
    retiming = Retiming(document, shown.name, place, when, rules, layer)
    target, _ = Grip(document, shown.name, place, when).wish(to, by)
    return retiming.to(np.asarray(target))


class Retiming:
    """The channels of a place around a time, and the documents that other widths make; for any number of moves.

    Channels that also move a contact keep their widths, as long as others are left that move the place.
    """

    def __init__(
        self,
        document: Document,
        clip: str,
        place: Place,
        time: float,
        rules: Iterable[Rule],
        layer: str | None = None,
    ) -> None:
        self.time, self.place, self._layer = time, place, layer
        self.motion = document.motion(clip)
        moving = timed_channels(self.motion, place, time, layer)
        # Hips in a hurry would drag planted feet along; the arm can hurry alone. Where nothing could, it is told.
        rules = tuple(rules)
        contacts = [rule for rule in rules if rule.stands]
        self._names = _moving_none(self.motion, moving, contacts, time, layer) or moving
        self._document, self._clip = document, clip
        self._before = edited_curves(self.motion, layer)
        self._breakage = Breakage(document, clip)
        self._way: tuple[Floats, Floats] | None = None

    def faster(self, amount: float) -> TimingResult:
        """Faster by an amount, slower below zero; as much of it as all curves allow."""
        retimed = scaled(self.motion, self.time, amount, channels=self._names, layer=self._layer)
        return self._result(retimed, self._position(retimed), abs(retimed.amount - amount) <= 1e-9)

    def look_ahead(self) -> tuple[Floats, Floats]:
        """Where the tick can get: corners (n, 3) of its way, and the amounts (n,) that lead there.

        Found out once, when it is taken hold of: a move then asks only for the nearest spot (`tangents.move_tick`
        searches anew for every target, too slowly for a hand).
        """
        if self._way is None:
            earliest, latest = (self._shifted(amount).amount for amount in (-1.0, 1.0))
            amounts = np.linspace(earliest, latest, STEPS + 1)
            self._way = np.array([self._position(self._shifted(float(each))) for each in amounts]), amounts
        return self._way

    def to(self, target: Floats) -> TimingResult:
        """As near to a place (3,) as the path comes and the widths allow."""
        retimed = self._shifted(nearest_on(*self.look_ahead(), target))
        position = self._position(retimed)
        distance = float(np.linalg.norm(position - target))
        return self._result(retimed, position, distance <= ON_THE_PATH * chains.size(self.motion.rig), distance)

    def _result(self, retimed: Retimed, position: Floats, reached: bool, distance: float = 0.0) -> TimingResult:
        document, (x, y, z) = self._document, map(float, position)
        changed = {name: retimed.curves[name] for name in self._names if retimed.curves[name] != self._before[name]}
        if changed:
            document = set_curves(document, self._clip, changed, layer=self._layer)
        moves = self._breakage.text(document)
        return TimingResult(document, self.place, self.time, retimed.amount, reached, (x, y, z), distance, moves)

    def _shifted(self, amount: float) -> Retimed:
        return shift_timing(self.motion, self.time, amount, channels=self._names, layer=self._layer)

    def _position(self, retimed: Retimed) -> Floats:
        return changed_motion(self.motion, self._layer, retimed.curves).states([self.time], self.place)[0][0]


def timed_channels(motion: Motion, place: Place, time: float, layer: str | None) -> tuple[str, ...]:
    """The channels that move a place and have a segment at that time whose tangents can change."""
    curves = edited_curves(motion, layer)
    moving = (motion.rig.channels[c].name for c in sorted(channels_moving(motion.rig, place, "both")))
    found = tuple(name for name in moving if can_change(curves.get(name), time))
    if not found:
        what = f"{place} has no Bezier segment at frame {frame_of(motion.clip, time)}"
        raise NothingToDrag(f"{what}; retime between two keys of its curves")
    return found


def _moving_none(
    motion: Motion, names: tuple[str, ...], contacts: Sequence[Rule], time: float, layer: str | None
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


def nearest_on(way: Floats, amounts: Floats, target: Floats) -> float:
    """The amount, between those (n,) at the corners (n, 3) of a way, where the way comes nearest to a target."""
    steps = np.diff(way, axis=0)
    lengths = np.maximum((steps * steps).sum(axis=1), 1e-30)
    share = np.clip(((target - way[:-1]) * steps).sum(axis=1) / lengths, 0.0, 1.0)
    gaps = np.linalg.norm(way[:-1] + share[:, None] * steps - target, axis=1)
    best = int(np.argmin(gaps))
    return float(amounts[best] + share[best] * (amounts[best + 1] - amounts[best]))
