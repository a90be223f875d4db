"""Sounds, and a picture, for tests."""

import base64
import io
import wave

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
