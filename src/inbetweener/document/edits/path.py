"""The way of a clip over the ground: along another line, in place, or on from where it walks in place."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import remove_slide as without_slide
from inbetweener.contacts import suggest_contacts as suggested
from inbetweener.contacts.measure import wandering
from inbetweener.curves import Bundle, Curve
from inbetweener.curves.tracing import traced_within
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.contacts import counted
from inbetweener.document.edits.layers import flatten_clip
from inbetweener.document.edits.limb import quartered
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.retarget import body_of
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.maths import euler
from inbetweener.motion import Clip, Constraint, Contact, Motion, is_dense
from inbetweener.motion.way import Course, Line, Move, slow, trend
from inbetweener.retarget.body import Body, above
from inbetweener.retarget.channels import plain_channels
from inbetweener.retarget.quality import ball_point
from inbetweener.retarget.stepping import Stepping, can_step, stands_of
from inbetweener.rig import ROOT, Rig, chains
from inbetweener.rig.characters import character as the_character

NEAR = 2e-4
"""Of a body's height, in metres and as an angle: so near new curves of its root are to what they shall be."""
ROUND = 0.2
"""Of its height: over so much the corners of a line are rounded."""
LOW = 0.04
"""Of the leg's length: what of a sole is so much above the ground counts for little in how fast that goes by."""
LIKE = 0.3
"""Legs a second by which soles that stand may differ in how fast they go by."""
AROUND, STEADY = 0.5, 0.03
"""Seconds in which soles are looked at for what most of them do, and over which the speed of the ground is a mean."""
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
    return _held(document, _moved(document, shown, move, character), shown, contacts, what, character)


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
    straight = Motion(rig, _moved(document, clip, lambda at: course.onto(line, at), ""))
    sunk = steps.sunk(straight)

    def move(at: Floats) -> tuple[Floats, Floats]:
        turns, shifts = course.onto(line, at)
        shifts[:, 1] -= np.interp(at, times, sunk)
        return turns, shifts

    moved = _moved(document, clip, move, "") if sunk.any() else straight.clip
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
        way = _gone_by(_body(document, shown, character), motion, times)

    def move(at: Floats) -> tuple[Floats, Floats]:
        return np.zeros(len(at)), np.stack([np.interp(at, times, way[:, c]) for c in range(3)], axis=1)

    moved = _moved(document, shown, move, character)
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


def _gone_by(body: Body, motion: Motion, times: Floats) -> Floats:
    """The way (T, 3) that makes up for how the ground goes by below soles."""
    world, _ = motion.rig.posed(motion.channels(times)).forward
    rest, orientation = (each[0] for each in motion.rig.skeleton.forward(motion.rig.rest_dofs[None]))
    tracks = []
    for foot in body.feet.values():
        for joint, corners in ((foot.foot, foot.sole), (foot.toe, foot.toes)):
            if len(corners):
                own = np.linalg.solve(rest[joint, :, :3], orientation[joint] @ corners.T).T
                tracks.append(np.einsum("tij,kj->tki", world[:, joint, :, :3], own) + world[:, None, joint, :, 3])
    if not tracks:
        raise InvalidEdit("no feet were recognised, so nobody knows how it stands; say which joints they are", "clip")
    soles = np.concatenate(tracks, axis=1)
    speeds = np.gradient(soles, times, axis=0) * [1.0, 0.0, 1.0]
    heights = soles[..., 1] - np.percentile(soles[..., 1].min(axis=1), 10.0)
    counts = np.exp(-((np.maximum(heights, 0.0) / (LOW * body.leg)) ** 2))
    usual = _usual(times, speeds, counts, LIKE * body.leg)
    # What goes by otherwise swings over the ground; in the air it goes on as it did and will.
    counts *= np.exp(-(((speeds - usual[:, None]) ** 2).sum(axis=2)) / (LIKE * body.leg) ** 2)
    total = counts.sum(axis=1)[:, None]
    speed = slow(times, (np.einsum("tk,tki->ti", counts, speeds) + 0.05 * usual) / (total + 0.05), STEADY)
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(times)[:, None]
    return -np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])


def _usual(times: Floats, speeds: Floats, counts: Floats, like: float) -> Floats:
    """The speed (T, 3) that most of what is near the ground has around a time, of speeds (T, K, 3) and what counts.

    What stands goes by with one speed, what swings with many.
    """
    at = np.arange(times[0], times[-1] + AROUND, 0.25 * AROUND)
    found: list[Floats] = []
    for time in at:
        rows = slice(int(np.searchsorted(times, time - AROUND)), int(np.searchsorted(times, time + AROUND)) + 1)
        low, seen = counts[rows].reshape(-1), speeds[rows].reshape(-1, 3)
        near = np.flatnonzero(low > 0.2)
        near = near[:: len(near) // 500 + 1]
        if not len(near):
            found.append(found[-1] if found else np.zeros(3))
            continue
        apart = ((seen[near, None] - seen[None, near]) ** 2).sum(axis=2)
        alike = np.exp(-apart / like**2) * low[near]
        most = alike[int(alike.sum(axis=1).argmax())]
        found.append(most @ seen[near] / most.sum())
    return np.stack([np.interp(times, at, np.array(found)[:, c]) for c in range(3)], axis=1)


def _carriers(rig: Rig, joints: Sequence[int]) -> list[int]:
    """The highest joints that can be moved and turned every way, of those given."""
    plain, found = plain_channels(rig), list[int]()
    for j in joints:
        if all(9 * j + dof in plain for dof in range(6)) and not any(each in found for each in above(rig, j)):
            found.append(j)
    return found


def _moved(document: Document, clip: Clip, move: Move, character: str) -> Clip:
    """A clip whose body is moved over the ground; keys where what carries it has some, and as few more as it takes."""
    rig, chosen = document.rig, the_character(document.rig, character)
    carriers, plain = _carriers(rig, chosen.joints), plain_channels(rig)
    hips = [rig.joint_index(part.joint) for part in document.anatomy().find("hips")]
    able = {j for j in chosen.joints if j in carriers or any(each in carriers for each in above(rig, j))}
    if not carriers or not any(j in able for j in hips or able):
        raise InvalidEdit(
            "nothing that carries the hips can be moved and turned every way; give its root all six channels", "clip"
        )
    motion, curves, height = Motion(rig, clip), clip.curves, chains.size(rig)
    every = quartered(clip.frame_times)
    for joint in carriers:
        columns = [plain[9 * joint + dof] for dof in range(6)]
        names = [rig.channels[c].name for c, _ in columns]
        sizes = np.array([1.0] * 3 + [height] * 3) * np.array([abs(weight) for _, weight in columns])
        made = _traced(_joint_read(motion, joint, columns, move, every), motion, names, sizes, NEAR * height)
        curves = curves.replaced(made)
    for handle in rig.handles:
        if rig.joint_index(handle.joints[0]) in able:
            for place in (handle.channels[:3], handle.channels[3:6]):
                made = _traced(_place_read(motion, place, move), motion, place, np.ones(3), NEAR * height)
                curves = curves.replaced(made)
    return replace(clip, curves=curves)


def _joint_read(
    motion: Motion, joint: int, columns: Sequence[tuple[int, float]], move: Move, every: Floats
) -> Callable[[Floats], Floats]:
    """What the six channels of a joint have to be at times (T,)."""
    rig, order = motion.rig, motion.rig.joints[joint].order
    parent, rest = rig.joints[joint].parent, rig.skeleton.rest[joint]
    numbers = [c for c, _ in columns]
    weights, defaults = np.array([weight for _, weight in columns]), rig.defaults[numbers]

    def told(times: Floats) -> Floats:
        turns, shifts = move(times)
        values = motion.channels(times)
        dofs = rig.dof_map.dofs(values)[:, 9 * joint : 9 * joint + 6]
        linear, origin, carried = np.eye(3)[None], np.zeros((1, 3)), np.eye(3)[None]
        if parent != ROOT:
            world, orientation = rig.posed(values).forward
            linear, origin, carried = world[:, parent, :, :3], world[:, parent, :, 3], orientation[:, parent]
        spin = euler.axis_matrix(1, turns)
        place = np.einsum("tij,tj->ti", np.broadcast_to(linear, spin.shape), dofs[:, :3]) + origin
        place = np.einsum("tij,tj->ti", spin, place) + shifts - origin
        before = carried @ rest
        turned = np.swapaxes(before, 1, 2) @ spin @ before @ euler.to_matrix(dofs[:, 3:], order)
        local = np.linalg.solve(np.broadcast_to(linear, spin.shape), place[..., None])[..., 0]
        return np.concatenate([local - dofs[:, :3], euler.from_matrix(turned, order), dofs[:, 3:]], axis=1)

    grid = told(every)
    first = euler.continuous(np.stack([grid[0, 6:], grid[0, 3:6]]), order)[1]
    known = euler.continuous(np.concatenate([first[None], grid[1:, 3:6]]), order)

    def read(times: Floats) -> Floats:
        found, values = told(times), motion.channels(times)[:, numbers]
        near = np.stack([np.interp(times, every, known[:, c]) for c in range(3)], axis=1)
        pairs = np.stack([near, found[:, 3:6]])
        angles = euler.continuous(pairs, order)[1]
        own = values.copy()
        own[:, :3] += found[:, :3] / weights[:3]
        own[:, 3:] = defaults[3:] + angles / weights[3:]
        return own

    return read


def _place_read(motion: Motion, names: Sequence[str], move: Move) -> Callable[[Floats], Floats]:
    """Where a place in the world that three channels tell has to be at times (T,)."""
    columns = [motion.rig.channel_index(name) for name in names]

    def read(times: Floats) -> Floats:
        turns, shifts = move(times)
        return np.asarray(
            np.einsum("tij,tj->ti", euler.axis_matrix(1, turns), motion.channels(times)[:, columns]) + shifts
        )

    return read


def _traced(
    read: Callable[[Floats], Floats], motion: Motion, names: Sequence[str], sizes: Floats, near: float
) -> dict[str, Curve]:
    """Curves of channels that are as told, within so many metres or, by `sizes`, as much of an angle."""
    clip = motion.clip
    own = [curve.times for name in names if (curve := clip.curves.get(name)) is not None and len(curve) > 1]
    times = np.unique(np.concatenate([[clip.start, clip.end], *own]).round(9))
    every = quartered(clip.frame_times)
    wanted = read(every)

    def error(curves: list[Curve]) -> Floats:
        return np.asarray((np.abs(Bundle.of(curves).evaluate(every) - wanted) * sizes).max(axis=1))

    return dict(zip(names, traced_within(read, times, every, error, near)[0], strict=True))


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
