"""Looseness: which parts of a clip swing about their keyed motion, how, whether they do; and its bake."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from inbetweener.document.document import Aim, Document, Loosening
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.loosenings import taken_names
from inbetweener.document.edits.own_poses import as_keyed, own_pose
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import the_clip
from inbetweener.document.validation import loosening_problems
from inbetweener.dynamics.body import Weighing
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import (
    InvalidLooseness,
    LooseMotion,
    Loosened,
    Looseness,
    PoseTarget,
    Spring,
    Target,
    Window,
)
from inbetweener.kinodynamics.bake import TOLERANCE, Bake
from inbetweener.kinodynamics.bake import bake as baked_layer
from inbetweener.kinodynamics.looseness import Masses
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.tension import matching, springs_of
from inbetweener.maths import quaternions
from inbetweener.motion import Motion
from inbetweener.rig.chains import path_from_root
from inbetweener.rig.naming import free_name

TRIED = 12
"""Frames, spread over the clip, on which another looseness is simulated before it is kept."""


@dataclass(frozen=True, repr=False)
class LoosenResult(Result):
    """A clip that swings, the motion that it shows, and how far that leads it from its keys."""

    clip: str
    motion: Motion

    @property
    def lines(self) -> tuple[str, ...]:
        """How many springs, how long the windows, and what strays furthest."""
        furthest, (least, most) = self.facts["furthest"], self.facts["window_s"]
        window = f"{most:.2f} s" if most - least < 1e-9 else f"{least:.2f} to {most:.2f} s"
        return (
            f"{len(self.facts['springs'])} springs, windows of {window}; {furthest['joint']} strays furthest from its "
            f"keys: {100 * furthest['metres']:.1f} cm at {furthest['time']:.2f} s",
        )

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Springs, windows and the furthest joint; every frame is simulated for it."""
        document, clip, motion = self.document, self.clip, self.motion
        times = document.clip(clip).frame_times
        strayed = np.linalg.norm(motion.joint_positions(times) - document.motion(clip).joint_positions(times), axis=-1)
        at, joint = np.unravel_index(int(strayed.argmax()), strayed.shape)
        lengths = motion.window(times) if isinstance(motion, LooseMotion) else np.zeros(1)
        return {
            "clip": clip,
            "springs": {
                name: {"frequency_hz": spring.frequency, "damping": spring.damping, "air": spring.air}
                for name, spring in document.loosening(clip).looseness.springs.items()
            },
            "window_s": [float(lengths.min()), float(lengths.max())],
            "furthest": {
                "joint": document.rig.joints[joint].name,
                "metres": float(strayed[at, joint]),
                "time": float(times[at]),
            },
        }


def loosen(
    document: Document,
    parts: str | Iterable[str] | None = None,
    spring: Spring | str | None = None,
    *,
    tip: float | None = None,
    tight: str | Iterable[str] = (),
    clip: str | None = None,
    window: Window | None = None,
    error: float | None = None,
    gravity: float | None = None,
    drag: float | None = None,
    masses: Weighing | None = None,
    total: float | None = None,
    collide: bool | None = None,
    light: bool | None = None,
    own: bool = True,
) -> LoosenResult:
    """Let parts of a clip swing about their keyed motion, from now on; the springs that it had already stay.

    parts    joints or channels, by name or pattern ("arm_*"); without any the spring is the whole body's, of which
             what pins and contacts of the document hold stays tight (with `own` off it does not)
    spring   "relaxed", or another of `kinodynamics.PRESETS`; "3,0.4" for 3 swings a second with damping 0.4, "3,0.4,20"
             for that in air; "2..0.8" for a chain; or a `Spring`. Without parts and spring, only the other words count
    tip      each part begins a chain that falls to this share of its stiffness
    tight    what does not swing any more, by name or pattern

    The rest is the world that springs swing in, as `Looseness` has it; what is not named stays as it was. Looseness
    that blows up is refused.
    """
    name = the_clip(document, clip).name
    old = document.loosening(name)
    world: dict[str, Any] = {
        "window": window, "error": error, "gravity": gravity, "drag": drag, "masses": masses, "total": total,
        "collide": collide, "light": light,
    }  # fmt: skip
    looseness = replace(old.looseness, **{word: value for word, value in world.items() if value is not None})
    changed = set_looseness(document, name, looseness) if looseness != old.looseness else document
    if parts is not None or spring is not None:
        springs = loose_springs(changed, name, parts, spring or "relaxed", tip=tip, own=own)
        looseness = looseness.with_springs(springs)
    gone = tight_names(changed, [tight] if isinstance(tight, str) else tight)
    looseness = looseness.with_springs(dict.fromkeys(gone & looseness.springs.keys()))
    if not looseness.is_loose:
        raise InvalidLooseness("nothing is loose; name what swings, such as an arm, or let all of it be relaxed")
    changed = set_looseness(document, name, looseness) if not old.on or looseness != old.looseness else document
    motion = changed.loose_motion(name)
    if changed is not document:
        try_out(motion)
    return LoosenResult(changed, name, motion)


def loose_springs(
    document: Document,
    clip: str,
    parts: str | Iterable[str] | None,
    spring: Spring | str,
    *,
    tip: float | None = None,
    own: bool = True,
) -> dict[str, Spring]:
    """The springs that `loosen` puts on parts of a clip or, without any, on its body, and a slider changes."""
    held = held_joints(document, clip) if own and parts is None else set()
    if parts is None:
        held |= weightless_joints(document, clip)
    # What is held and loose all the same was made so on purpose.
    without = held - document.loosening(clip).looseness.springs.keys()
    return springs_of(document.rig, parts, spring, tip=tip, without=without, masses=masses_of(document, clip))


def masses_of(document: Document, clip: str) -> Masses:
    """What springs of a clip are made for: how its looseness has parts weighed."""
    masses = document.loosening(clip).looseness.masses
    return document.body(clip).masses if masses == "mesh" else masses


def weightless_joints(document: Document, clip: str) -> set[str]:
    """Joints that move no mass, such as ends, targets and slots: there is nothing of them that could swing."""
    names = [joint.name for joint in document.rig.joints]
    return {name for name, mass in zip(names, document.body(clip).carried, strict=True) if mass == 0.0}


def held_joints(document: Document, clip: str) -> set[str]:
    """The joints that lead to pinned and planted places: loose, they would not stay there."""
    places = (rule.point for rule in document.rules(clip))
    joints = {point.joint for place in places for point, _ in place.parts}
    return {name for joint in joints for name in path_from_root(document.rig, joint)}


def tight_names(document: Document, parts: Iterable[str]) -> set[str]:
    """Whose springs go where parts are to be tight: theirs, and those of the channels of their joints."""
    names = {name for part in parts for name in matching(document.rig, part)}
    return names | {c.name for c in document.rig.channels if any(drive.joint in names for drive in c.drives)}


def try_out(motion: Motion) -> None:
    """Refuse a motion that blows up when it is simulated."""
    frames = motion.clip.frame_times
    motion.channels(frames[:: max(1, len(frames) // TRIED)])


def set_looseness(document: Document, clip: str, looseness: Looseness) -> Document:
    """A clip as loose as this, all of it, and loose from now on; its targets stay."""
    return replace_loosening(document, replace(document.loosening(clip), looseness=looseness, on=True))


def set_springs(document: Document, clip: str, changes: Mapping[str, Spring | None]) -> Document:
    """Springs put on some joints or channels of a clip, or taken off where the change is None."""
    old = document.loosening(clip)
    return replace_loosening(document, replace(old, looseness=old.looseness.with_springs(changes)))


def switch_looseness(document: Document, clip: str, on: bool) -> Document:
    """A clip shown loose, or as keyed."""
    return replace_loosening(document, replace(document.loosening(clip), on=on))


def replace_loosening(document: Document, changed: Loosening) -> Document:
    """The document with `changed` as the looseness of its clip; what cannot be kept or simulated is refused."""
    old = document.loosening(changed.clip)
    for problem in loosening_problems(changed, document.clips, document.rig, document.meshes):
        raise InvalidDocument(problem)
    new = changed.looseness
    if new.masses != old.looseness.masses:
        document.body(changed.clip, new.masses)
    if new.springs.keys() - old.looseness.springs.keys() or new.masses != old.looseness.masses:
        # Raises where something could not swing, before anybody is to be shown it; how it swings does not matter.
        Loosened(document.rig, new, document.clip(changed.clip).rate, document.meshes, roles=document.roles)
    others = document.loosenings
    if any(each is old for each in others):
        return replace(document, loosenings=tuple(changed if each is old else each for each in others))
    return replace(document, loosenings=(*others, changed))


@dataclass(frozen=True, slots=True, repr=False)
class BakeResult(Result):
    """A clip whose looseness is a layer, and how near that is to what was seen."""

    bake: Bake

    @property
    def lines(self) -> tuple[str, ...]:
        """The layer, its keys and its error."""
        return (f"Baked into layer {self.bake.layer.name!r}: {self.bake}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        baked = self.bake
        return {"layer": baked.layer.name, "keys": baked.keys, "frames": baked.frames, "error_m": baked.error}


def bake(
    document: Document, *, clip: str | None = None, tolerance: float | None = TOLERANCE, name: str | None = None
) -> BakeResult:
    """Put what looseness adds to a clip into a layer, on top, and switch looseness off: it moves as it was seen to.

    `tolerance` in metres bounds what fitting few keys may change; with None there is a key on every frame, and the
    clip is exactly what was seen there. Soft meshes are in no channel, so they cannot be baked: where there are some,
    springs are taken off instead, and the meshes swing on.
    """
    old = the_clip(document, clip)
    clip, loosening = old.name, document.loosening(old.name)
    if not (loosening.on and loosening.looseness.springs):
        raise InvalidDocument(f"nothing of clip {clip!r} is loose; loosen a joint, or switch its looseness on")
    taken = taken_names(loosening, old)
    if name is not None and name in taken:
        raise InvalidDocument(f"there is already a target or layer called {name!r}; choose another name")
    aims = _written_out(document, clip)
    baked = baked_layer(document.loose_motion(clip), name or free_name("loose", taken), tolerance=tolerance)
    document = replace_loosening(document, replace(loosening, aims=aims))
    document = replace_clip(document, clip, replace(old, layers=(*old.layers, baked.layer)))
    if loosening.looseness.soft:
        return BakeResult(set_springs(document, clip, dict.fromkeys(loosening.looseness.springs)), baked)
    return BakeResult(switch_looseness(document, clip, False), baked)


def _written_out(document: Document, clip: str) -> tuple[Aim, ...]:
    """The targets, those "as keyed" in numbers: what is baked is keyed from then on, and must not lead them along.

    What moves as keyed all the while that it holds has no one place to write out, and stays as it is.
    """
    bare, aims = as_keyed(document, clip), document.loosening(clip).aims
    return tuple(replace(aim, target=_placed(document, clip, bare, aim.target)) for aim in aims)


def _placed(document: Document, clip: str, bare: Motion, target: Target) -> Target:
    if isinstance(target, PoseTarget):
        if target.pose != "keyed":
            return target
        return replace(target, pose=own_pose(document, clip, target.time, target.time))
    moves = target.until is not None and target.velocity is None
    if moves or isinstance(target.point, SoftPoint) or "keyed" not in (target.position, target.orientation):
        return target
    (where,), (turned,) = bare.states([target.time], target.point)
    x, y, z = map(float, where)
    w, i, j, k = map(float, quaternions.from_matrix(turned))
    return replace(
        target,
        position=(x, y, z) if target.position == "keyed" else target.position,
        orientation=(w, i, j, k) if target.orientation == "keyed" else target.orientation,
    )
