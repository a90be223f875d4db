"""A disk that is full or may not be written: one true line, and nothing is lost."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import msgspec
import pytest

from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.session import Refusal
from tests.studio.served import join, served
from torture import disks


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            place = stack.enter_context(disks.mounted(tmp_path / "disk"))
        except disks.NoMount as error:
            pytest.skip(f"no file system can be mounted here: {error}")
        yield place


def rename(client: Client, name: str) -> None:
    client.ask(edit_requests.RenameDocument(id=0, name=name))


def rename_until_refused(client: Client) -> str:
    """The last name that was taken: where the disk is full, the journal's last page may still have some room."""
    taken = "one"
    for n in range(50):
        try:
            rename(client, f"{n}{'x' * 300}")
        except Refusal as refusal:
            assert "No space left on device" in str(refusal)  # noqa: PT017
            return taken
        taken = f"{n}{'x' * 300}"
    raise AssertionError("the disk was never full")


@pytest.mark.parametrize("use_up", [disks.fill, disks.use_up_inodes])
def test_starting_on_a_full_disk_is_one_clear_line(disk: Path, tmp_path: Path, use_up) -> None:  # type: ignore[no-untyped-def]
    (disk / "project").mkdir()
    use_up(disk)
    done = subprocess.run(
        [sys.executable, "-m", "inbetweener", "studio", "--folder", disk / "project", "--no-open", "waving"],
        env={**os.environ, "INBETWEENER_STATE": str(disk / "state"), "HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "fault" not in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_full_and_read_only_disks_are_told_truly(disk: Path, tmp_path: Path) -> None:
    (disk / "project").mkdir()
    (tmp_path / "project").symlink_to(disk / "project")
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        client.ask(to_server.Save(id=0, path="shot"))
        saved = (disk / "project" / "shot.tween").read_bytes()
        (filler,) = disks.fill(disk)
        # A step that cannot be kept is not taken, and says so.
        taken = rename_until_refused(client)
        assert studio.session.editor.document.name == taken
        for request in (
            to_server.Save(id=0, path="shot", replace=True),
            to_server.Export(id=0, path="shot.glb"),
            to_server.Export(id=0, path="shot.mp4", width=64, height=64),
            to_server.Export(id=0, path="shot.png", width=64, height=64),
        ):
            with pytest.raises(Refusal) as told:
                client.ask(request)
            assert "No space left" in str(told.value)
            assert "ffmpeg" not in str(told.value).lower()
            assert "mistake" not in str(told.value)
        assert (disk / "project" / "shot.tween").read_bytes() == saved
        assert {path.name for path in (disk / "project").iterdir()} == {".inbetweener", "shot.tween"}
        filler.unlink()
        rename(client, "two")
        with disks.mounted(disk / "project" / "closed", "ro"):
            for path in ("closed/new.png", "closed/new.glb", "closed/new.gif", "closed/new.mp4"):
                with pytest.raises(Refusal, match="Read-only file system"):
                    client.ask(to_server.Export(id=0, path=path, width=64, height=64))
        assert studio.session.editor.document.name == "two"
        client.ask(to_server.Save(id=0))


def test_no_step_is_lost_on_a_disk_that_is_used_up(disk: Path) -> None:
    """The short version of `python -m torture.disks`; the disk only shows that there can be one."""
    assert [figure.what for figure in disks.drive(len(disks.KINDS), 0) if figure.holds is False] == []


def test_saving_waits_for_no_export(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        go = Event()
        try:
            for number in range(4):
                studio.session.worker.submit(
                    lambda n=number: studio.session.jobs.start(f"Long {n}", lambda _: go.wait(60), lambda _: None)
                )
            client.ask(to_server.Save(id=0, path="shot"))
            assert (tmp_path / "project" / "shot.tween").exists()
            assert sum(job.state == "running" for job in studio.session.jobs.running) == 4
        finally:
            go.set()


def test_two_exports_of_one_name_write_two_files(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        for number in (1001, 1002):
            client.send(msgspec.json.encode(to_server.Export(id=number, path="walk.bvh")).decode())
        done: list[to_page.Job] = []
        end = time.monotonic() + 60
        while len(done) < 2:
            message = client.receive(end)
            assert not isinstance(message, to_page.Refused)
            if isinstance(message, to_page.Job) and message.state == "done":
                done.append(message)
        assert sorted(message.path or "" for message in done) == ["walk 2.bvh", "walk.bvh"]
    assert {path.name for path in (tmp_path / "project").glob("*.bvh")} == {"walk.bvh", "walk 2.bvh"}


def test_what_killed_writers_left_is_removed_at_the_start(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "scenes").mkdir(parents=True)
    old = [
        ".walk.tween.0123abcd.saving",
        ".clip.bvh.89abcdef.part",
        ".film.4711.part.mp4",
        "scenes/.a.glb.0123abcd.part",
    ]
    kept = [".bashrc", "notes.part", ".x.part", ".walk.tween.00000000.saving"]
    for name in (*old, *kept):
        (project / name).touch()
        if name != kept[-1]:
            os.utime(project / name, (time.time() - 7200,) * 2)
    with served(tmp_path):
        pass
    assert not any((project / name).exists() for name in old)
    assert all((project / name).exists() for name in kept)
