"""Captured motion, as it came and fitted; each file is read once."""

import warnings
from functools import cache
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.motion import Clip, Motion, fit_clip
from inbetweener.rig import Rig


@cache
def _captured(path: Path) -> Motion:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ib.errors.RepairWarning)
        document = ib.load(path)
    return Motion(document.rig, document.clip())


@cache
def _fitted(path: Path) -> tuple[Rig, Clip]:
    motion = _captured(path)
    # A runner's foot stands for a fifth of a second: looser fits may leave too few keys there to hold it.
    return motion.rig, fit_clip(motion.rig, motion.clip, tolerance_m=0.004)[0]


class Captures:
    """Clips of the CMU database by file name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def dense(self, name: str) -> Motion:
        return _captured(self.folder / f"{name}.bvh")

    def fitted(self, name: str) -> tuple[Rig, Clip]:
        return _fitted(self.folder / f"{name}.bvh")


@pytest.fixture(scope="session")
def captures(data: Path) -> Captures:
    return Captures(data / "bvh" / "cmu")
