"""Power cuts at random moments of scripted editing: no acknowledged step and no acknowledged save is lost.

`python -m torture.power_cuts [--count CUTS] [--seed SEED]`. What a cut leaves is made by `torture.remembering_disk`.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.harness import Figure
from inbetweener.document import Document, History, read_native
from inbetweener.document.journal import SMALLEST_OUTGROWN
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.project import Project
from inbetweener.studio.protocol import to_server
from tests.studio.documents import loose_arm
from tests.studio.served import join, served
from torture.command import main, told
from torture.remembering_disk import SURVIVALS, Mark, RememberingDisk
from torture.script import Step, step
from torture.studios import FILE, prepared, rewrite_from, workspace

A_ROUND = 50
"""Cuts of one recorded session."""
STEPS = 40
SAVES = 7
"""Every such step is a save."""


@dataclass(frozen=True)
class Told:
    """What the page had been told when: the history and what is in the file."""

    history: History
    saved: Document


@dataclass
class Tally:
    """What was counted."""

    cuts: int = 0
    operations: int = 0
    steps: int = 0
    ahead: int = 0
    survivals: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


def drive(count: int, seed: int) -> list[Figure]:
    """Cut the power `count` times."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="inbetweener-power-") as folder:
        while tally.cuts < count:
            number = tally.cuts
            root = prepared(Path(folder).resolve() / str(number), loose_arm())
            _round(root, Random(f"{seed} {number}"), min(A_ROUND, count - number), tally)
    return [
        Figure("power cuts", tally.cuts, ""),
        *(Figure(f"of them leaving of what was not synced: {each}", tally.survivals[each], "") for each in SURVIVALS),
        Figure("operations on the disk that were recorded", tally.operations, ""),
        Figure("steps and saves acknowledged in the recorded sessions", tally.steps, ""),
        Figure("cuts after which the step under way was there already", tally.ahead, ""),
        Figure("acknowledged steps or saves lost, or work that does not open", told(tally.lost), "", at_most=0),
    ]


def _round(root: Path, random: Random, cuts: int, tally: Tally) -> None:
    disk = RememberingDisk(root)
    with disk.recording(), _rewriting_often():
        _edit(root, disk, random)
    tally.operations += len(disk.log)
    moments = [at for at, each in enumerate(disk.log) if isinstance(each, Mark)]
    knowledge: list[Told] = [each.what for each in disk.log if isinstance(each, Mark)]
    tally.steps += len(knowledge) - 1
    for _ in range(cuts):
        # Before the first mark nobody has been told anything.
        end = random.randrange(moments[0] + 1, len(disk.log) + 1)
        last = sum(at < end for at in moments) - 1
        survival = random.choice(SURVIVALS)
        disk.cut(end, survival, random)
        tally.cuts += 1
        tally.survivals[survival] += 1
        # The step under way may have reached the disk before anybody was told.
        allowed = knowledge[last : last + 2]
        try:
            history, saved = _recovered(root)
        except InbetweenerError as error:
            tally.lost.append(f"cut {tally.cuts}, {survival}, after {end} operations: {error}")
            continue
        if history not in [each.history for each in allowed]:
            tally.lost.append(f"cut {tally.cuts}, {survival}, after {end} operations: another history")
        elif saved not in [each.saved for each in allowed]:
            tally.lost.append(f"cut {tally.cuts}, {survival}, after {end} operations: another file")
        tally.ahead += history != allowed[0].history


@contextmanager
def _rewriting_often() -> Iterator[None]:
    rewrite_from(1)
    try:
        yield
    finally:
        rewrite_from(SMALLEST_OUTGROWN)


def _edit(root: Path, disk: RememberingDisk, random: Random) -> None:
    """Edit and save through a real page of a real Studio; what it was told when is marked."""
    with served(root, Origin(path=FILE)) as studio, join(studio) as page:
        saved = studio.session.editor.document
        disk.mark(Told(studio.session.editor.history, saved))
        for number in range(1, STEPS + 1):
            if number % SAVES:
                wish = step(random)
            else:
                wish = Step(to_server.Save(id=0))
                saved = studio.session.editor.document
            wish.play(page)
            disk.mark(Told(studio.session.editor.history, saved))


def _recovered(root: Path) -> tuple[History, Document]:
    """What a Studio started after the cut opens, and what the file holds."""
    place = workspace(root)
    place.lock()
    try:
        project = Project(place, Origin(path=FILE))
        history = project.session.editor.history
        project.session.stop()
        project.close()
    finally:
        place.release()
    return history, read_native(root / "project" / FILE)


if __name__ == "__main__":
    main("power_cuts", drive, 1000)
