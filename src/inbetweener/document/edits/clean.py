"""Cleaning a captured clip: flips, spikes, gaps and jitter are found, told and mended."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.cleaning import KINDS, Fault, Kind, Tolerance, find_faults, mended
from inbetweener.curves import Curve
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip, is_dense
from inbetweener.rig import Rig, chains

NOTICED = 0.001
"""Metres by which a contact may slide more than before."""


@dataclass(frozen=True, slots=True, repr=False)
class CleanResult(Result):
    """A document without the faults of a captured clip; which they were, and those left alone for contacts' sake."""

    clip: Clip
    faults: tuple[Fault, ...]
    left: tuple[Fault, ...] = ()

    @property
    def counted(self) -> str:
        """How many of each kind, as people say it."""
        counts = Counter(each.kind for each in self.faults)
        said = [f"{counts[kind]} {_word(kind, counts[kind])}" for kind in KINDS if counts[kind]]
        return ", ".join(said) or "nothing"

    @property
    def lines(self) -> tuple[str, ...]:
        """What was found, and in how many joints."""
        if not self.faults:
            return ("no flip, spike, gap or jitter was found",)
        joints = len({each.joint for each in self.faults})
        told = f"{self.counted} in {joints} joint{'' if joints == 1 else 's'}"
        return (told, f"{len(self.left)} left alone, as contacts would slide") if self.left else (told,)

    @property
    def facts(self) -> dict[str, Any]:
        """Every fault."""
        return {"clip": self.clip.name, "faults": [self._row(each) for each in self.faults]}

    def _row(self, each: Fault) -> dict[str, Any]:
        size = (
            {"size_deg": round(math.degrees(each.size), 3)} if each.turns else {"size_mm": round(1000 * each.size, 2)}
        )
        return {
            "joint": each.joint,
            "kind": each.kind,
            "first_frame": each.first,
            "last_frame": each.last,
            **size,
            "mended": each not in self.left,
        }


def _word(kind: Kind, count: int) -> str:
    if kind == "jitter":
        return "stretch of jitter" if count == 1 else "stretches of jitter"
    return kind if count == 1 else f"{kind}s"


def clean(
    document: Document,
    *,
    kinds: Iterable[str] = KINDS,
    noise: float = Tolerance().turn,
    shake: float = Tolerance().shift,
    clip: str | None = None,
) -> CleanResult:
    """Mend the faults of a captured clip: flips of a few frames, spikes of places, gaps, and jitter.

    Jitter is smoothed until it is less than `noise` radians, or `shake` metres where a joint moves. Frames without
    fault stay to the bit; contacts that are on slide no further. Keyed motion has no faults of this kind.
    """
    shown, said = the_clip(document, clip), tuple(kinds)
    if unknown := [kind for kind in said if kind not in KINDS]:
        raise InvalidEdit(f"{unknown[0]!r} is no kind of fault; known: {', '.join(KINDS)}", "kind")
    wanted = [kind for kind in KINDS if kind in said]
    if not (noise > 0 and shake > 0 and math.isfinite(noise + shake)):
        raise InvalidEdit("noise that may stay must be more than nothing", "noise", "shake")
    if not is_dense(shown):
        raise InvalidEdit(
            f"clip {shown.name!r} is keyed, not captured: only a key on nearly every frame can be cleaned"
        )
    tolerance, times = Tolerance(noise, shake), shown.frame_times
    # Layers are added on top and stay as they are.
    before = replace(document, clips=(replace(shown, layers=()),)).motion(shown.name).channels(times)
    faults = find_faults(document.rig, before, shown.rate, kinds=wanted, tolerance=tolerance)
    after = mended(document.rig, before, faults, shown.rate, tolerance=tolerance)
    rules = [rule for rule in document.rules(shown.name) if rule.is_planted]
    left = _disturbing(document.rig, times, rules, faults, before, after)
    if left:
        kept = [each for each in faults if each not in left]
        after = mended(document.rig, before, kept, shown.rate, tolerance=tolerance)
    changed = np.flatnonzero((after != before).any(axis=0))
    if len(changed) == 0:
        return CleanResult(document, shown, faults, left)
    names = [document.rig.channels[n].name for n in changed]
    curves = {name: Curve.sampled(times, after[:, n]) for name, n in zip(names, changed, strict=True)}
    return CleanResult(set_curves(document, shown.name, curves), shown, faults, left)


def _disturbing(
    rig: Rig, times: Floats, rules: Iterable[Rule], faults: Iterable[Fault], before: Floats, after: Floats
) -> tuple[Fault, ...]:
    """Stretches of jitter whose smoothing lets a contact slide further than it did."""
    found: list[Fault] = []
    for rule in rules:
        within = np.flatnonzero((times >= rule.start - 1e-9) & (times <= rule.end + 1e-9))
        if len(within) == 0 or _slide(rig, after[within], rule) <= _slide(rig, before[within], rule) + NOTICED:
            continue
        path = {name for point, _ in rule.point.parts for name in chains.path_from_root(rig, point.joint)}
        for fault in faults:
            meets = fault.first <= within[-1] and within[0] <= fault.last
            if fault.kind == "jitter" and fault.joint in path and meets and fault not in found:
                found.append(fault)
    return tuple(found)


def _slide(rig: Rig, channels: Floats, rule: Rule) -> float:
    places = rig.states(channels, rule.point)[0]
    return float(np.linalg.norm(places - np.median(places, axis=0), axis=1).max())
