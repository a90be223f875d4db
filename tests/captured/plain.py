"""Captured motion by plain numpy and scipy, which share no code with us: BVH parsed, turned straight between frames."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from inbetweener.document import Document
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Point
from tests.conftest import REAL_FILES

CLIPS = tuple(sorted(path for folder in ("clips", "cmu") for path in (REAL_FILES / "bvh" / folder).glob("*.bvh")))


@dataclass(frozen=True)
class Capture:
    """A BVH file: local rotations (F, J, 4) xyzw and translations (F, J, 3), End Sites, in its own units."""

    names: list[str]
    parents: list[int]
    ends: list[tuple[int, np.ndarray]]
    quaternions: np.ndarray
    translations: np.ndarray
    frame_time: float

    @property
    def frames(self) -> int:
        return len(self.quaternions)

    def world(self, at: np.ndarray) -> tuple[np.ndarray, list[Rotation]]:
        """Joints and ends (T, J + E, 3), and how joints are turned, at frames and between: even turns, even moves."""
        left = np.clip(np.floor(at).astype(int), 0, max(self.frames - 2, 0))
        right = np.minimum(left + 1, self.frames - 1)
        share = (at - left)[:, None]
        turned: list[Rotation] = []
        places: list[np.ndarray] = []
        for j, parent in enumerate(self.parents):
            a, b = (Rotation.from_quat(self.quaternions[side, j]) for side in (left, right))
            local = a * Rotation.from_rotvec((a.inv() * b).as_rotvec() * share)
            moved = self.translations[left, j] * (1 - share) + self.translations[right, j] * share
            turned.append(local if parent < 0 else turned[parent] * local)
            places.append(moved if parent < 0 else places[parent] + turned[parent].apply(moved))
        places += [places[j] + turned[j].apply(offset) for j, offset in self.ends]
        return np.stack(places, axis=1), turned

    def positions(self, at: np.ndarray) -> np.ndarray:
        """Joints and ends (T, J + E, 3)."""
        return self.world(at)[0]

    def quarters(self, most: int = 400) -> np.ndarray:
        """Frame numbers a quarter, a half and three quarters after frames: of all, or of so many stretches of ten."""
        starts = np.arange(self.frames - 1)
        if len(starts) > most:
            starts = np.unique(np.linspace(0, len(starts) - 10, most // 10).astype(int)[:, None] + np.arange(10))
        return (starts[:, None] + np.array([0.25, 0.5, 0.75])).ravel()


def read(path: Path) -> Capture:
    """Parse a BVH file of the usual layout."""
    text = path.read_text(encoding="utf-8", errors="replace")
    words = iter(text.split("MOTION")[0].split())
    names: list[str] = []
    parents: list[int] = []
    offsets: list[np.ndarray] = []
    ends: list[tuple[int, np.ndarray]] = []
    channels: list[list[str]] = []
    above: list[int] = []
    for word in words:
        if word in ("ROOT", "JOINT"):
            names.append(next(words))
            parents.append(above[-1] if above else -1)
            channels.append([])
        elif word == "End":
            ends.append((above[-1], np.array([float(number) for number in [next(words) for _ in range(6)][3:]])))
            next(words)
        elif word == "{":
            above.append(len(names) - 1)
        elif word == "}":
            above.pop()
        elif word == "OFFSET":
            offsets.append(np.array([float(next(words)) for _ in range(3)]))
        elif word == "CHANNELS":
            channels[-1] = [next(words) for _ in range(int(next(words)))]
    head, _, body = text.split("MOTION")[1].partition("Frame Time:")
    frame_time, _, table = body.strip().partition("\n")
    rows = np.array(table.split(), float).reshape(int(head.split("Frames:")[1]), -1)
    quaternions = np.zeros((len(rows), len(names), 4))
    translations = np.repeat(np.array(offsets)[None], len(rows), axis=0)
    column = 0
    for j, own in enumerate(channels):
        turn = Rotation.identity(len(rows))
        for channel in own:
            axis = "XYZ".index(channel[0])
            if channel.endswith("position"):
                translations[:, j, axis] = rows[:, column]
            else:
                turn = turn * Rotation.from_rotvec(np.radians(rows[:, column])[:, None] * np.eye(3)[axis])
            column += 1
        if own[0].endswith("position") and np.abs(translations[:, j]).max() < 1e-4 * np.abs(offsets[j]).max():
            # Some programs write positions and leave them at nought: then they are shifts from the OFFSET.
            translations[:, j] += offsets[j]
        quaternions[:, j] = turn.as_quat()
    return Capture(names, parents, ends, quaternions, translations, float(frame_time))


def in_metres(points: np.ndarray, document: Document) -> np.ndarray:
    """Points of a file in our metres, y up."""
    assert document.source is not None
    x, y, z = np.moveaxis(points * document.source.unit, -1, 0)
    return np.stack([x, z, -y] if document.source.up == "z" else [x, y, z], axis=-1)


def ours(document: Document, clip: Clip, at: np.ndarray) -> np.ndarray:
    """Joints and ends (T, J + E, 3) of a clip as our curves have them at frame numbers."""
    places = [*(Point(joint.name) for joint in document.rig.joints), *document.rig.points]
    return Motion(document.rig, clip).point_positions(at / clip.rate, places)
