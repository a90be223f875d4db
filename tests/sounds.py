"""Sounds, a picture and a video, for tests."""

import base64
import io
import subprocess
import wave
from functools import cache

import numpy as np

RATE = 8000
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwPAfAAcAAf9+CLHQAAAAAElFTkSuQmCC"
)


def beep(seconds: float = 0.5, at: float = 0.2, lasts: float = 0.1) -> bytes:
    """A WAV file: silence with a tone of 440 Hz from `at` on."""
    times = np.arange(round(RATE * seconds)) / RATE
    heard = np.where((times >= at) & (times < at + lasts), 0.5 * np.sin(2 * np.pi * 440 * times), 0.0)
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes((heard * 32767).astype("<i2").tobytes())
    return file.getvalue()


@cache
def video(frames: int = 48, rate: int = 24) -> bytes:
    """An MP4 file whose frame i is grey, from nearly black on to nearly white."""
    from imageio_ffmpeg import get_ffmpeg_exe

    levels = np.linspace(16, 235, frames).round().astype(np.uint8)
    pictures = np.broadcast_to(levels[:, None, None, None], (frames, 48, 64, 3)).tobytes()
    read = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-r", str(rate), "-i", "-")
    # A file that is written to a pipe has to be in pieces, where pictures out of order would delay all of them.
    written = ("-bf", "0", "-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov", "-f", "mp4", "-")
    command = (get_ffmpeg_exe(), "-loglevel", "error", *read, *written)
    return subprocess.run(command, input=pictures, capture_output=True, check=True).stdout
