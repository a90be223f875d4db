"""Who may come in: tokens, cookies and keys, all made from the folder's secret.

A one-time token for the address is exchanged for a cookie, one a browser, that lasts a month, and for
a key that only the page itself keeps. Browsers send a cookie to every port of a host, so a program at another port may
see it; all that is not the page's own code wants the key as well, which goes nowhere else.

All are made from the folder's secret. A token is a random number and its signature for one start of the server, so
that a second `inbetweener studio` on the same folder can hand out a fresh address for the server that runs already.
Cookie and key depend on the secret alone: a page stays welcome when the server is started again, until everybody is
logged out by a new secret.
"""

import hashlib
import hmac
import secrets
import time
from threading import Lock

KEY_HEADER = "x-inbetweener-key"
"""Where a request shows the page's key."""
MONTH = 30 * 24 * 3600
"""Seconds that a cookie lasts."""


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

    def issue(self) -> tuple[str, str]:
        """A cookie for one browser, and the key of its pages."""
        who = f"{secrets.token_hex(8)}.{int(time.time()) + MONTH}"
        return f"{who}.{_signature(self._secret, f'cookie {who}')}", _signature(self._secret, f"key {who}")

    def knows(self, cookie: str | None) -> bool:
        """Whether a browser that shows this cookie has been let in, not too long ago."""
        who, _, signature = (cookie or "").rpartition(".")
        ends = who.partition(".")[2]
        return (
            _same(signature, _signature(self._secret, f"cookie {who}"))
            and ends.isascii()
            and ends.isdecimal()
            and time.time() < int(ends)
        )

    def opens(self, cookie: str | None, key: str) -> bool:
        """Whether a key is that of this browser's pages."""
        who = (cookie or "").rpartition(".")[0]
        return self.knows(cookie) and _same(key, _signature(self._secret, f"key {who}"))

    def renew(self, secret: bytes) -> None:
        """Log everybody out: nothing that was given out before opens anything."""
        self._secret = secret


def _signature(secret: bytes, text: str) -> str:
    # 128 bits are beyond guessing, and keep the address short.
    return hmac.new(secret, text.encode(errors="surrogateescape"), hashlib.sha256).hexdigest()[:32]


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(errors="surrogateescape"), right.encode())
