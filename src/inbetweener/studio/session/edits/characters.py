"""What a character is: limits, stiffness, roles, handles, skin, bends."""

import math

from inbetweener.anatomy import Part
from inbetweener.document import Document, edits
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke, in_a_line


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
    made = edits.stiffen(document, request.preset)
    return Stroke(f"Stiffen as {request.preset}", made.document, None if made.channels else made.lines[0])


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


def _twists(document: Document, _clip: str, request: edit_requests.FollowTwists) -> Stroke:
    made = edits.follow_twists(document, follow=request.follow)
    return Stroke("Twist bones follow" if request.follow else "Free twist bones", made.document, in_a_line(made))


def _give_handles(document: Document, _clip: str, request: edit_requests.GiveHandles) -> Stroke:
    made = edits.give_handles(document, request.limbs, body=request.body)
    return Stroke("Give it IK handles", made.document, in_a_line(made))


def _take_handles(document: Document, _clip: str, request: edit_requests.TakeHandles) -> Stroke:
    made = edits.take_handles(document, request.limbs)
    return Stroke("Take its handles away", made.document, in_a_line(made))


def _switch_limb(document: Document, clip: str, request: edit_requests.SwitchLimb) -> Stroke:
    shown, frames = document.clip(clip), None
    if request.start is not None and request.end is not None:
        require_sane("a time", request.start, request.end)
        frames = ((request.start - shown.start) * shown.rate, (request.end - shown.start) * shown.rate)
    made = edits.switch_limb(document, request.limb, request.to, frames=frames, clip=clip)
    label = f"{request.limb} by its {'handle' if request.to == 'ik' else 'joints'}"
    return Stroke(label, made.document, in_a_line(made))


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


EDITS: dict[type, Editing] = {
    edit_requests.SetLimits: _limit,
    edit_requests.SetFree: _free,
    edit_requests.StiffenAs: _stiffen,
    edit_requests.Prepare: _prepare,
    edit_requests.FollowTwists: _twists,
    edit_requests.GiveHandles: _give_handles,
    edit_requests.TakeHandles: _take_handles,
    edit_requests.SwitchLimb: _switch_limb,
    edit_requests.SetRole: _say_role,
    edit_requests.SetBlending: _blend,
    edit_requests.RemoveBend: _unbend,
}
