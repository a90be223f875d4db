"""The Studio's own files: a private secret, one server a folder, recents that survive damage."""

import os
import stat
from pathlib import Path

import pytest

from inbetweener.studio.project.workspace import MOST, AlreadyRunning, FolderError, Recents, Running, Workspace


def workspace(root: Path, name: str = "project") -> Workspace:
    return Workspace(root / name, state=root / "state")


def test_the_secret_is_private_stays_and_differs_from_folder_to_folder(tmp_path: Path) -> None:
    secret = workspace(tmp_path).secret()
    assert len(secret) == 32
    assert workspace(tmp_path).secret() == secret
    assert workspace(tmp_path, "other").secret() != secret
    for file in (tmp_path / "state").rglob("secret"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_secret_that_was_opened_to_others_is_closed_and_a_torn_one_made_anew(tmp_path: Path) -> None:
    secret = workspace(tmp_path).secret()
    (file,) = (tmp_path / "state").rglob("secret")
    file.chmod(0o644)
    assert workspace(tmp_path).secret() == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"torn")
    assert len(workspace(tmp_path).secret()) == 32


def test_a_second_server_is_told_where_the_first_is(tmp_path: Path) -> None:
    first, second = workspace(tmp_path), workspace(tmp_path)
    first.lock()
    with pytest.raises(AlreadyRunning, match="already running") as early:
        second.lock()
    assert early.value.running is None
    note = Running("http://127.0.0.1:1/", "x", os.getpid())
    first.announce(note)
    with pytest.raises(AlreadyRunning, match=r"at http://127\.0\.0\.1:1/") as late:
        second.lock()
    assert late.value.running == note
    first.release()
    second.lock()
    assert second.running() is None
    second.release()


def test_a_folder_that_cannot_be_written_keeps_its_journals_in_the_state(tmp_path: Path) -> None:
    # A file where our folder should be: nothing can be written, even as root.
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".inbetweener").touch()
    assert workspace(tmp_path).journals.is_relative_to(tmp_path / "state")


def test_nowhere_to_write_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".inbetweener").touch()
    (tmp_path / "state").touch()
    with pytest.raises(FolderError, match="INBETWEENER_STATE"):
        workspace(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(FolderError, match="cannot be the project folder"):
        Workspace(tmp_path / "file")


def test_recents_are_kept_latest_first_and_few(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "recents.json"
    recents = Recents(file)
    for name in ("a", "b", "a", *map(str, range(MOST - 1))):
        recents.add(name)
    assert recents.paths == (*map(str, reversed(range(MOST - 1))), "a")
    assert Recents(file).paths == recents.paths


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b'{"a": 1}', b"[1, 2]"])
def test_damaged_recents_are_no_recents(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "recents.json"
    file.write_bytes(damage)
    recents = Recents(file)
    assert recents.paths == ()
    recents.add("a")
    assert Recents(file).paths == ("a",)
