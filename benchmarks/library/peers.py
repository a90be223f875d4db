"""Other programs that thin motion: each is given the same clip, and brought to the same measured error."""

import json
import math
import os
import resource
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

import numpy as np

from benchmarks.library import gltf
from benchmarks.library.ours import Take
from benchmarks.library.plain import QUARTERS, Angles, Moving
from interop.blender import environment

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = HERE / "node_modules"


class Absent(Exception):
    """A peer is not on this machine and cannot be installed."""


@dataclass(frozen=True)
class Thinned:
    """What a peer made of a clip: keys of scalar channels, keys as it counts them, one core's seconds."""

    setting: str
    moving: Moving
    keys: int
    whole_keys: int
    seconds: float


class Peer(ABC):
    """A program, at work on one clip; its settings are numbered, from the finest at 0 to the coarsest."""

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def install(cls) -> str:
        """Its version, once it is there; raises Absent."""

    @classmethod
    @abstractmethod
    @contextmanager
    def open(cls, take: Take, folder: Path) -> Iterator["Peer"]:
        """The program, ready to thin a clip."""

    coarsest: int
    first: int
    """Where to begin looking."""
    step: float
    """By what factor errors grow from one setting to the next, roughly."""
    ways: tuple[str, ...] = ("",)
    """Of going about it; all are tried, and the best counts."""

    @abstractmethod
    def thin(self, way: str, number: int) -> Thinned:
        """The clip at a setting."""


@dataclass(frozen=True)
class Played:
    """Channels as a program itself evaluates them at every quarter frame: values (T,) by name."""

    angles: Angles
    values: dict[str, np.ndarray]

    def locals(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = np.round(QUARTERS * at).astype(int)
        return self.angles.posed({name: values[rows] for name, values in self.values.items()}, len(at))


class Decimate(Peer):
    """Blender's Decimate in the graph editor, allowed an error: one margin for angles, one for places.

    It keeps the directions of handles. Automatic ones lose more keys where motion is smooth, but swing out where
    capture leaps; vector ones lead straight from key to key.
    """

    name = "Blender Decimate"
    step = 2 ** (1 / 8)
    finest = 1e-4
    coarsest = 8 * 12
    first = 8 * 4
    lever = 1.0
    """Metres that count as much as a radian."""
    ways = ("automatic", "vector")

    @classmethod
    def install(cls) -> str:
        try:
            environment.make()
        except environment.BlenderFailed as error:
            raise Absent(str(error)) from error
        return environment.REQUIREMENTS[0].removeprefix("bpy==")

    @classmethod
    @contextmanager
    def open(cls, take: Take, folder: Path) -> Iterator[Peer]:
        made = cls(take, folder)
        command = [str(environment.PYTHON), "-m", "benchmarks.library.inside_blender", str(folder)]
        with _talking(command) as made.program:
            made._answered()
            yield made

    program: subprocess.Popen[str]

    def __init__(self, take: Take, folder: Path) -> None:
        self.take, self.folder = take, folder
        curves, rate = take.dense.curves, take.dense.rate
        keys = [np.stack([curves[name].times * rate, curves[name].values]) for name in take.moving]
        np.savez(
            folder / "dense.npz",
            counts=np.array([each.shape[1] for each in keys]),
            keys=np.concatenate(keys, axis=1),
            places=np.array([".t" in name[-3:] for name in take.moving]),
            at=np.arange(QUARTERS * (take.capture.frames - 1) + 1) / QUARTERS,
        )
        still = {name: curve.values for name, curve in curves.items() if name not in take.moving}
        count = QUARTERS * (take.capture.frames - 1) + 1
        self.still = {name: np.full(count, value) for name, value in still.items()}

    def thin(self, way: str, number: int) -> Thinned:
        margin = self.finest * self.step**number
        _tell(self.program, f"{way} {margin!r} {self.lever * margin!r}")
        self._answered()
        with np.load(self.folder / "thin.npz") as thin:
            values = dict(zip(self.take.moving, thin["values"], strict=True))
            keys, seconds = int(thin["counts"].sum()), float(thin["seconds"])
        return Thinned(
            f"{way} handles, margin {margin:.3g}",
            Played(self.take.angles, {**self.still, **values}),
            keys,
            keys,
            seconds,
        )

    def _answered(self) -> None:
        while not _heard(self.program).startswith("DONE"):
            pass  # Blender prints what it likes between


class GltfTransform(Peer):
    """`resample` of @gltf-transform/functions, at a tolerance in its own unit: components of quaternions, metres."""

    name = "gltf-transform"
    step = 2 ** (1 / 8)
    finest = 1e-7
    coarsest = 8 * 20
    first = 8 * 9

    @classmethod
    def install(cls) -> str:
        return _node_modules("@gltf-transform/functions")

    @classmethod
    @contextmanager
    def open(cls, take: Take, folder: Path) -> Iterator[Peer]:
        made = cls(take, folder)
        with _talking([_node(), str(HERE / "resample.mjs"), str(made.dense), str(made.made)]) as made.program:
            _heard(made.program)
            yield made

    program: subprocess.Popen[str]

    def __init__(self, take: Take, folder: Path) -> None:
        self.take, self.dense, self.made = take, folder / "dense.glb", folder / "resampled.glb"
        gltf.write(take.capture, self.dense)

    def thin(self, way: str, number: int) -> Thinned:
        tolerance = self.finest * self.step**number
        _tell(self.program, repr(tolerance))
        seconds = float(_heard(self.program))
        tracks = gltf.read(self.made, self.take.capture)
        return Thinned(f"tolerance {tolerance:.3g}", tracks, tracks.keys, tracks.whole_keys, seconds)


class Gltfpack(Peer):
    """gltfpack, which samples everything at one rate: from all frames to twice a second."""

    name = "gltfpack"
    step = 1.1**2
    """Rates are a tenth apart, and errors of straight steps grow with the square."""
    slowest = 2.0

    @classmethod
    def install(cls) -> str:
        return _node_modules("gltfpack")

    @classmethod
    @contextmanager
    def open(cls, take: Take, folder: Path) -> Iterator[Peer]:
        yield cls(take, folder)

    def __init__(self, take: Take, folder: Path) -> None:
        self.take, self.dense, self.made = take, folder / "dense.glb", folder / "packed.glb"
        gltf.write(take.capture, self.dense)
        rate = 1 / take.capture.frame_time
        steps = range(1, int(math.log(rate / self.slowest) / math.log(1.1)))
        rates = {round(rate / 1.1**n) for n in steps}
        self.rates = [0, *sorted(rates - {round(rate)}, reverse=True)]
        self.coarsest = len(self.rates) - 1
        self.first = len(self.rates) // 2

    def thin(self, way: str, number: int) -> Thinned:
        rate = str(self.rates[number])
        command = [_node(), str(MODULES / "gltfpack" / "cli.js"), "-i", str(self.dense), "-o", str(self.made), "-kn"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "-af", rate], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        tracks = gltf.read(self.made, self.take.capture)
        said = "all frames" if rate == "0" else f"{rate} Hz"
        return Thinned(said, tracks, tracks.keys, tracks.whole_keys, seconds)


PEERS: tuple[type[Peer], ...] = (Decimate, Gltfpack, GltfTransform)


@contextmanager
def _talking(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that answers lines; it ends with the block."""
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        try:
            yield program
        finally:
            assert program.stdin is not None
            program.stdin.close()


def _tell(program: subprocess.Popen[str], line: str) -> None:
    said: IO[str] | None = program.stdin
    assert said is not None
    said.write(line + "\n")
    said.flush()


def _heard(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    line = program.stdout.readline()
    if not line:
        raise RuntimeError(f"{Path(str(program.args[0])).name} ended without an answer")  # type: ignore[index]
    return line.strip()


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise Absent("no node on this machine")
    return node


def _node_modules(package: str) -> str:
    """The version of a package, once all are installed beside this file as package-lock.json names them."""
    _node()
    facts = MODULES / package / "package.json"
    if not facts.is_file():
        npm = shutil.which("npm")
        if npm is None:
            raise Absent("no npm on this machine")
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, env=os.environ)
        if done.returncode:
            raise Absent(f"npm could not install it: {done.stderr.strip()[-300:]}")
    return str(json.loads(facts.read_text())["version"])
