"""A Studio opened by a script: what code does pages see at once, as one step; what pages do, code sees."""

import time
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener import edits
from inbetweener.errors import InbetweenerError
from inbetweener.studio.live import LiveStudio
from inbetweener.studio.nearby import enter
from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import PATIENCE, Client


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("INBETWEENER_STATE", str(tmp_path / "state"))
    with ib.studio(ib.example("waving"), show=False) as opened:
        yield opened


def joined(live: LiveStudio) -> Client:
    return Client(live.address.partition("?")[0], enter(live.address))


def history(client: Client, at: int) -> to_page.History:
    end = time.monotonic() + PATIENCE
    while (told := client.wait(to_page.History)).at < at:
        client.receive(end)
    return told


def test_what_code_does_is_one_step_that_pages_see(live: LiveStudio):
    client = joined(live)
    before = live.document
    result = live.edit(edits.drag, "hand_r", frame=30, by=(0.0, 0.05, 0.0))
    assert live.document is result.document
    assert history(client, 1).labels[-1] == "Drag from Python"
    live.document = before
    assert history(client, 2).labels[-1] == "Edit from Python"
    client.ask(to_server.Undo(id=0))
    assert live.document is result.document


def test_what_a_page_does_code_sees(live: LiveStudio):
    client = joined(live)
    client.ask(edit_requests.RenameDocument(id=0, name="named by hand"))
    assert live.document.name == "named by hand"
    client.ask(to_server.Selected(id=0, names=["hips", "hand_r"]))
    assert live.selection == ("hips", "hand_r")


def test_what_fails_raises_where_it_was_asked_and_changes_nothing(live: LiveStudio):
    before = live.document
    with pytest.raises(InbetweenerError, match="no_such_hand"):
        live.edit(edits.drag, "no_such_hand", frame=30, by=(0.0, 0.05, 0.0))
    with pytest.raises(TypeError, match="not a str"):
        live.edit(str)
    assert live.document is before


def test_its_own_folder_is_gone_when_it_is_closed_and_the_document_is_not(live: LiveStudio):
    folder = live._studio.workspace.folder
    assert folder.is_dir()
    live.edit(edits.rename_document, "kept")
    live.close()
    live.close()
    assert not folder.exists()
    assert live.document.name == "kept"
    assert repr(live) == "<Studio of kept, closed>"


def test_in_a_folder_of_yours_nothing_is_overwritten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("INBETWEENER_STATE", str(tmp_path / "state"))
    (tmp_path / "waving.tween").write_bytes(b"mine")
    with ib.studio(ib.example("waving"), tmp_path, show=False):
        assert (tmp_path / "waving.tween").read_bytes() == b"mine"
    assert len(list(tmp_path.glob("*.tween"))) == 2
