"""Remove foot slide from a clip, in one call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.contacts.hold import Slide, slides
from inbetweener.contacts.problem import build
from inbetweener.contacts.solve import solve
from inbetweener.contacts.suggest import suggest_contacts
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig
from inbetweener.tangents import Contact

TRUSTED = 0.55
"""Suggested contacts that are trusted less are left alone; hands that rest in the air are below."""


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


def remove_slide(rig: Rig, clip: Clip, contacts: Sequence[Contact] | None = None) -> tuple[Clip, SlideReport]:
    """The clip with its contacts held at their mean places: values and slopes of keys change, none is added or moved.

    Contacts are suggested where none are given. Fitted motion has hardly a time at which all channels are keyed, so
    there are no poses to snap one by one; values and tangents of all keys around the contacts are found together, as
    near as possible to where they were. A clip with a key on every frame is better fitted first (`motion.fit_clip`).
    """
    before = Motion(rig, clip)
    if contacts is None:
        contacts = [each.contact for each in suggest_contacts(before) if each.confidence >= TRUSTED]
    if not contacts:
        return clip, SlideReport((), 0.0, 0.0, "")
    solution = solve(build(before, contacts, values=True))
    cleaned = replace(clip, curves=clip.curves.replaced(solution.curves))
    after, times = Motion(rig, cleaned), clip.frame_times
    moved = np.linalg.norm(after.joint_positions(times) - before.joint_positions(times), axis=-1)
    most = moved.max(axis=0)
    return cleaned, SlideReport(
        slides(before, after, contacts), float(moved.mean()), float(most.max()), rig.joints[int(most.argmax())].name
    )
