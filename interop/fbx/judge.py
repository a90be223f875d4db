"""Our reading of an FBX file against ufbx's: how far joints and vertices are apart, on frames and between them."""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.formats import write
from interop.blender import environment
from interop.blender.compare import Apart, Sight

BETWEEN = 0.381966
"""Of a frame: where times between frames lie."""


class JudgeFailed(Exception):
    """ufbx is absent or did not do its job."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worst over all clips, in parts of the character's height, on frames and between."""

    on: Apart
    between: Apart

    @property
    def missing(self) -> tuple[str, ...]:
        """Joints of ours that ufbx does not know."""
        return self.on.missing


def judged(document: Document, path: Path, most: int = 24) -> Verdict:
    """A document against the file that it came from or went to; `most` frames of every clip are looked at."""
    most = max(2, min(most, 240 // len(document.clips)))
    times = {clip.name: _times(clip.frame_times, clip.rate, most) for clip in document.clips}
    seen = look(path, {name: np.concatenate(pair).tolist() for name, pair in times.items()})
    worst = [Apart(0.0, 0.0), Apart(0.0, 0.0)]
    for name, (on, between) in times.items():
        both = np.concatenate([on, between])
        ours, theirs = Sight.of(document, name, both), seen[name]
        for n, part in enumerate((slice(0, len(on)), slice(len(on), len(both)))):
            if len(both[part]):
                worst[n] = worst[n].worse(Apart.between(ours.at(part), theirs.at(part)))
    return Verdict(*worst)


def look(path: Path, clips: dict[str, list[float]]) -> dict[str, Sight]:
    """What ufbx sees of a file at times of its clips."""
    with tempfile.TemporaryDirectory() as folder:
        job, seen = Path(folder) / "job.json", Path(folder) / "seen.npz"
        job.write_text(json.dumps({"source": str(path), "clips": clips, "seen": str(seen)}))
        command = [sys.executable, str(Path(__file__).with_name("inside.py")), str(job)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not seen.is_file():
            raise JudgeFailed(f"ufbx failed on {path}:\n{done.stderr[-2000:]}")
        return Sight.recorded(seen)


def seen_in_blender(document: Document) -> Apart:
    """The first clip of a document, written with a key on every frame, as Blender imports it."""
    clip = document.clips[0]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write(document, place / "ours.fbx", sampled=True)
        times = clip.frame_times[:: max(1, len(clip.frame_times) // 24)]
        job = {
            "source": str(place / "ours.fbx"),
            # Blender starts at frame 1 unless told.
            "importing": {"anim_offset": 0.0},
            "rate": round(clip.rate),
            "clips": {clip.name: times.tolist()},
            "seen": str(place / "seen.npz"),
        }
        environment.do(job, place)
        return Apart.between(Sight.of(document, clip.name, times), Sight.recorded(place / "seen.npz")[clip.name])


def _times(frames: Floats, rate: float, most: int) -> tuple[Floats, Floats]:
    """Some of the frames, and as many times between."""
    chosen = frames[np.unique(np.linspace(0, len(frames) - 1, min(most, len(frames))).round().astype(int))]
    between = chosen[:-1] + BETWEEN / rate
    return chosen, between
