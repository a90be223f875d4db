"""Hold contacts between the keys; and remove foot slide from a clip, in one call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.contacts.agree import snap_poses
from inbetweener.contacts.measure import pose_times, wandering
from inbetweener.contacts.problem import build
from inbetweener.contacts.solve import solve
from inbetweener.contacts.suggest import suggest_contacts
from inbetweener.motion import Clip, Constraint, Curves, Motion
from inbetweener.rig import Rig


@dataclass(frozen=True, slots=True)
class Slide:
    """How far the point of a contact slides, before and after: metres between its farthest two places."""

    contact: Constraint
    before: float
    after: float

    def __str__(self) -> str:
        span = f"{self.contact.start:.2f} to {self.contact.end:.2f} s"
        return f"{self.contact.point} {span}: {self.before * 1000:.2f} mm, now {self.after * 1000:.2f} mm"


@dataclass(frozen=True, slots=True, eq=False)
class HoldResult:
    """The curves with their new tangents, and how far each contact slid and slides, looked at 8 times a frame."""

    curves: Curves
    report: tuple[Slide, ...]
    iterations: int


def hold(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint] = ()) -> HoldResult:
    """Turn and stretch tangents until contacts hold as still as their key poses allow, with the least change.

    All are held together, over all segments that they reach into; points of what is `kept` move as before. Where the
    key poses of a contact disagree, its point is led from one to the next; `snap_poses` makes them agree first.
    """
    solution = solve(build(motion, contacts, kept))
    curves = motion.clip.curves.replaced(solution.curves)
    after = Motion(motion.rig, replace(motion.clip, curves=curves))
    return HoldResult(curves, slides(motion, after, contacts), solution.iterations)


def slides(before: Motion, after: Motion, contacts: Sequence[Constraint]) -> tuple[Slide, ...]:
    """The slide of each contact in two motions."""
    return tuple(Slide(each, *(wandering(motion, each) for motion in (before, after))) for each in contacts)


TRUSTED = 0.55
"""Suggested contacts that are trusted less are left alone; hands that rest in the air are below."""


ENOUGH = 1e-3
"""Metres of slide that nobody sees."""

STILL = 1e-5
"""Metres; a point that slides less needs no help."""


@dataclass(frozen=True, slots=True)
class SlideReport:
    """What was removed and what it cost: metres, measured on the evaluated motion.

    mean_change, most_change  how far joints moved, over all joints and frames; `where` the most
    """

    slides: tuple[Slide, ...]
    mean_change: float
    most_change: float
    where: str

    def __str__(self) -> str:
        if not self.slides:
            return "no contact found; nothing changed"
        worst = [max(getattr(each, side) for each in self.slides) * 1000 for side in ("before", "after")]
        return (
            f"{len(self.slides)} contacts: the worst slid {worst[0]:.1f} mm and slides {worst[1]:.2g} mm; "
            f"joints moved {self.mean_change * 1000:.1f} mm on average, {self.where} {self.most_change * 1000:.0f} mm"
        )


def remove_slide(
    rig: Rig, clip: Clip, contacts: Sequence[Constraint] | None = None, kept: Sequence[Constraint] = ()
) -> tuple[Clip, SlideReport]:
    """The clip with its contacts held at their mean places: values and slopes of keys change, none is added or moved.

    Contacts are suggested where none are given. Where every contact has key poses, those are snapped to their mean
    and held in between, if that suffices. Fitted motion has hardly a time at which all channels are keyed, so there
    are no poses to snap; values and tangents of all keys around the contacts are found together, as near as possible
    to where they were; what is `kept` stays. A clip with a key on every frame is better fitted first
    (`motion.fit_clip`).
    """
    before = Motion(rig, clip)
    if contacts is None:
        contacts = [
            each.contact for each in suggest_contacts(before) if each.confidence >= TRUSTED and each.slide > STILL
        ]
    if not contacts:
        return clip, SlideReport((), 0.0, 0.0, "")
    after, found = before, slides(before, before, contacts)
    for way in (_posed, _together):
        if (tried := way(before, contacts, kept)) is not None:
            measured = slides(before, tried, contacts)
            if _worst(measured) < _worst(found):
                after, found = tried, measured
        if _worst(found) <= ENOUGH:
            break
    times = clip.frame_times
    moved = np.linalg.norm(after.joint_positions(times) - before.joint_positions(times), axis=-1)
    most = moved.max(axis=0)
    return after.clip, SlideReport(found, float(moved.mean()), float(most.max()), rig.joints[int(most.argmax())].name)


def _posed(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint]) -> Motion | None:
    """The motion with key poses snapped and held; None where a contact has no key pose."""
    if not all(pose_times(motion, contact) for contact in contacts):
        return None
    agreed = snap_poses(motion.rig, motion.clip, contacts, kept, onto="mean")
    held = hold(Motion(motion.rig, agreed.clip), contacts, kept)
    return Motion(motion.rig, replace(agreed.clip, curves=held.curves))


def _together(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint]) -> Motion:
    """The motion with values and tangents of all keys around the contacts found at once."""
    solution = solve(build(motion, contacts, kept, values=True))
    curves = motion.clip.curves.replaced(solution.curves)
    return Motion(motion.rig, replace(motion.clip, curves=curves))


def _worst(found: Sequence[Slide]) -> float:
    return max(each.after for each in found)
