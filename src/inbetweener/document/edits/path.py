"""The way of a clip over the ground: along another line, in place, or on from where it walks in place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import remove_slide as without_slide
from inbetweener.contacts import suggest_contacts as suggested
from inbetweener.contacts.measure import wandering
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.contacts import counted
from inbetweener.document.edits.layers import flatten_clip
from inbetweener.document.edits.limb import quartered
from inbetweener.document.edits.over_ground import moved_clip
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.retarget import body_of
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip, Constraint, Contact, Motion, is_dense
from inbetweener.motion.way import Course, Line, Move, trend
from inbetweener.retarget.body import Body
from inbetweener.retarget.ground import gone_by
from inbetweener.retarget.quality import ball_point
from inbetweener.retarget.stepping import Stepping, can_step, stands_of
from inbetweener.rig import chains
from inbetweener.rig.characters import character as the_character

ROUND = 0.2
"""Of its height: over so much the corners of a line are rounded."""
MOST_POINTS = 10_000
"""Of a line: more nobody draws."""


@dataclass(frozen=True, slots=True, repr=False)
class PathResult(Result):
    """A clip that goes another way; how far, and how its feet stand.

    metres  of the way before and now; slides  of standing feet in metres, before they were held and now; left  those
    that could not be held without a pop
    """

    clip: str
    what: str
    metres: tuple[float, float]
    slides: tuple[float, float]
    contacts: int
    left: tuple[Constraint, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Where it goes, and what that does to feet."""
        before, now = self.metres
        told = f"{self.clip!r} {self.what}: {now:.2f} m in place of {before:.2f}"
        if not self.contacts:
            return (told,)
        slid, slides = (1000 * size for size in self.slides)
        return told, f"{counted(self.contacts)}: the worst foot slid {slid:.2g} mm and slides {slides:.2g} mm"

    @property
    def problem(self) -> str:
        """Feet that slide still."""
        if not self.left:
            return ""
        return f"{counted(len(self.left))} cannot be held without a pop; bend the way less, or look at them"

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {
            "clip": self.clip,
            "metres": self.metres[1],
            "contacts": self.contacts,
            "slide_mm": 1000 * self.slides[1],
            "left": len(self.left),
        }


def bend_path(
    document: Document,
    points: Iterable[Sequence[float]],
    *,
    clip: str | None = None,
    character: str = "",
    hold: bool = True,
) -> PathResult:
    """Let a clip that goes somewhere go along a line through points x and z on the ground, in metres; feet stand.

    Steps stay as long as they are, so the line is gone along as far as the clip goes, and straight on beyond its end;
    two points turn the whole way. Corners are rounded, and the body turns with the line. Contacts of the clip, or those
    that are found, are held where the new way leads them, unless `hold` is false.
    """
    document, shown = _flat(document, clip)
    height = chains.size(document.rig)
    listed = [tuple(each) for each in points]
    if any(len(each) != 2 for each in listed):
        raise InvalidEdit("every point of a line is two numbers, x and z on the ground", "points")
    drawn = np.array(listed, np.float64).reshape(-1, 2)
    if not 2 <= len(drawn) <= MOST_POINTS or not np.isfinite(drawn).all() or np.abs(drawn).max() > 1e6:
        raise InvalidEdit(f"a line needs 2 to {MOST_POINTS} points x,z in metres, each a number", "points")
    line = Line.through(drawn, ROUND * height)
    if line is None:
        raise InvalidEdit("all points of the line are in one place; draw it longer", "points")
    motion = Motion(document.rig, shown)
    times = quartered(shown.frame_times)
    course = Course.of(times, _hips(document, motion, times, character), ROUND * height)
    if course is None:
        raise InvalidEdit(
            f"clip {shown.name!r} goes nowhere, so no line leads it; let it walk on first (travel)", "clip"
        )

    def move(at: Floats) -> tuple[Floats, Floats]:
        return course.onto(line, at)

    what = "goes along the line"
    if hold and not character and is_dense(shown) and not document.rig.handles and _walks(document):
        body = body_of(document, shown)
        if can_step(body):
            return _stepping(document, shown, body, course, line, what)
    contacts = _standing(document, shown, character) if hold else []
    return _held(document, moved_clip(document, shown, move, character), shown, contacts, what, character)


def _walks(document: Document) -> bool:
    """Whether it has two legs, so that its feet can be put where they shall stand."""
    found = document.anatomy()
    return bool(found.find("hips")) and all(len(found.find(role)) == 2 for role in ("thigh", "shin", "foot"))


def _stepping(document: Document, clip: Clip, body: Body, course: Course, line: Line, what: str) -> PathResult:
    """A clip with a key on every frame whose body is moved, while a foot that stands waits for it to come by."""
    rig, motion, times = document.rig, Motion(document.rig, clip), clip.frame_times
    stands = stands_of(body, motion)

    def later(wait: Floats) -> Move:
        return lambda at: course.onto(line, at + np.interp(at, times, wait))

    steps = Stepping(body, motion, stands, later)
    straight = Motion(rig, moved_clip(document, clip, lambda at: course.onto(line, at), ""))
    sunk = steps.sunk(straight)

    def move(at: Floats) -> tuple[Floats, Floats]:
        turns, shifts = course.onto(line, at)
        shifts[:, 1] -= np.interp(at, times, sunk)
        return turns, shifts

    moved = moved_clip(document, clip, move, "") if sunk.any() else straight.clip
    after = replace(moved, curves=moved.curves.replaced(steps.curves(Motion(rig, moved))))
    contacts = [
        Contact(ball_point(body, body.feet[side]), float(times[each.first]), float(times[each.last]))
        for side, many in stands.items()
        for each in many
        if each.first < each.last
    ]
    slides = [max((wandering(each, one) for one in contacts), default=0.0) for each in (motion, Motion(rig, after))]
    changed = replace_clip(document, clip.name, after)
    metres = [_length(document, each, "") for each in (motion, Motion(rig, after))]
    return PathResult(changed, clip.name, what, (metres[0], metres[1]), (slides[0], slides[1]), len(contacts), ())


def travel(
    document: Document, *, in_place: bool = False, clip: str | None = None, character: str = "", hold: bool = True
) -> PathResult:
    """Let a clip that walks in place go on over the ground, as fast as its soles go by; or `in_place`, the other way.

    What of a sole is lowest stands on the ground, so the body goes the other way than it does. Who travels gets its
    feet held where they stand, unless `hold` is false; in place, feet slide back as on a treadmill.
    """
    document, shown = _flat(document, clip)
    motion, times = Motion(document.rig, shown), quartered(shown.frame_times)
    if in_place:
        way = -trend(times, _hips(document, motion, times, character))
    else:
        way = gone_by(_body(document, shown, character), motion, times)

    def move(at: Floats) -> tuple[Floats, Floats]:
        return np.zeros(len(at)), np.stack([np.interp(at, times, way[:, c]) for c in range(3)], axis=1)

    moved = moved_clip(document, shown, move, character)
    there = replace_clip(document, shown.name, moved)
    contacts = _standing(there, moved, character) if hold and not in_place else []
    return _held(document, moved, shown, contacts, "stays in place" if in_place else "walks on", character)


def _flat(document: Document, clip: str | None) -> tuple[Document, Clip]:
    shown = the_clip(document, clip)
    if shown.layers:
        document = flatten_clip(document, shown.name)
    shown = document.clip(shown.name)
    if len(shown.frame_times) < 3:
        raise InvalidEdit(f"clip {shown.name!r} has {len(shown.frame_times)} frames, too few to go anywhere", "clip")
    return document, shown


def _body(document: Document, clip: Clip, character: str) -> Body:
    if character:
        raise InvalidEdit("only the first character walks on; bring the clip to a document of its own", "character")
    return body_of(document, clip)


def _hips(document: Document, motion: Motion, times: Floats, character: str) -> Floats:
    """Where the hips are (T, 3) or, where nobody knows them, the middle of all joints."""
    joints = {document.rig.joints[j].name for j in the_character(document.rig, character).joints}
    found = [part.joint for part in document.anatomy().find("hips") if part.joint in joints]
    places = motion.joint_positions(times)
    if found:
        return np.asarray(places[:, document.rig.joint_index(found[0])])
    return np.asarray(places[:, the_character(document.rig, character).joints].mean(axis=1))


def _standing(document: Document, clip: Clip, character: str) -> list[Constraint]:
    """Contacts of a clip, or those that are found in it, of one character's feet."""
    joints = {document.rig.joints[j].name for j in the_character(document.rig, character).joints}
    rules = [each.rule for each in document.constraints if each.clip == clip.name and each.on and each.rule.is_planted]
    if not rules:
        found = suggested(document.motion(clip.name), anatomy=document.anatomy())
        rules = [each.contact for each in found if each.is_trusted]
    cut = [each.during(max(each.start, clip.start), min(each.end, clip.end)) for each in rules if each.start < clip.end]
    return [each for each in cut if all(point.joint in joints for point, _ in each.point.parts)]


def _held(
    document: Document, moved: Clip, before: Clip, contacts: Sequence[Constraint], what: str, character: str
) -> PathResult:
    """The document with a clip that was moved, and its contacts held."""
    rig = document.rig
    slid = max((wandering(Motion(rig, moved), each) for each in contacts), default=0.0)
    made, left, slides = moved, tuple[Constraint, ...](), slid
    if contacts:
        made, report = without_slide(rig, moved, contacts)
        left, slides = tuple(report.left), max((each.after for each in report.slides), default=slid)
    changed = replace_clip(document, before.name, made)
    metres = [_length(document, Motion(rig, each), character) for each in (before, made)]
    return PathResult(changed, before.name, what, (metres[0], metres[1]), (slid, slides), len(contacts), left)


def _length(document: Document, motion: Motion, character: str) -> float:
    """Metres of the way that a body goes, without its sway."""
    times = motion.clip.frame_times
    level = trend(times, _hips(document, motion, times, character))
    return float(np.linalg.norm(np.diff(level, axis=0), axis=1).sum())
