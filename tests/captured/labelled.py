"""How well contacts are found, against labels made by eye: counted in frames, by plain numpy and its own BVH reader."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inbetweener.contacts import Suggestion
from inbetweener.contacts.slide import TRUSTED
from tests.captured import plain

LABELS = tomllib.loads((Path(__file__).parent / "labels.toml").read_text(encoding="utf-8"))
PATHS = {path.stem: path for path in plain.CLIPS if path.stem in LABELS}


@dataclass(frozen=True)
class Count:
    """Frames that are planted and found, found alone, and planted alone."""

    both: int = 0
    found: int = 0
    planted: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.both + other.both, self.found + other.found, self.planted + other.planted)

    @property
    def precision(self) -> float:
        return self.both / max(self.both + self.found, 1)

    @property
    def recall(self) -> float:
        return self.both / max(self.both + self.planted, 1)


def within(ranges: str, frames: int) -> np.ndarray:
    """Which frames are in ranges as "3-7 12-20", both ends included."""
    inside = np.zeros(frames, bool)
    for each in ranges.split():
        first, last = map(int, each.split("-"))
        inside[first : last + 1] = True
    return inside


def limbs(stem: str) -> list[str]:
    return [key for key in LABELS[stem] if key.endswith(("Foot", "Hand"))]


def group(stem: str, limb: str) -> str:
    return "hands" if limb.endswith("Hand") else f"{LABELS[stem]['kind']}s"


def judge(stem: str, suggestions: tuple[Suggestion, ...], every: int = 1, names: list[str] | None = None) -> dict[str, Count]:
    """Counts of each labelled limb: what is trusted on its joint or any below counts as found.

    `every` says that only each so-many-th frame was kept, and `names` how joints are called if not as in the file.
    """
    label, capture = LABELS[stem], plain.read(PATHS[stem])
    assert capture.frames == label["frames"], f"{stem} is another file than the one that was labelled"
    counts = {}
    for limb in limbs(stem):
        below = {capture.names.index(limb)}
        for j, parent in enumerate(capture.parents):
            if parent in below:
                below.add(j)
        own = {(names or capture.names)[j] for j in below}
        planted = within(label[limb], capture.frames)
        either = within(label.get(f"{limb}_either", ""), capture.frames) | ~within(label["judged"], capture.frames)
        for change in np.flatnonzero(np.diff(planted)):
            if not either[change] and not either[change + 1]:
                either[max(0, change + 1 - label["margin"]) : change + 1 + label["margin"]] = True
        found = np.zeros(capture.frames, bool)
        for each in suggestions:
            if each.confidence >= TRUSTED and each.point.joint in own:
                first, last = (round(time / (capture.frame_time * every)) * every for time in (each.start, each.end))
                found[first : last + 1] = True
        kept = ~either & (np.arange(capture.frames) % every == 0)
        counts[limb] = Count(*(int((kept & of).sum()) for of in (planted & found, found & ~planted, planted & ~found)))
    return counts
