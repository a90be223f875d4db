"""Real captures, spoilt on purpose and by a seed; scipy turns and judges, nobody of ours."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from inbetweener.cleaning import Fault
from inbetweener.formats.bvh.read import read
from inbetweener.rig import Rig

QUIET = ("Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg", "Spine", "LeftArm", "LeftForeArm", "RightArm")
"""Joints of the CMU clips that capture noise mostly spares."""


@dataclass(frozen=True)
class Capture:
    """A clip as samples (F, C), without the T-pose that its first frame is."""

    rig: Rig
    rate: float
    samples: np.ndarray

    def turns(self, joint: str, samples: np.ndarray) -> Rotation:
        """How a joint is turned, frame by frame."""
        columns, order = self._columns(joint)
        return Rotation.from_euler(order, samples[:, columns])

    def turn(self, joint: str, samples: np.ndarray, frames: np.ndarray, turns: Rotation) -> None:
        """Turn a joint otherwise at some frames, in place."""
        columns, order = self._columns(joint)
        samples[np.ix_(frames, columns)] = turns.as_euler(order)

    def _columns(self, joint: str) -> tuple[list[int], str]:
        order = self.rig.joints[self.rig.joint_index(joint)].order
        return [self.rig.channel_index(f"{joint}.r{axis.lower()}") for axis in order], order

    def places(self) -> list[int]:
        """The columns of the root's place."""
        return [self.rig.channel_index(f"Hips.t{axis}") for axis in "xyz"]


@cache
def capture(path: Path, every: int = 1) -> Capture:
    """A real clip, or one frame in so many of it."""
    document = read(path).document
    clip = document.clip()
    samples = document.motion().channels(clip.frame_times)[1::every]
    return Capture(document.rig, clip.rate / every, samples)


Spoilt = tuple[str, str, int, int]
"""Kind, joint, first and last frame."""


def spoil(shot: Capture, kind: str, count: int, seed: int) -> tuple[np.ndarray, list[Spoilt]]:
    """Samples with faults of a kind, far enough from each other to tell them apart, and where they are."""
    random = np.random.default_rng(seed)
    samples, made = shot.samples.copy(), []
    taken = {joint: np.zeros(len(samples), bool) for joint in QUIET}
    long = 96 if kind == "jitter" else 1
    for _ in range(200 * count):
        if len(made) == count:
            break
        joint = "Hips" if kind == "spike" else str(random.choice(QUIET))
        length = {"flip": int(random.integers(1, 4)), "spike": int(random.integers(1, 3))}.get(kind, long)
        if kind == "gap":
            length = int(random.integers(6, 20))
        first = int(random.integers(20, max(21, len(samples) - length - 20)))
        last = first + length - 1
        if taken[joint][max(0, first - 40) : last + 41].any() or last > len(samples) - 20:
            continue
        if _put(shot, samples, kind, joint, np.arange(first, last + 1), random):
            taken[joint][first : last + 1] = True
            made.append((kind, joint, first, last))
    return samples, made


def _put(
    shot: Capture, samples: np.ndarray, kind: str, joint: str, frames: np.ndarray, random: np.random.Generator
) -> bool:
    turns = shot.turns(joint, samples)
    if kind == "flip":
        axis = random.normal(size=3)
        angle = np.radians(random.uniform(30.0, 180.0))
        shot.turn(joint, samples, frames, turns[frames] * Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)))
    elif kind == "spike":
        away = random.normal(size=3)
        samples[np.ix_(frames, shot.places())] += random.uniform(0.08, 0.4) * away / np.linalg.norm(away)
    elif kind == "gap":
        # Where a joint rests anyway, nothing is lost.
        steps = (turns[:-1].inv() * turns[1:]).magnitude()
        about = np.concatenate([steps[frames[0] - 13 : frames[0] - 1], steps[frames[-1] + 1 : frames[-1] + 13]])
        lost = (turns[frames[0] - 1].inv() * turns[frames[-1] + 1]).magnitude()
        if lost < np.radians(3.0) or np.median(about) < np.radians(0.1) or lost < 4.0 * np.median(about):
            return False
        shot.turn(joint, samples, frames, Rotation.concatenate([turns[frames[0] - 1]] * len(frames)))
    else:
        noise = Rotation.from_rotvec(random.normal(scale=np.radians(random.uniform(2.0, 4.0)), size=(len(frames), 3)))
        shot.turn(joint, samples, frames, turns[frames] * noise)
    return True


def is_found(spoilt: Spoilt, faults: tuple[Fault, ...]) -> bool:
    """Whether a fault of that kind meets the spoilt frames, most of them where they are many."""
    kind, joint, first, last = spoilt
    for each in faults:
        shared = min(last, each.last) - max(first, each.first) + 1
        if (each.joint, each.kind) == (joint, kind) and shared >= 0.7 * (last - first + 1):
            return True
    return False
