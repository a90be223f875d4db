"""Flying robot: under the lamp, over the beam, over the post, by three drags of its body's arc and no new key."""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import numpy as np

from inbetweener.arrays import Bytes
from inbetweener.builtin import example
from inbetweener.document import Document, read_native
from inbetweener.render.movie import FASTEST, movie_rate, movie_times, write_mp4
from inbetweener.render.output import checked, complete
from inbetweener.render.renderer import Renderer
from inbetweener.render.scene import Look
from inbetweener.studio.nearby import enter
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import Studio

EXAMPLE, POINT = "flying-robot", "body"
UNDER_THE_LAMP = 36 / 24
DRAGS = (
    (UNDER_THE_LAMP, (0.0, 0.53, 0.0)),
    (57 / 24, (1.66, 1.74, -0.12)),
    (14 / 24, (-1.84, 1.78, 0.15)),
)
"""When the body is dragged, and where to; once it is under the lamp, that state is locked."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The flight before and after, and what it took."""

    before: Document
    after: Document
    answers: tuple[to_page.Answer, ...]
    drags: int
    seconds: float


def replay(tell: Callable[[str], None] = lambda line: None) -> TaskOutcome:
    """Do the task over a real WebSocket, on a server of its own that leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="inbetweener-demo-") as folder:
        workspace = Workspace(Path(folder) / "project", state=Path(folder) / "state")
        studio = Studio(workspace, Origin(example=EXAMPLE), port=0)
        thread = Thread(target=studio.serve, name="studio-demo")
        thread.start()
        try:
            started = time.perf_counter()
            with Client(studio.address, enter(studio.invitation())) as client:
                answers = _fly_around(client, tell)
                seconds = time.perf_counter() - started
                client.ask(to_server.Save(id=0, path="after"))
        finally:
            studio.stop()
            thread.join()
            studio.close()
        after = read_native(workspace.folder / "after.tween")
    return TaskOutcome(example(EXAMPLE), after, tuple(answers), len(DRAGS), seconds)


def key_times(document: Document) -> int:
    """At how many times the clip has keys."""
    return len({float(time) for curve in document.clip().curves.values() for time in curve.times})


def _fly_around(client: Client, tell: Callable[[str], None]) -> list[to_page.Answer]:
    place = client.place(POINT)
    answers = []
    for number, (seconds, target) in enumerate(DRAGS):
        answers += client.drag(place, seconds, np.array(target))
        reached = "reached" if answers[-1].reached else f"{100 * answers[-1].distance:.1f} cm short"
        tell(f"Dragged the {POINT} at frame {seconds * 24:g} to {target}: {reached}")
        if number == 0:
            client.ask(edit_requests.AddPin(id=0, place=place, start=UNDER_THE_LAMP, end=UNDER_THE_LAMP))
            tell(f"Locked the {POINT} under the lamp")
    return answers


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
