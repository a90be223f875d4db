"""Edits in one stroke, of clips, rigs, constraints and keys: what became of the document, and what is said of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from inbetweener.anatomy import Part
from inbetweener.arrays import Ints
from inbetweener.contacts import planted, sliding
from inbetweener.curves import Curve, break_tangents, delete_keys, set_interpolation, tie_tangents
from inbetweener.curves.tangent_presets import PRESETS
from inbetweener.document import Document, edits
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.clips import free_clip_name
from inbetweener.document.edits.constraints import NOTICED
from inbetweener.document.edits.keys import keyed
from inbetweener.document.edits.layers import free_layer_name
from inbetweener.document.edits.words import frame_read, near
from inbetweener.document.native.structs import from_struct
from inbetweener.document.pose import Pose
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.motion import Clip
from inbetweener.posing import stiffened
from inbetweener.rig import chains
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.gestures.move_keys import chosen, counted, with_curves
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.protocol.parts import KeyRef
from inbetweener.tangents import Constraint, Contact, Pin


@dataclass(frozen=True, slots=True)
class Stroke:
    """The document after the edit, what the history calls it, and a line for whoever asked, if there is one to say."""

    label: str
    document: Document
    text: str | None = None


Editing = Callable[[Document, str, Any], Stroke]
"""Carries out a request on a clip of a document; an edit may come to an equal document, which is no change."""


MOST_FRAMES = 200_000
"""Two hours at 24 frames a second; a slip of the hand should not ask for more."""


def _key_camera(document: Document, clip: str, request: edit_requests.KeyCamera) -> Stroke:
    require_sane("a camera", *(request.eye or ()), *(request.target or ()))
    made = edits.camera(
        document,
        request.eye,
        request.target,
        fov=request.fov,
        time=request.time,
        remove=request.remove,
        clip=clip,
    )
    return Stroke(made.done, made.document)


def _rename(document: Document, _clip: str, request: edit_requests.RenameDocument) -> Stroke:
    return Stroke(f"Rename to {request.name}", edits.rename_document(document, request.name))


def _range(document: Document, clip: str, request: edit_requests.SetClipRange) -> Stroke:
    require_sane("an end of a clip", request.start, request.end)
    old = document.clip(clip)
    if (request.end - request.start) * old.rate > MOST_FRAMES:
        raise InvalidDocument(f"a clip may have {MOST_FRAMES:,} frames; choose an end nearer to its start")
    label = f"Clip from {request.start:.4g} to {request.end:.4g} s"
    return Stroke(label, edits.set_clip_range(document, clip, request.start, request.end))


def _new(document: Document, clip: str, request: edit_requests.NewClip) -> Stroke:
    name, shown = free_clip_name(document), document.clip(clip)
    made = edits.new_clip(document, name, rate=request.rate or shown.rate)
    if request.time is not None:
        require_sane("a time", request.time)
        made = edits.key_pose(made, name, 0.0, document.motion(clip).channels([request.time])[0])
    return Stroke(f"New {name}", made, name)


def _duplicate(document: Document, clip: str, _request: edit_requests.DuplicateClip) -> Stroke:
    name = free_clip_name(document, clip)
    return Stroke(f"Duplicate {clip}", edits.duplicate_clip(document, clip, name), name)


def _rename_clip(document: Document, clip: str, request: edit_requests.RenameClip) -> Stroke:
    return Stroke(f"Rename clip to {request.name}", edits.rename_clip(document, clip, request.name))


def _remove_clip(document: Document, clip: str, _request: edit_requests.RemoveClip) -> Stroke:
    return Stroke(f"Delete clip {clip}", edits.remove_clip(document, clip))


def _rate(document: Document, clip: str, request: edit_requests.SetClipRate) -> Stroke:
    return Stroke(f"{request.rate:.4g} frames a second", edits.set_clip_rate(document, clip, request.rate))


def _shift(document: Document, clip: str, request: edit_requests.ShiftClip) -> Stroke:
    require_sane("a shift", request.by)
    return Stroke(f"Shift {clip} by {request.by:.4g} s", edits.shift_clip(document, clip, request.by))


def _reverse(document: Document, clip: str, _request: edit_requests.ReverseClip) -> Stroke:
    return Stroke(f"Reverse {clip}", edits.reverse_clip(document, clip))


def _make_loop(document: Document, clip: str, request: edit_requests.MakeLoop) -> Stroke:
    require_sane("a round", *(time for time in (request.start, request.end) if time is not None))
    made = edits.loop(document, start=request.start, end=request.end, in_place=request.in_place, clip=clip)
    return Stroke(f"Loop {clip}", made.document, made.clip.name)


def _block(document: Document, clip: str, request: edit_requests.BlockClip) -> Stroke:
    label = f"{'Step' if request.stepped else 'Spline'} all poses of {clip}"
    return Stroke(label, edits.block_clip(document, clip, request.stepped))


def _filter(document: Document, clip: str, _request: edit_requests.FilterAngles) -> Stroke:
    changed = edits.filter_angles(document, clip)
    return Stroke("Filter Euler angles", changed, "no angle jumps" if changed is document else None)


def _paste(document: Document, clip: str, request: edit_requests.PastePose) -> Stroke:
    require_sane("a value of a pose", request.time, *request.values.values())
    made = edits.paste_pose(
        document,
        clip,
        request.time,
        request.values,
        mirrored=request.mirrored,
        channels=request.channels,
        layer=request.layer,
    )
    verb = "Paste mirrored pose" if request.mirrored else "Paste pose"
    return Stroke(f"{verb} at frame {frame_read(document.clip(clip), request.time)}", made)


def apply_pose(document: Document, clip: str, request: edit_requests.ApplyPose, pose: Pose) -> Stroke:
    """A kept pose, which only whoever keeps them can give."""
    require_sane("a pose", request.time, request.amount)
    made = edits.apply_pose(
        document,
        pose,
        time=request.time,
        amount=request.amount,
        mirrored=request.mirrored,
        channels=request.channels,
        clip=clip,
        layer=request.layer,
        key=request.key,
    )
    how = f"{request.amount:.0%} of {pose.name}" if request.amount != 1.0 else pose.name
    how += ", mirrored," if request.mirrored else ""
    label = f"Pose {how} at frame {frame_read(document.clip(clip), request.time)}"
    return Stroke(label, made.document, made.problem or None)


def _copy_keys(document: Document, clip: str, request: edit_requests.CopyKeys) -> Stroke:
    layers = {key.layer for key in request.keys}
    if len(layers) != 1:
        raise InvalidEdit("keys of several layers cannot be copied at once; select those of one", "keys")
    (layer,) = layers
    found = {each.channel: each.keys.tolist() for each in chosen(document, clip, request.keys)}
    text = edits.copy_keys(document, keys=found, clip=clip, layer=layer)
    made = edits.cut_keys(document, clip, found, layer=layer) if request.cut else document
    return Stroke(f"Cut {counted(chosen(document, clip, request.keys))}", made, text)


def _paste_keys(document: Document, clip: str, request: edit_requests.PasteKeys) -> Stroke:
    require_sane("a time", request.time)
    made = edits.paste_keys(
        document,
        request.text,
        time=request.time,
        mirrored=request.mirrored,
        joints=request.joints,
        clip=clip,
        layer=request.layer,
    )
    what = f"{made.keys} key{'' if made.keys == 1 else 's'}{' mirrored' if request.mirrored else ''}"
    label = f"Paste {what} at frame {frame_read(document.clip(clip), request.time)}"
    return Stroke(label, made.document, str(made))


def _mirror(document: Document, clip: str, request: edit_requests.MirrorPose) -> Stroke:
    require_sane("a time", request.time)
    label = f"Mirror pose at frame {frame_read(document.clip(clip), request.time)}"
    return Stroke(label, edits.mirror_pose(document, clip, request.time, layer=request.layer))


def _reset(document: Document, clip: str, request: edit_requests.ResetPose) -> Stroke:
    require_sane("a time", request.time)
    chosen = request.channels
    what = "pose" if chosen is None else chosen[0] if len(chosen) == 1 else f"{len(chosen)} channels"
    label = f"Reset {what} at frame {frame_read(document.clip(clip), request.time)}"
    return Stroke(label, edits.reset_pose(document, clip, request.time, chosen, layer=request.layer))


def _loop(document: Document, clip: str, request: edit_requests.SetClipLoops) -> Stroke:
    label = f"{'Loop' if request.loops else 'Do not loop'} {clip}"
    return Stroke(label, edits.set_clip_loops(document, clip, request.loops))


def _quieten(document: Document, clip: str, request: edit_requests.SetKernels) -> Stroke:
    require_sane("a kernel's centre", *(each.centre for each in request.kernels))
    kernels = tuple(map(from_struct, request.kernels))
    more = len(kernels) - len(document.clip(clip).kernels)
    label = "Add kernel" if more > 0 else "Remove kernel" if more < 0 else "Shape kernel"
    return Stroke(label, edits.set_kernels(document, clip, kernels))


def _smooth(document: Document, clip: str, _request: edit_requests.SmoothSeam) -> Stroke:
    return Stroke(f"Smooth the seam of {clip}", edits.smooth_seam(document, clip=clip).document)


def _layer(document: Document, clip: str, request: edit_requests.ChangeLayer) -> Stroke:
    require_sane("a weight or time", *(each for each in (request.weight, request.time) if each is not None))
    shown = document.clip(clip)
    made = edits.layer(
        document,
        free_layer_name(shown) if request.layer is None else shown.layer(request.layer).name,
        weight=request.weight,
        time=request.time,
        override=request.override,
        muted=request.muted,
        solo=request.solo,
        joints=request.joints,
        place=request.place,
        rename=request.rename,
        remove=request.remove,
        clip=clip,
    )
    # The page chooses a new layer by its name.
    return Stroke(made.done, made.document, made.name if request.layer is None else None)


def _merge(document: Document, clip: str, request: edit_requests.MergeLayer) -> Stroke:
    made = edits.merge(document, request.layer, down=request.down, clip=clip)
    return Stroke(f"Merge {request.layer} into {made.into}", made.document, made.lines[0])


def _limit(document: Document, _clip: str, request: edit_requests.SetLimits) -> Stroke:
    require_sane("a limit", *(each for each in (request.lower, request.upper) if each is not None))
    lower = -math.inf if request.lower is None else request.lower
    upper = math.inf if request.upper is None else request.upper
    return Stroke(f"Limits of {request.channel}", edits.set_limits(document, request.channel, lower, upper))


def _free(document: Document, _clip: str, request: edit_requests.SetFree) -> Stroke:
    count = request.channels[0] if len(request.channels) == 1 else f"{len(request.channels)} channels"
    label = f"{'Free' if request.free else 'Hold'} {count}"
    return Stroke(label, edits.free(document, request.channels, free=request.free).document)


def _stiffen(document: Document, _clip: str, request: edit_requests.StiffenAs) -> Stroke:
    label, channels = f"Stiffen as {request.preset}", stiffened(document.rig, request.preset, document.anatomy())
    if channels == document.rig.channels:
        return Stroke(label, document, "no joint here has a name that says which part of a body it is, or all is so")
    return Stroke(label, replace(document, rig=replace(document.rig, channels=channels)))


def _prepare(document: Document, _clip: str, request: edit_requests.Prepare) -> Stroke:
    if request.total is not None:
        require_sane("a mass", request.total)
    given = [what for what in ("stiffness", "masses", "points") if getattr(request, what)]
    given += ["limits"] if request.limits != "none" else []
    label = "Prepare as a body" if len(given) > 1 else f"Give it {given[0]} of a body" if given else "Prepare nothing"
    made = edits.prepare(
        document,
        limits=request.limits,
        stiffness=request.stiffness,
        masses=request.masses,
        points=request.points,
        total=request.total,
    )
    return Stroke(label, made.document, "it has all that already" if made.document is document else made.lines[0])


def _in_a_line(result: edits.Result) -> str:
    return "; ".join(str(result).splitlines())


def _mirror_clip(document: Document, clip: str, _request: edit_requests.MirrorClip) -> Stroke:
    made = edits.mirror_clip(document, clip=clip)
    return Stroke(f"Mirror {clip}", made.document, _in_a_line(made))


def _speed(document: Document, clip: str, request: edit_requests.SetSpeed) -> Stroke:
    made = edits.set_speed(document, request.speed, clip=clip)
    length = made.document.clip(clip)
    if (length.end - length.start) * length.rate > MOST_FRAMES:
        raise InvalidDocument(f"a clip of more than {MOST_FRAMES:,} frames is too long; choose a higher speed")
    return Stroke(f"{clip} {request.speed:g} times as fast", made.document, _in_a_line(made))


def _give_handles(document: Document, _clip: str, request: edit_requests.GiveHandles) -> Stroke:
    made = edits.give_handles(document, request.limbs, body=request.body)
    return Stroke("Give it IK handles", made.document, _in_a_line(made))


def _take_handles(document: Document, _clip: str, request: edit_requests.TakeHandles) -> Stroke:
    made = edits.take_handles(document, request.limbs)
    return Stroke("Take its handles away", made.document, _in_a_line(made))


def _switch_limb(document: Document, clip: str, request: edit_requests.SwitchLimb) -> Stroke:
    shown, frames = document.clip(clip), None
    if request.start is not None and request.end is not None:
        require_sane("a time", request.start, request.end)
        frames = ((request.start - shown.start) * shown.rate, (request.end - shown.start) * shown.rate)
    made = edits.switch_limb(document, request.limb, request.to, frames=frames, clip=clip)
    label = f"{request.limb} by its {'handle' if request.to == 'ik' else 'joints'}"
    return Stroke(label, made.document, _in_a_line(made))


def _say_role(document: Document, _clip: str, request: edit_requests.SetRole) -> Stroke:
    if request.role is None:
        other = document.anatomy().partner(request.joint)
        joints = [request.joint, *([other] if other is not None else [])]
        return Stroke(f"Recognise {request.joint} anew", edits.forget_roles(document, joints))
    part = Part(request.joint, request.role, request.side, request.number, request.digit)
    return Stroke(f"{request.joint} is {part}", edits.set_roles(document, [part], mirror=True))


def _blend(document: Document, _clip: str, request: edit_requests.SetBlending) -> Stroke:
    return Stroke(f"Blend the skin {_WAYS[request.blending]}", edits.skin(document, request.blending).document)


_WAYS = {
    "linear": "linearly",
    "dual-quaternion": "by dual quaternions",
    "screw": "by screws",
    "differential": "by differentials",
}


def _unbend(document: Document, _clip: str, request: edit_requests.RemoveBend) -> Stroke:
    return Stroke(f"Remove {request.bend}", edits.remove_bend(document, request.bend))


def _add_pin(document: Document, clip: str, request: edit_requests.AddPin) -> Stroke:
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    first, last = _cut(shown, request.start, request.end)
    start = -math.inf if request.start is None else first
    end = math.inf if request.end is None else last
    pin = Pin(place, request.wanted, start, end)
    if start == end:
        label = f"Lock {place} at frame {frame_read(shown, start)}"
    elif pin.is_endless:
        label = f"Pin {place}"
    else:
        label = f"Pin {place} {_frames(shown, first, last)}"
    return Stroke(label, edits.add_constraint(document, clip, pin))


def _add_contact(document: Document, clip: str, request: edit_requests.AddContact) -> Stroke:
    """A contact is added even where its point slides: that is what the animator wants to be rid of."""
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    start, end = _cut(shown, request.start, request.end)
    motion = document.motion(clip)
    if request.wanted is None and start < end:
        contact = planted(motion, place, start, end)
    else:
        contact = Contact(place, start, end, request.wanted or "both")
    changed = edits.add_constraint(document, clip, contact)
    slides = sliding(motion, place, start, end) if start < end else 0.0
    # Orientations have no distance; a planted one may well travel.
    noticed = contact.wanted != "orientation" and slides > NOTICED * chains.size(document.rig)
    text = f"{place} slides {100 * slides:.1f} cm; drag it or use Remove slide" if noticed else None
    return Stroke(f"Plant {place} {_frames(shown, start, end)}", changed, text)


def _add(document: Document, clip: str, request: edit_requests.AddConstraint) -> Stroke:
    """A constraint of whatever kind, which says itself what it is called."""
    if request.kind not in Constraint.KINDS:
        raise UnknownName("kind of constraint", request.kind, Constraint.KINDS)
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    start, end = _cut(shown, request.start, request.end)
    joint, prop = (None, None) if request.to is None else document.carrier(request.to)
    rule = Constraint.KINDS[request.kind].made(place, request.wanted, start, end, joint, prop)
    return Stroke(f"Hold {rule.label} {_frames(shown, start, end)}", edits.add_constraint(document, clip, rule))


def _switch(document: Document, _clip: str, request: edit_requests.SwitchConstraint) -> Stroke:
    label = f"Switch {'on' if request.on else 'off'} {request.name}"
    return Stroke(label, edits.switch_constraint(document, request.name, request.on))


def _set_state(document: Document, _clip: str, request: edit_requests.SetConstraintState) -> Stroke:
    state = {"both": "position and orientation"}.get(request.wanted, request.wanted)
    rule = document.constraint(request.name).rule.wanting(request.wanted)
    return Stroke(f"Hold {state} of {request.name}", edits.replace_rule(document, request.name, rule))


def _remove(document: Document, _clip: str, request: edit_requests.RemoveConstraint) -> Stroke:
    return Stroke(f"Remove {request.name}", edits.remove_constraint(document, request.name))


def _cut(clip: Clip, start: float | None, end: float | None) -> tuple[float, float]:
    """The part of a range that lies within the clip; an end that is not given is the clip's."""
    first = clip.start if start is None else start
    last = clip.end if end is None else end
    if first > clip.end or last < clip.start:
        raise InvalidDocument(f"frames {frame_read(clip, first)} to {frame_read(clip, last)} lie outside the clip")
    # An end before its start stays so, and is refused with the reason.
    return max(first, clip.start), min(last, clip.end)


def _frames(clip: Clip, start: float, end: float) -> str:
    return f"from frame {frame_read(clip, start)} to {frame_read(clip, end)}"


def _insert(document: Document, clip: str, request: edit_requests.InsertKeys) -> Stroke:
    """A channel without a curve gets its value keyed; in a layer so that nothing changes."""
    require_sane("a time", request.time)
    shown, layer = document.clip(clip), Chosen(document, clip, request.layer)
    made: dict[str, Curve | None] = {}
    for name in dict.fromkeys(request.channels):
        curve = layer.curves.get(name)
        if curve is None:
            made[name] = Curve.constant(layer.blank(document.rig.channel_index(name), request.time), request.time)
        else:
            changed, _ = keyed(curve, request.time, near(shown))
            if changed is not curve:
                made[name] = changed
    if not made:
        raise InvalidDocument(f"there are keys on frame {frame_read(shown, request.time)} already")
    count = "" if len(made) == 1 else f" {len(made)} channels"
    label = f"Key{count or ' ' + next(iter(made))} at frame {frame_read(shown, request.time)}"
    return Stroke(label, layer.put(made))


def _each(
    document: Document, clip: str, keys: list[KeyRef], label: str, change: Callable[[Curve, Ints], Curve | None]
) -> Stroke:
    """One change to keys of any number of curves; `label` ends where their number belongs."""
    found = chosen(document, clip, keys)
    changed = with_curves(document, clip, [(each, change(each.curve, each.keys)) for each in found])
    return Stroke(f"{label} {counted(found)}", changed)


def _delete(document: Document, clip: str, request: edit_requests.DeleteKeys) -> Stroke:
    def without(curve: Curve, keys: Ints) -> Curve | None:
        return None if len(keys) == len(curve) else delete_keys(curve, keys).curve

    return _each(document, clip, request.keys, "Delete", without)


def _preset(document: Document, clip: str, request: edit_requests.PresetTangents) -> Stroke:
    label = f"{request.preset.capitalize()} tangents on"
    return _each(document, clip, request.keys, label, lambda curve, keys: PRESETS[request.preset](curve, keys))


def _tie(document: Document, clip: str, request: edit_requests.TieTangents) -> Stroke:
    def changed(curve: Curve, keys: Ints) -> Curve:
        return (tie_tangents if request.tied else break_tangents)(curve, keys).curve

    return _each(document, clip, request.keys, f"{'Tie' if request.tied else 'Break'} tangents of", changed)


def _interpolate(document: Document, clip: str, request: edit_requests.SetInterpolation) -> Stroke:
    def changed(curve: Curve, keys: Ints) -> Curve:
        return set_interpolation(curve, request.kind, keys).curve

    name = {"constant": "Stepped", "linear": "Linear", "bezier": "Bezier"}[request.kind]
    return _each(document, clip, request.keys, f"{name} segments after", changed)


EDITS: dict[type, Editing] = {
    edit_requests.RenameDocument: _rename,
    edit_requests.KeyCamera: _key_camera,
    edit_requests.SetClipRange: _range,
    edit_requests.SetClipLoops: _loop,
    edit_requests.NewClip: _new,
    edit_requests.DuplicateClip: _duplicate,
    edit_requests.RenameClip: _rename_clip,
    edit_requests.RemoveClip: _remove_clip,
    edit_requests.SetClipRate: _rate,
    edit_requests.ShiftClip: _shift,
    edit_requests.ReverseClip: _reverse,
    edit_requests.MakeLoop: _make_loop,
    edit_requests.BlockClip: _block,
    edit_requests.FilterAngles: _filter,
    edit_requests.PastePose: _paste,
    edit_requests.MirrorPose: _mirror,
    edit_requests.ResetPose: _reset,
    edit_requests.SetKernels: _quieten,
    edit_requests.SmoothSeam: _smooth,
    edit_requests.ChangeLayer: _layer,
    edit_requests.MergeLayer: _merge,
    edit_requests.SetLimits: _limit,
    edit_requests.SetFree: _free,
    edit_requests.StiffenAs: _stiffen,
    edit_requests.Prepare: _prepare,
    edit_requests.MirrorClip: _mirror_clip,
    edit_requests.SetSpeed: _speed,
    edit_requests.GiveHandles: _give_handles,
    edit_requests.TakeHandles: _take_handles,
    edit_requests.SwitchLimb: _switch_limb,
    edit_requests.SetRole: _say_role,
    edit_requests.SetBlending: _blend,
    edit_requests.RemoveBend: _unbend,
    edit_requests.AddPin: _add_pin,
    edit_requests.AddContact: _add_contact,
    edit_requests.SetConstraintState: _set_state,
    edit_requests.AddConstraint: _add,
    edit_requests.SwitchConstraint: _switch,
    edit_requests.RemoveConstraint: _remove,
    edit_requests.InsertKeys: _insert,
    edit_requests.DeleteKeys: _delete,
    edit_requests.CopyKeys: _copy_keys,
    edit_requests.PasteKeys: _paste_keys,
    edit_requests.PresetTangents: _preset,
    edit_requests.TieTangents: _tie,
    edit_requests.SetInterpolation: _interpolate,
}
