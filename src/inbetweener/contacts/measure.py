"""How far a point slides, and how far apart key poses have it; and what of its state stands at all."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.motion import Constraint, Contact, Motion
from inbetweener.rig import Place, chains
from inbetweener.tangents.agreement import angles_between, fixed_times

LOOKS = 8
"""Looks a frame."""


FEW = 64
"""Frames that tell how tall somebody is."""


def stature(motion: Motion) -> float:
    """How tall a body is, in metres: at rest, or, where its rest pose lies flat as some programs write it, as it moves.

    Flat is what has less than half the height at rest that it mostly has later.
    """
    height, times = chains.height(motion.rig), motion.clip.frame_times
    some = times[np.unique(np.linspace(0, len(times) - 1, FEW).astype(np.int64))]
    heights = motion.point_positions(some, motion.rig.places)[..., 1]
    standing = float(np.median(np.ptp(heights, axis=1)))
    return max(standing if height < 0.5 * standing else height, 1e-9)


def sliding(motion: Motion, point: Place, start: float, end: float, looks: int = LOOKS) -> float:
    """The largest distance in metres between any two places where a point is from `start` to `end` seconds."""
    return spread(motion.states(look_times(motion, start, end, looks), point)[0])


def wandering(motion: Motion, rule: Constraint, looks: int = LOOKS) -> float:
    """The same of a constraint's point while it holds, as seen from its base."""
    return spread(rule.states(motion, look_times(motion, rule.start, rule.end, looks))[0])


def look_times(motion: Motion, start: float, end: float, looks: int = LOOKS) -> Floats:
    """Times from start to end, both included, `looks` of them a frame."""
    return np.linspace(start, end, max(2, round((end - start) * motion.clip.rate * looks) + 1))


def spread(positions: Floats) -> float:
    """The largest distance between any two of the positions (n, 3)."""
    # The farthest pair are corners of the hull: extreme along some direction. Over many directions, nearly exact
    # ones are found without comparing all pairs.
    extremes = positions[np.unique((positions @ _DIRECTIONS.T).argmax(axis=0))]
    return float(np.linalg.norm(extremes[:, None] - extremes[None], axis=-1).max())


def _sphere(count: int) -> Floats:
    """Directions (count, 3) spread evenly: a spiral from pole to pole."""
    height = np.linspace(-1.0, 1.0, count)
    angle = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    radius = np.sqrt(1.0 - height**2)
    return np.stack([radius * np.cos(angle), height, radius * np.sin(angle)], axis=1)


_DIRECTIONS = _sphere(400)


NOTICED = 1e-4
"""Heights of the character (radians) by which poses must be apart to be worth a word: a fifth of a millimetre."""
FLAT = np.radians(3.0)
"""A foot whose key poses turn by more rolls: it stands on a point, not on its sole."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Metres between the farthest two places of a point, and radians between its most different orientations."""

    distance: float = 0.0
    turn: float = 0.0

    @classmethod
    def worst(cls, several: Iterable[Self]) -> Self:
        """The farthest and the most turned of several."""
        listed = list(several)
        return cls(max((each.distance for each in listed), default=0.0), max((e.turn for e in listed), default=0.0))

    def is_noticed(self, height: float) -> bool:
        """Whether it is worth a word, for a character of such a height in metres."""
        return self.distance > NOTICED * height or self.turn > NOTICED

    def __str__(self) -> str:
        turned = f" and {np.degrees(self.turn):.1f}°" if self.turn > NOTICED else ""
        return f"{1000 * self.distance:.{2 if self.distance < 0.01 else 0}f} mm{turned}"


def pose_times(motion: Motion, contact: Constraint) -> list[float]:
    """The times within a contact at which no tangent of the base curves has a say in where its point is."""
    moving = {motion.rig.channels[c].name for c in contact.channels(motion.rig)}
    curves = [curve for name, curve in motion.clip.curves.items() if name in moving]
    return fixed_times(curves, contact.start, contact.end)


def poses_apart(motion: Motion, contact: Constraint) -> Apart:
    """How far apart the key poses within a contact are; nothing where these share no key times, or nothing stands."""
    if not contact.stands or len(times := pose_times(motion, contact)) < 2:
        return Apart()
    positions, turns = contact.states(motion, times)
    between = [float(angles_between(turns, each).max()) for each in turns] if contact.wanted != "position" else [0.0]
    return Apart(spread(positions) if contact.wanted != "orientation" else 0.0, max(between))


def planted(motion: Motion, point: Place, start: float, end: float) -> Contact:
    """A contact of the whole state, as a foot stands; of the position alone where the motion means the point to turn.

    What it means is in its key poses or, where the contact has none or one of them, in all that is between.
    """
    contact = Contact(point, start, end, "both")
    times = pose_times(motion, contact)
    turns = contact.states(motion, times if len(times) > 1 else look_times(motion, start, end))[1]
    return contact if angles_between(turns, turns[0]).max() <= FLAT else Contact(point, start, end)
