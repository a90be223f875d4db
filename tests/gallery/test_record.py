"""What is kept says whether it is fresh: whatever an exhibit comes from is in its fingerprint, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.gestures import fox_tail
from benchmarks.harness import Figure
from gallery import build
from gallery.exhibit import Exhibit, Shot
from gallery.exhibits import EXHIBITS
from gallery.movie import Film
from gallery.record import Record, fingerprint, read, sources
from tests.gallery.test_page import work

FIRST = EXHIBITS[0]
KEPT = Record("digest", ["before"], [Figure("slide", 1.0, "mm", at_most=2)], [], "", Film(3, 24.0, 1, 1), 0.5)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    KEPT.write(tmp_path / "kept.json")
    assert read(tmp_path / "kept.json") == KEPT


def test_what_cannot_be_read_is_built_again(tmp_path: Path) -> None:
    assert read(tmp_path / "missing.json") is None
    (tmp_path / "old.json").write_text('{"fingerprint": "digest", "frames": 3}')
    assert read(tmp_path / "old.json") is None


def test_a_fingerprint_knows_the_scene_and_how_it_is_shown() -> None:
    assert fingerprint(FIRST) == fingerprint(FIRST)
    assert fingerprint(FIRST) != fingerprint(replace(FIRST, shot=Shot(1, columns=1)))
    assert fingerprint(FIRST) == fingerprint(replace(FIRST, claim="in other words")), "words need no new movie"


def test_sources_are_followed_through_what_a_scene_takes_from_others() -> None:
    found = {path.name for path in sources(replace(FIRST, name="fox-tail", work=fox_tail.worked))}
    assert {"fox_tail.py", "worked.py", "harness.py", "fox.py", "optimise.py", "movie.py"} <= found
    assert not {"diver.py", "exhibits.py", "page.py"} & found


def test_fresh_exhibits_are_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "FOLDER", tmp_path)
    exhibit = Exhibit("bar", "Bar", "blending", "", "", "", work)
    first = build.built(exhibit, "one")
    written = (tmp_path / "bar.mp4").stat().st_mtime_ns
    assert build.built(exhibit, "one") == first
    assert (tmp_path / "bar.mp4").stat().st_mtime_ns == written
    assert build.built(exhibit, "two").fingerprint == "two"
    assert (tmp_path / "bar.mp4").stat().st_mtime_ns > written
