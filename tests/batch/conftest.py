"""A small library of motion, and recipes that cost little."""

from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.batch import Recipe, parse_recipe

QUICK = """
[limits]
seconds = 60

[[step]]
verb = "resample"
rate = 30

[[export]]
suffix = ".tween"
"""


def captured(path: Path, start: float = 0.0, end: float = 0.5) -> None:
    """A short captured clip: a key on every frame."""
    waving = ib.example("waving")
    cut = ib.edits.set_clip_range(waving, waving.clip().name, start, end)
    ib.save(cut, path)


@pytest.fixture(scope="session")
def _clips(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("clips")
    made = []
    for number in range(3):
        path = folder / f"take{number}.bvh"
        with pytest.warns():
            captured(path, 0.1 * number, 0.5 + 0.1 * number)
        made.append(path.read_bytes())
    return made


@pytest.fixture
def library(tmp_path: Path, _clips: list[bytes]) -> Path:
    """Three takes in two folders, and something that is no motion."""
    folder = tmp_path / "library"
    (folder / "walks").mkdir(parents=True)
    for name, content in zip(("a.bvh", "walks/b.bvh", "walks/c.bvh"), _clips, strict=True):
        (folder / name).write_bytes(content)
    (folder / "notes.txt").write_text("no motion")
    return folder


@pytest.fixture
def quick() -> Recipe:
    return parse_recipe(QUICK)
