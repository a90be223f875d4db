"""The Studio as a whole: a project folder, its session, and the server in front of them."""

import errno
import logging
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import uvicorn

from inbetweener import __version__, kernels, system
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.project import Project
from inbetweener.studio.project.workspace import Running, Workspace
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server.app import application
from inbetweener.studio.server.connections import Connection
from inbetweener.studio.server.credentials import Credentials, new_instance
from inbetweener.studio.server.exchange_routes import exchange_routes
from inbetweener.studio.server.guard import Guard, public_origin
from inbetweener.studio.server.project_routes import project_routes
from inbetweener.studio.session import Page
from inbetweener.studio.session.page_view import text

MESSAGE_LIMIT = 4 << 20
"""Bytes of one WebSocket message."""
PATIENCE = 3
"""Seconds that open requests, and the kernel under way, get when the server stops."""


class Studio:
    """Holds the folder's lock from creation to `close`; raises AlreadyRunning where another Studio has it."""

    def __init__(
        self,
        workspace: Workspace,
        origin: Origin | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 8765,
        trust: bool = False,
        certificate: Path | None = None,
        key: Path | None = None,
        behind: str | None = None,
    ) -> None:
        """With a `certificate` it speaks TLS; `behind` is the origin under which a proxy serves it to others."""
        self.workspace = workspace
        self._behind = None if behind is None else public_origin(behind)
        self._certificate = None if certificate is None else _checked(certificate, key)
        workspace.lock()
        try:
            self._socket = listen(host, port)
            self.host, self.port = host, int(self._socket.getsockname()[1])
            instance = new_instance()
            self.project = Project(workspace, origin, server=instance, trust=trust)
            self.session = self.project.session
            self._credentials = Credentials(workspace.secret(), instance, workspace.key)
            self.session.handle_with({to_server.LogOut: self._log_out})
            self.on_log_out: Callable[[str], None] = lambda invitation: None
            self._warming = Warming(self._tell_warming)
            self._server = _Server(self._config())
            # Names that are no text can be told, not written.
            folder = str(workspace.folder).encode(errors="backslashreplace").decode()
            note = Running(self.address, instance, os.getpid(), self._own_address, __version__, folder)
            workspace.announce(note)
        except BaseException:
            if hasattr(self, "_socket"):
                self._socket.close()
            workspace.release()
            raise

    @property
    def address(self) -> str:
        """Where a page that has been let in finds the Studio."""
        return self._own_address if self._behind is None else f"{self._behind}/"

    @property
    def _own_address(self) -> str:
        """The same without the proxy, for programs on this machine."""
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"{'https' if self._certificate else 'http'}://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def invitation(self) -> str:
        """The address with a fresh token: it opens the door once."""
        return f"{self.address}?token={self._credentials.mint()}"

    def stop_on_signals(self, on_stop: Callable[[], None]) -> None:
        """Stop cleanly at the first signal, at once at the second; in the main thread, before `serve`."""

        def handle(number: int) -> None:
            if self._server.should_exit:
                # Committed work is in the journal.
                os._exit(128 + number)
            self.stop()
            on_stop()

        system.on_stop(handle)

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
        app = application(self.session, self._greet, [*project_routes(self.project), *exchange_routes(self.project)])
        names = (self.host, socket.gethostname()) if self.host in ("0.0.0.0", "::") else (self.host,)
        certificate, key = self._certificate or (None, None)
        return uvicorn.Config(
            Guard(app, self._credentials, names, self.port, secure=certificate is not None, behind=self._behind),
            ssl_certfile=certificate,
            ssl_keyfile=key,
            ws="websockets-sansio",
            ws_max_size=MESSAGE_LIMIT,
            # Compressing costs 5 to 15 ms a message, and everything is on this machine.
            ws_per_message_deflate=False,
            http=Connection,
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

    def _log_out(self, _page: Page, _request: to_server.LogOut) -> str:
        self._credentials.renew(self.workspace.renewed_secret())
        # After the answer is on its way.
        self.session.worker.submit(self._dismiss_all)
        self.on_log_out(self.invitation())
        return "Every browser is logged out; the terminal shows a new address"

    def _dismiss_all(self) -> None:
        for page in tuple(self.session.pages.values()):
            page.dismiss()

    def _tell_warming(self, message: to_page.Warming) -> None:
        self.session.worker.renew("warming", lambda: self.session.tell(message))


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: uvicorn would raise them again at the end, before the session could be closed."""
        yield


class _InALine(logging.Filter):
    """Says what is wrong with a stranger's text in a line: where it was noticed is no fault of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
            record.exc_info = None
        return True


logging.getLogger("uvicorn.error").addFilter(_InALine())

TRIES = 50
"""Ports looked at before giving up."""
_TAKEN = (errno.EADDRINUSE, errno.EACCES)


class CannotListen(InbetweenerError):
    """No socket can be had; says which address and why."""


def _checked(certificate: Path, key: Path | None) -> tuple[Path, Path | None]:
    """The files of a certificate that TLS can be spoken with; without a key of its own the first holds both."""
    try:
        # A passphrase would be asked for at the terminal, by each start.
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key, password=str)
    except OSError as error:
        files = f"{certificate}" if key is None else f"{certificate} and {key}"
        said = (
            "no certificate with its key, without a passphrase" if isinstance(error, ssl.SSLError) else error.strerror
        )
        raise CannotListen(f"TLS cannot be spoken with {files}: {said}") from error
    return certificate, key


def listen(host: str, port: int) -> socket.socket:
    """A listening socket at `port` or, where that is taken, at the next free one; port 0 takes any."""
    for candidate in range(port, min(port + TRIES, 65536)) if port else (0,):
        try:
            return _bound(host, candidate)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise CannotListen(f"cannot listen at {host}:{candidate}: {error.strerror or error}") from error
    raise CannotListen(f"no port from {port} to {port + TRIES - 1} is free at {host}; choose another with --port")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind, protocol)
    try:
        system.take_port_again(made)
        made.bind(address)
        # Listening at once shows whether the port is free: two sockets may be bound alike, but only one listens.
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


_log = logging.getLogger(__name__)
Tell = Callable[[to_page.Warming], None]


class Warming:
    """A thread that makes all kernels ready once; `message` tells how far it is."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._ready, self._total = 0, 0
        self._stopped = False
        self._thread = Thread(target=self._run, name="studio-warming", daemon=True)
        self._thread.start()

    @property
    def message(self) -> to_page.Warming | None:
        """What a page that comes now should know; None when there is nothing to wait for."""
        return to_page.Warming(ready=self._ready, total=self._total) if self._ready < self._total else None

    def stop(self) -> None:
        """Go no further than the kernel under way, and wait a moment for that, so that no helper process is left."""
        self._stopped = True
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        # What was compiled before is only loaded: a moment, not worth a message or a partner process.
        compiled = kernels.is_warm()
        try:
            for done, total, _ in kernels.warm_up(from_the_end=compiled):
                if self._stopped:
                    return
                if not compiled:
                    self._say(done, total)
            if not compiled:
                self._say(self._total, self._total)
        except Exception:
            # Whoever needs a kernel will compile it then and meet the same error where it can be told.
            _log.exception("kernels could not be made ready")

    def _say(self, ready: int, total: int) -> None:
        self._ready, self._total = ready, total
        self._tell(to_page.Warming(ready=ready, total=total))
