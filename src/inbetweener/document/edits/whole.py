"""Edits of a clip as a whole: mirrored, faster or slower."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.curves.tracing import traced
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip, retimed
from inbetweener.document.edits.layers import flatten_clip
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig.mirror import Mirror
from inbetweener.rig.naming import Renaming

EXACT = 1e-9
"""Radians or metres by which a mirrored curve may differ from another one with its sign changed, or not."""


@dataclass(frozen=True, slots=True, repr=False)
class MirrorResult(Result):
    """A clip whose left is right, and how its curves came to be.

    exact    curves that are those of their partners, key by key, with the same sign or the other one
    traced   curves that no sign makes: keys where their joints had some, with the slopes of the mirrored motion
    missed   metres by which any joint misses its mirrored place on a frame
    gone     constraints of the clip that are gone, as what they hold has no partner
    """

    clip: str
    exact: int
    traced: int
    missed: float
    gone: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """How exactly."""
        rest = f", {self.traced} anew with keys where there were some" if self.traced else ""
        mirrored = f"mirrored {self.clip!r}: {self.exact} curves key by key{rest}"
        return mirrored, f"joints miss their mirrored places by {1e3 * self.missed:.2g} mm at most on frames"

    @property
    def problem(self) -> str:
        """What could not come along."""
        return f"what they hold has no partner: {', '.join(self.gone)} left out" if self.gone else ""

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {
            "clip": self.clip,
            "exact": self.exact,
            "traced": self.traced,
            "missed_mm": 1e3 * self.missed,
            "left_out": list(self.gone),
        }


def mirror_clip(document: Document, *, clip: str | None = None) -> MirrorResult:
    """A clip with left and right exchanged across the plane x = 0: keys, tangents and what is held.

    Partners are those of the anatomy, or have the name of the other side. Layers are worked into the base first.
    """
    old = the_clip(document, clip)
    if old.layers:
        document = flatten_clip(document, old.name)
    rig, shown, anatomy = document.rig, document.clip(old.name), document.anatomy()
    pairs = {part.joint: other for part in anatomy if (other := anatomy.partner(part.joint)) is not None}
    mirror, motion = Mirror.of(rig, pairs), Motion(rig, shown)
    frames = shown.frame_times
    every = np.sort(np.concatenate([frames, frames[:-1] + 0.5 / shown.rate]))
    were = motion.channels(every)
    wanted = _wanted(mirror, were)
    made, exact, anew = dict[str, Curve](), 0, list[int]()
    for c, channel in enumerate(rig.channels):
        partner = int(mirror.channels[c])
        twin, base = rig.channels[partner], shown.curves.get(rig.channels[partner].name)
        if np.abs(wanted[:, c] - channel.default).max() <= EXACT and base is None:
            continue
        by = were[:, partner] - twin.default
        sign = next((s for s in (1.0, -1.0) if np.abs(channel.default + s * by - wanted[:, c]).max() <= EXACT), 0.0)
        if sign and base is not None:
            made[channel.name] = _signed(base, sign, channel.default - sign * twin.default)
            exact += 1
        else:
            anew.append(c)
    if anew:
        made |= _anew(motion, mirror, anew)
    changed = replace_clip(document, old.name, replace(shown, curves=Curves(made)))
    changed, gone = _held(changed, shown, {**{part.joint: part.joint for part in anatomy}, **pairs})
    return MirrorResult(changed, old.name, exact, len(anew), _missed(document, changed, mirror, shown), gone)


def _wanted(mirror: Mirror, were: Floats) -> Floats:
    """Mirrored poses (T, C): of partners by signs alone, where that makes them, so that controls stay what they are."""
    rig, wanted = mirror.rig, mirror.pose(were)
    signs, signed = mirror.signs(), wanted.copy()
    driving = [c for c, channel in enumerate(rig.channels) if channel.drives and signs[c]]
    partners = mirror.channels[driving]
    signed[:, driving] = rig.defaults[driving] + signs[driving] * (were[:, partners] - rig.defaults[partners])
    both = [rig.world_from_joint(poses) for poses in (signed, wanted)]
    return signed if np.abs(both[0] - both[1]).max(initial=0.0) < EXACT else wanted


def _signed(curve: Curve, sign: float, shift: float) -> Curve:
    heights = np.array([1.0, sign])
    return replace(curve, values=sign * curve.values + shift, ins=curve.ins * heights, outs=curve.outs * heights)


def _anew(motion: Motion, mirror: Mirror, columns: list[int]) -> dict[str, Curve]:
    """Curves of channels whose mirrored values no single curve tells, with keys wherever the clip has some."""
    found = [curve.times for curve in motion.clip.curves.values() if len(curve) > 1]
    times = np.unique(np.concatenate([[motion.clip.start], *found]).round(9))

    def read(at: Floats) -> Floats:
        return mirror.pose(motion.channels(at))[:, columns]

    names = [motion.rig.channels[c].name for c in columns]
    return dict(zip(names, traced(read, times), strict=True))


def _held(document: Document, clip: Clip, pairs: dict[str, str]) -> tuple[Document, tuple[str, ...]]:
    """Constraints of a clip on the other side; those of places off their joint's origin, which have no name, go."""
    kept, gone = [], list[str]()
    names = Renaming(joint=lambda name: pairs.get(name, name))
    for each in document.constraints:
        if each.clip != clip.name:
            kept.append(each)
            continue
        parts = [point for point, _ in each.rule.point.parts]
        if len(parts) == 1 and not any(parts[0].offset) and not parts[0].name and parts[0].joint in pairs:
            kept.append(replace(each, rule=each.rule.renamed(names)))
        else:
            gone.append(each.name)
    return replace(document, constraints=tuple(kept)), tuple(gone)


def _missed(before: Document, after: Document, mirror: Mirror, clip: Clip) -> float:
    """Metres by which a joint is off the mirror image of its partner on any frame."""
    was, now = (Motion(each.rig, each.clip(clip.name)).joint_positions(clip.frame_times) for each in (before, after))
    image = was[:, mirror.joints] * [-1.0, 1.0, 1.0]
    return float(np.linalg.norm(now - image, axis=2).max(initial=0.0))


@dataclass(frozen=True, slots=True, repr=False)
class SpeedResult(Result):
    """A clip that is faster or slower, and how long it lasts now."""

    clip: str
    speed: float
    seconds: tuple[float, float]

    @property
    def lines(self) -> tuple[str, ...]:
        """From how long to how long."""
        was, now = self.seconds
        return (f"{self.clip!r} runs {self.speed:g} times as fast: {now:.3g} s in place of {was:.3g}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"clip": self.clip, "speed": self.speed, "seconds": self.seconds[1]}


def set_speed(document: Document, speed: float, *, clip: str | None = None) -> SpeedResult:
    """A clip that runs so many times as fast, from where it begins: every pose as it was, only sooner or later.

    Keys, tangents, contacts and all else that has a time go along, so that feet that stand go on standing.
    """
    old = the_clip(document, clip)
    if not (math.isfinite(speed) and 0.01 <= speed <= 100.0):
        raise InvalidEdit(f"a speed of {speed:g} must lie from 0.01 to 100", "speed")
    changed = retimed(document, old.name, 1.0 / speed, old.start - old.start / speed)
    length = old.end - old.start
    return SpeedResult(changed, old.name, speed, (length, length / speed))
