"""What a clip is heard and seen with, beside the motion itself."""

import math
from dataclasses import dataclass, field, replace

from inbetweener.errors import InvalidDocument

MOST_SOUND = 32 << 20
"""Bytes of a sound: three minutes of WAV on a compact disc, or half an hour of MP3."""
SOUNDS = {"audio/wav": "wav", "audio/mpeg": "mp3", "audio/ogg": "ogg"}
"""Media types of sounds, and what decoders and file names call them."""


def sound_type(data: bytes) -> str | None:
    """What the first bytes of a sound say that it is; None where it is no sound of ours."""
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav"
    if data[:4] == b"OggS":
        return "audio/ogg"
    # An MP3 begins with its tags, or with eleven set bits and a layer that is the third.
    frame = len(data) > 1 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return "audio/mpeg" if data[:3] == b"ID3" or frame else None


def check_sound(data: bytes) -> None:
    """Raise `InvalidDocument` unless these bytes are a sound of a size that can be kept.

    Nothing is decoded: that is for the page, and for the encoder of movies, which are told the format by name.
    """
    if sound_type(data) is None:
        raise InvalidDocument("is neither WAV nor MP3 nor Ogg; save the sound as one of these")
    if len(data) > MOST_SOUND:
        raise InvalidDocument(
            f"has {len(data) / (1 << 20):.0f} MiB, more than {MOST_SOUND >> 20}; cut it, or save it as MP3"
        )


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound, as its file has it; what is called `start` is when in the clip it begins, in seconds."""

    name: str
    data: bytes = field(repr=False)
    start: float = 0.0
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Staging:
    """What the clip called `clip` is heard with."""

    clip: str
    sound: Sound | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to hear."""
        return self.sound is None

    def run(self, scale: float, shift: float) -> "Staging":
        """With all times t at scale · t + shift; a sound that would run backward stays where it is."""
        if self.sound is None or scale != 1.0:
            return self
        return replace(self, sound=replace(self.sound, start=self.sound.start + shift))


def staging_problems(staging: Staging) -> list[str]:
    """What is wrong, one line each."""
    found = []
    if staging.sound is not None and not math.isfinite(staging.sound.start):
        found.append(f"the sound starts at {staging.sound.start}; choose a finite number")
    return found
