"""One frame blended in several ways, side by side."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Bytes
from inbetweener.document import Document
from inbetweener.errors import InvalidDocument
from inbetweener.render.camera import Camera
from inbetweener.render.movie import render_frame
from inbetweener.render.renderer import Backend
from inbetweener.render.scene import Look
from inbetweener.render.stage import Stage
from inbetweener.skinning import Blending

_CAPTION = (224, 226, 233)


def render_comparison(
    document: Document,
    time: float,
    ways: Mapping[str, Blending],
    *,
    clip: str | None = None,
    size: tuple[int, int] = (480, 480),
    camera: Camera | str | None = None,
    ground: bool = True,
    backend: Backend = "auto",
) -> Bytes:
    """A row of pictures (H, n·W, 3), each of `size` with its caption, all seen by the same camera."""
    if not ways:
        raise InvalidDocument("a comparison needs one way of blending at least")
    # Framed by the last of the ways: the paths of tearing vertices should not push the character into the distance.
    framing = replace(document, blending=list(ways.values())[-1])
    seen = Stage(framing, clip, Look(camera=camera)).framed(size[0] / size[1])
    pictures = []
    for caption, blending in ways.items():
        shown = replace(document, blending=blending)
        picture = render_frame(shown, time, clip=clip, size=size, camera=seen, ground=ground, backend=backend)
        pictures.append(captioned(picture, caption))
    return np.concatenate(pictures, axis=1)


def captioned(picture: Bytes, caption: str) -> Bytes:
    """The picture (H, W, 3) with a line of text in its upper left corner."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    height = max(12, picture.shape[0] // 20)
    font = ImageFont.load_default(height)
    ImageDraw.Draw(image).text((height, 0.7 * height), caption, fill=_CAPTION, font=font)
    return np.asarray(image)
