"""What a clip is heard with: bring a sound in, move it, mute it, take it away."""

from dataclasses import dataclass, replace
from typing import Any

from inbetweener.document.document import Document
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_of, frame_read, seconds, the_clip
from inbetweener.document.staging import Sound, Staging, check_sound, sound_type, staging_problems
from inbetweener.errors import InvalidDocument, InvalidEdit


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


def _staged(document: Document, clip: str, **parts: Any) -> Document:
    """The document with some of what a clip is heard with changed."""
    old = document.staging(clip)
    new = replace(old, **parts)
    for problem in staging_problems(new):
        raise InvalidDocument(f"clip {clip!r}: {problem}")
    others: tuple[Staging, ...] = tuple(each for each in document.stagings if each.clip != clip)
    if new == old:
        return document
    return replace(document, stagings=others if new.is_empty else (*others, new))
