"""Studios that run on this machine, for programs beside them: found by their notes, sent documents, asked for them.

Needs nothing that a slim install has not.
"""

import http.client
import json
import ssl
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import quote, urlsplit

from inbetweener import __version__
from inbetweener.document import Document
from inbetweener.document.native.read import document_from, native_text
from inbetweener.errors import InbetweenerError
from inbetweener.studio.project.workspace import Running, all_running
from inbetweener.studio.server.credentials import KEY_HEADER, Credentials, mint

PATIENCE = 60.0
"""Seconds to wait for any one thing."""
EXCHANGE = "/exchange"
"""Where documents are sent to and fetched from."""


class NoEntry(InbetweenerError):
    """The Studio did not let us in."""


class NoStudio(InbetweenerError):
    """No Studio that documents can be exchanged with; says why, and what helps."""


def enter(invitation: str, trusted: ssl.SSLContext | None = None, patience: float = PATIENCE) -> dict[str, str]:
    """Trade the token of an address for cookie and key, as a browser does; returns the headers that show them."""
    address = urlsplit(invitation)
    connection = _connection(invitation, trusted, patience)
    try:
        connection.request("GET", f"/?{address.query}")
        answer = connection.getresponse()
        cookie, target = answer.getheader("set-cookie"), answer.getheader("location", "")
        if answer.status != 303 or cookie is None:
            raise NoEntry(f"the Studio at {address.netloc} refused the token ({answer.status})")
        return {"Cookie": cookie.partition(";")[0], KEY_HEADER: target.partition("#key=")[2]}
    finally:
        connection.close()


def _connection(address: str, trusted: ssl.SSLContext | None, patience: float) -> http.client.HTTPConnection:
    split = urlsplit(address)
    if split.scheme == "https":
        return http.client.HTTPSConnection(split.netloc, timeout=patience, context=trusted)
    return http.client.HTTPConnection(split.netloc, timeout=patience)


class Nearby:
    """A running Studio of this user, in which a document is put, and from which it is fetched."""

    def __init__(self, running: Running, secret: bytes, patience: float = PATIENCE) -> None:
        """Go in; raises NoStudio where it is gone, of another version, or not what its note says."""
        self.running, self._patience = running, patience
        if running.version != __version__:
            other = f"version {running.version}" if running.version else "an older version"
            raise NoStudio(
                f"the Studio at {running.address} is {other}, this is {__version__}; install the same version of both, "
                "or exchange a file"
            )
        try:
            self._headers = enter(f"{running.local}?token={mint(secret, running.instance)}", patience=patience)
        except NoEntry as error:
            raise NoStudio(f"{error}; start it again with: inbetweener studio --folder {running.folder}") from None
        except (OSError, http.client.HTTPException) as error:
            raise self._gone(error) from error
        # Whoever took over its port since cannot sign what it gives out.
        if not _is_signed(self._headers, secret):
            raise NoStudio(f"what answers at {running.address} is not the Studio that was there; start that again")

    def send(self, document: Document, sender: str) -> str:
        """Put a document before its pages, and say what became of it."""
        body = self._ask("POST", f"{EXCHANGE}?sender={quote(sender)}", native_text(document))
        return str(json.loads(body)["text"])

    def fetch(self) -> Document:
        """The document that is open in it, as far as it is committed."""
        document, _ = document_from(self._ask("GET", EXCHANGE), self.running.address)
        return document

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        connection = _connection(self.running.local, None, self._patience)
        try:
            origin = self.running.local.rstrip("/")
            connection.request(method, path, body, {**self._headers, "Origin": origin})
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._gone(error) from error
        finally:
            connection.close()
        if answer.status >= 300:
            raise NoStudio(f"the Studio at {self.running.address}: {_told(content) or answer.reason}")
        return content

    def _gone(self, error: Exception) -> NoStudio:
        if isinstance(error, TimeoutError):
            return NoStudio(f"the Studio at {self.running.address} does not answer; it may be busy: try again")
        if isinstance(error, ssl.SSLError):
            why = f"its certificate is not trusted here ({error.reason or error}); exchange a file"
            return NoStudio(f"the Studio at {self.running.address}: {why}")
        again = f"start it again with: inbetweener studio --folder {self.running.folder}"
        return NoStudio(f"the Studio at {self.running.address} is closed; {again}")


def find(state: Path | None = None, patience: float = PATIENCE) -> Nearby:
    """The Studio that was started last and still answers; raises NoStudio where there is none."""
    first: NoStudio | None = None
    for running, secret in all_running(state):
        try:
            return Nearby(running, secret, patience)
        except NoStudio as problem:
            first = first or problem
    raise first or NoStudio("no Studio is running; start one with: inbetweener studio")


def _is_signed(headers: dict[str, str], secret: bytes) -> bool:
    try:
        cookies = [morsel.value for morsel in SimpleCookie(headers["Cookie"]).values()]
    except CookieError:
        return False
    return len(cookies) == 1 and Credentials(secret, "", "").opens(cookies[0], headers[KEY_HEADER])


def _told(content: bytes) -> str:
    try:
        return str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError):
        return ""
