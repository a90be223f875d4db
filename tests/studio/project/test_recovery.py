"""Work that was not saved is there at the next start; work that was, or was given up, leaves nothing behind."""

from pathlib import Path

import pytest

from inbetweener.studio.project.folder import Origin
from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.session import Refusal
from tests.studio.served import SMALLEST, join, served


def journals(root: Path) -> list[Path]:
    return sorted((root / "project" / ".inbetweener").glob("*.journal"))


def rename(client: Client, *names: str) -> None:
    for name in names:
        client.ask(edit_requests.RenameDocument(id=0, name=name))


def labels(client: Client) -> tuple[int, int]:
    history = client.newest(to_page.History)
    return len(history.labels), history.at


def test_unsaved_edits_come_back_with_their_history(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one", "two", "three")
        client.ask(to_server.Undo(id=0))
    assert len(journals(tmp_path)) == 1
    with served(tmp_path) as studio, join(studio) as client:
        assert [notice.text for notice in client.notices] == ["Recovered 2 edits of waving that were not saved"]
        assert client.newest(to_page.Scene).name == "two"
        assert labels(client) == (4, 2)
        client.ask(to_server.Redo(id=0))
        assert studio.session.editor.document.name == "three"
        with join(studio) as second:
            assert second.notices == []


def test_without_a_document_asked_for_the_newest_work_comes_back(tmp_path: Path) -> None:
    with served(tmp_path, Origin(example="talking-face")) as studio, join(studio) as client:
        rename(client, "face")
    with served(tmp_path) as studio, join(studio) as client:
        assert client.newest(to_page.Scene).name == "waving"
        rename(client, "wave")
    assert len(journals(tmp_path)) == 2
    with served(tmp_path, None) as studio:
        assert studio.session.editor.document.name == "wave"
    with served(tmp_path, Origin(example="talking-face")) as studio:
        assert studio.session.editor.document.name == "face"


def test_nothing_done_leaves_no_journal(tmp_path: Path) -> None:
    with served(tmp_path):
        assert len(journals(tmp_path)) == 1
    assert [path.name for path in (tmp_path / "project" / ".inbetweener").iterdir()] == ["studio.lock"]


def test_saved_work_leaves_no_journal(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        client.ask(to_server.Save(id=0))
    assert journals(tmp_path) == []
    with served(tmp_path, Origin(path="one.tween")) as studio, join(studio) as client:
        assert client.notices == []
        assert client.newest(to_page.Scene).name == "one"


def test_edits_after_saving_are_counted_from_there(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one", "two")
        client.ask(to_server.Save(id=0, path="saved"))
        rename(client, "three")
    with served(tmp_path, Origin(path="saved.tween")) as studio, join(studio) as client:
        assert [notice.text for notice in client.notices] == ["Recovered 1 edit of saved.tween that was not saved"]
        history = client.newest(to_page.History)
        assert (history.at, history.saved) == (3, 2)


def test_what_was_saved_but_undone_and_overwritten_is_no_longer_on_the_disk(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        client.ask(to_server.Save(id=0))
        client.ask(to_server.Undo(id=0))
        rename(client, "other")
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        history = client.newest(to_page.History)
        assert (history.at, history.saved) == (1, None)
        with pytest.raises(Refusal) as refused:
            client.ask(to_server.OpenExample(id=0, name="waving"))
        assert refused.value.code == "unsaved"


def test_opening_with_discard_gives_the_work_up(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        with pytest.raises(Refusal, match="1 edit of waving is not saved") as refused:
            client.ask(to_server.OpenExample(id=0, name="waving"))
        assert refused.value.code == "unsaved"
        assert studio.session.editor.document.name == "one"
        client.ask(to_server.OpenExample(id=0, name="waving", discard=True))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert client.newest(to_page.Scene).name == "waving"
        assert labels(client) == (1, 0)
    assert journals(tmp_path) == []


def test_a_damaged_journal_is_left_aside_and_the_document_opened_afresh(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
    (journal,) = journals(tmp_path)
    journal.write_bytes(b"\0" * 100)
    with served(tmp_path) as studio:
        assert studio.session.editor.document.name == "waving"
    assert journal.read_bytes() == b"\0" * 100


def test_opening_a_document_with_work_left_behind_brings_that_back(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
    with served(tmp_path, Origin(example="talking-face")) as studio, join(studio) as client:
        client.ask(to_server.OpenExample(id=0, name=SMALLEST.example or ""))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert client.newest(to_page.Scene).name == "one"
        assert "Recovered 1 edit of waving" in client.notices[0].text


def test_a_page_outlives_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as studio:
        port = studio.port
        with join(studio) as client:
            headers, first = client.headers, client.newest(to_page.Welcome)
            rename(client, "one")
    with served(tmp_path, port=port) as studio:
        assert studio.port == port
        with Client(studio.address, headers) as client:
            assert client.newest(to_page.Welcome).server != first.server
            assert client.newest(to_page.Scene).name == "one"
