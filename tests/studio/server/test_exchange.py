"""Documents go from a program beside the Studio into it and back, as they are; what is in the way is one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document, edits
from inbetweener.host import WarmUp
from inbetweener.studio import nearby
from inbetweener.studio.nearby import NoStudio
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.workspace import Workspace, all_running
from inbetweener.studio.protocol import gestures, to_page, to_server
from inbetweener.studio.server.credentials import KEY_HEADER
from tests.studio.served import join, served

UP = np.array([0.0, 0.02, 0.0])


def find(root: Path) -> nearby.Nearby:
    return nearby.find(root / "state", patience=30.0)


def sent() -> Document:
    return replace(example("waving"), name="sent")


def dragged(document: Document) -> Document:
    return edits.drag(document, "hand_r", time=0.5, by=(0.0, 0.02, 0.0)).document


def test_what_is_sent_is_opened_and_comes_back_to_the_bit(tmp_path: Path) -> None:
    with served(tmp_path):
        studio = find(tmp_path)
        assert studio.send(sent(), "Blender") == "sent.tween is open"
        assert (tmp_path / "project" / "sent.tween").is_file()
        assert studio.fetch() == sent()


def test_what_is_open_already_changes_by_a_step_that_can_be_undone(tmp_path: Path) -> None:
    with served(tmp_path) as server, join(server) as page:
        studio = find(tmp_path)
        studio.send(sent(), "Blender")
        assert studio.send(sent(), "Blender") == "sent is as it was"
        assert "undo" in studio.send(dragged(sent()), "Blender")
        assert studio.fetch() == dragged(sent())
        page.ask(to_server.Undo(id=0))
        assert page.newest(to_page.History).labels[-1] == "From Blender"
        assert studio.fetch() == sent()


@pytest.fixture(scope="module")
def compiled() -> None:
    """What a drag needs is there before a page waits for it with a clock."""
    warm = WarmUp(later=())
    warm.wait()
    assert warm.error is None


@pytest.mark.usefixtures("compiled")
def test_what_a_hand_has_changed_on_the_page_is_fetched(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        studio = find(tmp_path)
        studio.send(sent(), "Blender")
        with join(server) as page:
            place = page.place("hand_r")
            page.drag(place, 0.5, page.position(place, 0.5) + UP, steps=3)
        changed = studio.fetch()
        assert changed != sent()
        assert changed.clip().curves.differing(sent().clip().curves)


@pytest.mark.usefixtures("compiled")
def test_unsaved_work_on_something_else_is_not_given_up(tmp_path: Path) -> None:
    with served(tmp_path) as server, join(server) as page:
        studio = find(tmp_path)
        place = page.place("hand_r")
        page.drag(place, 0.5, page.position(place, 0.5) + UP, steps=2)
        with pytest.raises(NoStudio, match="1 edit of waving is not saved; save first"):
            studio.send(sent(), "Blender")
        assert not (tmp_path / "project" / "sent.tween").exists()
        page.ask(to_server.Save(id=0))
        studio.send(sent(), "Blender")
        # A hand that holds something is not disturbed.
        page.begin(gestures.DragArc(page.place("hand_r"), 0.5))
        page.ask(to_server.ShowArcs(id=0, arcs=[]))
        with pytest.raises(NoStudio, match="is under way, maybe in another tab; let go of it first"):
            studio.send(dragged(sent()), "Blender")


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    with served(tmp_path, Origin(example="waving")):
        studio = find(tmp_path)
        studio.send(sent(), "Blender")
        studio.send(replace(example("waving"), name="other"), "Blender")
        assert studio.send(sent(), "Blender") == "sent 2.tween is open"


def test_without_a_studio_the_line_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(NoStudio, match="no Studio is running; start one with: inbetweener studio"):
        find(tmp_path)
    with served(tmp_path):
        studio = find(tmp_path)
    assert not all_running(tmp_path / "state")
    with pytest.raises(NoStudio, match="is closed; start it again with: inbetweener studio --folder"):
        studio.fetch()


def test_a_studio_that_was_killed_is_called_closed_and_one_that_runs_is_preferred(tmp_path: Path) -> None:
    with served(tmp_path / "a"):
        ((note, _),) = all_running(tmp_path / "a" / "state")
    left = Workspace(tmp_path / "left", state=tmp_path / "b" / "state")
    left.secret()
    left.announce(note)
    with pytest.raises(NoStudio, match="is closed; start it again"):
        find(tmp_path / "b")
    with served(tmp_path / "b") as server:
        left.announce(note)
        assert find(tmp_path / "b").running.local == server.address


def test_another_version_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for version, said in (("0.0.9", "is version 0.0.9, this is"), ("", "is an older version")):
            ((note, _),) = all_running(tmp_path / "state")
            server.workspace.announce(note.__class__(note.address, note.instance, note.process, note.local, version))
            with pytest.raises(NoStudio, match=f"{said}.*install the same version of both, or exchange a file"):
                find(tmp_path)


def test_who_took_over_the_port_gets_no_document(tmp_path: Path) -> None:
    asked: list[str] = []
    with served(tmp_path):
        ((note, secret),) = all_running(tmp_path / "state")
    with impostor(asked) as port:
        taken = note.__class__(note.address, note.instance, 1, f"http://127.0.0.1:{port}/", note.version, note.folder)
        with pytest.raises(NoStudio, match="is not the Studio that was there"):
            nearby.Nearby(taken, secret)
    assert asked == ["GET"]


@contextmanager
def impostor(asked: list[str]) -> Iterator[int]:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append("GET")
            self.send_response(303)
            self.send_header("Set-Cookie", "inbetweener-x=0123456789abcdef.9999999999.00; Path=/")
            self.send_header("Location", "/#key=00")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("body", [b"", b"{}", b'{"format": "inbetweener", "version": 99}', b"\xff\xfe"])
def test_what_is_no_document_is_one_line_and_changes_nothing(tmp_path: Path, body: bytes) -> None:
    with served(tmp_path):
        studio = find(tmp_path)
        before = studio.fetch()
        with pytest.raises(NoStudio, match="what Blender sent"):
            studio._ask("POST", f"{nearby.EXCHANGE}?sender=Blender", body)
        with pytest.raises(NoStudio, match="must say who it is"):
            studio._ask("POST", nearby.EXCHANGE, body)
        assert studio.fetch() == before


def test_without_the_key_nobody_gets_a_document(tmp_path: Path) -> None:
    with served(tmp_path):
        studio = find(tmp_path)
        studio._headers[KEY_HEADER] = "0" * 32
        with pytest.raises(NoStudio, match="Forbidden"):
            studio.fetch()
        with pytest.raises(NoStudio, match="Forbidden"):
            studio.send(sent(), "Blender")
