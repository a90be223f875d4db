"""`kill -9` of batches at random moments, of the driver and of its workers: nothing lost, twice, or half-written.

`python -m torture.batches [--count KILLS] [--seed SEED]`
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import inbetweener as ib
from benchmarks.harness import Figure
from inbetweener.batch import parse_recipe, plan, records
from torture.command import main, told

TAKES = 60
"""Files of one library; when all are done another recipe is run over them."""
LONGEST = 1.5
"""Seconds to a kill, at most: from the start, while much is imported, or from the first clip that is done."""
RECIPE = '[[step]]\nverb = "resample"\nrate = {rate}\n[[export]]\nsuffix = ".tween"\n[[export]]\nsuffix = ".bvh"\n'


@dataclass
class Tally:
    """What was counted."""

    kills: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    done: int = 0
    under_way: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)


def drive(count: int, seed: int) -> list[Figure]:
    """Kill `count` times."""
    tally, random = Tally(), Random(seed)
    with tempfile.TemporaryDirectory(prefix="inbetweener-batches-") as folder:
        root = Path(folder)
        _library(root / "library")
        rate = 20
        while tally.kills.total() < count:
            rate += 1
            _batch(root, rate, random, tally, count)
    return [
        Figure("kills", tally.kills.total(), ""),
        Figure("of them of the driver", tally.kills["driver"], ""),
        Figure("of them of a worker", tally.kills["worker"], ""),
        Figure("of them while a clip was being made", tally.under_way, ""),
        Figure("starts of batches", tally.starts, ""),
        Figure("clips done", tally.done, "", at_least=1),
        Figure("clips lost, or failed without cause", told(tally.lost), "", at_most=0),
        Figure("clips done twice", told(tally.twice), "", at_most=0),
        Figure("outputs half-written, or left lying about", told(tally.torn), "", at_most=0),
    ]


def _library(folder: Path) -> None:
    folder.mkdir()
    import warnings

    waving = ib.example("waving")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(TAKES):
            cut = ib.edits.set_clip_range(waving, waving.clip().name, 0.0, 0.3 + 0.02 * number)
            ib.save(cut, folder / f"take{number:02}.bvh")


def _batch(root: Path, rate: int, random: Random, tally: Tally, count: int) -> None:
    """One recipe over the library, killed again and again until all of it is done."""
    path, output = root / "recipe.toml", root / "out"
    path.write_text(RECIPE.format(rate=rate))
    recipe = parse_recipe(path.read_text())
    before: dict[str, tuple[int, int]] = {}
    while True:
        killing = tally.kills.total() < count
        tally.starts += 1
        code = _run(path, root, random, tally) if killing else _ended(path, root)
        after = _made(output, recipe.key)
        tally.twice += [f"{name} was made again" for name, when in before.items() if after.get(name) != when]
        tally.torn += _torn(output, rate)
        before = after
        if code == 0 and len(after) == TAKES:
            break
        if not killing and code:
            tally.lost.append(f"the batch ended with {code}")
            break
    tally.done += len(before)
    found = list(records(root / "library", output))
    tally.lost += [f"{each.name}: {each.problem}" for each in found if each.status != "done"]
    left = plan(recipe, root / "library", output)
    tally.lost += [f"{job.name} is missing" for job in left.jobs]
    tally.torn += [f"{each} was left" for each in (output / ".work").iterdir() if each.name != "lock"]


def _started(recipe: Path, root: Path) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-m", "inbetweener", "batch", recipe, root / "library", "-o", root / "out", "-j", "2"]
    with (root / "log").open("ab") as log:
        return subprocess.Popen([*words, "--json"], stdout=subprocess.PIPE, stderr=log)


def _ended(recipe: Path, root: Path) -> int:
    batch = _started(recipe, root)
    batch.communicate()
    return batch.returncode


def _run(recipe: Path, root: Path, random: Random, tally: Tally) -> int:
    """Start a batch and kill it, or one of its workers, at any moment; what it ended with."""
    batch = _started(recipe, root)
    whom, early, moment = random.choice(("driver", "worker")), random.random() < 0.2, random.uniform(0.0, LONGEST)
    working, done = threading.Event(), threading.Event()

    def watch() -> None:
        assert batch.stdout is not None
        for line in batch.stdout:
            if b'"event":"clip"' in line:
                working.set()
        batch.wait()
        working.set()
        done.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    if not early:
        working.wait()
    if not done.wait(moment):
        busy = any((root / "out" / ".work").glob("*/"))
        victim = batch.pid if whom == "driver" else random.choice(_children(batch.pid) or [batch.pid])
        if victim == batch.pid:
            whom = "driver"
        try:
            os.kill(victim, signal.SIGKILL)
            tally.kills[whom] += 1
            tally.under_way += busy
        except ProcessLookupError:
            pass  # it ended by itself, just now
    watcher.join()
    assert batch.stdout is not None
    batch.stdout.close()
    return batch.returncode


def _children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] + [
            int(each)
            for task in Path(f"/proc/{pid}/task").iterdir()
            if task.name != str(pid)
            for each in (task / "children").read_text().split()
        ]
    except OSError:
        return []  # it ended by itself, just now


def _made(output: Path, key: str) -> dict[str, tuple[int, int]]:
    """Records of this recipe, each with when it was made and which file it is."""
    found = {}
    for path in (output / "clips").glob("*/record.json"):
        if key in path.read_text():
            found[path.parent.name] = (path.stat().st_mtime_ns, path.stat().st_ino)
    return found


def _torn(output: Path, rate: int) -> list[str]:
    """Whatever can be seen in a clip's folder is whole: every file that its record names, and no other."""
    problems = []
    for folder in (output / "clips").glob("*/"):
        stem = folder.name.removesuffix(".bvh")
        names = {each.name for each in folder.iterdir()}
        if names != {"record.json", f"{stem}.tween", f"{stem}.bvh"}:
            problems.append(f"{folder.name} holds {sorted(names)}")
        elif ib.read(folder / f"{stem}.tween").document.clip().rate > rate:
            problems.append(f"{folder.name} is not of this batch")
    return problems


if __name__ == "__main__":
    main("batches", drive, 100)
