"""A page made of Python: talks to a running Studio over its real door, for the demo, the tests and the benchmarks."""

import itertools
import struct
import time
from contextlib import ExitStack
from ssl import SSLContext
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from inbetweener.arrays import Floats
from inbetweener.errors import UnknownName
from inbetweener.studio.protocol import binary, gestures, to_page, to_server
from inbetweener.studio.protocol.parts import Message, Part, Place
from inbetweener.studio.session import Refusal

M = TypeVar("M", bound=Message)
_MESSAGE = msgspec.json.Decoder(to_page.AnyMessage)
_HEADER = struct.Struct("<BBHIII")
PATIENCE = 60.0
"""Seconds to wait for any one thing."""


class Client:
    """One connection; what the server tells is kept, the newest of each kind."""

    def __init__(self, address: str, headers: dict[str, str], trusted: SSLContext | None = None) -> None:
        self.address, self.headers = address, headers
        origin = address.rstrip("/")
        self._closing = ExitStack()
        self._socket: ClientConnection = self._closing.enter_context(
            connect(
                f"{origin.replace('http', 'ws', 1)}/socket",
                origin=Origin(origin),
                ssl=trusted,
                additional_headers=headers,
                max_size=None,
                compression=None,
                # Who leaves does not read what still comes, so the server's goodbye may not get through.
                close_timeout=1,
            )
        )
        self.latest: dict[type, Any] = {}
        self.notices: list[to_page.Notice] = []
        self._ids, self._gestures = itertools.count(1), itertools.count(1)
        self._arcs: dict[int, bytes] = {}
        try:
            # Kept poses are the last that a new page is told.
            for told in (to_page.Scene, to_page.History, to_page.Files, to_page.KeptPoses):
                self.wait(told)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave."""
        self._closing.close()

    def newest(self, kind: type[M]) -> M:
        """The newest message of a kind that has come."""
        found: M = self.latest[kind]
        return found

    def wait(self, kind: type[M], patience: float = PATIENCE) -> M:
        """The next message of a kind, or the newest if one has come."""
        end = time.monotonic() + patience
        while kind not in self.latest:
            self.receive(end)
        return self.newest(kind)

    def ask(self, request: to_server.AnyRequest, patience: float = PATIENCE) -> to_page.Done:
        """Send a request and wait for its answer; raises what the server refuses."""
        request.id = next(self._ids)
        self.send(msgspec.json.encode(request).decode())
        end = time.monotonic() + patience
        while True:
            answer = self.receive(end)
            if isinstance(answer, to_page.Done) and answer.id == request.id:
                return answer
            if isinstance(answer, to_page.Refused) and answer.id == request.id:
                raise Refusal(answer.text, answer.code)

    def send(self, data: str | bytes) -> None:
        """Send anything at all."""
        self._socket.send(data)

    def receive(self, end: float) -> to_page.AnyMessage | bytes:
        """The next thing that the server tells; TimeoutError after `end` on the monotonic clock."""
        return self.hear(self._socket.recv(max(0.0, end - time.monotonic())))

    def hear(self, data: str | bytes) -> to_page.AnyMessage | bytes:
        """Keep what the server tells."""
        if isinstance(data, bytes):
            kind, _, _, _, number, _ = _HEADER.unpack_from(data)
            if kind == binary.ARC:
                self._arcs[number] = data
            return data
        message = _MESSAGE.decode(data)
        self.latest[type(message)] = message
        if isinstance(message, to_page.Notice):
            self.notices.append(message)
        return message

    def place(self, name: str) -> Place:
        """A named point or joint of the scene."""
        scene = self.wait(to_page.Scene)
        for point in scene.points:
            if point.name == name:
                return Place([Part(point.joint, point.offset, 1.0)], name)
        if name in (names := [joint.name for joint in scene.joints]):
            return Place([Part(name, (0.0, 0.0, 0.0), 1.0)], name)
        raise UnknownName("point", name, [*(point.name for point in scene.points), *names])

    def position(self, place: Place, seconds: float) -> Floats:
        """Where a place is at a time, from the samples of its motion curve."""
        self._arcs.clear()
        self.ask(to_server.ShowArcs(id=0, arcs=[to_server.ArcWish(1, place)]))
        end = time.monotonic() + PATIENCE
        while 1 not in self._arcs:
            self.receive(end)
        data = self._arcs[1]
        _, _, per_frame, _, _, count = _HEADER.unpack_from(data)
        _, start = struct.unpack_from("<If", data, _HEADER.size)
        positions = np.frombuffer(data, "<f4", 3 * count, _HEADER.size + 8).reshape(count, 3).astype(np.float64)
        at = (seconds - start) * per_frame * self.wait(to_page.Clip).rate
        return np.array([np.interp(at, np.arange(count), column) for column in positions.T])

    def drag(self, place: Place, seconds: float, to: Floats, steps: int = 24) -> list[to_page.Answer]:
        """Drag a motion curve in small moves, each answered before the next, and let go."""
        began = self.position(place, seconds)
        number = self.begin(gestures.DragArc(place, seconds))
        answers = [
            self.move(number, step, began + (np.asarray(to) - began) * step / steps) for step in range(1, steps + 1)
        ]
        self.ask(to_server.Commit(id=0, gesture=number))
        return answers

    def begin(self, gesture: gestures.AnyGesture) -> int:
        """Take hold of something; returns the gesture's number."""
        number = next(self._gestures)
        self.ask(to_server.Begin(id=0, gesture=number, what=gesture))
        return number

    def move(self, gesture: int, sequence: int, values: Floats) -> to_page.Answer:
        """Move the hand and wait for what became of it."""
        numbers = np.asarray(values, "<f8")
        self.send(_HEADER.pack(binary.MOVE, 0, len(numbers), gesture, sequence, 0) + numbers.tobytes())
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(end)
            if isinstance(answer, to_page.Answer) and (answer.gesture, answer.sequence) == (gesture, sequence):
                return answer
