"""Clips, their layers and their camera: how long, how fast, which of them."""

from inbetweener.document import Document, edits
from inbetweener.document.edits.clips import free_clip_name
from inbetweener.document.edits.layers import free_layer_name
from inbetweener.document.native.structs import from_struct
from inbetweener.errors import InvalidDocument
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke, in_a_line

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
        to=request.to,
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


def _mirror_clip(document: Document, clip: str, _request: edit_requests.MirrorClip) -> Stroke:
    made = edits.mirror_clip(document, clip=clip)
    return Stroke(f"Mirror {clip}", made.document, in_a_line(made))


def _trim(document: Document, clip: str, request: edit_requests.TrimClip) -> Stroke:
    require_sane("an end of a clip", request.start, request.end)
    made = edits.trim(document, start=request.start, end=request.end, clip=clip)
    return Stroke(f"Trim {clip}", made.document, in_a_line(made))


def _resample(document: Document, clip: str, request: edit_requests.ResampleClip) -> Stroke:
    length = document.clip(clip)
    if (length.end - length.start) * request.rate > MOST_FRAMES:
        raise InvalidDocument(f"a clip of more than {MOST_FRAMES:,} frames is too long; choose a lower rate")
    made = edits.resample(document, request.rate, clip=clip)
    return Stroke(f"Resample {clip}", made.document, in_a_line(made))


def _speed(document: Document, clip: str, request: edit_requests.SetSpeed) -> Stroke:
    made = edits.set_speed(document, request.speed, clip=clip)
    length = made.document.clip(clip)
    if (length.end - length.start) * length.rate > MOST_FRAMES:
        raise InvalidDocument(f"a clip of more than {MOST_FRAMES:,} frames is too long; choose a higher speed")
    return Stroke(f"{clip} {request.speed:g} times as fast", made.document, in_a_line(made))


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
    edit_requests.SetKernels: _quieten,
    edit_requests.SmoothSeam: _smooth,
    edit_requests.ChangeLayer: _layer,
    edit_requests.MergeLayer: _merge,
    edit_requests.MirrorClip: _mirror_clip,
    edit_requests.SetSpeed: _speed,
    edit_requests.TrimClip: _trim,
    edit_requests.ResampleClip: _resample,
}
