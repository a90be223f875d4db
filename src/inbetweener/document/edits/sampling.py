"""Which frames a clip has: cut to some of them, or at another rate."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, evaluate
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import require_rate, set_clip_range, set_clip_rate
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import seconds, the_clip
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip, is_dense

JUMP = 5.0
"""How many times as far as next joints go, on average, from a pose that was set in front of captured motion."""


@dataclass(frozen=True, slots=True, repr=False)
class SamplingResult(Result):
    """A clip with other frames."""

    clip: Clip

    @property
    def lines(self) -> tuple[str, ...]:
        """How many, and how fast."""
        return (f"{len(self.clip.frame_times)} frames at {self.clip.rate:g} a second",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"frames": len(self.clip.frame_times), "rate": self.clip.rate}


def trim(
    document: Document,
    *,
    start: float | str | None = None,
    end: float | str | None = None,
    set_pose: bool = False,
    clip: str | None = None,
) -> SamplingResult:
    """A clip from one moment to another, in seconds or frames ("29f"); frames of captured motion outside are gone.

    With `set_pose`, so is a first frame from which the body jumps, as a pose that was set in front of the motion.
    """
    shown = the_clip(document, clip)
    first = shown.start if start is None else max(shown.start, seconds(shown, start))
    if set_pose and _jumps(document, shown, first):
        first += 1 / shown.rate
    last = shown.end if end is None else min(shown.end, seconds(shown, end))
    if not first < last:
        raise InvalidEdit(f"nothing of clip {shown.name!r} is left from {first:g} to {last:g} s", "start", "end")
    return _sampled(document, shown, first, last, shown.rate)


def _jumps(document: Document, clip: Clip, start: float) -> bool:
    times = start + np.arange(3) / clip.rate
    if not is_dense(clip) or times[-1] > clip.end + 1e-9:
        return False
    places = document.motion(clip.name).joint_positions(times)
    leaving, going = np.linalg.norm(np.diff(places, axis=0), axis=-1).mean(axis=1)
    return bool(leaving > JUMP * going)


def resample(document: Document, rate: float, *, clip: str | None = None) -> SamplingResult:
    """A clip at so many frames a second; captured motion gets its frames there, keys stay where they are."""
    shown = the_clip(document, clip)
    require_rate(rate)
    return _sampled(document, shown, shown.start, shown.end, rate)


def _sampled(document: Document, old: Clip, start: float, end: float, rate: float) -> SamplingResult:
    changed = set_clip_rate(set_clip_range(document, old.name, start, end), old.name, rate)
    times = changed.clip(old.name).frame_times
    if is_dense(old) and old.curves:
        # Layers are added on top, and stay as they are.
        kept = {channel: _moments(curve, times, rate == old.rate) for channel, curve in old.curves.items()}
        curves = {n: Curve.sampled(kept[n], evaluate(curve, kept[n])) for n, curve in old.curves.items()}
        changed = set_curves(changed, old.name, curves)
    return SamplingResult(changed, changed.clip(old.name))


def _moments(curve: Curve, frames: Floats, also_between: bool) -> Floats:
    """Frames and, where asked for, the curve's own keys between them: a file's turns past a pole have some there."""
    if not also_between:
        return frames
    inner = curve.times[(curve.times > frames[0]) & (curve.times < frames[-1])]
    apart = np.abs(inner[:, None] - frames[np.clip(np.searchsorted(frames, inner)[:, None] - [0, 1], 0, None)]).min(
        axis=1
    )
    return np.union1d(frames, inner[apart > 1e-7])
