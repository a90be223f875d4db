"""A real Studio for a test: a real server on a free port, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from inbetweener.studio.nearby import enter
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import Studio

SMALLEST = Origin(example="waving")


@contextmanager
def served(root: Path, origin: Origin | None = SMALLEST, port: int = 0, **more: Any) -> Iterator[Studio]:
    """Serve `root/project` until the end of the block, then stop as Ctrl-C does."""
    with running(Studio(Workspace(root / "project", state=root / "state"), origin, port=port, **more)) as studio:
        yield studio


@contextmanager
def running(studio: Studio) -> Iterator[Studio]:
    """A Studio that serves until the end of the block."""
    thread = Thread(target=studio.serve, name="studio-under-test")
    thread.start()
    try:
        yield studio
    finally:
        studio.stop()
        thread.join(30)
        studio.close()
    assert not thread.is_alive()


def join(studio: Studio) -> Client:
    """A page that has been let in."""
    return Client(studio.address, enter(studio.invitation()))
