"""Hold contacts between the keys; and remove foot slide from a clip, in one call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Ints
from inbetweener.contacts.agree import snap_poses
from inbetweener.contacts.between import held_between
from inbetweener.contacts.measure import pose_times, wandering
from inbetweener.contacts.plant import Planting, frames_of
from inbetweener.contacts.problem import build
from inbetweener.contacts.solve import solve
from inbetweener.contacts.suggest import TRUSTED, suggest_contacts
from inbetweener.maths.cores import one_core
from inbetweener.motion import Clip, Constraint, Curves, Motion, fit_clip, is_dense
from inbetweener.motion.fit import Progress
from inbetweener.motion.jerks import Jerk, jerked, jerks_of, on_frames
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


ENOUGH = 1e-3
"""Metres of slide that nobody sees."""

STILL = 1e-5
"""Metres; a point that slides less needs no help."""

GENTLEST = 4.0
"""How many times more gently than usual a change may come and go before its contact is given up."""

NEAR = 0.15
"""Seconds around a contact in which a pop is its doing."""

CLOSE = 0.002
"""Metres within which planted frames are fitted; a quarter of it where that pops."""


@dataclass(frozen=True, slots=True)
class SlideReport:
    """What was removed and what it cost: metres, measured on the evaluated motion.

    left                      contacts that could not be held without a pop, or slip too far, and were left as they were
    mean_change, most_change  how far joints moved, over all joints and frames; `where` the most
    jerks                     joints and points that are jerked where they were not, the worst first
    by_poses                  whether all contacts had key poses, which are an animator's, and were changed by those
    """

    slides: tuple[Slide, ...]
    left: tuple[Constraint, ...]
    mean_change: float
    most_change: float
    where: str
    jerks: tuple[Jerk, ...] = ()
    by_poses: bool = False

    def __str__(self) -> str:
        if not self.slides:
            return (
                "no contact could be held smoothly; nothing changed"
                if self.left
                else "no contact found; nothing changed"
            )
        worst = [max(getattr(each, side) for each in self.slides) * 1000 for side in ("before", "after")]
        return (
            f"{len(self.slides)} contacts: the worst slid {worst[0]:.1f} mm and slides {worst[1]:.2g} mm; "
            f"joints moved {self.mean_change * 1000:.1f} mm on average, {self.where} {self.most_change * 1000:.0f} mm"
        )


def remove_slide(
    rig: Rig,
    clip: Clip,
    contacts: Sequence[Constraint] | None = None,
    kept: Sequence[Constraint] = (),
    progress: Progress | None = None,
) -> tuple[Clip, SlideReport]:
    """The clip with its contacts held at their mean places; what is `kept` stays.

    Contacts are suggested where none are given. Where every contact has key poses, those are snapped to their mean and
    held in between; if that does not suffice, values and tangents of all keys around the contacts are found together;
    no key is added. Where there is a key on every frame, the change is spread over the frames around so that nothing
    pops, and what cannot be held so is left. Fitted motion has hardly a time at which all channels are keyed, so there
    are no poses to snap: its frames are planted too, and curves that changed are fitted anew.

    `progress` is told how many contacts stand, of how many; those that are looked at once more are not told again.
    """
    with one_core():
        return _without_slide(rig, clip, contacts, kept, progress)


def _without_slide(
    rig: Rig,
    clip: Clip,
    contacts: Sequence[Constraint] | None,
    kept: Sequence[Constraint],
    progress: Progress | None,
) -> tuple[Clip, SlideReport]:
    before, by_poses = Motion(rig, clip), False
    slipping: list[Constraint] = []
    if contacts is None:
        found = [each for each in suggest_contacts(before) if each.confidence >= TRUSTED and each.slide > STILL]
        contacts = [each.contact for each in found if each.is_trusted]
        slipping = [each.contact for each in found if not each.is_trusted]
    if not contacts:
        return clip, SlideReport((), tuple(slipping), 0.0, 0.0, "")
    if is_dense(clip):
        after, left = _smoothly(before, contacts, kept, progress)
        if standing := [each for each in contacts if each not in left]:
            after = Motion(rig, replace(clip, curves=held_between(after, standing, kept)))
    elif by_poses := have_poses(before, contacts):
        after, left = _by_keys(before, contacts, kept), []
    else:
        after, left = _fitted_anew(before, contacts, kept, progress)
    times, popping = clip.frame_times, jerks_of(before, after)
    moved = np.linalg.norm(after.joint_positions(times) - before.joint_positions(times), axis=-1)
    most = moved.max(axis=0)
    held = slides(before, after, [each for each in contacts if each not in left])
    where = rig.joints[int(most.argmax())].name
    changes = float(moved.mean()), float(most.max()), where
    return after.clip, SlideReport(held, (*left, *slipping), *changes, popping, by_poses)


def have_poses(motion: Motion, contacts: Sequence[Constraint]) -> bool:
    """Whether every contact has times at which all that carries its point is keyed, as an animator keys a pose."""
    return all(pose_times(motion, contact) for contact in contacts)


Way = tuple[Motion, list[Constraint]]
"""A motion and the contacts that were left."""


def _by_keys(before: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint]) -> Motion:
    """The motion whose contacts slide least of what changes of keys there are give."""
    after, found = before, slides(before, before, contacts)
    for way in (_posed, _together):
        tried = way(before, contacts, kept)
        measured = slides(before, tried, contacts)
        if _worst(measured) < _worst(found):
            after, found = tried, measured
        if _worst(found) <= ENOUGH:
            break
    return after


def _posed(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint]) -> Motion:
    """The motion with key poses snapped and held."""
    agreed = snap_poses(motion.rig, motion.clip, contacts, kept, onto="mean")
    held = hold(Motion(motion.rig, agreed.clip), contacts, kept)
    return Motion(motion.rig, replace(agreed.clip, curves=held.curves))


def _together(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint]) -> Motion:
    """The motion with values and tangents of all keys around the contacts found at once."""
    solution = solve(build(motion, contacts, kept, values=True))
    curves = motion.clip.curves.replaced(solution.curves)
    return Motion(motion.rig, replace(motion.clip, curves=curves))


def _fitted_anew(
    before: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint], progress: Progress | None
) -> Way:
    """The motion with planted frames fitted once more, so that they stay planted."""
    after, left = _smoothly(before, contacts, kept, progress)
    held = [each for each in contacts if each not in left]
    changed = {name for name, curve in after.clip.curves.items() if curve is not before.clip.curves[name]}
    for close in (CLOSE, CLOSE / 4):
        made = fit_clip(before.rig, after.clip, close, planted=held)[0]
        curves = before.clip.curves.replaced({name: made.curves[name] for name in changed})
        fitted = Motion(before.rig, replace(before.clip, curves=curves))
        if not len(popped(before, fitted)):
            break
    return fitted, left


def _smoothly(
    before: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint], progress: Progress | None
) -> Way:
    """The motion with contacts planted frame by frame, without those that cannot be without a pop.

    A pop is first met by changes that come and go more gently, then by leaving a contact around it as it was.
    """
    times = before.clip.frame_times
    gentler = {n: 1.0 for n, each in enumerate(contacts) if len(frames_of(each, times))}
    slid = [wandering(before, each) for each in contacts]
    planting, is_fresh = Planting(before, kept, progress), True
    while gentler:
        held = [contacts[n] for n in gentler]
        after = Motion(before.rig, replace(before.clip, curves=planting.curves(held, list(gentler.values()))))
        still = {n: wandering(after, contacts[n]) for n in gentler}
        missed = [n for n in gentler if still[n] > max(ENOUGH, 0.5 * slid[n])]
        if missed:  # one that cannot be reached keeps others from it
            del gentler[max(missed, key=lambda n: still[n])]
            is_fresh = False
            continue
        frames = popped(before, after)
        if not len(frames):
            return after, [each for n, each in enumerate(contacts) if n not in gentler]
        near = [[n for n in gentler if _is_near(contacts[n], time, gentler[n])] for time in times[frames]]
        if not is_fresh and not all(near):
            # Where contacts were given up a little of what they did may be left: no reason to give up another.
            planting, is_fresh = Planting(before, kept, progress), True
            continue
        is_fresh = False
        given_up = set[int]()
        for together in near:
            patient = [n for n in together if gentler[n] < GENTLEST]
            if not patient:
                # A pop that no contact explains is the doing of that which slid farthest.
                given_up.add(max(together or gentler, key=lambda n: slid[n]))
        for n in {n for together in near for n in together} - given_up:
            gentler[n] = min(2.0 * gentler[n], GENTLEST)
        for n in given_up:
            del gentler[n]
    return before, list(contacts)


def _is_near(contact: Constraint, time: float, gentler: float) -> bool:
    return contact.start - NEAR * gentler < time < contact.end + NEAR * gentler


def popped(before: Motion, after: Motion) -> Ints:
    """Frames on which anything changes its speed by more than half as much again, and visibly so."""
    return np.flatnonzero(jerked(*on_frames(before, after)).any(axis=1)) + 1


def _worst(found: Sequence[Slide]) -> float:
    return max(each.after for each in found)
