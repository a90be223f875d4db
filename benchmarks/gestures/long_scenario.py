"""What a hand does in the long scenario: one edit a gesture, from posing to hitting a loose mark.

Every function makes an edit, a function from a document to the next one, so that a story is a list of them and an
editor can undo it step by step. Who plays in it, and where things are, is the stories' own.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.contacts import hold
from inbetweener.document import Document, edits
from inbetweener.guidance import Guide, GuideRequest, Kernel, build
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, Spring
from inbetweener.motion import Motion
from inbetweener.posing import Pin, PoseDrag, PoseRequest, Pull, State
from inbetweener.posing.sketch import ViewPlane, sketch
from inbetweener.posing.strokes import fit_stroke
from inbetweener.rig import Place
from inbetweener.rig.freedom import Wanted, channels_moving
from inbetweener.tangents import Contact, scale_timing

Edit = Callable[[Document], Document]

LOOKS = 192
"""A second: eight for each frame of film."""


class Missed(AssertionError):
    """A gesture that did not do what it was meant to; says by how much."""


@dataclass(frozen=True)
class Step:
    """A gesture under the name that the history will show."""

    label: str
    edit: Edit


def limit(channels: Iterable[str], room: float) -> Edit:
    """Channels may leave their first key by `room` radians, to either side."""

    def edit(document: Document) -> Document:
        for name in channels:
            value = float(document.clip().curves[name].values[0])
            document = edits.set_limits(document, name, value - room, value + room)
        return document

    return edit


def pull(
    time: float, wishes: Mapping[str, npt.ArrayLike], feet: Iterable[str], channels: frozenset[str] | None = None
) -> Edit:
    """Points of the pose at a key pulled by so much, from where they are, while the feet stay."""

    def edit(document: Document) -> Document:
        rig, clip = document.rig, document.clip().name
        request = PoseRequest(
            tuple(Pull(rig.point(name)) for name in wishes),
            tuple(Pin(rig.point(name), "both") for name in feet),
            channels,
        )
        drag = PoseDrag(rig, document.motion().channels([time])[0], request)
        starts = [np.asarray(state.position) for state in drag.start]
        solution = drag.to(*(State(start + by) for start, by in zip(starts, wishes.values(), strict=True)))
        if not solution.reached:
            raise Missed(f"a pose at {time:.2f} s is {solution.distances.max():.4f} m from what it was pulled to")
        return edits.key_pose(document, clip, time, drag.commit())

    return edit


def draw_line(time: float, bones: tuple[str, ...], lean: float, view: ViewPlane, *, name: str) -> Edit:
    """The bones bent along a line of action that leans by so many metres, to the right of the picture, at its top."""

    def edit(document: Document) -> Document:
        motion = document.motion()
        seen = view.project(motion.joint_positions([time])[0, [document.rig.joint_index(bone) for bone in bones]])[0]
        share = np.linspace(0.0, 1.0, 40)[:, None]
        # As long as the bones and half a bone more, which is about how far the last of them goes.
        line = seen[0] + 1.5 * share * (seen[-1] - seen[0])
        stroke = fit_stroke(line + np.concatenate([lean * share**2, np.zeros_like(share)], axis=1))
        # The line is drawn on from the pose as it is, whose lean it should keep.
        pose = motion.channels([time])[0]
        made = sketch(document.rig, pose, bones, stroke, view, mode="line-of-action", support="pose")
        drawn = edits.sketch_pose(document, document.clip().name, time, made, name=name)
        return edits.skin(drawn, "differential").document

    return edit


def plant(points: Iterable[str], start: float, end: float, wanted: Wanted = "both") -> Edit:
    """Points in contact from `start` to `end`, and held between their keys."""

    def edit(document: Document) -> Document:
        clip = document.clip().name
        contacts = [Contact(document.rig.point(name), start, end, wanted) for name in points]
        for contact in contacts:
            document = edits.add_constraint(document, clip, contact)
        return edits.set_curves(document, clip, hold(document.motion(), contacts).curves)

    return edit


def drag(point: str, time: float, by: npt.ArrayLike) -> Edit:
    """A point's arc dragged at a time by so much, while all constraints hold."""

    def edit(document: Document) -> Document:
        dragged = edits.drag(document, point, time=time, by=by, clip=document.clip().name)
        if not (dragged.reached and dragged.certificate.keys_kept):
            raise Missed(str(dragged))
        return dragged.document

    return edit


def hurry(point: str, time: float, amount: float) -> Edit:
    """The motion of a point faster around a time: of all that moves it and no point in contact."""

    def edit(document: Document) -> Document:
        rig, clip = document.rig, document.clip()
        held: frozenset[int] = frozenset()
        for rule in document.rules(clip.name):
            held |= channels_moving(rig, rule.point, rule.wanted)
        moving = (rig.channels[c].name for c in channels_moving(rig, rig.point(point), "both") - held)
        names = [name for name in moving if len(clip.curves.get(name) or ()) > 1]
        retimed = scale_timing(document.motion(), time, amount, channels=names)
        return edits.set_curves(document, clip.name, {name: retimed.curves[name] for name in names})

    return edit


def guide(
    channels: frozenset[str],
    elbow: str,
    accent: float,
    *,
    width: float = 0.08,
    span: tuple[float, float] = (-np.inf, np.inf),
    most: int = 12,
) -> Edit:
    """Less effort, the elbow kept as it was animated, effort free on the accent, all constraints held.

    The run is stopped after so many steps, as a hand would when little happens any more.
    """

    def edit(document: Document) -> Document:
        clip = document.clip().name
        request = GuideRequest(
            channels,
            *span,
            regularise=0.3,
            joints={elbow: 30.0},
            kernels=(Kernel(accent, width),),
            constraints=document.rules(clip),
        )
        run = Guide(build(document.motion(), request))
        for number, _ in enumerate(run):
            if number == most:
                break
        return edits.guided(document, clip, run)

    return edit


def loosen(joints: Iterable[str], spring: Spring) -> Edit:
    """Joints on springs, seen from now on."""
    springs = dict.fromkeys(joints, spring)
    return lambda document: edits.set_looseness(document, document.clip().name, Looseness(springs))


def aim(point: str, time: float, name: str) -> Edit:
    """A point wanted where it is keyed at a time, standing still there."""

    def edit(document: Document) -> Document:
        place = document.rig.point(point)
        x, y, z = map(float, document.motion().states([time], place)[0][0])
        target = PointTarget(time, place, (x, y, z), velocity=(0.0, 0.0, 0.0), bell=Bell(0.4, 0.4))
        return edits.add_target(document, document.clip().name, target, name=name)

    return edit


def solve(document: Document) -> Document:
    """All targets hit."""
    result = edits.solve(document, clip=document.clip().name)
    solved, solution = result.document, result.solution
    if not solution.reached:
        raise Missed(solution.summary)
    return solved


def slide(motion: Motion, place: Place, start: float, end: float) -> float:
    """How far, in metres, a place is from where it stood, at most."""
    path = motion.states(np.linspace(start, end, 1 + round(LOOKS * (end - start))), place)[0]
    return float(np.linalg.norm(path - path[0], axis=1).max())


def clearance(document: Document, point: str) -> float:
    """How far, in metres, a point of the motion that is seen keeps from all obstacles."""
    clip = document.clip()
    times = np.linspace(clip.start, clip.end, round(LOOKS * (clip.end - clip.start)))
    path = document.shown_motion().states(times, document.rig.point(point))[0]
    return min(
        float(prop.solid.distance(path - prop.transform.translation).min())
        for prop in document.props
        if prop.role == "obstacle"
    )


def miss(document: Document, name: str) -> tuple[float, float]:
    """Metres from a target and metres a second there, as [IKD] Eq. 12 has it: over the last step of the simulation."""
    target = document.loosening().aim(name).target
    motion = document.loose_motion()
    assert isinstance(target, PointTarget)
    assert isinstance(target.position, tuple)
    step = motion.loosened.step
    before, now = motion.states([target.time - step, target.time], target.point)[0]  # type: ignore[arg-type]
    return float(np.linalg.norm(now - target.position)), float(np.linalg.norm(now - before) / step)
