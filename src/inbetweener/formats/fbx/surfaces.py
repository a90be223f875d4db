"""Materials: a base colour and, where there is one, the picture it wears."""

import base64
import binascii
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from inbetweener.document.budget import LONGEST_NAME
from inbetweener.errors import InvalidDocument
from inbetweener.formats.fbx.scene import Scene, Thing
from inbetweener.skinning import Material
from inbetweener.skinning.picture import check_picture

_BASE = ("DiffuseColor", "Maya|baseColor", "Maya|TEX_color_map", "3dsMax|Parameters|base_color_map", "BaseColor")
"""What the base colour's texture is connected to, by who wrote the file."""


@dataclass(slots=True)
class Surfaces:
    """Materials of a file, each read once."""

    scene: Scene
    _known: dict[int, Material] = field(default_factory=dict)
    _pictures: dict[int, bytes | None] = field(default_factory=dict)

    def get(self, thing: Thing) -> Material:
        """The material."""
        if thing.number not in self._known:
            self._known[thing.number] = self._read(thing)
        return self._known[thing.number]

    def _read(self, thing: Thing) -> Material:
        colour = thing.vector("DiffuseColor", 0.8) * thing.number_of("DiffuseFactor", 1.0)
        opacity = thing.number_of("Opacity", 1.0 - thing.number_of("TransparencyFactor", 0.0) * _sheer(thing))
        red, green, blue, alpha = (min(max(float(part), 0.0), 1.0) for part in (*colour, opacity))
        found = {name: texture for texture, name in self.scene.below(thing, "Texture")}
        texture = next((found[name] for name in _BASE if name in found), None)
        others = sorted(name for name in found if name not in _BASE)
        if others:
            self.scene.source.leave_out(
                thing.place, f"only the base colour is kept; left out: {', '.join(others)[:200]}"
            )
        picture = None if texture is None else self._picture(texture)
        if picture is not None:
            # The picture stands for the colour.
            red = green = blue = 1.0
        return Material(thing.name[:LONGEST_NAME], (red, green, blue, alpha), picture)

    def _picture(self, texture: Thing) -> bytes | None:
        if texture.number not in self._pictures:
            self._pictures[texture.number] = self._found(texture)
        return self._pictures[texture.number]

    def _found(self, texture: Thing) -> bytes | None:
        note, data = self.scene.source.note, b""
        names = []
        for video in (*(each for each, _ in self.scene.below(texture, "Video")), texture):
            data = data or _content(video)
            names += [video.record.text(label) for label in ("RelativeFilename", "Filename", "FileName")]
        if not data:
            data = self._beside([name for name in names if name])
        if not data:
            note(texture.place, "its picture is neither in the file nor beside it; left out")
            return None
        try:
            check_picture(data)
        except InvalidDocument as error:
            note(texture.place, f"its picture is left out: it {error}")
            return None
        return data

    def _beside(self, names: list[str]) -> bytes:
        """The content of the first of some files that lies in this one's folder; nothing outside is touched."""
        folder = self.scene.source.path.parent.resolve()
        for name in names:
            path = PurePosixPath(name.replace("\\", "/"))
            for relative in (path, PurePosixPath(path.name)):
                if "\0" in name or relative.is_absolute() or not relative.name:
                    continue
                try:
                    target = (folder / Path(*relative.parts)).resolve()
                    if target.is_relative_to(folder) and target.is_file():
                        data = target.read_bytes()
                        self.scene.source.budget.grow(len(data))
                        return data
                except (OSError, ValueError, RuntimeError):
                    # No possible file name here: as good as absent, which is told.
                    continue
        return b""


def _sheer(thing: Thing) -> float:
    """How much of its transparency a material lets through: nothing where its colour is black."""
    return float(max(thing.vector("TransparentColor", 0.0)))


def _content(video: Thing) -> bytes:
    """The picture inside the file: bytes, or base64 in a file of text."""
    found = video.record.find("Content")
    if found is None:
        return b""
    parts = [each for each in found.values if isinstance(each, bytes | str) and each]
    if parts and all(isinstance(each, bytes) for each in parts):
        return b"".join(each for each in parts if isinstance(each, bytes))
    try:
        return base64.b64decode("".join(each for each in parts if isinstance(each, str)), validate=True)
    except (binascii.Error, ValueError):
        return b""
