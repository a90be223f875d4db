"""The door: nothing behind it is reached without the right Host, Origin and cookie.

Other pages in the same browser can send requests here, and a name that they control may be made to lead here; the
Host and Origin headers tell. Other users of the machine can connect as well; the cookie tells.

Who may come in is shown by `credentials`.
"""

import ipaddress
import re
from collections.abc import Sequence
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inbetweener.errors import InbetweenerError
from inbetweener.studio.server.credentials import KEY_HEADER, MONTH, Credentials

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title} · Inbetweener</title>
<style>
  body {{ margin: 18vh auto; max-width: 34rem; padding: 0 1.5rem; font: 16px/1.6 system-ui, sans-serif;
         background: #16181d; color: #d9dce3 }}
  h1 {{ font-size: 1.25rem; font-weight: 600 }}
  code {{ padding: .1em .35em; border-radius: 4px; background: #262a33 }}
</style>
<h1>{title}</h1>
<p>{text}</p>
</html>
"""


def plain_page(status: int, title: str, text: str, *, markup: bool = False) -> HTMLResponse:
    """A page that says one thing; `text` is escaped unless it is our own markup."""
    body = _PAGE.format(title=escape(title), text=text if markup else escape(text))
    return HTMLResponse(body, status, headers={"cache-control": "no-store"})


def refused(why: str) -> HTMLResponse:
    """Who may not come in, and how to."""
    remedy = (
        "Open the address that the terminal shows; it works once. For a fresh one, run "
        "<code>inbetweener studio</code> again on the same folder."
    )
    return plain_page(403, "This Studio does not know you", f"{escape(why)} {remedy}", markup=True)


def not_built() -> HTMLResponse:
    """The Python side runs, but the page was never built."""
    text = (
        "The server runs, but its page has not been built. In a checkout, run <code>make run</code>, or "
        "<code>npm ci</code> and <code>npm run build</code> in <code>web/</code>; an installed package brings the page."
    )
    return plain_page(503, "The page is not built", text, markup=True)


_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[\w.-]+)(:(?P<port>[0-9]{1,5}))?", re.ASCII)
_PORTS = {"http": 80, "https": 443}
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
KEYED = frozenset({"socket", "door", "mesh", "part", "plan", "upload", "download", "aside", "thumbnail", "exchange"})
"""First parts of paths that want the page's key: all but the page's own code."""
_ONWARD = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={target}">'


class NoOrigin(InbetweenerError):
    """What was said to be the Studio's address for others is none."""


def public_origin(said: str) -> str:
    """A scheme, a name and perhaps a port, as browsers write them; raises NoOrigin for anything else."""
    address = urlsplit(said.strip().lower())
    found = _HOST.fullmatch(address.netloc)
    if found is None or address.scheme not in _PORTS or address.path.strip("/") or address.query or address.fragment:
        raise NoOrigin(f"{said!r} is no address to be reached at; say a scheme and a name, as https://studio.example")
    port = int(found["port"] or _PORTS[address.scheme])
    return f"{address.scheme}://{found['name']}{'' if port == _PORTS[address.scheme] else f':{port}'}"


class Guard:
    """Wraps the application; `hosts` are the names by which the server may be called, over TLS where it is `secure`.

    `behind` is the origin under which a proxy serves it, besides. What a proxy says of itself in headers is never read:
    anybody could say it.
    """

    def __init__(
        self,
        app: ASGIApp,
        credentials: Credentials,
        hosts: Sequence[str],
        port: int,
        *,
        secure: bool = False,
        behind: str | None = None,
    ) -> None:
        self._app, self._credentials, self._port = app, credentials, port
        self._scheme, self._behind = "https" if secure else "http", behind
        self._hosts = {*_LOOPBACK, *(host.lower() for host in hosts)}
        # Listening on every address: numbers are all right, because only a name can be made to lead elsewhere.
        self._any_number = bool({"0.0.0.0", "::"} & self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        own = self._origin(headers.get("host", ""))
        answer = self._judge(scope, headers, own)
        if answer is None:
            await self._app(scope, receive, _with_headers(send, own))
        elif scope["type"] == "websocket":
            # Closing before accepting is an HTTP 403 for the page.
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, _with_headers(send, own))

    def _judge(self, scope: Scope, headers: Headers, own: str | None) -> Response | None:
        """None to let it through."""
        if own is None:
            return refused("The address in the browser is not one of this Studio's.")
        origin = headers.get("origin")
        must_tell = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if origin is None and must_tell:
            return refused("The request does not say which page it comes from.")
        if origin is not None and origin.lower() != own:
            return refused("The request comes from another page.")
        cookie = self._cookie(headers)
        known = self._credentials.knows(cookie)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["type"] == "http" and scope["method"] == "GET" and any(name == "token" for name, _ in query):
            return self._exchange(scope["path"], query, headers, known, secure=own.startswith("https:"))
        if not known:
            return refused("Your browser has not been let in, or its cookie is gone.")
        given = headers.get(KEY_HEADER) or next((value for name, value in query if name == "key"), "")
        # However the path is written: what is asked for without a slash must not slip by.
        if scope["path"].strip("/").partition("/")[0] in KEYED and not self._credentials.opens(cookie, given):
            return refused("This page has lost its key.")
        return None

    def _exchange(
        self, path: str, query: list[tuple[str, str]], headers: Headers, known: bool, *, secure: bool
    ) -> Response:
        """Trade a token for the cookie, and go on without it: an address in the history must not open the door."""
        tokens = [value for name, value in query if name == "token"]
        fresh = len(tokens) == 1 and self._credentials.redeem(tokens[0])
        if not (fresh or known):
            return refused("The token in this address is wrong or was used before.")
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        cookie, key = self._credentials.issue() if fresh else (None, "")
        # What stands behind the # is for the page alone; browsers never send it.
        target = f"{_own_path(path)}{'?' if rest else ''}{rest}{f'#key={key}' if fresh else ''}"
        if headers.get("sec-fetch-site") == "cross-site":
            # After a link on another site a redirect would come without the strict cookie; our own page brings it.
            answer: Response = HTMLResponse(_ONWARD.format(target=target.replace('"', "%22").replace("<", "%3C")))
        else:
            answer = RedirectResponse(target, 303)
        answer.headers["cache-control"] = "no-store"
        if cookie is not None:
            name = self._credentials.cookie_name
            answer.set_cookie(name, cookie, max_age=MONTH, path="/", secure=secure, httponly=True, samesite="strict")
        return answer

    def _cookie(self, headers: Headers) -> str | None:
        for line in headers.getlist("cookie"):
            try:
                found = SimpleCookie(line).get(self._credentials.cookie_name)
            except CookieError:
                continue
            if found is not None:
                return found.value
        return None

    def _origin(self, host: str) -> str | None:
        """The origin of our pages under this Host; None where it is not one of ours."""
        # Only what a browser writes: an address in which anything else stands is somebody's attempt.
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return None
        if self._behind is not None and host.lower() == self._behind.partition("://")[2]:
            return self._behind
        name = found["name"].strip("[]")
        ours = name in self._hosts or (self._any_number and _is_number(name))
        if not ours or int(found["port"] or _PORTS[self._scheme]) != self._port:
            return None
        return f"{self._scheme}://{host.lower()}"


def _own_path(path: str) -> str:
    # "//elsewhere/" would lead to another host.
    return "/" + path.lstrip("/\\") if path.isprintable() else "/"


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send, own: str | None) -> Send:
    """What every answer tells the browser: load nothing from elsewhere, be framed by nobody, tell nobody of us."""
    socket = "" if own is None else " " + own.replace("http", "ws", 1)
    policy = (
        "default-src 'self'; script-src 'self'; "
        # tweakpane and dockview write style elements of their own.
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self' data:; "
        f"connect-src 'self'{socket}; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["content-security-policy"] = policy
            headers["x-content-type-options"] = "nosniff"
            headers["referrer-policy"] = "no-referrer"
            headers["x-frame-options"] = "DENY"
            headers["cross-origin-resource-policy"] = "same-origin"
            headers["cross-origin-opener-policy"] = "same-origin"
        await send(message)

    return wrapped
