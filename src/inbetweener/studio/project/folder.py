"""The project folder: which files it offers, and no way out of it."""

import os
import re
import stat
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from urllib.parse import quote

import msgspec

from inbetweener.errors import InbetweenerError
from inbetweener.formats import OPENED
from inbetweener.formats.files import file_bytes
from inbetweener.studio.protocol.to_page import FileInfo
from inbetweener.system import make_folder


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of the two: an example's name, or a path within the folder."""

    example: str | None = None
    path: str | None = None

    def __post_init__(self) -> None:
        if (self.example is None) == (self.path is None):
            raise ValueError("an origin is an example or a path")

    def __str__(self) -> str:
        return self.example or self.path or ""


MOST_LISTED = 200
MOST_LOOKED_AT = 20_000
LONGEST_NAME = 200
ABANDONED = 3600
"""Seconds after which a file that was being written is given up."""
_LEFTOVER = re.compile(r"^\..*\.([0-9a-f]{8}\.(part|saving)|[0-9]+\.part\.\w+)$")
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
_FORBIDDEN = set('<>:"|?*\\')


class OutsideFolder(InbetweenerError):
    """A path that names nothing within the project folder, or nothing that may be named."""


class Folder:
    """Paths within it are written with slashes, relative to its root."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)

    def inside(self, path: str) -> Path:
        """The file system's path for a path within the folder; raises OutsideFolder for anything else."""
        parts = path.split("/")
        for part in parts:
            if problem := _problem(part):
                raise OutsideFolder(f"{path!r} is no file of the project folder: {problem}")
        wanted = self.root.joinpath(*parts)
        try:
            real = wanted.resolve()
            # Links that lead to themselves are an error of the system; before Python 3.13 `resolve` said so itself.
            os.stat(wanted) if os.path.lexists(wanted) else None
        except FileNotFoundError:
            pass
        except (OSError, RuntimeError) as error:
            raise OutsideFolder(f"{path!r} cannot be followed: {error}") from error
        if not real.is_relative_to(self.root):
            raise OutsideFolder(f"{path!r} leads out of the project folder {self.root}")
        if any(part.startswith(".") for part in real.relative_to(self.root).parts):
            raise OutsideFolder(f"{path!r} leads to a hidden file")
        return wanted

    def file(self, path: str) -> Path:
        """The same for a file that must be there."""
        found = self.inside(path)
        if not found.exists():
            raise OutsideFolder(f"there is no {path!r} in {self.root}")
        if not found.is_file():
            raise OutsideFolder(f"{path!r} is not a file")
        return found

    def content(self, path: str, most: int) -> bytes:
        """The content of a file of so many bytes at most."""
        found = self.file(path)
        if (size := found.stat().st_size) > most:
            raise InbetweenerError(f"{path} has {size >> 20} MiB, more than {most >> 20}; make it smaller")
        return file_bytes(found)

    def place(self, path: str) -> Path:
        """The same for a file that is to be written: its folder is made, and nothing but a file may be there."""
        wanted = self.inside(path)
        try:
            make_folder(wanted.parent)
        except OSError as error:
            raise OutsideFolder(f"there can be no folder for {path!r}: {error.strerror or error}") from error
        if wanted.exists() and not wanted.is_file():
            raise OutsideFolder(f"{path!r} is not a file")
        return wanted

    def free(self, path: str, besides: Collection[str] = ()) -> str:
        """The path itself or, where something is there or among `besides`, "walk 2.bvh", "walk 3.bvh" and so on."""
        self.inside(path)
        head, slash, name = path.rpartition("/")
        stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
        number, candidate = 1, path
        while candidate in besides or os.path.lexists(self.inside(candidate)):
            number += 1
            candidate = f"{head}{slash}{stem} {number}{dot}{suffix}"
        return candidate

    def remove_leftovers(self) -> None:
        """Delete what killed processes left of files that they were writing here; not what may still be written."""
        long_ago = time.time() - ABANDONED
        for folder in (self.root, *(self.root / name for name in _folders(self.root))):
            for file in folder.glob(".*"):
                if _LEFTOVER.search(file.name) and file.lstat().st_mtime < long_ago:
                    file.unlink(missing_ok=True)

    def stamp(self, path: str) -> tuple[int, int] | None:
        """What tells a file from itself after somebody has changed it; None where there is none."""
        try:
            facts = self.inside(path).stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def named(self, path: Path) -> str | None:
        """A file system's path as a path within the folder; None when it is not within."""
        real = path.resolve()
        return real.relative_to(self.root).as_posix() if real.is_relative_to(self.root) else None

    def listing(self) -> list[FileInfo]:
        """Files that can be opened, in the folder and the folders in it, newest first."""
        found = [
            *_files(self.root, ""),
            *(each for name in _folders(self.root) for each in (_files(self.root / name, f"{name}/"))),
        ]
        found.sort(key=lambda info: (-info.modified, info.path))
        return found[:MOST_LISTED]


def download_url(path: str) -> str:
    """Where a page fetches a file of the folder."""
    return f"/download/{quote(path)}"


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry, _ in zip(entries, range(MOST_LOOKED_AT), strict=False) if not _problem(entry.name)]
    except OSError:  # a folder that may not be looked into has nothing to offer
        return []


def _folders(folder: Path) -> list[str]:
    return sorted(entry.name for entry in _entries(folder) if entry.is_dir(follow_symlinks=False))


def _files(folder: Path, prefix: str) -> Iterable[FileInfo]:
    for entry in _entries(folder):
        if Path(entry.name).suffix.lower() in OPENED:
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError:  # gone meanwhile
                continue
            if stat.S_ISREG(facts.st_mode):
                yield FileInfo(f"{prefix}{entry.name}", facts.st_size, facts.st_mtime)


def _problem(part: str) -> str:
    """Why a file or folder cannot be called so, on this system or the next; empty when it can."""
    if part in ("", ".", ".."):
        return "it must be relative, without empty parts or dots"
    if part.startswith("."):
        return "hidden files are not opened or written"
    if len(part.encode(errors="surrogatepass")) > LONGEST_NAME:
        return "a name in it is too long"
    if not part.isprintable() or _FORBIDDEN & set(part):
        return 'names hold no control characters and none of  < > : " | ? * \\'
    if part != part.strip() or part.endswith("."):
        return "names do not begin or end with a space, nor end with a dot"
    if part.partition(".")[0].rstrip().lower() in _DEVICES:
        return "it is the name of a device"
    return ""
