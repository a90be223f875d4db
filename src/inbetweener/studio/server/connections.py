"""How long a connection may keep us waiting, and how many there may be: the slow and the crowds are cut off.

The server asks for no cookie before it has read a request's head, so anybody who can connect can try.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 128
"""At a time, sockets of pages among them; a browser has up to seven for a page."""
HEAD_PATIENCE = 10.0
"""Seconds within which the head of a request must be whole, and what is left of a refused one must have come."""
BODY_PATIENCE = 30.0
"""Seconds without a byte of a body, or in which hardly any of an answer is taken."""

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 10\r\nconnection: close\r\n\r\n"
    b"Too many connections to this Studio; close some of its pages, and try again."
)


class Connection(H11Protocol):
    """HTTP as uvicorn speaks it, for a while and not for ever."""

    _hurry: asyncio.TimerHandle | None = None
    _waits_for: object = None

    def connection_made(self, transport: Any) -> None:
        """Turn away who comes to a full house; otherwise wait for a request."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.write(_FULL)
            transport.close()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Whatever came, the next of it has its own time; a head has the same however it is cut up."""
        super().data_received(data)
        self._watch(again=True)

    def on_response_complete(self) -> None:
        """What comes after an answer is another request, or a body that nobody wants."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """The browser does not take what it asked for."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on a page is asked now and then whether it is there."""
        self._time(None, 0.0)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._time(None, 0.0)
        super().connection_lost(exc)

    def _watch(self, *, again: bool = False) -> None:
        theirs, ours = self.conn.their_state, self.conn.our_state
        if self.transport.get_protocol() is not self or self.transport.is_closing():
            return
        if self.flow.write_paused:
            self._time("taking", BODY_PATIENCE)
        elif theirs is h11.IDLE:
            # Between two requests uvicorn itself waits, for less; once a byte of the next has come it does not.
            self._time("head", HEAD_PATIENCE)
        elif theirs is h11.SEND_BODY and ours is h11.DONE:
            self._time("rest", HEAD_PATIENCE)
        elif theirs is h11.SEND_BODY:
            self._time("body", BODY_PATIENCE, again=again)
        else:
            self._time(None, 0.0)

    def _time(self, what: str | None, seconds: float, *, again: bool = False) -> None:
        if what == self._waits_for and not again:
            return
        if self._hurry is not None:
            self._hurry.cancel()
        self._waits_for = what
        self._hurry = None if what is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._waits_for == "body" and self.flow.read_paused:
            # It is we who are slow.
            self._watch(again=True)
        else:
            self.transport.abort()
