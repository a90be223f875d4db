"""The rig: limits and stiffness of channels, and how the skin follows it."""

import math
from dataclasses import replace

from inbetweener.document import Document, edits
from inbetweener.posing import stiffened
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke


def _limit(document: Document, _clip: str, request: edit_requests.SetLimits) -> Stroke:
    require_sane("a limit", *(each for each in (request.lower, request.upper) if each is not None))
    lower = -math.inf if request.lower is None else request.lower
    upper = math.inf if request.upper is None else request.upper
    channel = document.rig.channel(request.channel)
    label = f"Limits of {request.channel}"
    if (channel.lower, channel.upper) == (lower, upper):
        return Stroke(label, document)
    return Stroke(label, edits.set_limits(document, request.channel, lower, upper))


def _stiffen(document: Document, _clip: str, request: edit_requests.StiffenAs) -> Stroke:
    label, channels = f"Stiffen as {request.preset}", stiffened(document.rig, request.preset)
    if channels == document.rig.channels:
        return Stroke(label, document, "no joint here has a name that says which part of a body it is, or all is so")
    return Stroke(label, replace(document, rig=replace(document.rig, channels=channels)))


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


RIG_EDITS: dict[type, Editing] = {
    edit_requests.SetLimits: _limit,
    edit_requests.StiffenAs: _stiffen,
    edit_requests.SetBlending: _blend,
    edit_requests.RemoveBend: _unbend,
}
