"""Movies read back by ffmpeg, as a player would."""

import re
import subprocess
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import numpy.typing as npt


def decoded(path: Path) -> tuple[dict[str, Any], npt.NDArray[np.uint8]]:
    """What ffmpeg says of a movie, and its frames (F, H, W, 3)."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    ran = subprocess.run(command, capture_output=True, check=True)
    told = ran.stderr.decode()
    video = re.search(r"Video: (\w+).*?, (yuv\w+).*?, (\d+)x(\d+).*?, ([\d.]+) fps", told)
    lasts = re.search(r"Duration: (\d+):(\d+):([\d.]+)", told)
    assert video is not None, told
    assert lasts is not None, told
    hours, minutes, seconds = lasts.groups()
    width, height = int(video[3]), int(video[4])
    facts: dict[str, Any] = {"codec": video[1], "pixels": video[2], "size": (width, height), "rate": float(video[5])}
    facts["seconds"] = 3600 * int(hours) + 60 * int(minutes) + float(seconds)
    return facts, np.frombuffer(ran.stdout, np.uint8).reshape(-1, height, width, 3)


def listened(path: Path) -> npt.NDArray[np.float32] | None:
    """The sound of a movie, 8000 samples a second of one channel, from its first picture on; None where it has none."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path)]
    if "Audio:" not in subprocess.run(command, capture_output=True, check=False).stderr.decode():
        return None
    ran = subprocess.run([*command, "-f", "f32le", "-ac", "1", "-ar", "8000", "-"], capture_output=True, check=True)
    return np.frombuffer(ran.stdout, np.float32)
