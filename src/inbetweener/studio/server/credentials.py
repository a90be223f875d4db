"""Who may come in: a one-time token for the address, exchanged for a cookie that lasts.

Both are made from the folder's secret. A token is a random number and its signature for one start of the server, so
that a second `inbetweener studio` on the same folder can hand out a fresh address for the server that runs already.
The cookie depends on the secret alone: a page stays welcome when the server is started again.
"""

import hashlib
import hmac
import secrets
from threading import Lock


def new_instance() -> str:
    """A name for one start of the server."""
    return secrets.token_hex(8)


def mint(secret: bytes, instance: str) -> str:
    """A token that opens the door once, while this start of the server lasts."""
    number = secrets.token_hex(8)
    return f"{number}{_signature(secret, f'token {instance} {number}')}"


class Credentials:
    """Checks tokens and cookies; tokens are used up."""

    def __init__(self, secret: bytes, instance: str, key: str) -> None:
        self._secret, self._instance = secret, instance
        # Cookies do not tell ports apart, so each folder has a name of its own.
        self.cookie_name = f"inbetweener-{key}"
        self.cookie = _signature(secret, "cookie")
        self._used: set[str] = set()
        self._lock = Lock()

    def mint(self) -> str:
        """A fresh token."""
        return mint(self._secret, self._instance)

    def redeem(self, token: str) -> bool:
        """True once for every token of this start of the server."""
        number, signature = token[:16], token[16:]
        if not _same(signature, _signature(self._secret, f"token {self._instance} {number}")):
            return False
        with self._lock:
            fresh = number not in self._used
            self._used.add(number)
        return fresh

    def knows(self, cookie: str | None) -> bool:
        """Whether a page that shows this cookie has been let in before."""
        return cookie is not None and _same(cookie, self.cookie)


def _signature(secret: bytes, text: str) -> str:
    # 128 bits are beyond guessing, and keep the address short.
    return hmac.new(secret, text.encode(errors="surrogateescape"), hashlib.sha256).hexdigest()[:32]


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(errors="surrogateescape"), right.encode())
