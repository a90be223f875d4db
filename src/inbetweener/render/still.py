"""One frame as a picture."""

from collections.abc import Sequence
from pathlib import Path

from inbetweener.arrays import Bytes
from inbetweener.document import Document
from inbetweener.render.camera import Camera
from inbetweener.render.output import checked, complete
from inbetweener.render.renderer import Backend, Renderer
from inbetweener.render.scene import Look, Style


def render_frame(
    document: Document,
    time: float,
    *,
    clip: str | None = None,
    size: tuple[int, int] = (960, 540),
    style: Style = "shaded",
    camera: Camera | str | None = None,
    points: Sequence[str] = (),
    onion: int | Sequence[int] = (),
    ground: bool = True,
    backend: Backend = "auto",
) -> Bytes:
    """A picture (H, W, 3) of a document at a time in seconds; see Look for the options."""
    with Renderer(document, clip, Look(style, camera, tuple(points), onion, ground), size, backend) as renderer:
        return renderer.frame(time)


def save_png(picture: Bytes, path: str | Path) -> None:
    """Write a picture (H, W, 3) as PNG."""
    from PIL import Image

    with complete(checked(path, (".png",), "a picture")) as partial:
        Image.fromarray(picture).save(partial, compress_level=4)
