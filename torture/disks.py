"""Disks that are full, have no room for another file, or cannot be written: steps are refused in words, none is lost.

`python -m torture.disks [--count ROUNDS] [--seed SEED]`. Mounts small file systems, so it must be run as root.
"""

import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.harness import Figure
from inbetweener.document import read_journal, write_native
from inbetweener.studio.protocol import to_server
from inbetweener.studio.server.client import Client
from tests.studio.documents import loose_arm
from torture.command import main, told
from torture.script import Step, step
from torture.studios import FILE, Mirror, StudioProcess

STEPS = 12
"""Before, while and after the disk is used up."""
SAVES = 5
"""Every such step is a save."""
KINDS = ("full", "no room for another file", "read-only")


class NoMount(Exception):
    """No file system can be mounted here."""


@contextmanager
def mounted(place: Path, options: str = "size=3m,nr_inodes=60") -> Iterator[Path]:
    """A real file system of three megabytes and few files."""
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True, text=True)
    if done.returncode:
        raise NoMount(done.stderr.strip())
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path) -> list[Path]:
    """Leave no byte; returns what to delete to have room again."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096):
                pass
        except OSError:
            pass  # full: as it should be
    return [filler]


def use_up_inodes(disk: Path) -> list[Path]:
    """Leave no room for another file."""
    made = []
    try:
        for n in range(1000):
            (disk / f"file{n}").touch()
            made.append(disk / f"file{n}")
    except OSError:
        pass  # no more files can be made: as it should be
    return made


@dataclass
class Tally:
    """What was counted."""

    rounds: Counter[str] = field(default_factory=Counter)
    done: int = 0
    refused: int = 0
    problems: list[str] = field(default_factory=list)


def drive(count: int, seed: int) -> list[Figure]:
    """Use up `count` disks."""
    tally = Tally()
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        tally.rounds[kind] += 1
        with tempfile.TemporaryDirectory(prefix="inbetweener-disks-") as folder:
            for problem in _round(Path(folder), kind, Random(f"{seed} {number}"), tally):
                tally.problems.append(f"round {number}, {kind}: {problem}")
    return [
        *(Figure(f"disks: {kind}", tally.rounds[kind], "") for kind in KINDS),
        Figure("steps and saves done", tally.done, "", at_least=STEPS * count),
        Figure("steps and saves refused because of the disk", tally.refused, "", at_least=count),
        Figure("lost work, faults, tracebacks, refusals without a reason", told(tally.problems), "", at_most=0),
    ]


def _round(root: Path, kind: str, random: Random, tally: Tally) -> Iterator[str]:
    with mounted(root / "project") as disk:
        write_native(loose_arm(), disk / FILE)
        if kind == "read-only":
            # Before the start: nothing that is open for writing can be made read-only.
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        mirror = Mirror(loose_arm())
        studio = StudioProcess(root, smallest_outgrown=random.choice([1, 1 << 20]))
        try:
            with studio.join() as page:
                yield from _edit(page, mirror, random, tally)
                used = [] if kind == "read-only" else (fill if kind == "full" else use_up_inodes)(disk)
                yield from _edit(page, mirror, random, tally)
                if random.random() < 0.5:
                    # Dead while there is no room.
                    studio.kill()
                for each in used:
                    each.unlink()
                if studio.is_alive:
                    yield from _edit(page, mirror, random, tally)
        finally:
            studio.kill()
            mirror.close()
        (journal,) = root.rglob("*.journal")
        if read_journal(journal).history != mirror.editor.history:
            yield "the journal holds another history"
        if (log := (root / "log").read_text()) and "Traceback" in log:
            yield log


def _edit(page: Client, mirror: Mirror, random: Random, tally: Tally) -> Iterator[str]:
    for number in range(1, STEPS + 1):
        wish = step(random) if number % SAVES else Step(to_server.Save(id=0, replace=True))
        refused = wish.play(page)
        if refused is None:
            tally.done += 1
            if number % SAVES:
                wish.play(mirror)
        elif "No space left on device" in str(refused) or "Read-only file system" in str(refused):
            tally.refused += 1
        elif not number % SAVES or "mistake" in str(refused):
            yield f"refused without a reason: {refused}"


if __name__ == "__main__":
    main("disks", drive, 60)
