"""What differs between systems: a save that fails leaves the old file and nothing else; folders for code are ours."""

import ast
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from inbetweener import system
from inbetweener.document import read_native, write_native
from inbetweener.document.edits import rename_document
from inbetweener.errors import FormatError
from inbetweener.system import NotOurs, folder_for_code, replace_file
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


posix = pytest.mark.skipif(os.name == "nt", reason="there, folders of a user are closed to others by themselves")


@posix
def test_a_folder_for_code_is_made_closed(tmp_path: Path) -> None:
    folder_for_code(tmp_path / "cache" / "kernels")
    assert stat.S_IMODE((tmp_path / "cache" / "kernels").stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize(
    ("where", "mode", "told"),
    [
        (".", 0o777, "can be written by others"),
        (".", 0o1777, "can be written by others"),
        ("..", 0o777, "belongs to somebody else, or can be written by others"),
        ("..", 0o1777, None),
        (".", 0o755, None),
    ],
)
def test_a_folder_where_others_can_put_code_is_refused(tmp_path: Path, where: str, mode: int, told: str | None) -> None:
    folder = tmp_path / "cache" / "kernels"
    folder.mkdir(parents=True)
    (folder / where).chmod(mode)
    if told is None:
        folder_for_code(folder)
    else:
        with pytest.raises(NotOurs, match=told):
            folder_for_code(folder)


@posix
@pytest.mark.parametrize("group", [True, False])
def test_only_the_groups_of_others_are_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: bool) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o770)
    if group:
        monkeypatch.setattr(os, "getegid", lambda: folder.stat().st_gid + 1)
        with pytest.raises(NotOurs, match="can be written by others"):
            folder_for_code(folder)
    else:
        folder_for_code(folder)


@posix
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kernels").mkdir()
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.raises(NotOurs, match="belongs to somebody else"):
        folder_for_code(tmp_path / "kernels")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    monkeypatch.undo()
    with pytest.raises(NotOurs, match="is a link"):
        folder_for_code(tmp_path / "link")


def test_on_a_mac_the_drive_itself_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as that can be tried elsewhere: a Mac was never near."""
    asked: list[str] = []
    full = SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda _file, command: asked.append(f"full {command}"))
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(system, "fcntl", full, raising=False)
    monkeypatch.setattr(os, "fsync", lambda _: asked.append("plain"))
    system.sync(0)
    assert asked == ["full 51"]

    def unknown(*_: object) -> None:
        raise OSError(45, "Operation not supported")

    full.fcntl = unknown
    system.sync(0)
    assert asked == ["full 51", "plain"]


def test_signals_that_end_us_are_heard() -> None:
    code = (
        "import os, signal; from inbetweener.system import on_stop; heard = []; on_stop(heard.append);"
        "[signal.raise_signal(each) for each in (signal.SIGINT, signal.SIGTERM)]; print(*map(int, heard))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == [str(int(signal.SIGINT)), str(int(signal.SIGTERM))]


def test_who_has_no_reader_falls_silent() -> None:
    code = "from inbetweener.system import fall_silent; print('heard', flush=True); fall_silent(); print('unheard')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "heard\n"


@pytest.mark.parametrize(
    ("platform", "told", "seen"),
    [
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "x"}, False),
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":0", "SSH_CONNECTION": "x"}, False),
    ],
)
def test_a_display_is_there_or_not(
    monkeypatch: pytest.MonkeyPatch, platform: str, told: dict[str, str], seen: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert system.has_display() == seen


ALIKE = {
    "os": {"O_APPEND", "O_WRONLY", "_exit", "close", "cpu_count", "dup", "dup2", "environ", "fdopen", "fsencode",
           "fspath", "ftruncate", "getpid", "path", "pathsep", "scandir", "stat", "walk", "write"},
    "sys": {"argv", "executable", "exit", "modules", "path", "stderr", "stdin", "stdout", "version_info"},
}  # fmt: skip
"""What is the same everywhere."""
ELSEWHERE = {"fcntl", "grp", "msvcrt", "platform", "pty", "pwd", "resource", "signal", "termios", "winreg"}
OF_FILES = {"chmod", "hardlink_to", "lchmod", "rename", "replace", "symlink_to"}
SUSPECT = re.compile(rf"\b(?:os|sys)\.|\b(?:{'|'.join(ELSEWHERE)}|from os|from sys)\b|\.(?:{'|'.join(OF_FILES)})\(")
"""Most files say nothing of the kind, and need not be looked at closely."""


def foreign(tree: ast.AST) -> Iterator[str]:
    """Whatever a module asks of the system that another system might not have, or do otherwise."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=("os" | "sys") as module), attr=name) if name not in ALIKE[module]:
                yield f"{module}.{name}"
            case ast.Import(names=names):
                yield from ({each.name for each in names} & ELSEWHERE)
            case ast.ImportFrom(module=("os" | "sys") as module):
                yield f"from {module}"
            case ast.ImportFrom(module=str(module)) if module in ELSEWHERE:
                yield f"from {module}"
            # Text is replaced by two arguments, a file by one.
            case ast.Call(func=ast.Attribute(attr=name), args=[_], keywords=[]) if name in OF_FILES:
                yield f".{name}()"


def test_only_one_module_knows_which_system_this_is() -> None:
    package = Path(system.__file__).parent
    found = {
        path.relative_to(package).as_posix(): told
        for path in package.rglob("*.py")
        if path != Path(system.__file__)
        and SUSPECT.search(text := path.read_text())
        and (told := sorted(foreign(ast.parse(text))))
    }
    assert found == {}
    assert len(set(foreign(ast.parse(Path(system.__file__).read_text())))) > 15, "the check sees nothing"
