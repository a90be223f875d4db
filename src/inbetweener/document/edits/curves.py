"""Edits of the curves of a clip or of one of its layers."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from inbetweener.curves import Curve
from inbetweener.curves.seam import passes, seam_slopes, with_seam_slope
from inbetweener.document.document import Document
from inbetweener.document.edits.clips import add_clip, free_clip_name, replace_clip, replace_layer
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_read, the_clip
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.motion import Clip, Curves, FitReport, fit_clip, fit_poses
from inbetweener.motion.cycle import Cycle, close_cycle, ends_apart, find_cycle
from inbetweener.motion.fit import Progress
from inbetweener.motion.fit_samples import Align
from inbetweener.motion.jerks import named


def set_curves(
    document: Document, clip: str, curves: Mapping[str, Curve | None], *, layer: str | None = None
) -> Document:
    """A clip, or one of its layers, with some curves put in or, where None is given, taken out."""
    for name in curves:
        document.rig.channel_index(name)
    changed = curves_of(document, clip, layer).replaced(curves)
    old = document.clip(clip)
    if layer is None:
        return replace_clip(document, clip, replace(old, curves=changed))
    return replace_layer(document, clip, layer, replace(old.layer(layer), curves=changed))


def remove_curves(document: Document, clip: str, channels: Iterable[str], *, layer: str | None = None) -> Document:
    """A clip, or one of its layers, without the curves of some channels."""
    gone = dict.fromkeys(channels)
    for name in gone:
        curve_of(document, clip, name, layer)
    return set_curves(document, clip, gone, layer=layer)


def curve_of(document: Document, clip: str, channel: str, layer: str | None = None) -> Curve:
    """The curve of a channel in a clip or in one of its layers."""
    curves = curves_of(document, clip, layer)
    if channel not in curves:
        raise UnknownName("curve", channel, curves)
    return curves[channel]


def curves_of(document: Document, clip: str, layer: str | None = None) -> Curves:
    """All curves of a clip or of one of its layers."""
    owner = document.clip(clip)
    return owner.curves if layer is None else owner.layer(layer).curves


@dataclass(frozen=True, slots=True, repr=False)
class FitResult(Result):
    """A clip with few keys, and how near it stays to the one with many."""

    report: FitReport

    @property
    def lines(self) -> tuple[str, ...]:
        """Keys and errors, and what is jerked most: near enough, so a remark and no problem."""
        most = named(self.report.jerks)
        return (str(self.report), f"jerked most: {most}") if most else (str(self.report),)

    @property
    def facts(self) -> dict[str, Any]:
        """The report."""
        return asdict(self.report)


def fit(
    document: Document,
    *,
    tolerance: float = 0.005,
    poses: int | None = None,
    align: Align | None = None,
    clip: str | None = None,
    progress: Progress | None = None,
) -> FitResult:
    """Replace a clip's dense samples by as few Bezier keys as keep every joint within `tolerance` metres.

    Or, the other way, by about so many `poses`, as near as they lead. `align` says which channels share their key
    times: none ("channel"), those of a joint, or those of the body, as poses do unless told otherwise. What contacts of
    the document hold stays planted.
    """
    dense = the_clip(document, clip)
    planted = [rule for rule in document.rules(dense.name) if rule.is_planted]
    if poses is None:
        fitted, report = fit_clip(document.rig, dense, tolerance, align or "channel", progress, planted=planted)
    else:
        fitted, report = fit_poses(document.rig, dense, poses, align or "body", progress, planted=planted)
    return FitResult(document if fitted == dense else replace_clip(document, dense.name, fitted), report)


@dataclass(frozen=True, slots=True, repr=False)
class SeamResult(Result):
    """A loop that flows on, and how many of its curves did not."""

    smoothed: int

    @property
    def lines(self) -> tuple[str, ...]:
        """How many curves changed."""
        count = f"{self.smoothed} curve{'' if self.smoothed == 1 else 's'}"
        return (f"{count} had a kink at the seam" if self.smoothed else "every curve flows on already",)

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {"smoothed": self.smoothed}


def smooth_seam(document: Document, *, clip: str | None = None) -> SeamResult:
    """A clip whose curves flow from its end into its start: ends with two slopes get their mean; no key moves.

    Where one of the keys is broken, a kink is wanted and stays.
    """
    found, smoothed = the_clip(document, clip), 0
    for layer in (None, *(each.name for each in found.layers)):
        changed = {}
        for name, curve in curves_of(document, found.name, layer).items():
            slopes = seam_slopes(curve, found.start, found.end)
            if slopes is not None and not passes(slopes):
                changed[name] = with_seam_slope(curve, sum(slopes) / 2)
        if changed:
            document, smoothed = set_curves(document, found.name, changed, layer=layer), smoothed + len(changed)
    return SeamResult(document, smoothed)


@dataclass(frozen=True, slots=True, repr=False)
class LoopResult(Result):
    """A document with a loop that was cut out of a clip, as a clip of its own; from when to when, in the old one."""

    clip: Clip
    source: Clip
    cycle: Cycle

    @property
    def lines(self) -> tuple[str, ...]:
        """Where it was cut, and how well its ends met there."""
        first, last = (frame_read(self.source, time) for time in (self.cycle.start, self.cycle.end))
        length = self.cycle.end - self.cycle.start
        return (
            f"{self.clip.name!r} goes round in {length:.2f} s: frames {first} to {last} of {self.source.name!r}",
            f"both ends were {1000 * self.cycle.apart_m:.0f} mm apart on average over the body, and meet now",
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {
            "clip": self.clip.name,
            "start": self.cycle.start,
            "end": self.cycle.end,
            "apart_mm": 1000 * self.cycle.apart_m,
        }


def loop(
    document: Document,
    *,
    start: float | None = None,
    end: float | None = None,
    in_place: bool = False,
    clip: str | None = None,
) -> LoopResult:
    """One more clip: a round of a motion that flows on for ever, cut where it comes back to a pose.

    From `start` to `end` in seconds, or where poses are most alike. The way over the ground stays, unless it is asked
    for `in_place`.
    """
    source = the_clip(document, clip)
    if (start is None) != (end is None):
        raise InvalidEdit("a round needs both a start and an end, or neither", "start", "end")
    if start is None or end is None:
        cycle = find_cycle(document.rig, source)
    else:
        cycle = Cycle(start, end, ends_apart(document.rig, source, start, end))
    made = close_cycle(document.rig, source, cycle.start, cycle.end, in_place=in_place)
    made = replace(made, name=free_clip_name(document, f"{source.name} loop"))
    return LoopResult(add_clip(document, made), made, source, cycle)
