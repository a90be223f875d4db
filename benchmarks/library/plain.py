"""Captured motion by plain numpy and scipy, which share no code with us: files parsed, curves evaluated, bodies posed.

Lengths are in the file's units until `Capture.in_metres`, axes always the file's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from scipy.spatial.transform import Rotation

REAL_FILES = Path(__file__).parents[3] / "shared" / "data"
CLIPS = tuple(sorted(path for folder in ("clips", "cmu") for path in (REAL_FILES / "bvh" / folder).glob("*.bvh")))
"""Files of real capture beside the checkout, where they are there."""

QUARTERS = 4
"""Looks from one frame to the next."""

BESIDE = 0.03
"""Metres from a bone to the point that tells its twist."""

JUMP = 3.0
"""Programs that convert capture set a T-pose in front: no motion, and no rate can follow it."""

CONSTANT, LINEAR, BEZIER = range(3)


class Moving(Protocol):
    """Something that turns and moves joints as time goes on."""

    def locals(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How joints are turned (T, J, 4) xyzw and where they are (T, J, 3) in their parents, at frame numbers (T,)."""


@dataclass(frozen=True)
class Capture:
    """A BVH file: local rotations (F, J, 4) xyzw and translations (F, J, 3), End Sites."""

    names: list[str]
    parents: list[int]
    ends: list[tuple[int, np.ndarray]]
    quaternions: np.ndarray
    translations: np.ndarray
    frame_time: float

    @property
    def frames(self) -> int:
        return len(self.quaternions)

    @property
    def seconds(self) -> float:
        return (self.frames - 1) * self.frame_time

    def in_metres(self, unit: float) -> Self:
        """The same with lengths times `unit`."""
        return replace(
            self, ends=[(j, unit * offset) for j, offset in self.ends], translations=unit * self.translations
        )

    def locals(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """On frames what the file says, between them even turns and even moves."""
        frames = np.arange(self.frames)
        turned = [straight(frames, self.quaternions[:, j], at, turning=True) for j in range(len(self.names))]
        moved = [straight(frames, self.translations[:, j], at, turning=False) for j in range(len(self.names))]
        return np.stack(turned, axis=1), np.stack(moved, axis=1)

    def world(self, at: np.ndarray, moving: Moving | None = None) -> tuple[np.ndarray, list[Rotation]]:
        """Joints and ends (T, J + E, 3), and how joints are turned, as captured or as something else moves them."""
        quaternions, translations = (moving or self).locals(at)
        turned: list[Rotation] = []
        places: list[np.ndarray] = []
        for j, parent in enumerate(self.parents):
            local, moved = Rotation.from_quat(quaternions[:, j]), translations[:, j]
            turned.append(local if parent < 0 else turned[parent] * local)
            places.append(moved if parent < 0 else places[parent] + turned[parent].apply(moved))
        places += [places[j] + turned[j].apply(offset) for j, offset in self.ends]
        return np.stack(places, axis=1), turned

    def positions(self, at: np.ndarray, moving: Moving | None = None) -> np.ndarray:
        """Joints and ends (T, J + E, 3)."""
        return self.world(at, moving)[0]

    def looked_at(self, moving: Moving | None = None) -> np.ndarray:
        """Joints, ends and the points beside bones (4F − 3, 2J + E, 3), on frames and at the quarters between."""
        places, turned = self.world(np.arange(QUARTERS * self.frames - QUARTERS + 1) / QUARTERS, moving)
        beside = [places[:, j] + turned[j].apply(offset) for j, offset in enumerate(self.beside())]
        return np.concatenate([places, np.stack(beside, axis=1)], axis=1)

    def beside(self) -> np.ndarray:
        """(J, 3) in each joint's frame: BESIDE off the joint, square to its bone, towards the axis farthest from it.

        A joint's bone leads to its first child or End Site. The point shows a twist that the bone's ends do not.
        """
        made = []
        for j in range(len(self.names)):
            children = [self.translations[0, child] for child, parent in enumerate(self.parents) if parent == j]
            tips = [*children, *(offset for joint, offset in self.ends if joint == j)]
            bone = next((tip / length for tip in tips if (length := np.linalg.norm(tip)) > 0), np.zeros(3))
            axis = np.eye(3)[np.abs(bone).argmin()]
            square = axis - bone * bone.dot(axis)
            made.append(BESIDE * square / np.linalg.norm(square))
        return np.array(made)

    @property
    def begins_with_a_set_pose(self) -> bool:
        """Whether joints jump from frame 0 to 1, on average, JUMP times as far as from 1 to 2."""
        places = self.positions(np.arange(min(3.0, self.frames)))
        steps = np.linalg.norm(np.diff(places, axis=0), axis=-1).mean(axis=1)
        return len(steps) == 2 and bool(steps[0] > JUMP * steps[1])

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


def without_first_frame(path: Path, made: Path) -> None:
    """Copy a BVH file, all but its first row."""
    head, _, body = path.read_text(encoding="utf-8", errors="replace").partition("MOTION")
    _, _, rest = body.partition("Frame Time:")
    frame_time, _, table = rest.strip().partition("\n")
    rows = table.strip().splitlines()[1:]
    made.write_text(f"{head}MOTION\nFrames: {len(rows)}\nFrame Time: {frame_time.strip()}\n" + "\n".join(rows) + "\n")


def straight(times: np.ndarray, values: np.ndarray, at: np.ndarray, *, turning: bool) -> np.ndarray:
    """Values (n, 3) or quaternions (n, 4) at other times: even moves or even turns by the shorter way; held outside."""
    if len(times) == 1:
        return np.repeat(values, len(at), axis=0)
    left = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    share = np.clip((at - times[left]) / (times[left + 1] - times[left]), 0.0, 1.0)[:, None]
    if not turning:
        return values[left] * (1 - share) + values[left + 1] * share
    a, b = (Rotation.from_quat(values[side]) for side in (left, left + 1))
    return (a * Rotation.from_rotvec((a.inv() * b).as_rotvec() * share)).as_quat()


@dataclass(frozen=True)
class Keys:
    """A curve's keys, handles (n, 2) as places in time and value, and how it goes on from each; held outside."""

    times: np.ndarray
    values: np.ndarray
    before: np.ndarray
    after: np.ndarray
    kinds: np.ndarray

    def at(self, times: np.ndarray) -> np.ndarray:
        """Values: straight, held, or on the cubic whose time is found by halving."""
        if len(self.times) == 1:
            return np.full(len(times), self.values[0])
        times = np.clip(times, self.times[0], self.times[-1])
        k = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 2)
        start, end = self.times[k], self.times[k + 1]
        u = (times - start) / (end - start)
        curved = self.kinds[k] == BEZIER
        u[curved] = _halved(start, self.after[k, 0], self.before[k + 1, 0], end, times, curved)
        made = self.values[k] * (1 - u) + self.values[k + 1] * u
        made[curved] = _cubic(self.values[k], self.after[k, 1], self.before[k + 1, 1], self.values[k + 1], u)[curved]
        held = (self.kinds[k] == CONSTANT) & (times < end)
        made[held] = self.values[k][held]
        return made


def _cubic(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, u: np.ndarray) -> np.ndarray:
    v = 1 - u
    return v**3 * a + 3 * v**2 * u * b + 3 * v * u**2 * c + u**3 * d


def _halved(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, times: np.ndarray, curved: np.ndarray
) -> np.ndarray:
    """Where along their cubics some times are, to 2⁻⁴⁰."""
    a, b, c, d, times = (each[curved] for each in (a, b, c, d, times))
    low, high = np.zeros(len(times)), np.ones(len(times))
    for _ in range(40):
        middle = 0.5 * (low + high)
        early = _cubic(a, b, c, d, middle) < times
        low, high = np.where(early, middle, low), np.where(early, high, middle)
    return 0.5 * (low + high)


@dataclass(frozen=True)
class Angles:
    """Joints turned by three angles each and moved by three numbers, whatever gives these at frame numbers.

    orders  by joint, as intrinsic sequences, "ZYX" for Rz·Ry·Rx
    rests   (J, 3) where joints are that do not move
    axes    for each of the file's axes, which of the angles' it is, and the sign
    """

    names: Sequence[str]
    orders: Sequence[str]
    rests: np.ndarray
    axes: Sequence[tuple[int, float]] = ((0, 1.0), (1, 1.0), (2, 1.0))

    def posed(self, values: dict[str, np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
        """Quaternions and translations (count, J, …) of channels "joint.rx" … "joint.tz"; absent ones stay at rest."""
        quaternions = np.empty((count, len(self.names), 4))
        translations = np.repeat(self.rests[None], count, axis=0)
        for j, (name, order) in enumerate(zip(self.names, self.orders, strict=True)):
            nought = np.zeros(count)
            angles = [values.get(f"{name}.r{axis.lower()}", nought) for axis in order]
            quaternions[:, j] = Rotation.from_euler(order, np.stack(angles, axis=1)).as_quat()
            for n, axis in enumerate("xyz"):
                if f"{name}.t{axis}" in values:
                    translations[:, j, n] = values[f"{name}.t{axis}"]
        axes, signs = [axis for axis, _ in self.axes], np.array([sign for _, sign in self.axes])
        # A turn of axes turns the axis of a rotation and leaves its angle.
        quaternions[..., :3] = signs * quaternions[..., axes]
        return quaternions, signs * translations[..., axes]


@dataclass(frozen=True)
class Distance:
    """Metres between two motions: the most and the mean, over frames and over frames and their quarters."""

    frames_max: float
    frames_mean: float
    quarters_max: float
    quarters_mean: float

    @classmethod
    def between(cls, one: np.ndarray, other: np.ndarray) -> Self:
        """Of places (4F − 3, P, 3)."""
        off = np.linalg.norm(one - other, axis=-1)
        figures = (off[::QUARTERS].max(), off[::QUARTERS].mean(), off.max(), off.mean())
        return cls(*map(float, figures))


def slide(places: np.ndarray) -> float:
    """The largest distance between any two places (n, 3) where a point is while it should stand."""
    return float(max(np.linalg.norm(places[n:] - places[n], axis=-1).max() for n in range(len(places))))


def accelerations(positions: np.ndarray) -> np.ndarray:
    """Metres a frame a frame (F − 2, P) of places on frames (F, P, 3)."""
    return np.linalg.norm(positions[2:] - 2 * positions[1:-1] + positions[:-2], axis=-1)


def pops(before: np.ndarray, after: np.ndarray) -> int:
    """Frames and points at which places on frames are jerked harder than 1.5 times as before and 5 mm more."""
    return int((accelerations(after) > 1.5 * accelerations(before) + 0.005).sum())
