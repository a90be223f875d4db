"""Make contacts true between the keys, by tangents alone: nothing is dragged, no key is added, moved or changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inbetweener.contacts.measure import wandering
from inbetweener.contacts.problem import build
from inbetweener.contacts.solve import solve
from inbetweener.motion import Constraint, Curves, Motion


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
