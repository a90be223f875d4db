"""Build exhibits: run the scene, film it, draw its curves, keep the figures; skip what is fresh."""

import time
from collections.abc import Sequence
from pathlib import Path

from gallery.curves import changed, draw
from gallery.exhibit import Exhibit
from gallery.movie import film
from gallery.record import Record, read

FOLDER = Path(__file__).parents[1] / "out" / "gallery"


def built(exhibit: Exhibit, now: str, *, again: bool = False) -> Record:
    """The exhibit's record, built where its fingerprint is not what it is `now`, or when asked to."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = read(_kept(exhibit))
    if kept and kept.fingerprint == now and _movie(exhibit).exists() and not again:
        return kept
    started = time.perf_counter()
    worked = exhibit.work()
    made = film(list(worked.versions.values()), worked.points, _movie(exhibit), exhibit.shot)
    curves, said = ([], "") if exhibit.shot.apart else (draw(worked.versions), changed(worked.versions))
    took = time.perf_counter() - started
    record = Record(now, list(worked.versions), list(worked.figures), curves, said, made, took)
    record.write(_kept(exhibit))
    return record


def kept(exhibits: Sequence[Exhibit]) -> dict[str, Record]:
    """Records of all exhibits that were ever built, fresh or not."""
    found = {exhibit.name: read(_kept(exhibit)) for exhibit in exhibits}
    return {name: record for name, record in found.items() if record}


def _kept(exhibit: Exhibit) -> Path:
    return FOLDER / f"{exhibit.name}.json"


def _movie(exhibit: Exhibit) -> Path:
    return FOLDER / f"{exhibit.name}.mp4"
