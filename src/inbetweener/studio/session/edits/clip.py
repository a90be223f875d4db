"""The shown clip, its layers, and the document's name."""

from inbetweener.document import Document, edits
from inbetweener.document.native.structs import from_struct
from inbetweener.errors import InvalidDocument
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke

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


def _quieten(document: Document, clip: str, request: edit_requests.SetKernels) -> Stroke:
    require_sane("a kernel's centre", *(each.centre for each in request.kernels))
    before, kernels = document.clip(clip).kernels, tuple(map(from_struct, request.kernels))
    more = len(kernels) - len(before)
    label = "Add kernel" if more > 0 else "Remove kernel" if more < 0 else "Shape kernel"
    return Stroke(label, document if kernels == before else edits.set_kernels(document, clip, kernels))


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
    edit_requests.SetKernels: _quieten,
    edit_requests.SmoothSeam: _smooth,
    edit_requests.MuteLayer: _mute,
    edit_requests.WeighLayer: _weigh,
}
