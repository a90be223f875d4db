"""Dragging a point at a time by tangents alone: no key is added or moved."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.document.clearance import staying_clear
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.grip import Grip, half_wanted
from inbetweener.document.edits.reach import Reaching, reach_of
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import held, moment, seconds, the_clip, the_place
from inbetweener.errors import InvalidEdit
from inbetweener.maths import quaternions
from inbetweener.motion import Attach, Contact, Motion
from inbetweener.posing import NothingToPose, PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Place, chains
from inbetweener.tangents import (
    Certificate,
    Drag,
    DragRequest,
    Held,
    Lock,
    Pin,
    Release,
    Settings,
    Solution,
    Suggestion,
    certify,
    disagreement,
    suggest_key,
    suggest_release,
)
from inbetweener.tangents.certificate import leaks
from inbetweener.tangents.suggest import HELPS

QUICK = Settings(iterations=20, effort=2000)
"""Under a hand the next move comes in a sixtieth of a second, and goes on where this one ended: a drag out of reach
stops looking sooner than it might. On a diver held by both feet (benchmarks/blocked), whose hand is led around where
it mostly cannot come, it falls short by 9 % more than with the usual settings, in a fifth to a half of the time."""
STEPS = 8
"""Into how many steps a way is cut that one leap does not manage."""
CLOSELY = 3
"""Times as many looks at what is held where it leaks between the usual ones."""
POSED = "a key of the whole pose, pulled there,"
WELL = 5e-4
"""Constraints within this share of the character's size, or this many radians, count as held, unless they say."""


@dataclass(frozen=True, slots=True, repr=False)
class DragResult(Result):
    """A dragged document: from where to where the point came, and the proof.

    Where the wish is out of reach, the document holds the nearest motion found that keeps all constraints. `suggestion`
    is the one key that would help most, `release` what would by letting its point turn, and `posed` the error in metres
    or radians that a key of the whole pose would leave, where that was asked for and helps.
    """

    before: Document
    clip: str
    request: DragRequest
    certificate: Certificate
    suggestion: Suggestion | None = None
    release: Release | None = None
    posed: float | None = None
    looked: bool = False

    @property
    def reached(self) -> bool:
        """Whether the point is where it was wished."""
        return self.certificate.reached

    @property
    def lines(self) -> tuple[str, ...]:
        """How far it went, and how well everything holds."""
        proof, told = self.certificate, []
        off = f"{1e3 * proof.target_distance:.2f} mm" + (
            f" and {math.degrees(proof.target_turn):.2f}°" if proof.target_turn else ""
        )
        moved = 100 * math.dist(self._at(self.before), self._at(self.document))
        if proof.constraints:
            told.append(f"held: {', '.join(map(_how_well, proof.constraints))}")
        told += proof.limits
        told += [_inside(each) for each in proof.clear if not each.holds]
        if self.looked and not self.reached:
            if self.release is not None:
                told.append(
                    f"{turning(self.release)} would bring it to {self._off(self.release.error)} from the target"
                )
            if self.posed is not None:
                told.append(f"{POSED} would bring it to {self._off(self.posed)} from the target")
            told.append("no single key would help" if self.suggestion is None else self._proposal(self.suggestion))
        first = f"{self.request.point} at {self.request.time:g} s: moved {moved:.1f} cm, now {off} from the target"
        return (first, "; ".join(told)) if told else (first,)

    @property
    def problem(self) -> str:
        """What blocks, and what does not hold."""
        told = []
        if not self.reached:
            blocked = ", ".join(f"{each.name} ({100 * each.share:.0f} %)" for each in self.certificate.blockers)
            told.append(f"not reached{f'; blocked by {blocked}' if blocked else ''}")
        for rule, kept in self._held:
            if self._holds(rule, kept):
                continue
            told.append(f"{kept.name} does not hold: {kept.off}")
            apart = disagreement(self.before.motion(self.clip), rule).distance
            if apart > 1e-3:
                told[-1] += f", its key poses alone {1e3 * apart:.1f} mm apart; make them agree first"
        allowed = WELL * chains.size(self.document.rig)
        told += [_inside(each) for each in self.certificate.clear if each.distance > each.before + allowed]
        return f"{self.request.point}: {'; '.join(told)}" if told else ""

    @property
    def facts(self) -> dict[str, Any]:
        """What a pipeline wants to know about a drag."""
        proof = self.certificate
        told: dict[str, Any] = {
            "clip": self.clip,
            "point": str(self.request.point),
            "time": self.request.time,
            "reached": proof.reached,
            "from_m": self._at(self.before),
            "position_m": self._at(self.document),
            "target_error_m": proof.target_distance,
            "target_error_degrees": math.degrees(proof.target_turn),
            "constraints": [
                {
                    "name": each.name,
                    "error_m": each.distance,
                    "error_degrees": math.degrees(each.turn),
                    "worst_time": each.time,
                    "holds": self._holds(rule, each),
                }
                for rule, each in self._held
            ],
            "clear": [
                {
                    "name": each.name,
                    "before_m": each.before,
                    "inside_m": each.distance,
                    "holds": each.holds,
                    "part": each.part,
                    "worst_time": each.time,
                }
                for each in proof.clear
            ],
            "blockers": [asdict(blocker) for blocker in proof.blockers],
            "limits": list(proof.limits),
            "keys_kept": proof.keys_kept,
            "iterations": proof.iterations,
        }
        if self.looked and not self.reached:
            key, release = self.suggestion, self.release
            told["release"] = (
                None if release is None else {"constraints": list(release.names), **self._left(release.error)}
            )
            told["posed"] = None if self.posed is None else self._left(self.posed)
            told["suggestion"] = (
                None
                if key is None
                else {
                    "joint": key.joint,
                    "time": key.time,
                    "values": dict(zip(key.channels, key.values, strict=True)),
                    **self._left(key.error),
                }
            )
        return told

    def _at(self, document: Document) -> list[float]:
        found: list[float] = document.motion(self.clip).states([self.request.time], self.request.point)[0][0].tolist()
        return found

    @property
    def _held(self) -> list[tuple[Rule, Held]]:
        rules = (each.of(self.request.point) for each in self.request.constraints)
        return list(zip(rules, self.certificate.constraints, strict=True))

    def _holds(self, rule: Rule, kept: Held) -> bool:
        size = chains.size(self.document.rig)
        far, wide = rule.allowed(size, WELL)
        return kept.distance <= far * size and kept.turn <= wide

    def _off(self, error: float) -> str:
        turns = self.request.wanted == "orientation"
        return f"{math.degrees(error):.2f}°" if turns else f"{1e3 * error:.1f} mm"

    def _left(self, error: float) -> dict[str, float]:
        turns = self.request.wanted == "orientation"
        return {"error_degrees": math.degrees(error)} if turns else {"error_m": error}

    def _proposal(self, key: Suggestion) -> str:
        where = f"a key on {key.joint} at {key.time:g} s ({', '.join(key.channels)})"
        return f"{where} would bring it to {self._off(key.error)} from the target"


def drag(
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
    locks: Iterable[float | str | Lock] = (),
    channels: Iterable[str] | None = None,
    clip: str | None = None,
    layer: str | None = None,
    own: bool = True,
    keyed: bool = False,
    clear: bool = False,
    suggest: bool = False,
    reach: float | None = None,
    settings: Settings | None = None,
) -> DragResult:
    """Drag a point at a time `to` a place or `by` some metres, and turn it, by the tangents of the curves around.

    Say when with a `frame` or a `time` in seconds. `turn` is (rx, ry, rz) in radians from how it is, Rz·Ry·Rx in the
    world; `turn_to` a quaternion or a matrix. Pins keep their motion, contacts stand still, attachments
    ("hand_r=guitar@0:36f") stay in the space of a joint or prop, and at `locks`, times, the point itself stays: all on
    top of what the document keeps, unless `own` is false. Only `channels` change, where they are given. With `clear`,
    the body stays out of obstacles, of the ground and of itself. On loose motion `to` means what is seen, unless
    `keyed`. With `suggest` the one key that would help most is looked for where the wish is not reached, and
    constraints that would by letting their points turn.

    With a `reach` in seconds no tangent changes: the pose of that time is pulled, and what that changes comes and goes
    within the reach, as a few keys of a layer that adds, "by hand" where none is named. So it is by itself, half a
    second wide, where there are keys on every frame; what is held then keeps the motion that it has.
    """
    shown = the_clip(document, clip)
    if layer is not None:
        shown.layer(layer)
    place, when, wanted = the_place(document, point), moment(shown, frame, time), half_wanted(to, by, turn, turn_to)
    rules = held(document, shown.name, pins, contacts, attachments, own=own)
    still = (each if isinstance(each, Lock) else Lock(seconds(shown, each), wanted) for each in locks)
    position, turned = Grip(document, shown.name, place, when, keyed=keyed).wish(to, by, turn, turn_to)
    free = None if channels is None else frozenset(channels)
    outside = staying_clear(document) if clear else None
    request = DragRequest(place, when, wanted, (*rules, *still), layer, free, outside)
    if (width := reach_of(shown, layer, reach)) is not None:
        if clear:
            raise InvalidEdit("a drag with a reach does not look at obstacles; leave out clear", "clear")
        reaching = Reaching(document, shown.name, request, width)
        reached = reaching.to(position, turned, finer=True)
        return DragResult(reached.document, document, shown.name, replace(request, layer=reaching.layer), reached.proof)
    best = Dragging(document, shown.name, request, settings).best(position, turned)
    result = DragResult(best.document, document, shown.name, request, best.proof())
    if not suggest:
        return result
    key, release, posed = best.helpful_key(), best.helpful_release(), best.helpful_pose()
    return replace(result, suggestion=key, release=release, posed=posed, looked=True)


@dataclass(frozen=True, slots=True, eq=False)
class Dragged:
    """What one move of a drag came to; `wish` is a position (3,) and an orientation (3, 3), where they were wished."""

    document: Document
    solution: Solution
    wish: tuple[Floats | None, Floats | None]

    def proof(self) -> Certificate:
        """What it is worth, measured afresh."""
        return certify(self.solution, *self.wish)

    def helpful_key(self) -> Suggestion | None:
        """The one key that would help most, where the wish was not reached."""
        return None if self.solution.reached else suggest_key(self.solution, *self.wish)

    def helpful_release(self) -> Release | None:
        """The constraints that would help by letting their points turn, where the wish was not reached."""
        return None if self.solution.reached else suggest_release(self.solution, *self.wish)

    def helpful_pose(self) -> float | None:
        """What a key of the whole pose would leave, in metres or radians; None where that is not needed, or no help.

        Tangents only have the poses of the keys around; a pull on a key here has all that the body can do.
        """
        problem, request = self.solution.problem, self.solution.problem.request
        holding = tuple(rule for rule in problem.rules if rule.holds_at(request.time))
        pose = PoseRequest((Pull(request.point, request.wanted),), holding)
        if self.solution.reached:
            return None
        try:
            drag = PoseDrag(problem.motion.rig, problem.motion.channels([request.time])[0], pose)
        except NothingToPose:
            return None
        pulled = drag.to(State(*self.wish))
        error = float(pulled.turns[0] if request.wanted == "orientation" else pulled.distances[0])
        return None if error > HELPS * self.solution.target_error else error


class Dragging:
    """A drag that is moved any number of times, as under a hand; each move goes on from where the last one ended."""

    def __init__(self, document: Document, clip: str, request: DragRequest, settings: Settings | None = None) -> None:
        self._document, self._motion, self._request, self._settings = document, document.motion(clip), request, settings
        self._drag: Drag | None = None

    def begin(self) -> Drag:
        """Take hold; raises where there is nothing to drag."""
        self._drag = Drag(self._motion, self._request, self._settings or QUICK)
        return self._drag

    def to(self, position: Floats | None, turn: Floats | None) -> Dragged:
        """Move on, in one leap."""
        drag = self._drag or self.begin()
        return self._dragged(drag.to(position, turn), position, turn)

    def best(self, position: Floats | None, turn: Floats | None) -> Dragged:
        """What a wish that is said outright comes to, whatever moves there were.

        By a leap or, where that falls short, by small steps, as a hand would; the better answer is taken.
        """
        drag = _towards(self._motion, self._request, self._settings, position, turn)
        if leaks(drag.solution):
            # What holds where it is looked at leaks in between: then look at more moments.
            closely = replace(self._settings or Settings(), looks=CLOSELY)
            closer = _towards(self._motion, self._request, closely, position, turn)
            drag = closer if closer.solution.holds else drag
        return self._dragged(drag.solution, position, turn)

    def _dragged(self, solution: Solution, position: Floats | None, turn: Floats | None) -> Dragged:
        before, after = solution.problem.curves, solution.curves
        changed = {name: after[name] for name in solution.problem.names if after[name] != before[name]}
        document, clip = self._document, self._motion.clip.name
        if changed:
            document = set_curves(document, clip, changed, layer=self._request.layer)
        return Dragged(document, solution, (position, turn))


def _towards(
    motion: Motion, request: DragRequest, settings: Settings | None, position: Floats | None, turn: Floats | None
) -> Drag:
    leap = Drag(motion, request, settings)
    if leap.to(position, turn).reached:
        return leap
    walk = Drag(motion, request, settings)
    for share in np.arange(1, STEPS) / STEPS:
        walk.to(
            None if position is None else (1.0 - share) * walk.start_position + share * position,
            None if turn is None else _turned(walk.start_turn, turn, share),
        )
    walk.to(position, turn)
    return walk if walk.solution.reached or walk.solution.target_error < leap.solution.target_error else leap


def _turned(start: Floats, end: Floats, share: float) -> Floats:
    """The orientation (3, 3) that is `share` of the way from one to the other."""
    both = quaternions.from_matrix(np.stack([start, end]))
    return quaternions.to_matrix(quaternions.slerp(both[:1], both[1:], np.array([share])))[0]


def turning(release: Release) -> str:
    """What is proposed, in an animator's words."""
    return f"letting {' and '.join(release.names)} turn"


def _how_well(kept: Held) -> str:
    turned = f", {math.degrees(kept.turn):.3f}°" if kept.turn else ""
    return f"{kept.name} within {1e3 * kept.distance:.2f} mm{turned} (at {kept.time:.3f} s)"


def _inside(kept: Held) -> str:
    before = f", {1e3 * kept.before:.1f} mm before" if kept.before else ""
    return f"not {kept.name}: {1e3 * kept.distance:.1f} mm inside{kept.where}{before}"
