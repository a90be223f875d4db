"""A sketch: what one stroke makes of some bones, as a bend that a channel dials in."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.posing.sketch.bones import Bones, Samples, joints_called, moved, steps_between, without
from inbetweener.posing.sketch.direct import Direct
from inbetweener.posing.sketch.guide import PlaneCurve
from inbetweener.posing.sketch.line_of_action import LineOfAction
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.posing.sketch.weave import Woven, named, woven
from inbetweener.posing.sketch.wish import Wishes
from inbetweener.rig import Rig
from inbetweener.rig.bend import resampled, total_screws

Mode = Literal["direct", "line-of-action"]
MODES: tuple[Mode, ...] = get_args(Mode)
Support = Literal["pose", "rest"]
"""Where the bones are through which the line of a line of action is laid."""
SUPPORTS: tuple[Support, ...] = get_args(Support)

LARGEST_TURN = math.radians(36.0)
"""A bone that turns more from one sample to the next gets more of them …"""
MOST_STEPS = 60
"""… up to here."""


class NothingToSketch(InbetweenerError, ValueError):
    """A stroke that no bone can follow; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A bend to be: at 1 it is as sketched.

    screws (S, 6) by joint are steps along its bone, as `Bend` has them; turns by degree of freedom ("tail_1.ry") are
    added where bones start, in radians and metres. Both hold all that the bend called `onto` does from now on; without
    that name, they are a bend of their own. `stroke_error` is how far, in metres in the view plane, a sample ends up
    from where the stroke would have it at most; `length_ratio` how long all bones are, times how long they were.
    """

    bones: tuple[str, ...]
    screws: Mapping[str, Floats] = field(default_factory=dict)
    turns: Mapping[str, float] = field(default_factory=dict)
    onto: str | None = None
    stroke_error: float = 0.0
    length_ratio: float = 1.0


def sketch(
    rig: Rig,
    channels: npt.ArrayLike,
    bones: Collection[str],
    stroke: PlaneCurve,
    view: ViewPlane,
    *,
    mode: Mode = "direct",
    stretch: bool = False,
    carry: bool = True,
    support: Support = "rest",
    onto: str | None = None,
) -> Sketch:
    """What a stroke in the view plane makes of bones, named by their joints, in the pose of channel values (C,).

    Without `stretch` bones keep their lengths. Without `carry`, children that were not chosen keep their orientation in
    the world; they still go where the bones carry them. `onto` names a bend of the rig that the result replaces: what
    it does to other bones stays. In line-of-action mode the chosen bones start afresh, as they are without that bend;
    the stroke makes of them what it makes of the rest pose, as in the paper, so that turns in the view plane that keys
    have made are undone. With `support` "pose", it bends the pose that they are in.
    """
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    if support not in SUPPORTS:
        raise UnknownName("support", support, SUPPORTS)
    chosen = joints_called(rig, bones)
    if not chosen:
        raise NothingToSketch("no bones are chosen; choose those that the stroke shall bend")
    pose = np.asarray(channels, np.float64)
    if mode == "line-of-action":
        rig = without(rig, onto, chosen)
    present = Bones.of(rig, pose)
    _require_near(present, chosen, stroke, view)
    plan: Direct | LineOfAction
    if mode == "direct":
        plan = Direct(present, chosen, stroke, view, stretch=stretch)
    else:
        held = Bones.of(rig, rig.defaults) if support == "rest" else present
        plan = LineOfAction(present, chosen, stroke, view, stretch=stretch, support=held)
    wishes = _fine_enough(present, plan, {joint: present.steps(joint) for joint in chosen})
    children = [joint for joint, each in enumerate(rig.joints) if each.parent in chosen and joint not in chosen]
    made = woven(present, wishes, view.backward, () if carry else children)
    samples, positions = wishes.samples, moved(made.frames, wishes.samples.at_rest)
    off = float(np.linalg.norm(view.project(positions)[0] - wishes.asked, axis=1).max())
    ratio = plan.length_ratio(samples) if isinstance(plan, Direct) else _ratio(samples, positions)
    return replace(folded(present, made, onto), stroke_error=off, length_ratio=ratio)


def folded(present: Bones, made: Woven, onto: str | None) -> Sketch:
    """A new pose as one bend: all that is to be done, less what other bends of the rig do already."""
    rig, pose = present.rig, present.channels
    mine = next((bend for bend in rig.bends if bend.name == onto), None)
    others = tuple(bend for bend in rig.bends if bend is not mine)
    values = {bend.channel: pose[rig.channel_index(bend.channel)][None] for bend in others}
    done = {name: steps[0] for name, steps in total_screws(others, values).items()}
    share = 0.0 if mine is None else float(pose[rig.channel_index(mine.channel)])
    screws = {} if mine is None else {name: share * steps for name, steps in mine.screws.items()}
    between = steps_between(made.shapes())
    for joint, rows in made.samples.rows.items():
        name, steps = rig.joints[joint].name, between[rows.start : rows.stop - 1]
        screws[name] = steps - resampled(done[name], len(steps)) if name in done else steps
    turns = named(rig, made.turns)
    if mine is not None:
        for drive in rig.channel(mine.channel).drives:
            turns[drive.dof] = turns.get(drive.dof, 0.0) + share * drive.weight
    names = tuple(rig.joints[joint].name for joint in made.samples.rows)
    return Sketch(names, {name: frozen(steps) for name, steps in screws.items()}, turns, onto)


def _fine_enough(present: Bones, plan: Direct | LineOfAction, steps: dict[int, int]) -> Wishes:
    """The wishes, in so many steps that no bone turns too far in one; corners are spread over a few of them."""
    before: dict[int, float] = {}
    while True:
        wishes = plan.wishes(present.samples(steps))
        turns = wishes.largest_turns()
        finer = {
            joint: min(MOST_STEPS, steps[joint] * math.ceil(turn / LARGEST_TURN))
            for joint, turn in turns.items()
            # A corner does not get smaller by being looked at more closely.
            if LARGEST_TURN < turn < 0.75 * before.get(joint, math.inf) and steps[joint] < MOST_STEPS
        }
        if not finer:
            return wishes.eased(LARGEST_TURN)
        before, steps = turns, {**steps, **finer}


def _ratio(samples: Samples, positions: Floats) -> float:
    """How long bones are with samples at positions (M, 3), times how long they are."""
    ways = np.linalg.norm(np.diff([samples.positions, positions], axis=1), axis=2) @ samples.continues
    return float(ways[1] / ways[0])


def _require_near(bones: Bones, chosen: list[int], stroke: PlaneCurve, view: ViewPlane) -> None:
    """Refuse strokes that stay farther away from the bones than these are large."""
    drawn = stroke.positions(np.linspace(0.0, stroke.length, 33))
    seen = view.project(bones.samples({joint: bones.steps(joint) for joint in chosen}).positions)[0]
    away = float(np.linalg.norm(drawn[:, None] - seen[None], axis=2).min())
    size = float(np.linalg.norm(np.ptp(seen, axis=0)))
    if away > size:
        raise NothingToSketch(
            f"the stroke stays {100 * away:.0f} cm away from the bones it should bend; draw it over them"
        )
