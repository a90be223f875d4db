"""A renderer: a compiled document and whatever draws it, kept from frame to frame."""

from types import TracebackType
from typing import Literal, Protocol, Self

from inbetweener.arrays import Bytes
from inbetweener.document import Document
from inbetweener.render.scene import Look, Scene, Stage
from inbetweener.render.software import SoftwareBackend

Backend = Literal["auto", "gl", "software"]


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
        self.camera = self.stage.camera(size[0] / size[1])
        self.drawing = SoftwareBackend(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drawing.close()

    def frame(self, time: float) -> Bytes:
        """The picture (H, W, 3) at a time in seconds."""
        return self.drawing.draw(self.stage.scene(time, self.camera, self.size[1]))
