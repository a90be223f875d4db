"""Movies of several versions: as many frames as the clip, one beside the other, seen by one camera."""

import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from PIL import Image

from gallery.exhibit import Shot
from gallery.movie import film
from tests.gallery.versions import keyed

SIZE = Shot().size


def pictures(path: Path, width: int, height: int) -> np.ndarray:
    """All frames (F, H, W, 3), as the decoder has them."""
    program = imageio_ffmpeg.get_ffmpeg_exe()
    raw = subprocess.run(
        [program, "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3).astype(float)


def poster_size(path: Path) -> tuple[int, int]:
    with Image.open(path.with_suffix(".jpg")) as picture:
        return picture.size


def test_versions_stand_side_by_side_and_in_step(tmp_path: Path) -> None:
    path = tmp_path / "bar.mp4"
    made = film([keyed(0.0), keyed(1.2)], (), path, Shot(3))
    found = pictures(path, 2 * SIZE[0], SIZE[1])
    assert (made.columns, made.rows, made.frames, made.rate) == (2, 1, 7, 24.0)
    assert len(found) == 7
    left, right = found[:, :, 2 : SIZE[0]], found[:, :, SIZE[0] + 2 :]
    apart = np.abs(left - right[:, :, : left.shape[2]]).mean(axis=(1, 2, 3))
    assert apart[0] < 1.0 < apart[-1], "both start alike, and only one bends"
    assert poster_size(path) == (2 * SIZE[0], SIZE[1])


def test_many_versions_wrap_into_rows(tmp_path: Path) -> None:
    path = tmp_path / "bar.mp4"
    made = film([keyed(bend) for bend in (0.0, 0.3, 0.6, 0.9, 1.2)], (), path, Shot(99, size=(64, 36)))
    assert (made.columns, made.rows) == (3, 2)
    assert poster_size(path) == (192, 72)
