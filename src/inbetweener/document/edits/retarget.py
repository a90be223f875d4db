"""Bringing in a clip of another character."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.contacts.measure import wandering
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import add_clip, replace_clip
from inbetweener.document.edits.constraints import add_constraint
from inbetweener.document.edits.contacts import counted
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.several import only
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Attach, Clip, Constraint, Contact, Curves, Motion, fit_clip, is_dense
from inbetweener.motion.fit import Progress
from inbetweener.retarget import Body, Path, Quality, retarget_clip
from inbetweener.rig import characters
from inbetweener.rig.characters import BETWEEN, belongs
from inbetweener.rig.naming import Renaming, free_name

SLIDE, BELOW = 1e-3, 5e-3
"""Metres: less slide, and less of a sole in the ground, nobody sees."""
MISSED = 0.05
"""Of the leg's length: farther off, a hand or foot is worth a word."""
HELD = 2e-3
"""Metres: a hand that lies on the body and wanders more, or cannot reach it, is no attachment."""
EVERY = 5
"""Of so many frames one is looked at for a pose in which a body stands, where its rig does not."""


@dataclass(frozen=True, slots=True, repr=False)
class RetargetResult(Result):
    """A document with one more clip; what became of the other character's feet, hands and keys.

    scale     how many times as long the legs are; leg  their length in metres
    contacts  of feet that stand, which the document has now; held  hands that lie still on the body, attached to it
    """

    clip: Clip
    came: Clip
    quality: Quality
    contacts: tuple[Contact, ...]
    held: tuple[Attach, ...]
    scale: float
    leg: float

    @property
    def lines(self) -> tuple[str, ...]:
        """How many keys, and how well it stands and reaches."""
        keys, before = (sum(len(curve) for curve in clip.curves.values()) for clip in (self.clip, self.came))
        slide, below, missed, _ = (1000 * size for _, size, _ in self.quality.worst)
        return (
            f"{self.clip.name!r} came over: legs {self.scale:.2f} times as long, {keys} keys of {before}",
            f"{counted(len(self.contacts))}: slide {slide:.2g} mm at most, soles {below:.2g} mm in the ground; "
            f"hands and feet {missed:.2g} mm off at most"
            + (f"; {', '.join(dict.fromkeys(each.label for each in self.held))}" if self.held else ""),
        )

    @property
    def problem(self) -> str:
        """What is worth a look, and when."""
        bad = []
        most = {"slide": SLIDE, "below": BELOW, "missed": MISSED * self.leg, "beyond": 1e-6}
        words = {"slide": "slides", "below": "in the ground", "missed": "not reached", "beyond": "beyond a limit"}
        for name, size, time in self.quality.worst:
            if size > most[name]:
                bad.append(f"{words[name]} at frame {self._frame(time)}")
        return f"look at it: {', '.join(bad)}" if bad else ""

    @property
    def facts(self) -> dict[str, Any]:
        """The same, and the frames to look at first."""
        worst = {
            name: {"size_mm": round(1000 * size, 3), "frame": self._frame(time)}
            for name, size, time in self.quality.worst
            if name != "beyond"
        }
        return {
            "clip": self.clip.name,
            "scale": round(self.scale, 5),
            "keys": sum(len(curve) for curve in self.clip.curves.values()),
            "contacts": len(self.contacts),
            "hands_on_the_body": [f"{each.label} from {each.start:g} to {each.end:g} s" for each in self.held],
            **worst,
            "beyond_limits": float(np.max(self.quality.beyond, initial=0.0)),
            "worst_frames": [self._frame(time) for time in self.quality.worst_times()],
        }

    def _frame(self, time: float) -> int:
        return round((time - self.clip.start) * self.clip.rate)


def retarget(
    document: Document,
    source: Document,
    clip: str | None = None,
    *,
    name: str | None = None,
    travels: bool = True,
    heading: float | None = None,
    start: tuple[float, float] | None = None,
    tolerance: float | None = None,
    character: str = "",
    giver: str = "",
    into: str | None = None,
    progress: Progress | None = None,
) -> RetargetResult:
    """Bring in a clip of another document's character: this one does the same, as its own body can.

    By roles, see `anatomy`. Feet that stand there stand here, and are contacts of the new clip; the way goes as far as
    legs are long or, where it does not `travel`, stays in place; it faces `heading` radians from +z towards +x and
    begins at `start` (x, z) where these are said. A keyed clip keeps the times of its keys; a dense one has a key on
    every frame or, with a `tolerance` in metres, as few as keep to it. Of several characters, `character` gets the clip
    that the source's `giver` has; it is a clip of its own, or part of the clip `into`, where the others move too.
    """
    whole, kept = document, belongs(document.rig, character)
    document, source = _alone(document, character), _alone(source, giver)
    came = the_clip(source, clip)
    said = [*(start or ()), *(each for each in (heading, tolerance) if each is not None)]
    if not all(map(math.isfinite, said)) or (tolerance is not None and tolerance <= 0):
        raise InvalidEdit("heading, start and tolerance must be numbers, the tolerance above nought", "tolerance")
    target = body_of(document)
    path = Path(travels, heading, start)
    made, found, quality = retarget_clip(target, body_of(source, came), came, path)
    contacts = tuple(found.contacts(target)) if travels else ()
    if tolerance is not None and is_dense(made):
        made = fit_clip(document.rig, made, tolerance, progress=progress, planted=contacts)[0]
        quality = found.quality(target, Motion(document.rig, made).channels(found.times))
    brought = Motion(document.rig, made)
    prefix = f"{character}{BETWEEN}" if character else ""
    called = {
        joint.name: joint.name if joint.name == character else prefix + joint.name for joint in document.rig.joints
    }
    made = replace(made, curves=Curves({prefix + name: curve for name, curve in made.curves.items()}))
    held = tuple(each for each in found.attachments(target) if wandering(brought, each) < HELD)
    standing: tuple[Constraint, ...] = (*contacts, *held)
    if prefix:
        names = Renaming.of_all(lambda one: called.get(one, prefix + one))
        standing = tuple(each.renamed(names) for each in standing)
    if into is None:
        made = replace(made, name=free_name(name or came.name, {each.name for each in whole.clips}))
        changed = add_clip(whole, made)
    else:
        there = whole.clip(into)
        others = {channel: curve for channel, curve in there.curves.items() if not kept(channel)}
        made = replace(there, curves=Curves({**others, **made.curves}), end=max(there.end, made.end))
        changed = replace_clip(whole, into, made)
    for contact in standing:
        changed = add_constraint(changed, made.name, contact)
    return RetargetResult(changed, made, came, quality, contacts, held, found.scale, target.leg)


def _alone(document: Document, name: str) -> Document:
    """One character of a document; the document itself where there is one only."""
    return only(document, name) if name or len(characters(document.rig)) > 1 else document


def body_of(document: Document, clip: Clip | None = None) -> Body:
    """The body of a document's character, as it stands or, where it never rests so, as it does in a clip."""
    shown = clip or (document.clips[0] if document.clips else None)
    poses = Motion(document.rig, shown).channels(shown.frame_times[::EVERY]) if shown else None
    return Body.of(document.rig, document.anatomy(), document.meshes, poses, repr(document.name))
