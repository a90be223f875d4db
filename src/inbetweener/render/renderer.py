"""A renderer: a compiled document and whatever draws it, kept from frame to frame."""

import os
import warnings
from types import TracebackType
from typing import Literal, Protocol, Self, get_args

from inbetweener.arrays import Bytes
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.render.gl import GLBackend, NoGraphics
from inbetweener.render.scene import Look, Scene
from inbetweener.render.software import SoftwareBackend
from inbetweener.render.stage import Stage

Backend = Literal["auto", "gl", "software"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)
LARGEST = 8192
CHOICE = "INBETWEENER_RENDER"
"""The environment variable that decides what "auto" means: gl or software."""


class SoftwareDrawing(UserWarning):
    """OpenGL could not be had, so pictures come slower; says what would help."""


class Drawing(Protocol):
    """Draws scenes at one size."""

    name: str
    size: tuple[int, int]

    def draw(self, scene: Scene) -> Bytes:
        """The picture (H, W, 3)."""
        ...

    def close(self) -> None:
        """Give back what was taken from the driver."""
        ...


def drawing(size: tuple[int, int], backend: str = "auto") -> Drawing:
    """What draws pictures of a size (width, height) here: OpenGL where there is any, else our own loops."""
    if min(size) < 1 or max(size) > LARGEST:
        raise InbetweenerError(f"a picture of {size[0]} × {size[1]} pixels cannot be made; sides are 1 to {LARGEST}")
    if backend == "auto":
        backend = os.environ.get(CHOICE) or "auto"
    match backend:
        case "gl":
            return GLBackend(size)
        case "software":
            return SoftwareBackend(size)
        case "auto":
            try:
                return GLBackend(size)
            except NoGraphics as error:
                warnings.warn(f"drawing without OpenGL, which is slower: {error}", SoftwareDrawing, stacklevel=2)
                return SoftwareBackend(size)
    raise UnknownName("backend", backend, BACKENDS)


class Renderer:
    """Draws frames of one clip at one size and look."""

    def __init__(
        self,
        document: Document,
        clip: str | None = None,
        look: Look | None = None,
        size: tuple[int, int] = (960, 540),
        backend: Backend = "auto",
    ) -> None:
        self.stage = Stage(document, clip, look)
        self.size = size
        self.drawing = drawing(size, backend)
        self.camera = self.stage.framed(size[0] / size[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drawing.close()

    def frame(self, time: float) -> Bytes:
        """The picture (H, W, 3) at a time in seconds."""
        camera = self.stage.seen(time) if self.stage.look.camera == "scene" else self.camera
        return self.drawing.draw(self.stage.scene(time, camera))
