"""Two documents side by side in one movie, each under its caption."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from inbetweener.arrays import Bytes
from inbetweener.document import Document
from inbetweener.render.movie import FASTEST, movie_rate, movie_times, write_mp4
from inbetweener.render.output import checked, complete
from inbetweener.render.renderer import Renderer
from inbetweener.render.scene import Look

_INK, _SHADOW = (240, 242, 246), (20, 22, 26)


def compare(
    left: tuple[Document, str],
    right: tuple[Document, str],
    path: Path,
    *,
    points: tuple[str, ...] = (),
    size: tuple[int, int] = (800, 450),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write an MP4 of two (document, caption) at the left document's times; `size` is that of one half."""
    path = checked(path, (".mp4",), "a comparison")
    look = Look(points=points)
    with Renderer(left[0], None, look, size) as one, Renderer(right[0], None, look, size) as other:
        rate = movie_rate(one.stage.clip, None, FASTEST)
        times = movie_times(one.stage.clip, rate)

        def frames() -> Iterator[Bytes]:
            for done, time in enumerate(times):
                progress(done, len(times))
                halves = [
                    _captioned(half.frame(float(time)), caption) for half, (_, caption) in ((one, left), (other, right))
                ]
                yield np.ascontiguousarray(np.concatenate(halves, axis=1))

        with complete(path) as partial:
            write_mp4(partial, frames(), (2 * size[0], size[1]), rate)


def _captioned(picture: Bytes, caption: str) -> Bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    font = ImageFont.load_default(size=max(12, image.height // 24))
    at = image.width // 32, image.height // 32
    ImageDraw.Draw(image).text(at, caption, _INK, font, stroke_width=1, stroke_fill=_SHADOW)
    return np.asarray(image)
