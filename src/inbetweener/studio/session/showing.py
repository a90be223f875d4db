"""What one page has been shown, and what it must be told next."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from inbetweener.document import Document
from inbetweener.maths import quaternions
from inbetweener.motion import Clip, Layer, Motion
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import binary, to_page
from inbetweener.studio.protocol.to_server import ArcWish
from inbetweener.studio.session import describing
from inbetweener.studio.session.changes import ALWAYS, Span, changed_span, curve_changes

Wire = str | bytes
Kind = Literal["open", "preview", "commit", "cancel", "undo", "redo"]

MOST_NUMBERS = 120_000
"""How many numbers of poses are pushed with a change; the rest is fetched when it is needed."""
MOST_SAMPLES = 1_200
"""How finely a motion curve is sampled: four times a frame, unless that makes more samples than these."""


def text(message: to_page.AnyMessage) -> str:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message).decode()


class Showing:
    """One page's view of the document: told by differences, so whatever came between two looks is skipped."""

    def __init__(self) -> None:
        self._document: Document | None = None
        self._clip = ""
        self._revision = 0
        self._motion: Motion | None = None
        self._arcs: tuple[ArcWish, ...] = ()

    @property
    def clip(self) -> str:
        """The name of the clip that the page shows."""
        return self._clip

    def update(self, document: Document, revision: int, kind: Kind, label: str, around: float | None) -> list[Wire]:
        """Everything that the page does not know yet, poses nearest to `around` first."""
        before, self._document, self._revision = self._document, document, revision
        if document is before:
            return [text(to_page.Changed(revision=revision, kind=kind, label=label, first=0, last=-1))]
        if not document.clips:
            self._motion = None
            return [text(describing.scene(document))]
        known = before is not None and any(each.name == self._clip for each in before.clips)
        old = before.clip(self._clip) if before is not None and known else None
        if not any(each.name == self._clip for each in document.clips):
            self._clip, old = document.clips[0].name, None
        clip = document.clip(self._clip)
        same_rig = before is not None and before.rig is document.rig
        self._motion = Motion(document.rig, clip)

        span = changed_span(old, clip) if old is not None and same_rig else ALWAYS
        if old is not None and (old.start, old.end, old.rate) != (clip.start, clip.end, clip.rate):
            span = ALWAYS
        first, last = _frames(clip, span)
        out: list[Wire] = [text(to_page.Changed(revision=revision, kind=kind, label=label, first=first, last=last))]
        if before is None or not _same_scene(before, document):
            out.append(text(describing.scene(document)))
        if old is None or describing.clip(document, self._clip) != describing.clip(before or document, self._clip):
            out.append(text(describing.clip(document, self._clip)))
        if before is None or before.constraints is not document.constraints or old is None:
            out.append(text(describing.constraints(document, self._clip)))
        out += self._curves(old if same_rig else None, clip)
        if last >= first:
            out += [self._poses(*_nearest(document, clip, first, last, around)), *self._arc_messages()]
        return out

    def show_clip(self, document: Document, clip: str) -> list[Wire]:
        """Another clip, from scratch."""
        document.clip(clip)
        self._clip, self._document = clip, None
        return self.update(document, self._revision, "open", "", None)

    def show_arcs(self, arcs: Sequence[ArcWish]) -> list[Wire]:
        """The motion curves that the page wants from now on."""
        if self._document is not None:
            for wish in arcs:
                to_place(self._document.rig, wish.place)
        self._arcs = tuple(arcs)
        return self._arc_messages()

    def poses(self, first: int, count: int) -> list[Wire]:
        """Poses that the page asked for, cut to the frames there are."""
        if self._motion is None:
            return []
        frames = len(self._motion.clip.frame_times)
        last = min(first + count, frames) - 1
        return [self._poses(first, last)] if last >= first else []

    def _poses(self, first: int, last: int) -> bytes:
        assert self._motion is not None
        clip = self._motion.clip
        channels = self._motion.channels(clip.start + np.arange(first, last + 1) / clip.rate)
        return binary.poses(self._revision, first, self._motion.rig.world_from_joint(channels), channels)

    def _curves(self, old: Clip | None, clip: Clip) -> list[Wire]:
        assert self._document is not None
        whole = old is None or len(old.layers) != len(clip.layers)
        before = Clip(clip.name, clip.end, clip.start, layers=tuple(Layer(each.name) for each in clip.layers))
        changes = curve_changes(before if whole or old is None else old, clip, self._document)
        return [binary.curves(self._revision, changes, whole=whole)] if changes or whole else []

    def _arc_messages(self) -> list[Wire]:
        if self._motion is None or not self._arcs:
            return []
        rig = self._motion.rig
        known = {joint.name for joint in rig.joints}
        return [
            binary.arc(self._revision, wish.arc, sampled(self._motion, wish))
            for wish in self._arcs
            if all(part.joint in known for part in wish.place.parts)
        ]


def sampled(motion: Motion, wish: ArcWish) -> binary.ArcSamples:
    """A motion curve as the page draws it; speeds in metres a second from neighbouring samples."""
    clip, place = motion.clip, to_place(motion.rig, wish.place)
    frames = len(clip.frame_times)
    per_frame = next((n for n in (4, 2) if n * frames <= MOST_SAMPLES), 1)
    times = clip.start + np.arange((frames - 1) * per_frame + 1) / (per_frame * clip.rate)
    positions, turns = motion.states(times, place)
    keys = motion.key_times(place)
    keys = keys[(keys >= clip.start - 1e-9) & (keys <= clip.end + 1e-9)]
    speeds = np.linalg.norm(np.gradient(positions, axis=0), axis=1) * (per_frame * clip.rate) if frames > 1 else [0.0]
    return binary.ArcSamples(
        clip.start,
        per_frame,
        positions,
        np.asarray(speeds),
        quaternions.from_matrix(turns) if wish.turns else None,
        keys,
        motion.states(keys, place)[0] if len(keys) else np.zeros((0, 3)),
    )


def _same_scene(before: Document, after: Document) -> bool:
    return (
        before.rig is after.rig
        and before.meshes is after.meshes
        and before.props is after.props
        and (before.name, before.view) == (after.name, after.view)
        and [clip.name for clip in before.clips] == [clip.name for clip in after.clips]
    )


def _frames(clip: Clip, span: Span | None) -> tuple[int, int]:
    """First and last frame strictly within a span, which is all that can differ; (0, −1) when there is none."""
    if span is None:
        return 0, -1
    last = len(clip.frame_times) - 1
    inside = np.clip([(span[0] - clip.start) * clip.rate, (span[1] - clip.start) * clip.rate], 0, last)
    return int(np.ceil(inside[0] - 1e-6)), int(np.floor(inside[1] + 1e-6))


def _nearest(document: Document, clip: Clip, first: int, last: int, around: float | None) -> tuple[int, int]:
    """As many of the frames from first to last as may be pushed, those nearest to a time."""
    most = max(8, MOST_NUMBERS // max(1, 12 * len(document.rig.joints) + len(document.rig.channels)))
    if last - first < most:
        return first, last
    middle = 0 if around is None else round((around - clip.start) * clip.rate)
    start = int(np.clip(middle - most // 2, first, last - most + 1))
    return start, start + most - 1
