"""A connected page: what it sent, decoded; what it is shown; whether it keeps up."""

import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from inbetweener.document import History
from inbetweener.studio.protocol import binary, to_page
from inbetweener.studio.protocol.parts import Number
from inbetweener.studio.protocol.to_server import AnyRequest
from inbetweener.studio.session.costs import CostMap
from inbetweener.studio.session.page_view import PageView, Wire, text

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session

Send = Callable[[list[Wire]], object]
MOST_ASKED, MOST_ASKED_BYTES = 500, 8 << 20
"""How many messages of one page may wait for the worker, and how long they may be together."""
_REQUEST = msgspec.json.Decoder(AnyRequest)


class _TooMuch(Exception):
    pass


class _Id(msgspec.Struct):
    id: Number = 0


class Page:
    """One tab. `receive` and `drained` are called by the event loop and never wait; all else by the session's worker.

    `send` takes a batch of messages and must call `drained` once they are out of the door.
    """

    def __init__(self, session: "Session", number: int, send: Send) -> None:
        self.number = number
        self.view = PageView(session.plans)
        self.costs = CostMap()
        self._history_sent: tuple[History, int | None] | None = None
        self._session = session
        self._send = send
        self._door = Lock()
        self._under_way = 0
        self._behind = False
        self._asked: dict[Hashable, int] = {}

    def receive(self, data: Wire) -> None:
        """A message from the page; a malformed one is answered and changes nothing."""
        arrived = time.perf_counter()
        try:
            if isinstance(data, bytes):
                move = binary.read_move(data)
                # The newest move of a gesture takes the place of one that still waits.
                key: Hashable = ("move", self.number, move.gesture)
                self._ask(key, len(data), lambda: self._session.gestures.move(self, move, arrived))
            else:
                request = _REQUEST.decode(data)
                self._ask(object(), len(data), lambda: self._session.handle(self, request))
        except _TooMuch:
            self._refuse(data, "The Studio has not come to what this page asked for before; wait, and ask again")
        except (msgspec.MsgspecError, binary.MalformedMessage, UnicodeError, RecursionError) as error:
            self._refuse(data, f"The Studio did not understand the page: {error}")

    def _ask(self, key: Hashable, size: int, task: Callable[[], None]) -> None:
        with self._door:
            others = [each for other, each in self._asked.items() if other != key]
            if len(others) >= MOST_ASKED or sum(others) + size > MOST_ASKED_BYTES:
                raise _TooMuch
            self._asked[key] = size

        def do() -> None:
            with self._door:
                self._asked.pop(key, None)
            task()

        self._session.worker.renew(key, do)

    def _refuse(self, data: Wire, why: str) -> None:
        self.send([text(to_page.Refused(id=_id_of(data), text=why))])

    def send(self, batch: list[Wire]) -> None:
        """Messages that must arrive, whether or not the page keeps up."""
        if not batch:
            return
        with self._door:
            self._under_way += 1
        self._send(batch)

    def dismiss(self) -> None:
        """Close the connection, once what was sent before has gone out."""
        self._send([])

    def drained(self) -> None:
        """A batch is out of the door; tell what was skipped meanwhile."""
        with self._door:
            self._under_way -= 1
            caught_up = self._behind and self._under_way <= 0
        if caught_up:
            self._session.worker.renew(("update", self.number), lambda: self._session.update(self))

    def may_be_skipped(self) -> bool:
        """Whether earlier messages still wait to be sent; then the next update is sent later, and once."""
        with self._door:
            self._behind = self._under_way > 0
            return self._behind

    def must_hear_history(self, history: History, saved: int | None) -> bool:
        """Whether the history is another one than was sent last; from now on it counts as sent."""
        sent, self._history_sent = self._history_sent, (history, saved)
        return sent is None or sent[0] is not history or sent[1] != saved


def _id_of(data: Wire) -> int:
    """The id of a request that could not be decoded, so that whoever waits for its answer gets one."""
    try:
        return msgspec.json.decode(data, type=_Id).id if isinstance(data, str) else 0
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0
