"""Whoever is slow, or comes in crowds, is cut off; everybody else is served meanwhile."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import msgspec
import pytest
from msgspec import inspect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from inbetweener.studio.nearby import enter
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.server import app, connections
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.project_routes import UPLOAD_LIMIT
from inbetweener.studio.server.studio import MESSAGE_LIMIT, Studio
from inbetweener.studio.session import page
from inbetweener.studio.session.jobs import MOST_JOBS
from tests.studio.served import join

LONG = 20.0
"""Seconds within which what takes a fraction of one must have happened."""


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.3)
    monkeypatch.setattr(connections, "BODY_PATIENCE", 0.4)


@contextmanager
def connected(studio: Studio, said: str = "", buffer: int = 0) -> Iterator[socket.socket]:
    with socket.socket() as made:
        made.settimeout(LONG)
        if buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.connect(("127.0.0.1", studio.port))
        made.sendall(said.encode())
        yield made


def head(studio: Studio, line: str, *more: str) -> str:
    shown = enter(studio.invitation())
    fields = {"Host": f"127.0.0.1:{studio.port}", "Origin": studio.address.rstrip("/"), **shown}
    return "\r\n".join([f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), *more, "", ""])


def is_cut_off(made: socket.socket, crumb: bytes = b"") -> bool:
    """Whether the server hangs up while a crumb is sent at a time, or nothing at all."""
    made.settimeout(0.05)
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        try:
            if crumb:
                made.sendall(crumb)
            if not made.recv(65536):
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + LONG
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("crumb", [b"", b"x"], ids=["silent", "byte by byte"])
@pytest.mark.parametrize("begun", ["", "GET / HTTP/1.1\r\nx: "], ids=["nothing", "a head"])
def test_a_head_that_never_ends_is_cut_off(studio: Studio, browser: httpx.Client, begun: str, crumb: bytes) -> None:
    with connected(studio, begun) as slow:
        assert browser.get("/").status_code == 200
        assert is_cut_off(slow, crumb)


def test_so_is_a_second_head_on_the_same_connection(studio: Studio) -> None:
    with connected(studio, head(studio, "GET /door")) as slow:
        assert slow.recv(65536).startswith(b"HTTP/1.1 204")
        slow.sendall(b"GET / HTTP/1.1\r\nx: ")
        assert is_cut_off(slow, b"x")


def test_so_is_a_body_that_stops(studio: Studio) -> None:
    said = head(studio, "POST /upload?name=slow.bvh", "Content-Length: 1000")
    with connected(studio, said + "HIERARCHY") as slow:
        assert is_cut_off(slow)
    until(lambda: not list(studio.workspace.folder.glob("*slow*")))


def test_a_body_that_goes_on_is_waited_for(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BODY_PATIENCE", 1.0)
    said = head(studio, "POST /upload?name=steady.bvh", "Content-Length: 15")
    with connected(studio, said) as slow:
        for letter in b"HIERARCHY\nROOT":
            # Together longer than either patience.
            slow.settimeout(0.1)
            with pytest.raises(TimeoutError):
                slow.recv(1)
            slow.sendall(bytes([letter]))
        slow.settimeout(LONG)
        slow.sendall(b"\n")
        assert slow.recv(65536).startswith(b"HTTP/1.1 201")


def test_the_rest_of_a_refused_body_is_not_waited_for(studio: Studio) -> None:
    said = f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nContent-Length: 1000000\r\n\r\n"
    with connected(studio, said) as slow:
        assert slow.recv(65536).startswith(b"HTTP/1.1 403")
        assert is_cut_off(slow, b"x")


def test_an_answer_that_nobody_takes_is_given_up(studio: Studio) -> None:
    (studio.workspace.folder / "large.tween").write_bytes(bytes(32 << 20))
    with connected(studio, head(studio, "GET /download/large.tween"), buffer=4096) as slow:
        assert slow.recv(1, socket.MSG_PEEK) == b"H"
        until(lambda: not studio._server.server_state.connections)
        slow.settimeout(LONG)
        taken = 0
        while piece := slow.recv(1 << 20):
            taken += len(piece)
        assert taken < 32 << 20


def test_a_crowd_is_turned_away_at_the_door(
    studio: Studio, browser: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert browser.get("/").status_code == 200
    monkeypatch.setattr(connections, "HEAD_PATIENCE", LONG)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 4)
    with connected(studio), connected(studio), connected(studio), connected(studio) as last:
        with connected(studio) as one_more:
            assert one_more.recv(65536).startswith(b"HTTP/1.1 503")
        assert browser.get("/").status_code == 200, "who is in already stays in"
        last.sendall(b"\r\n")


def test_only_so_many_pages(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MOST_PAGES", 2)
    with join(studio) as one, join(studio):
        with pytest.raises(InvalidStatus):
            join(studio)
        one.ask(to_server.ShowArcs(id=0, arcs=[]))
    with join(studio):
        pass


def test_a_page_that_asks_faster_than_it_is_answered_is_refused(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MOST_ASKED", 20)
    with join(studio) as client:
        busy, go_on = Event(), Event()
        studio.session.worker.submit(lambda: (busy.set(), go_on.wait(LONG)))
        assert busy.wait(LONG)
        for number in range(1, 31):
            client.send(msgspec.json.encode(to_server.Undo(id=1000 + number)).decode())
        end, refused = time.monotonic() + LONG, []
        while len(refused) < 10:
            client.receive(end)
            refused += [each] if (each := client.latest.pop(to_page.Refused, None)) else []
        assert [each.id for each in refused] == [*range(1021, 1031)]
        assert all("has not come to what this page asked for before" in each.text for each in refused)
        go_on.set()
        while (answer := client.latest.get(to_page.Refused)) is None or answer.id != 1020:
            client.receive(end)
        assert "nothing to undo" in answer.text.lower()
        client.ask(to_server.ShowArcs(id=0, arcs=[]))


def test_what_waits_is_bounded_by_its_size_too(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_ASKED_BYTES", 1000)
    with join(studio) as client:
        client.send(msgspec.json.encode(to_server.ShowClip(id=77, clip="x" * 400)).decode() + " " * 600)
        assert client.wait(to_page.Refused, LONG).id == 77
        client.ask(to_server.ShowArcs(id=0, arcs=[]))


def read_to_the_end(client: Client) -> None:
    while True:
        client.receive(time.monotonic() + LONG)


def test_a_page_that_does_not_read_is_sent_away_and_what_waits_for_it_forgotten(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MOST_WAITING", 1 << 20)
    with join(studio) as slow:
        (asleep,) = studio.session.pages.values()
        told, pieces = Event(), 1000
        for number in range(pieces):
            notice = msgspec.json.encode(to_page.Notice("info", f"{number}{'x' * (1 << 16)}")).decode()
            studio.session.worker.submit(lambda notice=notice: asleep.send([notice]))
        studio.session.worker.submit(told.set)
        assert told.wait(LONG)
        with pytest.raises(ConnectionClosed) as closed:
            read_to_the_end(slow)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
        # What the system and the client's own library keep on the way is a few megabytes, whoever reads.
        assert len(slow.notices) < pieces // 3
    with join(studio) as client:
        client.ask(to_server.ShowArcs(id=0, arcs=[]))


def _unbounded(kind: inspect.Type, path: str, seen: set[type]) -> Iterator[str]:
    match kind:
        case inspect.StructType():
            if kind.cls not in seen:
                seen.add(kind.cls)
                for field in kind.fields:
                    yield from _unbounded(field.type, f"{kind.cls.__name__}.{field.name}", seen)
        case inspect.UnionType():
            for each in kind.types:
                yield from _unbounded(each, path, seen)
        case inspect.TupleType():
            for each in kind.item_types:
                yield from _unbounded(each, path, seen)
        case inspect.ListType() | inspect.DictType() | inspect.StrType():
            if kind.max_length is None:
                yield path
            if isinstance(kind, inspect.ListType):
                yield from _unbounded(kind.item_type, path, seen)
            if isinstance(kind, inspect.DictType):
                yield from _unbounded(kind.key_type, path, seen)
                yield from _unbounded(kind.value_type, path, seen)


def test_every_list_and_text_of_a_request_has_a_bound() -> None:
    assert list(_unbounded(inspect.type_info(to_server.AnyRequest), "", set())) == []


def test_the_page_about_serving_says_these_limits() -> None:
    told = (Path(__file__).parents[3] / "docs" / "serving.md").read_text()
    said = (
        f"| connections, pages | {connections.MOST_CONNECTIONS}, {app.MOST_PAGES} at a time |",
        f"| an uploaded file, a message | {UPLOAD_LIMIT >> 20} MB, {MESSAGE_LIMIT >> 20} MB |",
        f"| requests of one page that wait | {page.MOST_ASKED}, {page.MOST_ASKED_BYTES >> 20} MB together |",
        f"| long work under way | {MOST_JOBS} pieces |",
        f"| what waits to be read by one page | {app.MOST_WAITING >> 20} MB,",
    )
    assert [line for line in said if line not in told] == []
