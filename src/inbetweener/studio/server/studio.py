"""The Studio as a whole: a project folder, its session, and the server in front of them."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.project import Project
from inbetweener.studio.project.workspace import Running, Workspace
from inbetweener.studio.protocol import to_page
from inbetweener.studio.server.app import application
from inbetweener.studio.server.guard import Credentials, Guard, new_instance
from inbetweener.studio.server.listen import listen
from inbetweener.studio.server.project_routes import project_routes
from inbetweener.studio.server.warming import Warming
from inbetweener.studio.session import Page
from inbetweener.studio.session.page_view import text

MESSAGE_LIMIT = 4 << 20
"""Bytes of one WebSocket message."""
PATIENCE = 3
"""Seconds that open requests get when the server stops."""


class Studio:
    """Holds the folder's lock from creation to `close`; raises AlreadyRunning where another Studio has it."""

    def __init__(
        self, workspace: Workspace, origin: Origin | None = None, *, host: str = "127.0.0.1", port: int = 8765
    ) -> None:
        self.workspace = workspace
        workspace.lock()
        try:
            self._socket = listen(host, port)
            self.host, self.port = host, int(self._socket.getsockname()[1])
            instance = new_instance()
            self.project = Project(workspace, origin, server=instance)
            self.session = self.project.session
            self._credentials = Credentials(workspace.secret(), instance, workspace.key)
            self._warming = Warming(self._tell_warming)
            self._server = _Server(self._config())
            workspace.announce(Running(self.address, instance, os.getpid()))
        except BaseException:
            if hasattr(self, "_socket"):
                self._socket.close()
            workspace.release()
            raise

    @property
    def address(self) -> str:
        """Where a page that has been let in finds the Studio."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def invitation(self) -> str:
        """The address with a fresh token: it opens the door once."""
        return f"{self.address}?token={self._credentials.mint()}"

    def stop_on_signals(self, on_stop: Callable[[], None]) -> None:
        """Stop cleanly at the first signal, at once at the second; in the main thread, before `serve`."""

        def handle(number: int, _frame: FrameType | None) -> None:
            if self._server.should_exit:
                # Committed work is in the journal.
                os._exit(128 + number)
            self.stop()
            on_stop()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, handle)

    def serve(self) -> None:
        """Serve until `stop` is called, or a signal comes."""
        self._server.run([self._socket])

    def stop(self) -> None:
        """Let `serve` come to its end."""
        self._server.should_exit = True

    def close(self) -> None:
        """End the session, keep the journal where work is not saved, and let go of the folder."""
        self._warming.stop()
        self._socket.close()
        try:
            self.session.stop()
            self.project.close()
        finally:
            self.workspace.release()

    def _config(self) -> uvicorn.Config:
        app = application(self.session, self._greet, project_routes(self.project))
        names = (self.host, socket.gethostname()) if self.host in ("0.0.0.0", "::") else (self.host,)
        return uvicorn.Config(
            Guard(app, self._credentials, names, self.port),
            ws="websockets-sansio",
            ws_max_size=MESSAGE_LIMIT,
            # Compressing costs 5 to 15 ms a message, and everything is on this machine.
            ws_per_message_deflate=False,
            http="h11",
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=PATIENCE,
        )

    def _greet(self, page: Page) -> None:
        if message := self._warming.message:
            page.send([text(message)])
        self.project.greet(page)

    def _tell_warming(self, message: to_page.Warming) -> None:
        self.session.worker.renew("warming", lambda: self.session.tell(message))


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: uvicorn would raise them again at the end, before the session could be closed."""
        yield
