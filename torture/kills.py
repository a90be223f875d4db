"""`kill -9` of a Studio at random moments of scripted editing: every acknowledged step is there after the restart.

`python -m torture.kills [--count KILLS] [--seed SEED]`
"""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Timer

from websockets.exceptions import ConnectionClosed

from benchmarks.harness import Figure
from inbetweener.document import read_journal
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.client import Client
from tests.studio.documents import loose_arm
from torture.command import main, told
from torture.script import Step, step
from torture.studios import Mirror, StudioProcess, journal_of, prepared

A_ROUND = 25
"""Kills on one journal before another one is begun: histories are compared as a whole, and grow."""
LONGEST = 0.4
"""Seconds from a start to the kill, at most."""


@dataclass
class Tally:
    """What was counted."""

    kills: int = 0
    acknowledged: int = 0
    refused: int = 0
    under_way: int = 0
    kept_unacknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    tracebacks: int = 0


def drive(count: int, seed: int) -> list[Figure]:
    """Kill `count` times."""
    tally = Tally()
    while tally.kills < count:
        with tempfile.TemporaryDirectory(prefix="inbetweener-kills-") as folder:
            _round(Path(folder) / "root", Random(f"{seed} {tally.kills}"), min(A_ROUND, count - tally.kills), tally)
    return [
        Figure("kills", tally.kills, ""),
        Figure("of them while a step was under way", tally.under_way, ""),
        Figure("steps acknowledged", tally.acknowledged, "", at_least=count),
        Figure("steps refused in words", tally.refused, ""),
        Figure("steps on the disk whose acknowledgement was cut off", tally.kept_unacknowledged, ""),
        Figure("acknowledged steps lost, or others found", told(tally.lost), "", at_most=0),
        Figure("tracebacks in the log", tally.tracebacks, "", at_most=0),
    ]


def _round(root: Path, random: Random, kills: int, tally: Tally) -> None:
    document = loose_arm()
    prepared(root, document)
    mirror = Mirror(document)
    try:
        for kill in range(kills):
            studio = StudioProcess(root, smallest_outgrown=1)
            tally.kills += 1
            with studio.join() as page:
                if problem := _differs(page, mirror):
                    tally.lost.append(f"after kill {tally.kills - 1}: {problem}")
                under_way = _edited_until_killed(page, studio, random, mirror, tally)
            if _on_disk(root) != mirror.editor.history:
                # The step under way may have reached the disk just before its acknowledgement was sent; no other.
                if under_way is not None:
                    under_way.play(mirror)
                if _on_disk(root) == mirror.editor.history:
                    tally.kept_unacknowledged += 1
                else:
                    tally.lost.append(f"kill {tally.kills}: the journal holds another history, last was {under_way}")
                    return
            del kill
        tally.tracebacks += (root / "log").read_text().count("Traceback")
    finally:
        mirror.close()


def _edited_until_killed(
    page: Client, studio: StudioProcess, random: Random, mirror: Mirror, tally: Tally
) -> Step | None:
    """Edit until the kill comes, which another thread sends at any moment; returns the step that got no answer."""
    killer = Timer(random.uniform(0.0, LONGEST), studio.kill)
    killer.start()
    try:
        while True:
            wish = step(random)
            try:
                refused = wish.play(page)
            except (ConnectionClosed, OSError):
                tally.under_way += 1
                return wish
            if refused is None:
                tally.acknowledged += 1
                wish.play(mirror)
            else:
                tally.refused += 1
    finally:
        killer.join()


def _differs(page: Client, mirror: Mirror) -> str | None:
    """What the page of a restarted Studio shows otherwise than it should be."""
    page.ask(to_server.ShowArcs(id=0, arcs=[]))
    shown, history = page.newest(to_page.History), mirror.editor.history
    if (shown.labels, shown.at) != ([each.label for each in history.steps], history.at):
        return f"the page shows {shown.labels[-3:]} at {shown.at}, not {history.steps[-1].label} at {history.at}"
    return None


def _on_disk(root: Path) -> object:
    return read_journal(journal_of(root)).history


if __name__ == "__main__":
    main("kills", drive, 1000)
