"""The layers of a file, opened so that nothing outside its own folder is touched."""

import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

from pxr import Sdf, Tf

from inbetweener.formats.usd.inside.telling import Refused, Telling

PLAIN = (".usd", ".usda", ".usdc")
PACKAGE = ".usdz"
MOST = 1000
"""Layers of one stage."""


class Layers:
    """Copies of layers, in which every path leads to another copy or nowhere.

    `work` is an empty folder for what is in packages.
    """

    def __init__(self, path: Path, work: Path, telling: Telling) -> None:
        self.path = path
        self.work = work
        self.telling = telling
        self.size = 0
        self._copies: dict[Path, Any] = {}
        self._places: dict[str, tuple[Path, Path]] = {}
        """By identifier of a copy: the folder that paths in it start from, and the one that they must not leave."""

    def root(self) -> Any:
        """The layer that the file itself is."""
        found = self._opened(self.path, self.path.parent.resolve())
        if found is None:
            raise Refused("", "not a USD file", "expected .usda, .usdc or .usdz")
        return found

    def beside(self, layer: Any, asset: str) -> Path | None:
        """The file that a path in a copy means, where it lies inside the folder."""
        start, within = self._places.get(layer.identifier, (None, None))
        if start is None or within is None or not asset or "\0" in asset:
            return None
        relative = PurePosixPath(asset.replace("\\", "/"))
        try:
            target = (start / Path(*relative.parts)).resolve()
            known = not relative.is_absolute() and target.is_relative_to(within) and target.is_file()
        except (OSError, ValueError, RuntimeError):
            # No possible file name here: as good as absent, which is told.
            return None
        return target if known else None

    def _opened(self, path: Path, within: Path) -> Any:
        path = path.resolve()
        if path in self._copies:
            return self._copies[path]
        if len(self._copies) >= MOST:
            raise Refused(path.name, f"the stage has more than {MOST} layers")
        if path.suffix.lower() == PACKAGE:
            inner = self._unpacked(path)
            self._copies[path] = found = self._opened(inner, inner.parent)
            return found
        self.size += path.stat().st_size
        try:
            layer = Sdf.Layer.OpenAsAnonymous(str(path))
        except Tf.ErrorException as error:
            raise Refused(path.name, _first_line(error), "it was cut off or damaged; fetch it again") from None
        if layer is None:
            return None
        self._copies[path] = layer
        self._places[layer.identifier] = (path.parent, within)
        for asset in filter(None, layer.GetCompositionAssetDependencies()):
            target = self.beside(layer, asset)
            followed = target is not None and target.suffix.lower() in (*PLAIN, PACKAGE)
            other = self._opened(target, within) if followed and target is not None else None
            if other is None:
                reason = "is not there" if _is_plain(asset) else "lies outside the file's folder"
                reason = "is no USD file" if target is not None else reason
                self.telling.note(asset[:200], f"the layer {reason}; not followed")
            layer.UpdateCompositionAssetDependency(asset, "" if other is None else other.identifier)
        self._without_clips(layer)
        return layer

    def _without_clips(self, layer: Any) -> None:
        """Value clips are values out of further files."""
        found = []
        layer.Traverse(Sdf.Path.absoluteRootPath, lambda path: found.append(path) if path.IsPrimPath() else None)
        for path in found:
            spec = layer.GetPrimAtPath(path)
            if spec is not None and spec.HasInfo("clips"):
                self.telling.note(str(path), "value clips are not followed")
                spec.ClearInfo("clips")

    def _unpacked(self, path: Path) -> Path:
        """The first layer of a package, unpacked beside its other files."""
        folder = self.work / str(len(self._copies))
        folder.mkdir()
        first, room = None, path.stat().st_size
        try:
            with zipfile.ZipFile(path) as package:
                for entry in package.infolist():
                    name = PurePosixPath(entry.filename.replace("\\", "/"))
                    if name.is_absolute() or ".." in name.parts or "\0" in entry.filename or ":" in entry.filename:
                        raise Refused(entry.filename[:200], "leads out of the package", "make the package anew")
                    if entry.is_dir():
                        continue
                    room -= entry.file_size
                    if entry.compress_type != zipfile.ZIP_STORED:
                        raise Refused(entry.filename[:200], "is compressed, which a USD package must not be")
                    if room < 0:
                        raise Refused(entry.filename[:200], "files of the package overlap", "make it anew")
                    target = folder / Path(*name.parts)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(package.read(entry))
                    self.size += entry.file_size
                    first = first or target
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
            raise Refused("package", str(error)[:200], "it was cut off or damaged; fetch it again") from None
        if first is None or first.suffix.lower() not in PLAIN:
            raise Refused("package", "its first file is no USD layer", "make the package anew")
        return first


def _is_plain(asset: str) -> bool:
    path = PurePosixPath(asset.replace("\\", "/"))
    return not path.is_absolute() and ".." not in path.parts and ":" not in asset


def _first_line(error: Exception) -> str:
    """What the library says, without where in its own code."""
    text = str(error).strip().splitlines()
    said = text[0].partition(" : '")[2] if text else ""
    return (said or "cannot be understood").strip("'")[:300]
