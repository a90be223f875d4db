"""More than one: a second character or an animated prop in a document, under names of its own; and out again."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from inbetweener.document.document import Document, Loosening
from inbetweener.document.edits.carrying import carried
from inbetweener.document.edits.clips import shift_clip
from inbetweener.document.edits.joining import clip_targets, joined, with_clip_only
from inbetweener.document.edits.renaming import renamed
from inbetweener.document.edits.result import Result
from inbetweener.errors import InvalidEdit
from inbetweener.kinodynamics import PointTarget
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.maths import quaternions, transforms
from inbetweener.maths.transforms import Quaternion, Transform, Vector, as_quaternion, as_vector
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import ROOT, Joint, Weight
from inbetweener.rig.characters import BETWEEN, belongs, character, part_called
from inbetweener.rig.naming import Renaming, free_name


@dataclass(frozen=True, slots=True, repr=False)
class AddResult(Result):
    """A document with one more character or prop.

    joined  by the clip that came, the clip of the document that it is part of now; told  what had to give way
    """

    name: str
    joints: int
    meshes: int
    joined: Mapping[str, str]
    told: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Under which name it is there, and in which clips it moves."""
        clips = "; ".join(f"{came!r} in {there!r}" for came, there in self.joined.items()) or "no clip"
        lines = [f"added {self.name!r}: {self.joints} joints, {self.meshes} meshes; {clips}"]
        return (*lines, "; ".join(self.told)) if self.told else tuple(lines)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {
            "name": self.name,
            "joints": self.joints,
            "meshes": self.meshes,
            "clips": dict(self.joined),
            "told": list(self.told),
        }


@dataclass(frozen=True, slots=True, repr=False)
class RemoveResult(Result):
    """A document without a character; what held on to it is gone too."""

    name: str
    joints: int
    constraints: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """What is gone."""
        also = f", and what held on to it: {', '.join(self.constraints[:4])}" if self.constraints else ""
        return (f"removed {self.name!r}: {self.joints} joints{also}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {"name": self.name, "joints": self.joints, "constraints": list(self.constraints)}


def add(
    document: Document,
    other: Document,
    *,
    name: str | None = None,
    position: Vector = (0.0, 0.0, 0.0),
    heading: float = 0.0,
    clip: str | None = None,
    into: str | None = None,
    at: float | None = None,
) -> AddResult:
    """Another document's character or prop in this one: its tree, meshes, shapes, limits, clips, contacts and springs.

    It stands at `position` in metres, turned by `heading` radians from +z towards +x, under a joint called `name`; all
    of its names begin with that and a colon. A clip joins the one of the same name or, where both documents have one
    clip only, that; others come along by themselves, and the rest of the scene rests in them. With `into`, its `clip`,
    the first unless told, is all that comes, and joins that clip `at` so many seconds, where that starts by default.
    What it weighed by itself it weighs here.
    """
    numbers = [*position, heading, *(() if at is None else (at,))]
    if not all(map(math.isfinite, numbers)):
        raise InvalidEdit("position, heading and time must be finite numbers", "position")
    if not other.rig.joints:
        raise InvalidEdit(f"{other.name!r} has no joint; there is nothing to add", "file")
    called = _free(document, (name or other.name).strip().replace(BETWEEN, " ") or "other")
    if name is not None and called != name:
        raise InvalidEdit(f"{name!r} is taken here, or has a colon; choose another name", "name")
    said: list[str] = []
    came = renamed(_weighed(other), Renaming.of_all(lambda each: f"{called}{BETWEEN}{each}"))
    came = _placed(came, called, Transform(position, _turn(heading)), said)
    if clip is not None or into is not None:
        came = with_clip_only(came, came.clip(clip).name)
    targets = clip_targets(document, came, into)
    for here in came.clips:
        start = here.start if here.name not in targets else document.clip(targets[here.name]).start
        came = shift_clip(came, here.name, by) if (by := (start if at is None else at) - here.start) else came
    return AddResult(
        joined(document, came, targets, said),
        called,
        len(other.rig.joints),
        len(other.meshes),
        {each.name: targets.get(each.name, each.name) for each in came.clips},
        tuple(said),
    )


def remove(document: Document, name: str) -> RemoveResult:
    """The document without a character, its clips and curves, and all that held on to it."""
    gone = character(document.rig, name)
    if not name:
        raise InvalidEdit("name the character to remove; the first one is the document's own", "name")
    of_it = belongs(document.rig, name)
    left = _kept(document, lambda each: not of_it(each))
    lost = {each.name for each in document.constraints} - {each.name for each in left.constraints}
    return RemoveResult(left, name, len(gone.joints), tuple(sorted(each for each in lost if not of_it(each))))


def only(document: Document, name: str) -> Document:
    """One character alone, under the names it came with, where it stands; the empty name means the first."""
    chosen = character(document.rig, name)
    alone = _kept(document, belongs(document.rig, name))
    if not name:
        return alone
    return renamed(replace(alone, name=name), Renaming.of_all(lambda each: each.removeprefix(chosen.prefix)))


def place(document: Document, name: str, position: Vector, heading: float = 0.0) -> Document:
    """A character that was added, elsewhere: where its stand is, in metres, and how it is turned."""
    if not all(map(math.isfinite, (*position, heading))):
        raise InvalidEdit("position and heading must be finite numbers", "position")
    stand = document.rig.joints[character(document.rig, name).joints[0]] if name else None
    if stand is None:
        raise InvalidEdit("only what was added can be placed; the first character moves by its channels", "name")
    new = Transform(position, _turn(heading))
    # From where it stands to where it shall: what its handles and targets hold in the world goes along.
    moved = transforms.product(new.matrix(), transforms.inverse(stand.rest.matrix()))
    turn = quaternions.product(new.rotation, quaternions.inverse(stand.rest.rotation))
    of_it = belongs(document.rig, name)
    joints = tuple(replace(each, rest=new) if each is stand else each for each in document.rig.joints)
    changed = replace(document, rig=replace(document.rig, joints=joints))
    return carried(changed, of_it, Transform(as_vector(moved[:, 3]), as_quaternion(turn)), [])


def _free(document: Document, wish: str) -> str:
    """A name for a character that no joint has and nothing begins with."""
    rig = document.rig
    names = {each.name for part in (rig.joints, rig.channels, rig.points, document.props) for each in part}
    taken = {name.split(BETWEEN, 1)[0] for name in names if BETWEEN in name} | {each.name for each in rig.joints}
    return free_name(wish, taken)


def _weighed(document: Document) -> Document:
    """What every joint weighs, as its document has it, said of the joint itself."""
    model = document.body().masses
    joints = []
    for joint, mass, centre, about in zip(
        document.rig.joints, model.masses, model.centres, model.inertias, strict=True
    ):
        numbers = (about[0, 0], about[1, 1], about[2, 2], about[0, 1], about[0, 2], about[1, 2])
        xx, yy, zz, xy, xz, yz = (float(each) for each in numbers)
        joints.append(replace(joint, weight=Weight(float(mass), as_vector(centre), (xx, yy, zz, xy, xz, yz))))
    return replace(document, rig=replace(document.rig, joints=tuple(joints)))


def _turn(heading: float) -> Quaternion:
    return math.cos(heading / 2), 0.0, math.sin(heading / 2), 0.0


def _placed(document: Document, name: str, where: Transform, said: list[str]) -> Document:
    """A document whose names are its own already, on a stand of that name."""
    stand = Joint(name, ROOT, where, weight=Weight(0.0))
    joints = (stand, *(replace(each, parent=each.parent + 1) for each in document.rig.joints))
    return carried(replace(document, rig=replace(document.rig, joints=joints)), lambda _: True, where, said)


def _kept(document: Document, kept: Callable[[str], bool]) -> Document:
    """What is called so as to be kept, and leans on nothing else."""
    clips = tuple(each for clip in document.clips if (each := _kept_clip(clip, kept)) is not None)
    names = {each.name for each in clips}
    return replace(
        document,
        rig=part_called(document.rig, kept),
        meshes=tuple(each for each in document.meshes if kept(each.name) and all(map(kept, each.joints))),
        props=tuple(each for each in document.props if kept(each.name) and (each.joint is None or kept(each.joint))),
        clips=clips,
        constraints=tuple(
            each for each in document.constraints if each.clip in names and all(map(kept, each.rule.names()))
        ),
        loosenings=tuple(_kept_loosening(each, kept) for each in document.loosenings if each.clip in names),
        roles=tuple(each for each in document.roles if kept(each.joint)),
        source=document.source
        and replace(document.source, orders=tuple(each for each in document.source.orders if kept(each[0]))),
    )


def _kept_clip(clip: Clip, kept: Callable[[str], bool]) -> Clip | None:
    """A clip without the curves of others; none where all were theirs."""

    def own(curves: Curves) -> Curves:
        return Curves({name: curve for name, curve in curves.items() if kept(name)})

    layers: list[Layer] = []
    for layer in clip.layers:
        mine = replace(layer, curves=own(layer.curves))
        if mine.curves or (kept(layer.name) and not layer.curves):
            layers.append(mine)
    curves = own(clip.curves)
    had = bool(clip.curves) or any(layer.curves for layer in clip.layers)
    if had and not curves and not any(layer.curves for layer in layers):
        return None
    return replace(clip, curves=curves, layers=tuple(layers))


def _kept_loosening(loosening: Loosening, kept: Callable[[str], bool]) -> Loosening:
    loose = loosening.looseness
    springs = {name: spring for name, spring in loose.springs.items() if kept(name)}
    soft = tuple(each for each in loose.soft if kept(each.mesh) and kept(each.joint))
    aims = []
    for aim in loosening.aims:
        target = aim.target
        if isinstance(target, PointTarget):
            on = (
                [target.point.mesh] if isinstance(target.point, SoftPoint) else [p.joint for p, _ in target.point.parts]
            )
            if all(map(kept, on)):
                chosen = target.channels and frozenset(filter(kept, target.channels))
                aims.append(replace(aim, target=replace(target, channels=chosen)))
        elif isinstance(target.pose, str):
            aims += [aim] if kept(aim.name) else []
        elif pose := {name: value for name, value in target.pose.items() if kept(name)}:
            aims.append(replace(aim, target=replace(target, pose=pose)))
    return replace(loosening, looseness=replace(loose, springs=springs, soft=soft), aims=tuple(aims))
