"""An edit in one stroke: what became of the document, and what is said of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument
from inbetweener.posing import stiffened
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.protocol import edit_requests


@dataclass(frozen=True, slots=True)
class Stroke:
    """The document after the edit, what the history calls it, and a line for whoever asked, if there is one to say."""

    label: str
    document: Document
    text: str | None = None


Editing = Callable[[Document, str, Any], Stroke]
"""Carries out a request on a clip of a document; an edit that changes nothing returns the document itself."""


MOST_FRAMES = 200_000
"""Two hours at 24 frames a second; a slip of the hand should not ask for more."""


def _rename(document: Document, _clip: str, request: edit_requests.RenameDocument) -> Stroke:
    label = f"Rename to {request.name}"
    return Stroke(label, document if request.name == document.name else edits.rename_document(document, request.name))


def _range(document: Document, clip: str, request: edit_requests.SetClipRange) -> Stroke:
    require_sane("an end of a clip", request.start, request.end)
    old = document.clip(clip)
    if (request.end - request.start) * old.rate > MOST_FRAMES:
        raise InvalidDocument(f"a clip may have {MOST_FRAMES:,} frames; choose an end nearer to its start")
    label = f"Clip from {request.start:.4g} to {request.end:.4g} s"
    if (old.start, old.end) == (request.start, request.end):
        return Stroke(label, document)
    return Stroke(label, edits.set_clip_range(document, clip, request.start, request.end))


def _loop(document: Document, clip: str, request: edit_requests.SetClipLoops) -> Stroke:
    label = f"{'Loop' if request.loops else 'Do not loop'} {clip}"
    if document.clip(clip).loops == request.loops:
        return Stroke(label, document)
    return Stroke(label, edits.set_clip_loops(document, clip, request.loops))


def _smooth(document: Document, clip: str, _request: edit_requests.SmoothSeam) -> Stroke:
    return Stroke(f"Smooth the seam of {clip}", edits.smooth_seam(document, clip=clip).document)


def _mute(document: Document, clip: str, request: edit_requests.MuteLayer) -> Stroke:
    label = f"{'Mute' if request.muted else 'Unmute'} {request.layer}"
    if document.clip(clip).layer(request.layer).muted == request.muted:
        return Stroke(label, document)
    return Stroke(label, edits.mute_layer(document, clip, request.layer, request.muted))


def _weigh(document: Document, clip: str, request: edit_requests.WeighLayer) -> Stroke:
    require_sane("a weight", request.weight)
    label = f"Weigh {request.layer} {request.weight:.3g}"
    if document.clip(clip).layer(request.layer).weight == request.weight:
        return Stroke(label, document)
    return Stroke(label, edits.set_layer_weight(document, clip, request.layer, request.weight))


CLIP_EDITS: dict[type, Editing] = {
    edit_requests.RenameDocument: _rename,
    edit_requests.SetClipRange: _range,
    edit_requests.SetClipLoops: _loop,
    edit_requests.SmoothSeam: _smooth,
    edit_requests.MuteLayer: _mute,
    edit_requests.WeighLayer: _weigh,
}


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
