"""Edits of when keys come: joints of a chain one after the other, in-betweens by a chart, keys on whole frames."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from inbetweener.curves import CONSTANT, Curve, edit, tangent_presets
from inbetweener.document.document import Document
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_read, moment, near, seconds, the_clip
from inbetweener.errors import InvalidCurve, InvalidEdit
from inbetweener.rig import Rig

CHARTS = {
    "half": (0.5,),
    "halves-out": (0.125, 0.25, 0.5),
    "halves-in": (0.5, 0.75, 0.875),
    "thirds": (1 / 3, 2 / 3),
}
"""Timing charts by name: shares of the way from the key before to the key after, at even steps of time."""
MOST_INBETWEENS = 100


@dataclass(frozen=True, slots=True, repr=False)
class SpacingResult(Result):
    """A clip whose keys come at other times, or has new ones; `done` is what a history calls it."""

    clip: str
    done: str
    keys: int
    gone: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """How many keys."""
        gone = f", {self.gone} gone as their frame has another one" if self.gone else ""
        return (f"{self.done}: {self.keys} keys of {self.clip!r}{gone}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"clip": self.clip, "keys": self.keys, "gone": self.gone}


def stagger(
    document: Document,
    joints: Iterable[str],
    by: float,
    *,
    start: float | str | None = None,
    end: float | str | None = None,
    clip: str | None = None,
    layer: str | None = None,
) -> SpacingResult:
    """Let joints follow each other: every one moves by so many frames later than the chosen joint above it.

    The first joint of every chain stays as it is. One joint alone means the chain from it on. Only keys from `start` to
    `end`, seconds or frames as "12f", where these are said; below nought they come sooner.
    """
    shown, rig = the_clip(document, clip), document.rig
    if not math.isfinite(by) or by == 0.0:
        raise InvalidEdit(f"an offset of {by:g} frames is none; choose another number", "by")
    depths = _depths(rig, joints)
    chosen = Chosen(document, shown.name, layer)
    first = -math.inf if start is None else seconds(shown, start) - near(shown)
    last = math.inf if end is None else seconds(shown, end) + near(shown)
    changed: dict[str, Curve | None] = {}
    moved = 0
    for name, curve in chosen.curves.items():
        depth = depths.get(_owner(rig, name), 0)
        keys = np.flatnonzero((curve.times >= first) & (curve.times <= last))
        if depth == 0 or len(keys) == 0:
            continue
        try:
            changed[name] = edit.retime(curve, keys, shift=depth * by / shown.rate).curve
        except InvalidCurve:
            reason = f"keys of {name} would pass others that stay; choose fewer frames, or all keys"
            raise InvalidEdit(reason, "by", "start", "end") from None
        moved += len(keys)
    if not changed:
        raise InvalidEdit("no joint below another one has keys there; choose joints of a chain", "joints")
    top = next(name for name, depth in depths.items() if depth == 0)
    return SpacingResult(chosen.put(changed), shown.name, f"Stagger {top} by {by:g} frames", moved)


def _depths(rig: Rig, joints: Iterable[str]) -> dict[str, int]:
    """By joint, how many chosen ones are above it; of a single one all joints below it are chosen too."""
    wanted = {rig.joint_index(name) for name in joints}
    if not wanted:
        raise InvalidEdit("say which joints follow each other", "joints")
    if len(wanted) == 1:
        # Parents come before their children.
        for index, joint in enumerate(rig.joints):
            if joint.parent in wanted:
                wanted.add(index)
    depths: dict[int, int] = {}
    for index, joint in enumerate(rig.joints):
        above = depths.get(joint.parent, -1)
        depths[index] = above + 1 if index in wanted else above
    return {rig.joints[index].name: depths[index] for index in sorted(wanted)}


def _owner(rig: Rig, channel: str) -> str:
    """The joint that a channel moves; none where it moves several."""
    joints = {drive.joint for drive in rig.channel(channel).drives}
    return joints.pop() if len(joints) == 1 else ""


def chart(
    document: Document,
    shares: str | Sequence[float | str],
    *,
    frame: float | None = None,
    time: float | str | None = None,
    channels: Iterable[str] | None = None,
    clip: str | None = None,
    layer: str | None = None,
) -> SpacingResult:
    """Key in-betweens as a timing chart has them, between the keys around a time, on frames at even steps.

    `shares` say how far each of them is on the way from the key before, 0, to the key after, 1: numbers, or words as
    "1/3"; or the name of a chart: half, halves-out, halves-in, thirds.
    """
    shown = the_clip(document, clip)
    at, wanted = moment(shown, frame, time), _shares(shares)
    chosen = Chosen(document, shown.name, layer)
    names = list(chosen.curves) if channels is None else [name for name in channels if name in chosen.curves]
    changed: dict[str, Curve | None] = {}
    for name in names:
        curve = chosen.curves[name]
        before = int(np.searchsorted(curve.times, at + near(shown))) - 1
        if before < 0 or before + 1 >= len(curve):
            continue
        changed[name] = _charted(curve, before, wanted, shown.start, shown.rate)
    if not changed:
        raise InvalidEdit(f"nothing has keys before and after frame {frame_read(shown, at)}", "frame", "time")
    done = f"Timing chart at frame {frame_read(shown, at)}"
    return SpacingResult(chosen.put(changed), shown.name, done, len(wanted) * len(changed))


def _shares(said: str | Sequence[float | str]) -> list[float]:
    if isinstance(said, str):
        said = CHARTS.get(said) or said.replace(",", " ").split()
    try:
        found = [float(Fraction(each)) if isinstance(each, str) else float(each) for each in said]
    except (ValueError, ZeroDivisionError):
        found = [math.nan]
    if not found or len(found) > MOST_INBETWEENS or not all(math.isfinite(each) for each in found):
        names = ", ".join(CHARTS)
        raise InvalidEdit(f"a timing chart has shares such as 1/2 3/4 7/8, or one of these names: {names}", "shares")
    return found


def _charted(curve: Curve, before: int, shares: Sequence[float], start: float, rate: float) -> Curve:
    """A curve with keys between two neighbouring ones, at even steps on whole frames, with shares of their values."""
    (a, b), (low, high) = curve.times[before : before + 2], curve.values[before : before + 2]
    steps = a + (b - a) * np.arange(1, len(shares) + 1) / (len(shares) + 1)
    frames = np.round((steps - start) * rate)
    times = start + frames / rate
    if len(set(frames)) < len(frames) or times[0] <= a or times[-1] >= b:
        raise InvalidEdit(
            f"{len(shares)} in-betweens need more frames than lie between {a:g} and {b:g} s; draw fewer", "shares"
        )
    stepped = curve.interpolations[before] == CONSTANT
    for i, (time, share) in enumerate(zip(times, shares, strict=True), before + 1):
        curve = edit.move_key(edit.insert_key(curve, time).curve, i, value=float(low + share * (high - low))).curve
    made = range(before + 1, before + 1 + len(shares))
    return curve if stepped else tangent_presets.smooth(curve, made)


def snap_keys(
    document: Document,
    channels: Iterable[str] | None = None,
    *,
    clip: str | None = None,
    layer: str | None = None,
) -> SpacingResult:
    """Bring keys, of some channels or of all, onto whole frames; of several on one frame the nearest stays."""
    shown = the_clip(document, clip)
    chosen = Chosen(document, shown.name, layer)
    names = list(chosen.curves) if channels is None else [name for name in channels if name in chosen.curves]
    changed: dict[str, Curve | None] = {}
    moved = gone = 0
    for name in names:
        curve = chosen.curves[name]
        frames = np.round((curve.times - shown.start) * shown.rate)
        times = shown.start + frames / shown.rate
        off = np.abs(times - curve.times)
        if off.max() < 1e-9:
            continue
        # By frame, and there the nearest first.
        order = np.lexsort((off, frames))
        _, firsts = np.unique(frames[order], return_index=True)
        kept = np.sort(order[firsts])
        lost = np.setdiff1d(np.arange(len(curve)), kept)
        fewer = edit.delete_keys(curve, lost).curve if len(lost) else curve
        changed[name] = edit.settled(fewer, times=times[kept]).curve
        moved += int((off[kept] >= 1e-9).sum())
        gone += len(lost)
    return SpacingResult(chosen.put(changed), shown.name, "Snap keys to frames", moved, gone)
