"""Where clips come from and where results go: a folder of this machine, or an object store by an fsspec address.

Of each clip there is one folder, `clips/NAME/`, with its files and `record.json`. A folder of this machine appears
in one stroke. In an object store, which knows no such stroke, the record goes first and comes last: what has no record
is not done, and nobody need look at it. What people did by hand is in `hand/NAME/` (see `hand`).

A folder may be a stranger's: no link in it leads what is written, or cleared away, elsewhere.
"""

import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Protocol
from urllib.parse import unquote

import msgspec

from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.system import Lock, NotOurs, is_text, make_folder, move_file, replace_file, sync_folder

RECORD = "record.json"
CLIPS = "clips"
WORK = ".work"
HAND = "hand"
HAND_NOTE = "hand.json"
BASE = "base.tween"
ABOUT = "batch.json"
"""What a batch is of: recipe, source and the figure by which clips are bad; a folder that has it is a batch's."""
LONGEST_NAME, LONGEST_PATH = 255, 4000
"""Bytes of the name of a file, and letters of one with its folders, that systems know."""
LARGEST_NOTE = 64 << 20
"""Bytes of a record, or of a note on hand edits; a file with thousands of clips has less."""
EXTRA = "pip install 'inbetweener[batch]'"


class Unreachable(InbetweenerError):
    """A store, scheduler or package that is not there; says what would help."""


class Store(Protocol):
    """Files by their names below a root: those of a library, or those that a batch made."""

    root: str

    def library(self, suffixes: tuple[str, ...], without: str = "") -> Iterator[tuple[str, str]]:
        """Names of all files with these suffixes, and a stamp of each that changes whenever its content does."""

    def stamp(self, name: str) -> str:
        """The stamp of one file."""

    def fetched(self, name: str, into: Path) -> Path:
        """A file of the library, on this machine."""

    def records(self, names: list[str]) -> list[dict[str, Any] | None]:
        """What was written last of each clip that was done; None where nothing was."""

    def hands(self) -> dict[str, dict[str, Any]]:
        """What is kept of every clip that somebody edited or marked."""

    def hand(self, name: str) -> dict[str, Any] | None:
        """The same of one clip."""

    def workspace(self) -> Any:
        """A folder of this machine to make outputs in; it goes away."""

    def publish(self, name: str, made: Path) -> None:
        """Let what was made of a clip, with its record, take the place of what there was."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the batch itself."""

    def begin(self) -> Any:
        """Held while a batch runs here alone."""


def store_at(place: str | Path) -> Store:
    """The store that a path or an address means."""
    text = os.fspath(place)
    return (
        Bucket(text) if "://" in text and not text.startswith("file://") else Folder(Path(text.removeprefix("file://")))
    )


def digest(path: Path) -> str:
    """What is in a file, and in those beside it that it is made of."""
    made = hashlib.sha256(path.read_bytes())
    for each in _parts(path):
        if (path.parent / each).is_file():
            made.update((path.parent / each).read_bytes())
    return made.hexdigest()


def _parts(path: Path) -> list[str]:
    """Files that a glTF is made of, beside itself."""
    if path.suffix.lower() != ".gltf":
        return []
    try:
        gltf = msgspec.json.decode(path.read_bytes())
        found = [each.get("uri", "") for kind in ("buffers", "images") for each in gltf.get(kind, [])]
        names = [unquote(uri) for uri in found if uri and not uri.startswith("data:") and "://" not in uri]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return []  # whoever opens it says what is wrong
    return [name for name in names if _leads_below(name)]


def _leads_below(name: str) -> bool:
    """Whether a name can be one of a file in the same folder, or below."""
    path = PurePosixPath(name)
    possible = name.isprintable() and all(len(part.encode()) <= LONGEST_NAME for part in path.parts)
    return possible and ".." not in path.parts and not path.is_absolute() and len(name) < LONGEST_PATH


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in suffixes and not any(part.startswith(".") for part in path.parts)


def _require_text(path: Path, name: str) -> None:
    """Records and reports are text, and so must be the names in them."""
    if not is_text(name):
        raise FormatError(ascii(str(path))[1:-1], "", "its name is no text in UTF-8", "rename the file")


def _decoded(content: bytes) -> dict[str, Any] | None:
    try:
        found = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        return None  # torn by a disk, or none of ours: done again
    return found if isinstance(found, dict) else None


def _kept(path: Path) -> dict[str, Any] | None:
    # A pipe would be waited for, a device has no end.
    if not path.is_file() or path.stat().st_size > LARGEST_NOTE:
        return None
    try:
        return _decoded(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


class Folder:
    """A folder of this machine, or one that all machines see."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()
        self.root = str(self._root)

    def library(self, suffixes: tuple[str, ...], without: str = "") -> Iterator[tuple[str, str]]:
        """All files below, in order; not those in the folder `without`."""
        if not self._root.is_dir():
            raise FormatError(self._root, "", "is no folder")
        for folder, inner, names in os.walk(self._root):
            inner[:] = sorted(each for each in inner if os.path.join(folder, each) != without)
            for each in sorted(names):
                path = Path(folder, each)
                name = path.relative_to(self._root).as_posix()
                if _is_wanted(name, suffixes) and path.is_file():
                    _require_text(path, name)
                    yield name, self.stamp(name)

    def stamp(self, name: str) -> str:
        """Size, and when content and file last changed: nobody can write a file and keep all three."""
        facts = (self._root / name).stat()
        return f"{facts.st_size}-{facts.st_mtime_ns}-{facts.st_ctime_ns}"

    def fetched(self, name: str, into: Path) -> Path:
        """It is here already."""
        return self._root / name

    def records(self, names: list[str]) -> list[dict[str, Any] | None]:
        """One small file each."""
        return [self._record(name) for name in names]

    def _record(self, name: str) -> dict[str, Any] | None:
        return _kept(self._root / CLIPS / name / RECORD)

    def hands(self) -> dict[str, dict[str, Any]]:
        """Those whose note can be read."""
        notes = (self._root / HAND).rglob(HAND_NOTE)
        found = {note.parent.relative_to(self._root / HAND).as_posix(): _kept(note) for note in notes}
        return {name: kept for name, kept in found.items() if kept is not None}

    def hand(self, name: str) -> dict[str, Any] | None:
        """One small file."""
        return _kept(self._root / HAND / name / HAND_NOTE)

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """On the same disk, so that renaming is enough."""
        place = self._own(WORK, secrets.token_hex(8))
        make_folder(place.parent)
        place.mkdir()
        try:
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def publish(self, name: str, made: Path) -> None:
        """Rename; what was there before goes out of the way first."""
        final = self._own(CLIPS, name)
        make_folder(final.parent)
        sync_folder(made)
        if final.exists():
            move_file(final, made.with_name(f"{made.name}.old"))
        move_file(made, final)
        shutil.rmtree(made.with_name(f"{made.name}.old"), ignore_errors=True)

    def _own(self, *parts: str) -> Path:
        """A place of ours below the root; raises NotOurs where a link on the way there might lead anywhere."""
        path = self._root.joinpath(*parts)
        for each in (path, *path.parents):
            if each == self._root:
                break
            if each.is_symlink():
                raise NotOurs(f"{each} is a link, and might lead anywhere; remove it")
        return path

    def write(self, name: str, content: bytes) -> None:
        """Whole or not at all."""
        make_folder(self._root)
        replace_file(self._own(name), content)

    @contextmanager
    def begin(self) -> Iterator[None]:
        """Nobody else runs a batch here; what killed ones, or killed workers of this one, left half-made is removed."""
        make_folder(self._own(WORK))
        self._own(CLIPS)
        with Lock(self._root / WORK / "lock", self._root):
            self._clear_up()
            yield
            self._clear_up()

    def _clear_up(self) -> None:
        for each in (self._root / WORK).iterdir():
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each)


class Bucket:
    """An object store, or whatever else fsspec has an address for."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        try:
            import fsspec

            # Others write here too: what was listed a while ago says nothing.
            self._fs, self._path = fsspec.core.url_to_fs(self.root, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise Unreachable(f"{root}: {error}; {EXTRA}") from error

    @contextmanager
    def _clear(self) -> Iterator[None]:
        try:
            yield
        except InbetweenerError:
            raise
        except Exception as error:  # every store has errors of its own
            raise Unreachable(f"{self.root}: {str(error) or type(error).__name__}") from error

    def library(self, suffixes: tuple[str, ...], without: str = "") -> Iterator[tuple[str, str]]:
        """All objects below, in order."""
        with self._clear():
            found = self._fs.find(self._path, detail=True)
        inner = without.removeprefix(self.root).strip("/") if without.startswith(f"{self.root}/") else None
        for path in sorted(found):
            name = path.removeprefix(self._path).lstrip("/")
            if _is_wanted(name, suffixes) and not (inner and name.startswith(f"{inner}/")):
                yield name, _tag(found[path])

    def stamp(self, name: str) -> str:
        """What the store itself says of the content."""
        with self._clear():
            return _tag(self._fs.info(f"{self._path}/{name}"))

    def fetched(self, name: str, into: Path) -> Path:
        """Brought here, with what it is made of."""
        local = into / PurePosixPath(name).name
        with self._clear():
            self._fs.get_file(f"{self._path}/{name}", str(local))
            folder = PurePosixPath(name).parent
            for each in _parts(local):
                (into / each).parent.mkdir(parents=True, exist_ok=True)
                self._fs.get_file(f"{self._path}/{folder / each}", str(into / each))
        return local

    def records(self, names: list[str]) -> list[dict[str, Any] | None]:
        """All at once: a store answers many questions at the same time."""
        paths = [f"{self._path}/{CLIPS}/{name}/{RECORD}" for name in names]
        with self._clear():
            found = self._fs.cat(paths, on_error="return") if len(paths) > 1 else {p: self._one(p) for p in paths}
        for each in found.values():
            if isinstance(each, Exception) and not isinstance(each, FileNotFoundError | KeyError):
                raise Unreachable(f"{self.root}: {each}") from each
        return [None if not isinstance(found.get(p), bytes) else _decoded(found[p]) for p in paths]

    def hands(self) -> dict[str, dict[str, Any]]:
        """All notes below, which are few."""
        folder = f"{self._path}/{HAND}"
        with self._clear():
            notes = [path for path in self._fs.find(folder) if path.endswith(f"/{HAND_NOTE}")]
        names = [path.removeprefix(folder).strip("/").removesuffix(f"/{HAND_NOTE}") for path in notes]
        return {name: kept for name in names if (kept := self.hand(name)) is not None}

    def hand(self, name: str) -> dict[str, Any] | None:
        """One object."""
        with self._clear():
            found = self._one(f"{self._path}/{HAND}/{name}/{HAND_NOTE}")
        return _decoded(found) if isinstance(found, bytes) else None

    def _one(self, path: str) -> Any:
        try:
            return self._fs.cat_file(path)
        except FileNotFoundError as error:
            return error

    @contextmanager
    def workspace(self) -> Iterator[Path]:
        """Anywhere here."""
        with tempfile.TemporaryDirectory(prefix="inbetweener-batch-") as place:
            yield Path(place)

    def publish(self, name: str, made: Path) -> None:
        """The old record goes first, the new one comes last."""
        folder = f"{self._path}/{CLIPS}/{name}"
        with self._clear():
            old = self._fs.find(folder)
            for path in sorted(old, key=lambda path: not path.endswith(f"/{RECORD}")):
                self._fs.rm_file(path)
            for each in sorted(made.iterdir(), key=lambda path: path.name == RECORD):
                self._fs.put_file(str(each), f"{folder}/{each.name}")

    def write(self, name: str, content: bytes) -> None:
        """One object."""
        with self._clear():
            self._fs.pipe_file(f"{self._path}/{name}", content)

    @contextmanager
    def begin(self) -> Iterator[None]:
        """A store has no locks. Two batches at once do some clips twice, and end the same."""
        yield


def _tag(facts: dict[str, Any]) -> str:
    tag = facts.get("ETag") or facts.get("etag") or facts.get("md5Hash") or facts.get("mtime") or facts.get("created")
    return f"{facts.get('size')}-{tag}"
