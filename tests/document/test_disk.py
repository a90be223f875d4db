"""A save that fails leaves the old file and nothing else."""

import os
import stat
from pathlib import Path

import pytest

from inbetweener.document import read_native, write_native
from inbetweener.document.disk import replace_file
from inbetweener.document.edits import rename_document
from inbetweener.errors import FormatError
from tests.document.puppet import puppet


def failing(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_failure_at_any_step_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "puppet.tween"
    write_native(puppet(), path)
    with monkeypatch.context() as broken:
        broken.setattr(os, step, failing)
        with pytest.raises(FormatError, match=r"puppet\.tween: cannot be written: No space left on device"):
            write_native(rename_document(puppet(), "other"), path)
    assert [file.name for file in tmp_path.iterdir()] == ["puppet.tween"]
    assert read_native(path) == puppet()


def test_content_is_on_the_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (steps.append(f"sync {os.fstat(file).st_size}"), sync(file)))
    monkeypatch.setattr(os, "replace", lambda *names: (steps.append("rename"), rename(*names)))
    replace_file(tmp_path / "file", b"12345")
    assert steps[:2] == ["sync 5", "rename"]
    assert len(steps) == 3  # the folder, so that the new name lasts


def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "shared.tween"
    write_native(puppet(), path)
    path.chmod(0o640)
    write_native(puppet(), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_gets_what_new_files_get(tmp_path: Path) -> None:
    replace_file(tmp_path / "ours", b"")
    (tmp_path / "plain").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real = tmp_path / "far" / "real.tween"
    real.touch()
    (tmp_path / "link.tween").symlink_to(real)
    write_native(puppet(), tmp_path / "link.tween")
    assert (tmp_path / "link.tween").is_symlink()
    assert read_native(real) == puppet()


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be written: No such file or directory"):
        write_native(puppet(), tmp_path / "nowhere" / "x.tween")
