"""Looseness and targets of the shown clip."""

from collections.abc import Sequence
from dataclasses import fields, replace

from inbetweener.document import Document, edits
from inbetweener.document.edits.loosen import tight_names, try_out
from inbetweener.document.edits.own_poses import own_pose
from inbetweener.document.edits.words import frame_read
from inbetweener.document.native.structs import from_struct
from inbetweener.document.pose import Pose
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import ElasticPart, Looseness, PoseTarget, SoftPart, preset
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.looseness import to_looseness, to_target
from inbetweener.studio.protocol import loose_requests as ask
from inbetweener.studio.session.edits.stroke import Editing, Stroke
from inbetweener.studio.watched import loose_motion, remember


def _loosen(document: Document, clip: str, request: ask.Loosen) -> Stroke:
    looseness = to_looseness(request.settings)
    old = document.loosening(clip)
    label = _change(old.looseness, looseness) or f"Loosen {clip}"
    if old.on and old.looseness == looseness:
        return Stroke(label, document)
    return Stroke(label, _tried(edits.set_looseness(document, clip, looseness), clip))


def _set_springs(document: Document, clip: str, request: ask.SetSprings) -> Stroke:
    changes = {each.name: None if each.frequency is None else from_struct(each) for each in request.changes}
    verb = "Springs of" if any(changes.values()) else "Tighten"
    return Stroke(f"{verb} {_parts([*changes])}", _tried(edits.set_springs(document, clip, changes), clip))


def _loosen_as(document: Document, clip: str, request: ask.LoosenAs) -> Stroke:
    spring = preset(request.preset)
    for name in request.joints or ():
        document.rig.joint_index(name)
    where = "" if request.joints is None else f"{_parts(request.joints, chained=request.tip is not None)} "
    result = edits.loosen(document, request.joints, spring, tip=request.tip, clip=clip)
    remember(result.motion)
    return Stroke(f"Make {where}{request.preset}", result.document)


def _tighten(document: Document, clip: str, request: ask.Tighten) -> Stroke:
    springs = document.loosening(clip).looseness.springs.keys()
    for name in request.joints or ():
        document.rig.joint_index(name)
    gone = springs if request.joints is None else springs & tight_names(document, request.joints)
    label = f"Tighten {clip if request.joints is None else _parts(request.joints)}"
    if not gone:
        return Stroke(label, document)
    return Stroke(label, edits.set_springs(document, clip, dict.fromkeys(sorted(gone))))


def _switch(document: Document, clip: str, request: ask.SwitchLooseness) -> Stroke:
    label = f"Switch looseness {'on' if request.on else 'off'}"
    if document.loosening(clip).on == request.on:
        return Stroke(label, document)
    return Stroke(label, edits.switch_looseness(document, clip, request.on))


def _add(document: Document, clip: str, request: ask.AddTarget) -> Stroke:
    target = to_target(document.rig, request.target)
    changed = edits.add_target(document, clip, target, name=request.name)
    name = changed.loosening(clip).aims[-1].name
    return Stroke(f"Add {name} at frame {frame_read(document.clip(clip), target.time)}", changed, name)


def _replace(document: Document, clip: str, request: ask.ReplaceTarget) -> Stroke:
    label, target = f"Change {request.name}", to_target(document.rig, request.target)
    return Stroke(label, edits.replace_target(document, clip, request.name, target))


def take_pose(document: Document, clip: str, request: ask.TakePose, pose: Pose | None) -> Stroke:
    """Of a kept pose, which only whoever keeps them can give, or of the clip."""
    require_sane("a time", request.time)
    target = document.loosening(clip).aim(request.name).target
    if not isinstance(target, PoseTarget):
        raise InvalidDocument(f"{request.name!r} is for a point, which has no pose to take")
    taken = own_pose(document, clip, target.time, request.time if pose is None else pose, seen=request.seen)
    where = f"of frame {frame_read(document.clip(clip), request.time)}" if pose is None else pose.name
    changed = edits.replace_target(document, clip, request.name, replace(target, pose=taken))
    return Stroke(f"Take pose {where} for {request.name}", changed)


def _switch_target(document: Document, clip: str, request: ask.SwitchTarget) -> Stroke:
    label = f"Switch {'on' if request.on else 'off'} {request.name}"
    if document.loosening(clip).aim(request.name).on == request.on:
        return Stroke(label, document)
    return Stroke(label, edits.switch_target(document, clip, request.name, request.on))


def _rename(document: Document, clip: str, request: ask.RenameTarget) -> Stroke:
    return Stroke(f"Rename {request.name}", edits.rename_target(document, clip, request.name, request.new))


def _remove(document: Document, clip: str, request: ask.RemoveTarget) -> Stroke:
    return Stroke(f"Remove {request.name}", edits.remove_target(document, clip, request.name))


def _change(old: Looseness, new: Looseness) -> str:
    """What another looseness changes, where it is one thing that has a name; else nothing."""
    match [each.name for each in fields(old) if getattr(old, each.name) != getattr(new, each.name)]:
        case ["window"]:
            return f"Make windows {new.window if isinstance(new.window, str) else f'{new.window:.2f} s long'}"
        case ["collide"]:
            return f"Switch bumps {'on' if new.collide else 'off'}"
        case ["soft"]:
            return _soft_change(old.soft, new.soft)
    return ""


def _soft_change(old: Sequence[SoftPart], new: Sequence[SoftPart]) -> str:
    before, after = ({(part.mesh, part.joint): part for part in parts} for parts in (old, new))
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    if len(changed) != 1:
        return ""
    (key,) = changed
    if key not in after:
        return f"Make what {key[1]} carries tight"
    if key in before and type(before[key]) is type(after[key]):
        return f"Spring of soft {key[1]}"
    return f"Make what {key[1]} carries {'elastic' if isinstance(after[key], ElasticPart) else 'springy'}"


def _tried(document: Document, clip: str) -> Document:
    """The document, unless its loose motion blows up."""
    if (motion := loose_motion(document, clip)) is not None:
        try_out(motion)
    return document


def _parts(names: list[str], *, chained: bool = False) -> str:
    if chained:
        return f"the chain from {names[0]}" if len(names) == 1 else f"{len(names)} chains"
    return names[0] if len(names) == 1 else f"{len(names)} parts"


EDITS: dict[type, Editing] = {
    ask.Loosen: _loosen,
    ask.SetSprings: _set_springs,
    ask.LoosenAs: _loosen_as,
    ask.Tighten: _tighten,
    ask.SwitchLooseness: _switch,
    ask.AddTarget: _add,
    ask.ReplaceTarget: _replace,
    ask.SwitchTarget: _switch_target,
    ask.RenameTarget: _rename,
    ask.RemoveTarget: _remove,
}
