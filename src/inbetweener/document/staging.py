"""What a clip is heard and seen with, beside the motion itself."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, evaluate, tangent_presets
from inbetweener.errors import InvalidDocument
from inbetweener.maths.transforms import Vector
from inbetweener.skinning.picture import check_picture, media_type

MOST_SOUND = 32 << 20
"""Bytes of a sound: three minutes of WAV on a compact disc, or half an hour of MP3."""
SOUNDS = {"audio/wav": "wav", "audio/mpeg": "mp3", "audio/ogg": "ogg"}
"""Media types of sounds, and what decoders and file names call them."""
MOST_VIDEO = 64 << 20
"""Bytes of a video to look at: minutes of it at the size that a plane behind a character needs."""


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


def reference_type(data: bytes) -> str | None:
    """What the first bytes say of what may stand behind a clip: a picture, MP4 or WebM; None where it is neither."""
    if data[4:8] == b"ftyp":
        return "video/mp4"
    return "video/webm" if data[:4] == b"\x1a\x45\xdf\xa3" else media_type(data)


def check_reference(data: bytes) -> None:
    """Raise `InvalidDocument` unless these bytes are a picture or a video of a size that can be kept.

    Videos are not decoded here: that is for the page.
    """
    kind = reference_type(data)
    if kind is None:
        raise InvalidDocument("is neither PNG nor JPEG nor WebP, nor a video of MP4 or WebM; save it as one of these")
    if not kind.startswith("video/"):
        check_picture(data)
    elif len(data) > MOST_VIDEO:
        raise InvalidDocument(
            f"has {len(data) / (1 << 20):.0f} MiB, more than {MOST_VIDEO >> 20}; cut the video, or make it smaller"
        )


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound, as its file has it; what is called `start` is when in the clip it begins, in seconds."""

    name: str
    data: bytes = field(repr=False)
    start: float = 0.0
    muted: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Where a camera looks from and to, in metres; `fov` is the vertical angle in radians."""

    eye: Vector
    target: Vector
    fov: float = 0.6


@dataclass(frozen=True, slots=True)
class CameraKey:
    """Where the scene's camera looks from and to at a time in seconds; between keys it goes smoothly."""

    time: float
    eye: Vector
    target: Vector
    fov: float = 0.6


@dataclass(frozen=True, slots=True)
class Reference:
    """A picture or video to look at while working, as its file has it: an upright plane of that height in metres.

    `position` is the middle of its lower edge; `turn` is where it faces, in radians from +z towards +x. A video begins
    at `start`, in seconds of the clip; before that its first picture stands there, and after its end the last.
    """

    name: str
    data: bytes = field(repr=False)
    position: Vector = (0.0, 0.0, 0.0)
    height: float = 2.0
    turn: float = 0.0
    opacity: float = 0.6
    start: float = 0.0

    @property
    def is_video(self) -> bool:
        """Whether it moves."""
        return (reference_type(self.data) or "").startswith("video/")


@dataclass(frozen=True, slots=True)
class Staging:
    """What the clip called `clip` is heard with, the camera that it is seen by (keys in order of time, or none) and a
    picture that stands behind it while one works."""

    clip: str
    sound: Sound | None = None
    camera: tuple[CameraKey, ...] = ()
    picture: Reference | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all."""
        return self.sound is None and not self.camera and self.picture is None

    def seen(self, times: Sequence[float] | Floats) -> Floats:
        """Eye, target and angle of the camera (T, 7); every number runs smoothly from key to key, and stops at ends."""
        at = [key.time for key in self.camera]
        rows = np.array([(*key.eye, *key.target, key.fov) for key in self.camera])
        curves = (tangent_presets.smooth(tangent_presets.flat(Curve.sampled(at, row))) for row in rows.T)
        return np.stack([evaluate(curve, np.asarray(times)) for curve in curves], axis=-1)

    def view(self, time: float) -> View:
        """What the camera sees at a time."""
        x, y, z, to_x, to_y, to_z, fov = self.seen([time])[0].tolist()
        return View((x, y, z), (to_x, to_y, to_z), fov)

    def run(self, scale: float, shift: float) -> "Staging":
        """With all times t at scale · t + shift; what would run faster or backward stays where it is: sound, video."""
        moved = (replace(key, time=scale * key.time + shift) for key in self.camera)
        camera = tuple(sorted(moved, key=lambda key: key.time))
        if scale != 1.0:
            return replace(self, camera=camera)
        sound = None if self.sound is None else replace(self.sound, start=self.sound.start + shift)
        seen = self.picture
        if seen is not None and seen.is_video:
            seen = replace(seen, start=seen.start + shift)
        return replace(self, camera=camera, sound=sound, picture=seen)


def staging_problems(staging: Staging) -> list[str]:
    """What is wrong, one line each."""
    found = []
    if staging.sound is not None and not math.isfinite(staging.sound.start):
        found.append(f"the sound starts at {staging.sound.start}; choose a finite number")
    picture = staging.picture
    if picture is not None:
        if not all(map(math.isfinite, (*picture.position, picture.turn, picture.start))):
            found.append("the picture has no place or beginning; choose finite numbers")
        if not (math.isfinite(picture.height) and picture.height > 0):
            found.append(f"the picture's height {picture.height:g} must be positive")
        if not 0 <= picture.opacity <= 1:
            found.append(f"the picture's opacity {picture.opacity:g} must lie between 0 and 1")
    times = [key.time for key in staging.camera]
    if not all(map(math.isfinite, times)) or any(b <= a for a, b in itertools.pairwise(times)):
        found.append("the keys of the camera are not in order of time")
    for key in staging.camera:
        if not all(map(math.isfinite, (*key.eye, *key.target))) or tuple(key.eye) == tuple(key.target):
            found.append(f"the camera at {key.time:g} s has no direction; let it look from one place to another")
        if not 0 < key.fov < math.pi:
            found.append(f"the camera's angle {key.fov:g} at {key.time:g} s must lie between 0 and π")
    return found
