"""One writer at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inbetweener.document import History, InUse, read_journal
from inbetweener.document.journal import Journal
from inbetweener.system import Lock
from tests.document.puppet import puppet


def test_a_second_opener_is_told_who_holds_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal.create(path, History.of(puppet()))
    for attempt in (lambda: Journal.recover(path), lambda: Journal.create(path, History.of(puppet()))):
        with pytest.raises(InUse, match=rf"journal is in use by process {os.getpid()}; close it there first"):
            attempt()
    assert read_journal(path).history.document == puppet()  # reading needs no lock
    journal.close()
    again, _ = Journal.recover(path)
    again.close()


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """Even when the process has no chance to release it."""
    code = (
        "import os, pathlib, sys; from inbetweener.system import Lock;"
        "path = pathlib.Path(sys.argv[1]); lock = Lock(path, path); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InUse, match=f"by process {holder.pid}"):
            Lock(tmp_path / "lock", tmp_path / "journal")
        holder.kill()
        holder.wait()
        Lock(tmp_path / "lock", tmp_path / "journal").release()


def test_releasing_twice_does_not_close_somebody_elses_file(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock", tmp_path)
    lock.release()
    with (tmp_path / "other").open("w") as other:
        lock.release()
        other.write("still open")
