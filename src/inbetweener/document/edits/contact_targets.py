"""A contact as targets: what stands still in the keyed motion is made to stand still in the loose one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.document import Document
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.solve import solved_targets, targets_of
from inbetweener.document.edits.targets import add_target
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.kinodynamics.solve import solve
from inbetweener.maths import quaternions
from inbetweener.motion import Constraint, Motion

HELD = 0.005
"""Metres: a contact that drifts no further holds."""

COUNTS = (2, 3, 4, 5, 7)
"""How many targets are tried, evenly over the contact: its start, its end and ever more between."""

WELL, WINDOWS = 1e-3, 300
"""Metres to which targets are met, and windows simulated for each number of them: between them it drifts further."""


@dataclass(frozen=True, slots=True, repr=False)
class ContactTargetsResult(Result):
    """How many targets hold a contact, and how far its point strays, at most and in metres, from where it starts:
    as keyed, loose without them, and now.
    """

    targets: int
    keyed: float
    loose: float
    held: float

    @property
    def lines(self) -> tuple[str, ...]:
        """Before and after."""
        count = f"{self.targets} target{'' if self.targets == 1 else 's'}"
        return (f"{count}: it strayed {100 * self.loose:.2g} cm and strays {100 * self.held:.2g} cm",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"targets": self.targets, "keyed_m": self.keyed, "loose_m": self.loose, "held_m": self.held}


def contact_to_targets(document: Document, constraint: str, *, tolerance: float = HELD) -> ContactTargetsResult:
    """A contact's clip with targets, solved, that hold its point within a tolerance; as few as will do.

    Where no number of them does, those that hold it best are taken. The contact itself stays as it is.
    """
    contact, clip = document.constraint(constraint).rule, document.constraint(constraint).clip
    if not contact.is_planted:
        raise InvalidDocument(f"constraint {constraint!r} is no contact: only what stands still becomes targets")
    keyed = document.motion(clip)
    where, turned = keyed.states([contact.start], contact.point)
    position, orientation = _three(where[0]), _four(quaternions.from_matrix(turned[0]))
    # Twice a frame: what is between frames shows in motion blur, and in the next cut.
    times = np.linspace(
        contact.start, contact.end, max(2, 1 + round((contact.end - contact.start) * 2 * keyed.clip.rate))
    )
    best, held = document, np.inf
    used = 0
    for count in COUNTS if contact.end > contact.start else (1,):
        tried = document
        for time in np.linspace(contact.start, contact.end, count):
            target = PointTarget(
                float(time),
                contact.point,
                None if contact.wanted == "orientation" else position,
                None if contact.wanted == "position" else orientation,
                bell=Bell(),
            )
            tried = add_target(tried, clip, target)
        solution = solve(tried.loose_motion(clip), targets_of(tried, clip), tolerance=WELL, most=WINDOWS)
        tried = solved_targets(tried, clip, solution)
        strayed = _strayed(tried.shown_motion(clip), contact, times, where[0])
        if strayed < held:
            best, held, used = tried, strayed, count
        if held <= tolerance:
            break
    loose = _strayed(document.shown_motion(clip), contact, times, where[0])
    return ContactTargetsResult(best, used, _strayed(keyed, contact, times, where[0]), loose, held)


def _strayed(motion: Motion, contact: Constraint, times: Floats, where: Floats) -> float:
    return float(np.linalg.norm(motion.states(times, contact.point)[0] - where, axis=1).max())


def _three(values: Floats) -> tuple[float, float, float]:
    x, y, z = values
    return float(x), float(y), float(z)


def _four(values: Floats) -> tuple[float, float, float, float]:
    w, x, y, z = values
    return float(w), float(x), float(y), float(z)
