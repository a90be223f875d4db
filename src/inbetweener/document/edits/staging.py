"""What a clip is heard with and seen by: sounds brought in, moved and muted, and the keys of the scene's camera."""

from dataclasses import dataclass, replace
from typing import Any

from inbetweener.document.document import Document
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_of, frame_read, moment, near, seconds, the_clip
from inbetweener.document.staging import (
    CameraKey,
    Reference,
    Sound,
    Staging,
    View,
    check_reference,
    check_sound,
    reference_type,
    sound_type,
    staging_problems,
)
from inbetweener.errors import InvalidDocument, InvalidEdit
from inbetweener.maths.transforms import Vector


@dataclass(frozen=True, slots=True, repr=False)
class SoundResult(Result):
    """A clip with its sound; `done` is what a history calls it."""

    clip: str
    done: str

    @property
    def lines(self) -> tuple[str, ...]:
        """What is heard, and from when on."""
        sound, shown = self.document.staging(self.clip).sound, self.document.clip(self.clip)
        if sound is None:
            return (f"{self.done}: clip {self.clip} has no sound",)
        where = f"from {sound.start:.4g} s (frame {frame_of(shown, sound.start)}) on"
        return (f"{self.done}: clip {self.clip} has {sound.name} {where}{', muted' if sound.muted else ''}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The sound without its bytes."""
        sound = self.document.staging(self.clip).sound
        told = None if sound is None else {"name": sound.name, "start": sound.start, "muted": sound.muted}
        if sound is not None and told is not None:
            told |= {"bytes": len(sound.data), "type": sound_type(sound.data)}
        return {"clip": self.clip, "sound": told}


def sound(
    document: Document,
    data: bytes | None = None,
    *,
    name: str | None = None,
    start: float | str | None = None,
    muted: bool | None = None,
    remove: bool = False,
    clip: str | None = None,
) -> SoundResult:
    """Give a clip a sound, in place of the one that it has, or change that; what is not said stays.

    `data` is the content of a WAV, MP3 or Ogg file called `name`. It begins at `start`: seconds, or frames as "12f",
    before the clip too; without a word with the clip. `remove` takes it away.
    """
    shown = the_clip(document, clip)
    old = document.staging(shown.name).sound
    if data is not None:
        title = name or "sound"
        try:
            check_sound(data)
        except InvalidDocument as error:
            raise InvalidEdit(f"{title} {error}", "data") from None
        new, done = Sound(title, data, shown.start if old is None else old.start), f"Sound {title}"
    elif old is None:
        raise InvalidEdit(f"clip {shown.name!r} has no sound yet; bring one in first", "data")
    else:
        new, done = replace(old, name=old.name if name is None else name), f"Rename sound to {name}"
    if start is not None:
        new = replace(new, start=seconds(shown, start))
        done = f"Sound from frame {frame_read(shown, new.start)} on" if data is None else done
    if muted is not None:
        new = replace(new, muted=muted)
        done = f"{'Mute' if muted else 'Unmute'} {new.name}" if data is None and start is None else done
    if remove:
        return SoundResult(_staged(document, shown.name, sound=None), shown.name, f"Remove sound {new.name}")
    return SoundResult(_staged(document, shown.name, sound=new), shown.name, done)


@dataclass(frozen=True, slots=True, repr=False)
class CameraResult(Result):
    """A clip with its camera; `done` is what a history calls it."""

    clip: str
    done: str

    @property
    def lines(self) -> tuple[str, ...]:
        """When it is keyed."""
        keys, shown = self.document.staging(self.clip).camera, self.document.clip(self.clip)
        frames = ", ".join(frame_of(shown, key.time) for key in keys[:12]) + (" …" if len(keys) > 12 else "")
        told = f"keys on frames {frames}" if keys else "no keys"
        return (f"{self.done}: the camera of clip {self.clip} has {told}",)

    @property
    def facts(self) -> dict[str, Any]:
        """All keys."""
        keys = self.document.staging(self.clip).camera
        told = [{"time": k.time, "eye": list(k.eye), "target": list(k.target), "fov": k.fov} for k in keys]
        return {"clip": self.clip, "camera": told}


def camera(
    document: Document,
    eye: Vector | None = None,
    target: Vector | None = None,
    *,
    fov: float | None = None,
    frame: float | None = None,
    time: float | str | None = None,
    to: float | str | None = None,
    remove: bool = False,
    clip: str | None = None,
) -> CameraResult:
    """Key the camera by which a clip is seen: where it looks from and to, in metres, and its vertical angle in radians.

    What is not said is as it was at that time, or as the document's view has it. `to` moves the key at that time to
    another one: seconds, or frames as "12f". `remove` takes it away or, without a time, the camera.
    """
    shown = the_clip(document, clip)
    staging = document.staging(shown.name)
    if remove and frame is None and time is None:
        if not staging.camera:
            raise InvalidEdit(f"clip {shown.name!r} has no camera", "remove")
        return CameraResult(_staged(document, shown.name, camera=()), shown.name, "Remove the scene camera")
    at = moment(shown, frame, time)
    there = [key for key in staging.camera if abs(key.time - at) <= near(shown)]
    others = [key for key in staging.camera if key not in there]
    read = frame_read(shown, at)
    if (remove or to is not None) and not there:
        raise InvalidEdit(f"the camera of clip {shown.name!r} has no key on frame {read}", "frame", "time")
    if to is not None:
        moved, frame_there = replace(there[0], time=seconds(shown, to)), frame_read(shown, seconds(shown, to))
        if any(abs(key.time - moved.time) <= near(shown) for key in others):
            raise InvalidEdit(f"the camera has a key on frame {frame_there} already; remove that one first", "to")
        keys = tuple(sorted([*others, moved], key=lambda each: each.time))
        done = f"Move camera key from frame {read} to {frame_there}"
        return CameraResult(_staged(document, shown.name, camera=keys), shown.name, done)
    if remove:
        return CameraResult(
            _staged(document, shown.name, camera=tuple(others)), shown.name, f"Remove camera key at frame {read}"
        )
    was = staging.view(at) if staging.camera else document.view
    if was is None and (eye is None or target is None):
        raise InvalidEdit("say where the camera looks from and to: nothing says so yet", "eye", "target")
    given: dict[str, Any] = {"eye": eye, "target": target, "fov": fov}
    said = {name: value for name, value in given.items() if value is not None}
    view = replace(was, **said) if was is not None else View(**said)
    key = CameraKey(at, view.eye, view.target, view.fov)
    keys = tuple(sorted([*others, key], key=lambda each: each.time))
    return CameraResult(_staged(document, shown.name, camera=keys), shown.name, f"Key the scene camera at frame {read}")


@dataclass(frozen=True, slots=True, repr=False)
class PictureResult(Result):
    """A clip with its picture; `done` is what a history calls it."""

    clip: str
    done: str

    @property
    def lines(self) -> tuple[str, ...]:
        """Which picture, and where."""
        picture = self.document.staging(self.clip).picture
        told = "no picture"
        if picture is not None:
            x, y, z = picture.position
            told = f"{picture.name}, {picture.height:.4g} m high at {x:.4g}, {y:.4g}, {z:.4g} m"
            if picture.is_video:
                shown = self.document.clip(self.clip)
                told += f", from {picture.start:.4g} s (frame {frame_of(shown, picture.start)}) on"
        return (f"{self.done}: clip {self.clip} has {told}",)

    @property
    def facts(self) -> dict[str, Any]:
        """The picture without its bytes."""
        found = self.document.staging(self.clip).picture
        names = ("name", "height", "turn", "opacity", "start")
        told = None if found is None else {name: getattr(found, name) for name in names}
        if found is not None and told is not None:
            told |= {"position": list(found.position), "bytes": len(found.data), "type": reference_type(found.data)}
        return {"clip": self.clip, "picture": told}


def picture(
    document: Document,
    data: bytes | None = None,
    *,
    name: str | None = None,
    position: Vector | None = None,
    height: float | None = None,
    turn: float | None = None,
    opacity: float | None = None,
    start: float | str | None = None,
    remove: bool = False,
    clip: str | None = None,
) -> PictureResult:
    """Stand a picture or video behind a clip to look at while working, or change it; what is not said stays.

    `data` is the content of a PNG, JPEG, WebP, MP4 or WebM file called `name`; see Reference for the rest. A video
    begins at `start`: seconds, or frames as "12f"; without a word with the clip. `remove` takes it away. Pictures and
    movies that are rendered do not show it.
    """
    shown = the_clip(document, clip)
    old = document.staging(shown.name).picture
    given: dict[str, Any] = {"position": position, "height": height, "turn": turn, "opacity": opacity, "name": name}
    said = {word: value for word, value in given.items() if value is not None}
    if start is not None:
        said["start"] = seconds(shown, start)
    if data is not None:
        title = name or "picture"
        try:
            check_reference(data)
        except InvalidDocument as error:
            raise InvalidEdit(f"{title} {error}", "data") from None
        said |= {"data": data, "name": title}
        new, done = replace(old or Reference(title, data, start=shown.start), **said), f"Picture {title}"
        done = f"Video {title}" if new.is_video else done
    elif old is None:
        raise InvalidEdit(f"clip {shown.name!r} has no picture yet; bring one in first", "data")
    else:
        new, done = replace(old, **said), f"Change picture {old.name}"
    if start is not None and not new.is_video:
        raise InvalidEdit(f"{new.name} is a picture, which has no beginning; only a video has", "start")
    if remove:
        return PictureResult(_staged(document, shown.name, picture=None), shown.name, f"Remove picture {new.name}")
    return PictureResult(_staged(document, shown.name, picture=new), shown.name, done)


def _staged(document: Document, clip: str, **parts: Any) -> Document:
    """The document with some of what a clip is heard with and seen by changed."""
    old = document.staging(clip)
    new = replace(old, **parts)
    for problem in staging_problems(new):
        raise InvalidDocument(f"clip {clip!r}: {problem}")
    others: tuple[Staging, ...] = tuple(each for each in document.stagings if each.clip != clip)
    if new == old:
        return document
    return replace(document, stagings=others if new.is_empty else (*others, new))
