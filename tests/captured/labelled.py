"""How well contacts are found, against labels made by eye: counted in frames, by plain numpy and its own BVH reader."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inbetweener.contacts import Suggestion
from inbetweener.contacts.suggest import TRUSTED
from inbetweener.formats.bvh.read import read
from inbetweener.rig import Point
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


def judge(
    stem: str, suggestions: tuple[Suggestion, ...], every: int = 1, names: list[str] | None = None
) -> dict[str, Count]:
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
            if each.confidence >= TRUSTED and isinstance(each.point, Point) and each.point.joint in own:
                first, last = (round(time / (capture.frame_time * every)) * every for time in (each.start, each.end))
                found[first : last + 1] = True
        kept = ~either & (np.arange(capture.frames) % every == 0)
        counts[limb] = Count(*(int((kept & of).sum()) for of in (planted & found, found & ~planted, planted & ~found)))
    return counts


def by_group(counts: dict[str, dict[str, Count]]) -> dict[str, Count]:
    """Walks, runs, others and hands, each with all of its clips."""
    groups: dict[str, Count] = {}
    for stem, limbs_ in counts.items():
        for limb, count in limbs_.items():
            name = "hands" if limb.endswith("Hand") else f"{LABELS[stem]['kind']}s"
            groups[name] = groups.get(name, Count()) + count
    return groups


def altered(stem: str, folder: Path, every: int = 1, jitter: float = 0.0, drift: float = 0.0) -> Path:
    """The file with every so-many-th frame alone, with noise and drift.

    `jitter` metres is what feet come to shake by along each axis (standard deviation), partly by the root, partly by
    all angles, 0.6 rad a metre; `drift` metres is how far the root has floated up and aside at the end.
    """
    source = read(PATHS[stem]).document.source
    assert source is not None
    unit = source.unit
    head, body = PATHS[stem].read_text(encoding="utf-8").split("MOTION")
    _, _, time, *rows = body.splitlines()
    channels = " ".join(re.findall(r"CHANNELS\s+\d+\s+(.*)", head)).split()
    table = np.array([row.split() for row in rows if row.strip()], float)
    noise = np.random.default_rng(len(table))
    turns = np.array([channel.endswith("rotation") for channel in channels])
    table[:, turns] += np.degrees(0.6 * jitter) * noise.standard_normal((len(table), turns.sum()))
    table[:, :3] += 0.6 * jitter / unit * noise.standard_normal((len(table), 3))
    table[:, :3] += drift / unit * np.linspace(0.0, 1.0, len(table))[:, None]
    table = table[::every]
    frame_time = float(time.split(":")[1]) * every
    lines = "\n".join(" ".join(f"{value:.6f}" for value in row) for row in table)
    path = folder / f"{stem}.bvh"
    path.write_text(f"{head}MOTION\nFrames: {len(table)}\nFrame Time: {frame_time:.8f}\n{lines}\n", encoding="utf-8")
    return path
