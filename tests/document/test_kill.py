"""Killing the process at any moment loses no acknowledged step."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from inbetweener.document import Editor, read_journal
from tests.document.committer import take
from tests.document.puppet import puppet

ROUNDS, KILLS = 4, 50
LIMIT = 6
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def committer() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.document.committer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        # A process that forks should have no threads.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


def killed(committer: subprocess.Popen[bytes], step: int, journal: Path, random: Random) -> int:
    """Let a worker go on from `step`, kill it after a few steps and a moment; returns the step after the last one
    that it acknowledged."""
    assert committer.stdin is not None
    assert committer.stdout is not None
    committer.stdin.write(f"{step} {journal}\n".encode())
    committer.stdin.flush()
    worker = int(committer.stdout.readline())
    for _ in range(random.randint(0, 5)):
        line = committer.stdout.readline()
        assert int(line) == step  # an error would have ended the worker
        step += 1
    end = time.perf_counter() + random.uniform(0, 0.004)
    while time.perf_counter() < end:
        pass
    os.kill(worker, signal.SIGKILL)
    while (line := committer.stdout.readline()) != b"ended\n":
        assert int(line) == step
        step += 1
    return step


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_no_acknowledged_step_is_lost(committer: subprocess.Popen[bytes], tmp_path: Path, seed: int) -> None:
    """Each round goes on with one journal through all its kills."""
    random = Random(seed)
    journal = tmp_path / "journal"
    Editor(puppet(), journal, limit=LIMIT).close()
    expected, taken = Editor(puppet(), limit=LIMIT), 0
    for _ in range(KILLS):
        acknowledged = killed(committer, taken, journal, random)
        while taken < acknowledged:
            take(expected, taken)
            taken += 1
        recovery = read_journal(journal)
        if recovery.history != expected.history:
            # The step under way may have reached the disk just before its acknowledgement was sent, but no other.
            take(expected, taken)
            taken += 1
            assert recovery.history == expected.history
    assert taken > KILLS
    Editor.recover(journal).close()
    assert {file.name for file in tmp_path.iterdir()} == {"journal", "journal.lock"}
