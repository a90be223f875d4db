"""What one page has been shown, and what it must be told next."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError, InvalidEdit
from inbetweener.motion import Clip, Motion
from inbetweener.studio.protocol import binary, to_page
from inbetweener.studio.protocol.to_server import ArcWish
from inbetweener.studio.session import describing
from inbetweener.studio.session.arcs import Arcs
from inbetweener.studio.session.changes import (
    ALWAYS,
    NEVER,
    Span,
    changed_span,
    curve_changes,
    moves_alike,
    same_channels,
    same_description,
)
from inbetweener.studio.session.describing import weighing
from inbetweener.studio.session.loose_frames import AHEAD, LooseFrames
from inbetweener.studio.session.skins import Plans, Skins
from inbetweener.studio.session.swinging import Swinging

Wire = str | bytes
Kind = Literal["open", "preview", "commit", "cancel", "undo", "redo"]

MOST_NUMBERS = 120_000
"""How many numbers of poses are pushed with a change; the rest is fetched when it is needed."""

SOON, LATER, RESTING = 0.004, 0.008, 0.03
"""Seconds for which frames of a loose motion are simulated at once with a change; at a time when there is leisure, so
that a hand that moves waits no longer; and where there is no hand: pieces so large that all cores share in them."""

FEW = 3
"""Frames that are pushed while a hand reshapes the rig itself: the one that is looked at, and its neighbours."""


def text(message: to_page.AnyMessage) -> str:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message).decode()


class PageView:
    """One page's view of the document: told by differences, so whatever came between two looks is skipped."""

    def __init__(self, plans: Plans) -> None:
        self._document: Document | None = None
        self._clip = ""
        self._revision = 0
        self._motion: Motion | None = None
        self._constraints: to_page.Constraints | None = None
        self._arcs = Arcs()
        self._skins = Skins(plans)
        self._swinging = Swinging()
        self._shows_keyed = False
        self._around = 0.0
        # Whether frames of a loose motion became known that its motion curves do not show yet.
        self._arcs_lag = False
        # Whether the plans of the skins were chosen for this very document, and not only kept for a moving hand.
        self._settled = True

    @property
    def clip(self) -> str:
        """The name of the clip that the page shows."""
        return self._clip

    @property
    def motion(self) -> Motion | None:
        """The keyed motion that the page shows, loose or not."""
        return self._motion

    def update(self, document: Document, revision: int, kind: Kind, label: str, around: float | None) -> list[Wire]:
        """Everything that the page does not know yet, poses nearest to `around` first."""
        before, self._document, self._revision = self._document, document, revision
        settled = kind != "preview"
        if document is before and (self._settled or not settled):
            return [self._changed(kind, label, (0, -1))]
        self._settled = settled
        old = next((clip for clip in before.clips if clip.name == self._clip), None) if before is not None else None
        self._clip = _followed(before, document, self._clip)
        clip = document.clip(self._clip)
        known = old if before is not None and same_channels(before.rig, document.rig) else None
        alike = before is not None and moves_alike(before.rig, document.rig)
        span = changed_span(known, clip) if known is not None and alike else ALWAYS
        seen = self._swinging.follow(document, self._clip, span)
        if self._swinging.loose is not None:
            self._motion = self._swinging.loose.motion.tight
        elif self._motion is None or self._motion.clip is not clip or self._motion.rig is not document.rig:
            self._motion = Motion(document.rig, clip, self._motion)
        other_plans = self._skins.follow(document, self._motion, settled=settled)
        frames = _frames(clip, ALWAYS if other_plans else seen)
        out: list[Wire] = [self._changed(kind, label, frames)]
        if before is None or old is None or not _same_scene(before, old.name, document, self._clip):
            out.append(text(describing.scene(document, self._clip)))
        if before is None or old is None or describing.clip(before, old.name) != describing.clip(document, clip.name):
            out.append(text(describing.clip(document, self._clip)))
        if before is None or old is None or not _same_staging(before, old, document, clip):
            out.append(text(describing.staging(document, self._clip)))
        out += self._told_constraints(before, old, settled=settled)
        if (soft := self._swinging.soft_vertices()) is not None:
            out.append(text(soft))
        if (looseness := self._swinging.message()) is not None:
            out.append(text(looseness))
        out += self._curves(known, clip)
        if before is None or other_plans:
            out.append(text(self._skins.message()))
        if (loose := self._swinging.loose) is not None:
            loose.untell(*frames)
            self._around = self._around if around is None else (around - clip.start) * clip.rate
            out += self._loose_poses(loose, SOON)
        elif frames[1] >= frames[0]:
            most = self._most if settled or alike else FEW
            out += self._poses(*_nearest(clip, most, *frames, around))
        if seen is not None:
            self._arcs_lag = False
            out += self._arcs.messages(self._motion, revision, seen, self._swinging.loose)
        return out

    def _told_constraints(self, before: Document | None, old: Clip | None, *, settled: bool) -> list[Wire]:
        """All constraints, where one is new or its key poses came nearer; a hand that moves does not wait for these."""
        assert self._document is not None
        assert self._motion is not None
        known = before is not None and old is not None and before.constraints is self._document.constraints
        if known and (not settled or not self._document.constraints):
            return []
        constraints = describing.constraints(self._document, self._motion)
        if known and constraints == self._constraints:
            return []
        self._constraints = constraints
        return [text(constraints)]

    def show_clip(self, document: Document, clip: str, revision: int) -> list[Wire]:
        """Another clip, from scratch."""
        document.clip(clip)
        self._clip, self._document = clip, None
        self._swinging.leave()
        return self.update(document, revision, "open", "", None)

    def show_arcs(self, arcs: Sequence[ArcWish]) -> list[Wire]:
        """The motion curves that the page wants from now on."""
        self._arcs.wish(arcs, None if self._document is None else self._document.rig)
        return [*self._arcs.messages(self._motion, self._revision, ALWAYS, self._swinging.loose)]

    def show_keyed(self, on: bool) -> None:
        """Whether the page wants poses of the keyed motion beside loose ones."""
        self._shows_keyed = on
        if on and (loose := self._swinging.loose) is not None:
            loose.untell(0, len(loose.values) - 1)

    def poses(self, first: int, count: int, looked: int | None = None) -> list[Wire]:
        """Poses that the page asked for, cut to the frames there are; where they are loose, some of them."""
        if self._motion is None:
            return []
        frames = len(self._motion.clip.frame_times)
        last = min(first + count, frames) - 1
        if last < first:
            return []
        if (loose := self._swinging.loose) is None:
            return [*self._poses(first, last)]
        loose.untell(first, last)
        self._around = float(looked) if looked is not None else min(max(self._around, first), last)
        return self._loose_poses(loose, SOON)

    def compared(self, other: Document, first: int, count: int) -> list[Wire]:
        """The same frames of the clip as another version of the document has it keyed."""
        assert self._motion is not None
        shown = self._motion.clip
        if all(clip.name != self._clip for clip in other.clips):
            raise InvalidEdit(f"that version has no clip {self._clip!r}; choose a later one")
        joints = [joint.name for joint in other.rig.joints]
        alike = joints == [joint.name for joint in self._motion.rig.joints]
        if not (alike and same_channels(other.rig, self._motion.rig)):
            raise InvalidEdit("that version has other joints or channels; choose one with the same")
        first, last = max(first, 0), min(first + count, len(shown.frame_times))
        if last <= first:
            return []
        channels = other.motion(self._clip).channels(shown.start + np.arange(first, last) / shown.rate)
        return [*self._posed(first, channels, "compared")]

    @property
    def is_sent(self) -> bool:
        """Whether the page has been told everything, and nothing is left for when there is time."""
        return self._swinging.is_sent(self._around) and not self._arcs_lag

    def at_leisure(self, seconds: float = LATER) -> list[Wire]:
        """What there was no time for: how things stand, and frames of a loose motion for about so many seconds."""
        state, loose = self._swinging.state(), self._swinging.loose
        out: list[Wire] = [] if state is None else [text(state)]
        if loose is not None and not loose.is_sent(self._around):
            out += self._loose_poses(loose, seconds)
        # Motion curves of many frames take their time, so they wait until these are known.
        if self._arcs_lag and (loose is None or len(loose.values) < AHEAD or loose.is_sent(self._around)):
            self._arcs_lag = False
            out += self._arcs.messages(self._motion, self._revision, NEVER, self._swinging.loose)
        return out

    def _changed(self, kind: Kind, label: str, frames: tuple[int, int]) -> str:
        first, last = frames
        return text(to_page.Changed(revision=self._revision, kind=kind, label=label, first=first, last=last))

    def _poses(self, first: int, last: int, *, beside: bool = False) -> list[bytes]:
        """Poses of the keyed motion, which is shown itself or beside a loose one."""
        assert self._motion is not None
        clip = self._motion.clip
        channels = self._motion.channels(clip.start + np.arange(first, last + 1) / clip.rate)
        return self._posed(first, channels, "keyed" if beside else "shown")

    def _loose_poses(self, loose: LooseFrames, seconds: float) -> list[Wire]:
        """Poses of the loose motion that the page does not know, as many as there is time for."""
        try:
            return self._swung(loose, seconds)
        except InbetweenerError as error:
            return self._keyed_instead(str(error))

    def _swung(self, loose: LooseFrames, seconds: float) -> list[Wire]:
        out: list[Wire] = []
        self._arcs_lag = True
        for first, last in loose.take(self._around, seconds, self._most):
            out += self._posed(first, loose.values[first : last + 1])
            out += [binary.soft(self._revision, mesh, first, off) for mesh, off in loose.offsets(first, last).items()]
            if self._shows_keyed:
                out += self._poses(first, last, beside=True)
        return out

    def _keyed_instead(self, problem: str) -> list[Wire]:
        """Show the keyed motion, because the loose one cannot be simulated after all."""
        assert self._motion is not None
        clip = self._motion.clip
        frames = 0, len(clip.frame_times) - 1
        looseness = self._swinging.give_up(problem)
        nearest = _nearest(clip, self._most, *frames, clip.start + self._around / clip.rate)
        return [self._changed("preview", "", frames), text(looseness), *self._poses(*nearest)]

    def _posed(self, first: int, channels: Floats, whose: binary.Whose = "shown") -> list[bytes]:
        assert self._motion is not None
        world = self._motion.rig.world_from_joint(channels)
        poses = binary.poses(self._revision, first, world, channels, whose)
        return [poses, *self._skins.numbers(self._revision, first, channels, whose)]

    @property
    def _most(self) -> int:
        """How many frames are pushed at once."""
        assert self._motion is not None
        rig = self._motion.rig
        numbers = 12 * len(rig.joints) + len(rig.channels) + self._skins.size
        return max(8, MOST_NUMBERS // max(1, numbers))

    def _curves(self, old: Clip | None, clip: Clip) -> list[Wire]:
        assert self._document is not None
        whole = old is None
        changes = curve_changes(old or Clip(clip.name, clip.end, clip.start), clip, self._document)
        return [binary.curves(self._revision, changes, whole=whole)] if changes or whole else []


def _same_staging(before: Document, old: Clip, after: Document, new: Clip) -> bool:
    """Whether a clip is heard and seen as before; a camera is told for every frame."""
    was, now = before.staging(old.name), after.staging(new.name)
    return was == now and (not now.camera or (old.start, old.end, old.rate) == (new.start, new.end, new.rate))


def _followed(before: Document | None, after: Document, name: str) -> str:
    """Which clip a page shows on: its own, that one under another name, or else the first."""
    names = [clip.name for clip in after.clips]
    if name in names:
        return name
    old = [] if before is None else [clip.name for clip in before.clips]
    if name in old and len(old) == len(names) and names[old.index(name)] not in old:
        return names[old.index(name)]
    return names[0]


def _same_scene(before: Document, old: str, after: Document, new: str) -> bool:
    return (
        same_description(before.rig, after.rig)
        and weighing(before, old) == weighing(after, new)
        and before.roles == after.roles
        and before.blending == after.blending
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


def _nearest(clip: Clip, most: int, first: int, last: int, around: float | None) -> tuple[int, int]:
    """At most so many of the frames from first to last, those nearest to a time."""
    if last - first < most:
        return first, last
    middle = 0 if around is None else round((around - clip.start) * clip.rate)
    start = int(np.clip(middle - most // 2, first, last - most + 1))
    return start, start + most - 1
