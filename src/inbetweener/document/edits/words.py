"""What people say of a document, made exact: which clip, which point, when, what is held meanwhile.

Every verb that a person can do takes the same words: points by name, a frame or seconds, a clip only where there are
several. The constraints that are on in the document always count; `own=False` leaves them out.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.document.document import Document, Rule
from inbetweener.errors import InbetweenerError, InvalidEdit
from inbetweener.kinodynamics import LooseMotion
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Attach, Clip, Contact, Motion, Pin
from inbetweener.rig import Place, Point, Rig
from inbetweener.rig.freedom import Wanted

SLIGHTLY = 1e-9
"""Seconds by which a moment may lie outside a clip, as frames divided by rates do."""
NEAR = 0.1
"""Frames. A time this near to a key is the key's, and keys are not brought nearer to each other than this."""


def the_clip(document: Document, clip: str | None = None) -> Clip:
    """The clip that is meant: by name, or the only one there is."""
    if clip is None and len(document.clips) > 1:
        names = ", ".join(each.name for each in document.clips)
        raise InvalidEdit(f"{document.name!r} has several clips; say which one: {names}", "clip")
    return document.clip(clip)


def moment(clip: Clip, frame: float | None = None, time: float | str | None = None) -> float:
    """Seconds, from seconds or from frames counted from the clip's first; between frames too, within the clip."""
    if (frame is None) == (time is None):
        raise InvalidEdit("say when: with a frame or with a time in seconds, one of them", "time", "frame")
    word, found = ("frame", clip.start + frame / clip.rate) if frame is not None else ("time", seconds(clip, time or 0))
    if not (math.isfinite(found) and clip.start - SLIGHTLY <= found <= clip.end + SLIGHTLY):
        raise InvalidEdit(
            f"{found:g} s lies outside clip {clip.name!r}, which runs from {clip.start:g} to {clip.end:g} s", word
        )
    return min(max(found, clip.start), clip.end)


def seconds(clip: Clip, said: float | str) -> float:
    """Seconds from 1.2 or "1.2", or from frames counted from the clip's first as "29f"."""
    if not isinstance(said, str):
        return float(said)
    try:
        number = float(said.removesuffix("f"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InvalidEdit(f"{said!r} is no time; write seconds as 1.2 or frames as 29f", "time")
    return clip.start + number / clip.rate if said.endswith("f") else number


def frame_of(clip: Clip, time: float) -> str:
    """A time as people say it: "17", or "17.5" between frames."""
    return f"{round((time - clip.start) * clip.rate, 2):.10g}"


def near(clip: Clip) -> float:
    """Seconds within which a time is that of a key."""
    return NEAR / clip.rate


def key_near(times: Floats, time: float, clip: Clip) -> int | None:
    """Which of the times (n,), in order, a moment means; None where none is near."""
    if len(times) == 0:
        return None
    at = int(np.argmin(np.abs(times - time)))
    return at if abs(float(times[at]) - time) <= near(clip) else None


def the_place(document: Document, point: str | Place) -> Place:
    """A named point or joint, or a place that is one already."""
    return document.rig.point(point) if isinstance(point, str) else point


def place_during(rig: Rig, clip: Clip, said: str, word: str) -> tuple[Point, Wanted, float, float]:
    """A point, which half of its state is meant, and from when to when: "hips", "hips+turn", "hips@0.5:1.5".

    Without times: always.
    """
    name, at, stretch = said.partition("@")
    wanted: Wanted = "both" if name.endswith("+turn") else "position"
    place = rig.point(name.removesuffix("+turn"))
    if not at:
        return place, wanted, -math.inf, math.inf
    first, colon, last = stretch.partition(":")
    if not (first and colon and last):
        raise InvalidEdit(f"{said!r} needs two times, as in {name}@0.5:1.5", word)
    start, end = seconds(clip, first), seconds(clip, last)
    if start > end:
        raise InvalidEdit(f"{said!r} ends before it starts", word)
    return place, wanted, start, end


def the_rule(document: Document, clip: Clip, said: str | Place | Rule, kind: str) -> Rule:
    """A constraint of a kind, from a text as `place_during` reads it; only pins may leave out their times.

    What holds in the space of a joint or prop is said with it: "hand_r=guitar@0:36f". What stands may also be named as
    the document calls it, and a pin may be a mere point.
    """
    if not isinstance(said, str):
        return said if isinstance(said, Rule) else Pin(said)
    made = Rule.KINDS[kind]
    for each in document.constraints:
        if made.stands and each.name == said and each.clip == clip.name and each.rule.stands:
            return each.rule
    typed, at, stretch = said.partition("@")
    point, to, carrier = typed.partition("=")
    place, wanted, start, end = place_during(document.rig, clip, f"{point}{at}{stretch}", kind)
    if made.stands and not (math.isfinite(start) and math.isfinite(end)):
        raise InvalidEdit(f"{said!r} needs its times, as in {said}@0.5:1.5", kind)
    rule = made.made(place, wanted, start, end, *(document.carrier(carrier) if to else (None, None)))
    joints, props = ({each.name for each in listed} for listed in (document.rig.joints, document.props))
    for problem in rule.problems(joints, props):
        raise InvalidEdit(f"{said!r} {problem}", kind)
    return rule


def held(
    document: Document,
    clip: str,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    *,
    own: bool = True,
) -> tuple[Rule, ...]:
    """What must hold: the document's own constraints that are on, unless left out, and further ones."""
    shown = document.clip(clip)
    said: dict[str, Iterable[str | Place | Rule]] = {"pin": pins, "contact": contacts, "attach": attachments}
    further = (the_rule(document, shown, each, kind) for kind, listed in said.items() for each in listed)
    return (*(document.rules(clip) if own else ()), *further)


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """An edited document and a report of the edit; each verb has a kind of its own.

    Printed, a result is at most three lines and holds no arrays; `facts` is the same for pipelines.
    """

    document: Document

    @property
    def lines(self) -> tuple[str, ...]:
        """What to tell the person who asked: with the problem, if there is one, three lines at most."""
        raise NotImplementedError

    @property
    def facts(self) -> dict[str, Any]:
        """The same as plain numbers, texts and lists: what `--json` prints."""
        raise NotImplementedError

    @property
    def problem(self) -> str:
        """One line on what fell short of the wish; empty when nothing did."""
        return ""

    def __str__(self) -> str:
        return "\n".join(filter(None, (*self.lines, self.problem)))

    def __repr__(self) -> str:
        return str(self)


def half_wanted(
    to: npt.ArrayLike | None, by: npt.ArrayLike | None, turn: npt.ArrayLike | None, turn_to: npt.ArrayLike | None
) -> Wanted:
    """Which half of a state these words wish for; one of each pair may be said, and one at least must be."""
    for one, other, words in ((to, by, ("to", "by")), (turn, turn_to, ("turn", "turn_to"))):
        if one is not None and other is not None:
            raise InvalidEdit(f"give one of {' and '.join(words)}, not both", *words)
    moved, turned = not (to is None and by is None), not (turn is None and turn_to is None)
    if not (moved or turned):
        raise InvalidEdit("say where it is to go: with to, by, turn or turn_to", "to", "by", "turn")
    return "both" if moved and turned else "position" if moved else "orientation"


class Grip:
    """A place at a time, where it is keyed and how far it is seen from there; nothing where it is not loose.

    `shown` is the motion as it is watched, where that is at hand; with `keyed` the hand is on the keyed motion itself.

    On loose motion a hand takes hold of what it sees, and moves the keyed motion by as much as it moves itself. The
    loose point then follows more or less, as loose things do. Leading it exactly under the hand was tried: what swings
    may answer a pull late, too much or the other way, and aiming anew overshoots. That is what targets are for.
    """

    def __init__(
        self,
        document: Document,
        clip: str,
        place: Place,
        time: float,
        shown: Motion | None = None,
        *,
        keyed: bool = False,
    ) -> None:
        self.start, self.start_turn = _state(document.motion(clip), place, time)
        self._offset, self._turn = np.zeros(3), np.eye(3)
        self.is_loose = False
        try:
            watched = None if keyed else shown or document.shown_motion(clip)
            if isinstance(watched, LooseMotion):
                at, turn = _state(watched, place, time)
                self._offset, self._turn = at - self.start, turn.T @ self.start_turn
                self.is_loose = True
        except InbetweenerError:
            # It cannot be simulated, so it is shown as keyed.
            return

    def position(self, wish: Floats | None) -> Floats | None:
        """Where the keyed place must be (3,), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish - self._offset

    def turn(self, wish: Floats | None) -> Floats | None:
        """How the keyed place must be turned (3, 3), for a wish of the hand."""
        return wish if wish is None or not self.is_loose else wish @ self._turn

    def shown(self, keyed: Floats) -> Floats:
        """Where the hand has its place (3,) when the keyed one is at `keyed`."""
        return keyed + self._offset if self.is_loose else keyed

    def wish(
        self,
        to: npt.ArrayLike | None = None,
        by: npt.ArrayLike | None = None,
        turn: npt.ArrayLike | None = None,
        turn_to: npt.ArrayLike | None = None,
    ) -> tuple[Floats | None, Floats | None]:
        """Where the keyed place must be (3,) and how turned (3, 3); None for the half that nobody wished for.

        `to` and `by` are in metres; `turn` is (rx, ry, rz) in radians from how it is, Rz·Ry·Rx in the world; `turn_to`
        is an orientation as a quaternion (w, x, y, z) or a matrix (3, 3).
        """
        position = self.position(None if to is None else _numbers(to, 3, "to"))
        if by is not None:
            position = self.start + _numbers(by, 3, "by")
        if turn is not None:
            return position, euler.to_matrix(_numbers(turn, 3, "turn"), "ZYX") @ self.start_turn
        return position, self.turn(None if turn_to is None else _rotation(turn_to))


def _state(motion: Motion, place: Place, time: float) -> tuple[Floats, Floats]:
    positions, turns = motion.states([time], place)
    return positions[0], turns[0]


def _numbers(said: npt.ArrayLike, count: int, word: str) -> Floats:
    numbers = np.asarray(said, np.float64)
    if numbers.shape != (count,) or not np.isfinite(numbers).all():
        raise InvalidEdit(f"{word} takes {count} finite numbers, not {said!r}", word)
    return numbers


def _rotation(said: npt.ArrayLike) -> Floats:
    if np.shape(said) == (3, 3):
        return np.asarray(said, np.float64)
    quaternion = _numbers(said, 4, "turn_to")
    length = float(np.linalg.norm(quaternion))
    if length < 1e-6:
        raise InvalidEdit("an orientation of length nought is none", "turn_to")
    return quaternions.to_matrix(quaternion / length)
