"""Poses on one frame: pasted, mirrored, reset, kept ones applied."""

from inbetweener.document import Document, edits
from inbetweener.document.edits.words import frame_read
from inbetweener.document.pose import Pose
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke


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


EDITS: dict[type, Editing] = {
    edit_requests.PastePose: _paste,
    edit_requests.MirrorPose: _mirror,
    edit_requests.ResetPose: _reset,
}
