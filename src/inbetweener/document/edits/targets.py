"""Targets: what loose motion is to hit, each with a name, a switch and, once solved, a layer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from inbetweener.document.document import Aim, Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.document.edits.loosen import replace_loosening
from inbetweener.document.edits.loosenings import taken_names
from inbetweener.document.edits.own_poses import own_pose
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import moment, the_clip, the_place, the_vertex
from inbetweener.document.pose import Pose
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.kinodynamics import Bell, PointTarget, PoseTarget, SoftPoint, Target
from inbetweener.kinodynamics.solution import span
from inbetweener.maths import quaternions
from inbetweener.maths.transforms import Vector
from inbetweener.motion import Clip
from inbetweener.rig import Place
from inbetweener.rig.naming import free_name

Keyed = Literal["keyed"]
"""As the keyed motion has it, before any correction."""


@dataclass(frozen=True, slots=True, repr=False)
class TargetResult(Result):
    """A clip with one more target, which is not solved for yet."""

    name: str
    target: Target

    @property
    def lines(self) -> tuple[str, ...]:
        """What is wanted, and when."""
        return (f"{self.name} {span(self.target)}: {_wanted(self.target)}; solve for it",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        until = {} if self.target.end == self.target.time else {"until": self.target.end}
        return {"name": self.name, "time": self.target.time, **until, "wanted": _wanted(self.target)}


def target(
    document: Document,
    point: str | Place | SoftPoint | None = None,
    *,
    frame: float | None = None,
    time: float | str | None = None,
    until: float | str | None = None,
    to: npt.ArrayLike | None = None,
    by: npt.ArrayLike | None = None,
    turn_to: npt.ArrayLike | None = None,
    velocity: npt.ArrayLike | None = None,
    still: bool = False,
    pose: Pose | Mapping[str, float] | float | str | None = None,
    weight: float = 1.0,
    bell: Bell | None = None,
    channels: Iterable[str] | None = None,
    name: str | None = None,
    clip: str | None = None,
) -> TargetResult:
    """Say where loose motion must be at a moment: `solve` then finds the corrections with which it is.

    point     a point or joint by name, a vertex as "face vertex 3525", soft or not; without one, the whole pose is
              meant
    pose      as it is to be: "keyed", as by default; a kept one; the time of another, as keyed there, in seconds or
              as "29f"; these in what is loose, or values by channel, of any
    until     a later frame, or time, as `frame` or `time` says when it begins: held all the while, as in a grasp; what
              is given stands, "keyed" moves as keyed or, `still`, stands where it is keyed at first
    to, by    a position in metres, or a way from where the point is seen; "keyed", as by default, where its keys
              have it. With a turn or a velocity and neither of these, the position is free
    turn_to   an orientation: a quaternion (w, x, y, z), a rotation matrix (3, 3), or "keyed"
    velocity  metres a second, or "keyed"; `still` is a velocity of nought, where the position is wanted too
    weight    how much it counts where not all targets can be met
    bell      how long motion gives way before and after
    channels  what may give way; otherwise all that moves the point, but for what pins and contacts hold meanwhile
    """
    played = the_clip(document, clip)
    when, bell = moment(played, frame, time), bell or Bell()
    end = None
    if until is not None:
        end = moment(played, time=until) if frame is None or isinstance(until, str) else moment(played, frame=until)
    if point is None:
        if end is not None:
            raise InvalidEdit("only a point can be held until later; say which", "until")
        if not all(word is None for word in (to, by, turn_to, velocity)):
            raise InvalidEdit("say which point is to be there; without one, the whole pose is meant")
        if channels is not None:
            raise InvalidEdit("a pose has values by channel; give those that it is to have", "channels", "pose")
        wanted = _pose(document, played, when, pose)
        made: Target = PoseTarget(when, wanted, "still" if still else None, weight, bell)
    else:
        if pose is not None:
            raise InvalidEdit("a point is to be somewhere, or all is to be in a pose; say one of them", "pose")
        place = aimed_place(document, played.name, point)
        if still and velocity is not None:
            raise InvalidEdit("what stands still has no velocity; say one of them")
        free = turn_to is not None or velocity is not None
        made = PointTarget(
            when,
            place,
            _position(document, played.name, place, when, to, by)
            if not free or to is not None or by is not None
            else None,
            _turn(turn_to),
            (0.0, 0.0, 0.0) if still else None if velocity is None else _three(velocity),
            weight,
            bell,
            None if channels is None else frozenset(channels),
            end,
        )
    changed = add_target(document, played.name, made, name=name)
    return TargetResult(changed, changed.loosening(played.name).aims[-1].name, made)


def _pose(
    document: Document, clip: Clip, time: float, pose: Pose | Mapping[str, float] | float | str | None
) -> Mapping[str, float] | Keyed:
    if pose is None or pose == "keyed":
        return "keyed"
    if isinstance(pose, Mapping):
        return pose
    return own_pose(document, clip.name, time, pose if isinstance(pose, Pose) else moment(clip, time=pose))


def aimed_place(document: Document, clip: str, point: str | Place | SoftPoint) -> Place | SoftPoint:
    """What a target is for: a place, or a vertex where the mesh is soft in that clip."""
    if isinstance(point, SoftPoint):
        return point
    vertex = the_vertex(document, point) if isinstance(point, str) else None
    if vertex is not None and any(part.mesh == vertex[0].name for part in document.loosening(clip).looseness.soft):
        return SoftPoint(vertex[0].name, vertex[1])
    return the_place(document, point)


def _position(
    document: Document,
    clip: str,
    place: Place | SoftPoint,
    time: float,
    to: npt.ArrayLike | None,
    by: npt.ArrayLike | None,
) -> Vector | Keyed:
    if to is not None and by is not None:
        raise InvalidEdit("say where it is to be, or by how much from where it is; not both")
    if by is None:
        return "keyed" if to is None else _three(to)
    if isinstance(place, SoftPoint):
        seen = document.loose_motion(clip).soft_states([time], place)[0][0]
    else:
        seen = document.shown_motion(clip).states([time], place)[0][0]
    return _three(seen + np.asarray(by, np.float64))


def _turn(turn: npt.ArrayLike | None) -> tuple[float, float, float, float] | Keyed | None:
    if turn is None or isinstance(turn, str):
        return None if turn is None else _keyed(turn)
    numbers = np.asarray(turn, np.float64)
    if numbers.shape not in ((4,), (3, 3)):
        raise InvalidEdit("an orientation is a quaternion w, x, y, z or a rotation matrix")
    quaternion = quaternions.from_matrix(numbers[None])[0] if numbers.ndim == 2 else numbers
    w, x, y, z = (quaternion / np.linalg.norm(quaternion)).tolist()
    return w, x, y, z


def _three(values: npt.ArrayLike) -> Vector | Keyed:
    if isinstance(values, str):
        return _keyed(values)
    numbers = np.asarray(values, np.float64)
    if numbers.shape != (3,):
        raise InvalidEdit(f"a place, a way or a velocity is three numbers, not {numbers.size}")
    x, y, z = numbers.tolist()
    return x, y, z


def _keyed(word: str) -> Keyed:
    if word != "keyed":
        raise UnknownName("way to say it", word, ["keyed"])
    return "keyed"


def _wanted(target: Target) -> str:
    if isinstance(target, PoseTarget):
        return "the pose as keyed" if isinstance(target.pose, str) else f"{len(target.pose)} channels"
    wanted = {"at": target.position, "turned": target.orientation, "moving": target.velocity}
    said = [f"{how} {_said(what)}" for how, what in wanted.items() if what is not None]
    return ", ".join(said)


def _said(what: tuple[float, ...] | str) -> str:
    return "as keyed" if isinstance(what, str) else f"({', '.join(f'{number:.3g}' for number in what)})"


def add_target(document: Document, clip: str, target: Target, *, name: str | None = None) -> Document:
    """A clip with one more target, on; without a name it is called after its point."""
    old = document.loosening(clip)
    taken = taken_names(old, document.clip(clip))
    if name is None:
        name = free_name(target.name, taken)
    else:
        _require_free(name, taken)
    return replace_loosening(document, replace(old, aims=(*old.aims, Aim(name, target))))


def replace_target(document: Document, clip: str, name: str, target: Target) -> Document:
    """A target moved in space or time, or wanting something else; its correction stays until it is solved again."""
    return _replaced(document, clip, name, replace(document.loosening(clip).aim(name), target=target))


def switch_target(document: Document, clip: str, name: str, on: bool) -> Document:
    """A target solved for or not; the layer of its correction is muted while it is off."""
    document = _replaced(document, clip, name, replace(document.loosening(clip).aim(name), on=on))
    old = document.clip(clip)
    if all(layer.name != name or layer.muted is not on for layer in old.layers):
        return document
    layers = tuple(replace(layer, muted=not on) if layer.name == name else layer for layer in old.layers)
    return replace_clip(document, clip, replace(old, layers=layers))


def rename_target(document: Document, clip: str, name: str, new: str) -> Document:
    """A target, and the layer of its correction, under another name."""
    loosening, old = document.loosening(clip), document.clip(clip)
    aim = loosening.aim(name)
    if new == name:
        return document
    _require_free(new, taken_names(loosening, old))
    document = _replaced(document, clip, name, replace(aim, name=new))
    if all(layer.name != name for layer in old.layers):
        return document
    layers = tuple(replace(layer, name=new) if layer.name == name else layer for layer in old.layers)
    return replace_clip(document, clip, replace(old, layers=layers))


def remove_target(document: Document, clip: str, name: str) -> Document:
    """A clip without a target and the layer of its correction."""
    loosening, old = document.loosening(clip), document.clip(clip)
    gone = loosening.aim(name)
    document = replace_loosening(document, replace(loosening, aims=tuple(a for a in loosening.aims if a is not gone)))
    if all(layer.name != name for layer in old.layers):
        return document
    layers = tuple(layer for layer in old.layers if layer.name != name)
    return replace_clip(document, clip, replace(old, layers=layers))


def _replaced(document: Document, clip: str, name: str, changed: Aim) -> Document:
    old = document.loosening(clip)
    aim = old.aim(name)
    return replace_loosening(document, replace(old, aims=tuple(changed if each is aim else each for each in old.aims)))


def _require_free(name: str, taken: set[str]) -> None:
    if not name.strip():
        raise InvalidDocument("a target needs a name")
    if name in taken:
        raise InvalidDocument(f"there is already a target or layer called {name!r}; choose another name")
