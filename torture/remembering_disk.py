"""A disk that remembers in which order it was written, so that a power cut at any moment can be made afterwards.

Every opening, write, cut, sync, renaming, removal and new folder under a root is recorded as it happens. What a power
cut leaves is then put together as the strictest reading of POSIX allows: content of a file is sure up to its last
`fsync`, a name in a folder is sure up to the last `fsync` of that folder, and of everything later any part may have
reached the disk or not, in any order, writes torn at any byte.
"""

import fcntl
import io
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import RLock
from typing import Any, Literal
from unittest import mock

Survival = Literal["nothing", "all", "in order", "any"]
SURVIVALS: tuple[Survival, ...] = ("nothing", "all", "in order", "any")
"""What becomes of what was written after the last sync: nothing stays, all of it, a beginning, any part."""


@dataclass(frozen=True)
class Write:
    """Bytes put into a file."""

    node: int
    at: int
    content: bytes


@dataclass(frozen=True)
class Cut:
    """A file shortened."""

    node: int
    length: int


@dataclass(frozen=True)
class Sync:
    """A file or folder put on the disk."""

    node: int


@dataclass(frozen=True)
class Entry:
    """Names of a folder changed in one stroke: some lead to files or folders now, some (None) to nothing."""

    node: int
    names: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Mark:
    """Something that whoever records wants to find again."""

    what: Any


Operation = Write | Cut | Sync | Entry | Mark
Tree = dict[str, "bytes | Tree"]


class RememberingDisk:
    """Records what this process does under `root` while `recording`; `cut` puts in its place what a cut leaves."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log: list[Operation] = []
        self._lock = RLock()
        self._count = itertools.count()
        self._nodes: dict[Path, int] = {}
        self._sizes: dict[int, int] = {}
        self._descriptors: dict[int, int] = {}
        self._initial: dict[int, bytes | dict[str, int]] = {}
        self._folders: set[int] = set()
        self._first = self._known(root)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Let what is there now be on the disk for sure, and record from now on."""
        replaced = {
            name: self._wrapped(getattr(os, name), getattr(self, f"_{name}"))
            for name in ("open", "write", "fsync", "replace", "ftruncate", "unlink", "mkdir", "close")
        }
        with mock.patch.multiple(os, **replaced, fdopen=_fdopen):
            yield
        # What was recorded must be all that happened, or cuts would be made of half the truth.
        if self.tree(len(self.log), "all", Random(0)) != _tree(self.root):
            raise AssertionError("something wrote to the disk unseen")

    def mark(self, what: Any) -> None:
        """Remember a moment between two operations."""
        with self._lock:
            self.log.append(Mark(what))

    def tree(self, end: int, survival: Survival, random: Random) -> Tree:
        """What is left of the root when the power fails after `end` operations."""
        log = self.log[:end]
        sure = {each.node: at for at, each in enumerate(log) if isinstance(each, Sync)}
        in_order = random.randrange(len(log) + 1)
        survives: dict[Survival, Callable[[int], bool]] = {
            "nothing": lambda at: False,
            "all": lambda at: True,
            "in order": lambda at: at < in_order,
            "any": lambda at: random.random() < 0.5,
        }
        contents: dict[int, bytearray] = {}
        folders: dict[int, dict[str, int]] = {}
        for node, first in self._initial.items():
            if isinstance(first, bytes):
                contents[node] = bytearray(first)
            else:
                folders[node] = dict(first)
        for at, each in enumerate(log):
            if isinstance(each, Sync | Mark):
                continue
            is_sure = at < sure.get(each.node, -1)
            if not is_sure and not survives[survival](at):
                continue
            match each:
                case Write(node, start, content):
                    torn = not is_sure and survival == "any" and random.random() < 0.3
                    kept = content[: random.randrange(len(content) + 1)] if torn else content
                    file = contents.setdefault(node, bytearray())
                    file.extend(bytes(max(0, start + len(kept) - len(file))))
                    file[start : start + len(kept)] = kept
                case Cut(node, length):
                    file = contents.setdefault(node, bytearray())
                    file[:] = file[:length] + bytes(max(0, length - len(file)))
                case Entry(node, names):
                    for name, leads in names:
                        if leads is None:
                            folders.setdefault(node, {}).pop(name, None)
                        else:
                            folders.setdefault(node, {})[name] = leads

        def below(node: int) -> Tree:
            return {
                name: below(leads) if leads in self._folders else bytes(contents.get(leads, b""))
                for name, leads in folders.get(node, {}).items()
            }

        return below(self._first)

    def cut(self, end: int, survival: Survival, random: Random) -> None:
        """Put what a power cut leaves in place of what is there."""
        left = self.tree(end, survival, random)
        shutil.rmtree(self.root)
        _planted(left, self.root)

    # --- what is recorded -------------------------------------------------------------------------------------------

    def _known(self, path: Path) -> int:
        """The number of what is there already; everything below it gets one too."""
        node = self._nodes[path] = next(self._count)
        if path.is_dir():
            self._initial[node] = {each.name: self._known(each) for each in sorted(path.iterdir())}
            self._folders.add(node)
        else:
            self._initial[node] = content = path.read_bytes()
            self._sizes[node] = len(content)
        return node

    def _wrapped(self, real: Callable[..., Any], note: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            with self._lock:
                return note(real, *arguments, **options)

        return call

    def _path(self, name: Any) -> Path | None:
        path = Path(os.fsdecode(name)) if not isinstance(name, int) else None
        return path if path is not None and path.is_relative_to(self.root) else None

    def _new(self, path: Path) -> int:
        node = self._nodes[path] = next(self._count)
        self.log.append(Entry(self._nodes[path.parent], ((path.name, node),)))
        return node

    def _open(self, real: Callable[..., int], name: Any, flags: int, *more: Any, **options: Any) -> int:
        path = self._path(name)
        was_there = path is None or os.path.lexists(path)
        descriptor = real(name, flags, *more, **options)
        if path is not None:
            node = self._nodes[path] if was_there else self._new(path)
            self._descriptors[descriptor] = node
            self._sizes.setdefault(node, 0)
            if flags & os.O_TRUNC:
                self._note_cut(node, 0)
        return descriptor

    def _close(self, real: Callable[[int], None], descriptor: int) -> None:
        self._descriptors.pop(descriptor, None)
        real(descriptor)

    def _write(self, real: Callable[[int, Any], int], descriptor: int, content: Any) -> int:
        at = os.lseek(descriptor, 0, os.SEEK_CUR) if descriptor in self._descriptors else 0
        count = real(descriptor, content)
        if (node := self._descriptors.get(descriptor)) is not None:
            if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_APPEND:
                at = self._sizes[node]
            self.log.append(Write(node, at, bytes(memoryview(content)[:count])))
            self._sizes[node] = max(self._sizes[node], at + count)
        return count

    def _fsync(self, real: Callable[[int], None], descriptor: int) -> None:
        real(descriptor)
        if (node := self._descriptors.get(descriptor)) is not None:
            self.log.append(Sync(node))

    def _ftruncate(self, real: Callable[[int, int], None], descriptor: int, length: int) -> None:
        real(descriptor, length)
        if (node := self._descriptors.get(descriptor)) is not None:
            self._note_cut(node, length)

    def _note_cut(self, node: int, length: int) -> None:
        self.log.append(Cut(node, length))
        self._sizes[node] = length

    def _replace(self, real: Callable[..., None], source: Any, target: Any) -> None:
        real(source, target)
        old, new = self._path(source), self._path(target)
        if old is None or new is None:
            return
        node = self._nodes[new] = self._nodes.pop(old)
        names = ((old.name, None), (new.name, node))
        assert old.parent == new.parent, "moves between folders are not told apart in two"
        self.log.append(Entry(self._nodes[new.parent], names))

    def _unlink(self, real: Callable[..., None], name: Any, **options: Any) -> None:
        real(name, **options)
        if (path := self._path(name)) is not None:
            del self._nodes[path]
            self.log.append(Entry(self._nodes[path.parent], ((path.name, None),)))

    def _mkdir(self, real: Callable[..., None], name: Any, *more: Any, **options: Any) -> None:
        real(name, *more, **options)
        if (path := self._path(name)) is not None:
            self._folders.add(self._new(path))


class _Raw(io.RawIOBase):
    """A file whose writes go through `os`, where they are seen."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        return os.write(self._descriptor, content)

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._descriptor)


_FDOPEN = os.fdopen


def _fdopen(descriptor: int, mode: str = "r", *more: Any, **options: Any) -> Any:
    return io.BufferedWriter(_Raw(descriptor)) if mode == "wb" else _FDOPEN(descriptor, mode, *more, **options)


def _tree(path: Path) -> Tree:
    """What is really there."""
    return {each.name: _tree(each) if each.is_dir() else each.read_bytes() for each in path.iterdir()}


def _planted(tree: Tree, path: Path) -> None:
    path.mkdir(mode=0o700)
    for name, content in tree.items():
        if isinstance(content, bytes):
            (path / name).write_bytes(content)
        else:
            _planted(content, path / name)
