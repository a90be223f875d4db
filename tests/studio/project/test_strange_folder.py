"""A project folder may come from a stranger: nothing in it leads out of it, and nothing in it opens by itself."""

import json
import os
import re
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.studio.project.batches import Batches, read_batch
from inbetweener.studio.project.folder import Folder, Origin, OutsideFolder
from inbetweener.studio.project.poses import Poses
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.protocol import edit_requests, to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.session import Refusal
from inbetweener.system import NotOurs
from tests.studio.documents import arm
from tests.studio.pages import session_of
from tests.studio.served import join, served

PRECIOUS = b"years of work\n"


def victim(root: Path) -> Path:
    path = root / "precious.txt"
    path.write_bytes(PRECIOUS)
    return path


def rename(client: Client, *names: str) -> None:
    for name in names:
        client.ask(edit_requests.RenameDocument(id=0, name=name))


def own(root: Path) -> Path:
    return root / "project" / ".inbetweener"


def made_here(root: Path, *names: str) -> Path:
    """The journal of a session that renamed the document."""
    with served(root) as studio, join(studio) as client:
        rename(client, *names)
    (journal,) = own(root).glob("*.journal")
    return journal


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_no_link_among_our_files_is_followed(tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    precious = victim(tmp_path)
    own(tmp_path).mkdir(parents=True)
    lock = own(tmp_path) / "studio.lock"
    link(precious, lock)
    with pytest.raises(NotOurs, match=re.escape(str(lock))), served(tmp_path):
        pass
    assert precious.read_bytes() == PRECIOUS
    lock.unlink()
    link(precious, own(tmp_path) / "running.json")
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        assert not (own(tmp_path) / "running.json").is_symlink()
    assert precious.read_bytes() == PRECIOUS


def test_a_folder_of_ours_that_is_a_link_is_not_used_and_said_so(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "project").mkdir()
    own(tmp_path).symlink_to(elsewhere)
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        assert any(f"{own(tmp_path)} is a link" in notice.text for notice in client.notices)
    assert list(elsewhere.iterdir()) == []
    assert len(list((tmp_path / "state").rglob("*.journal"))) == 1


def test_journal_lock_and_journal_that_are_links_harm_nobody(tmp_path: Path) -> None:
    precious = victim(tmp_path)
    journal = made_here(tmp_path, "one")
    lock = journal.with_name(journal.name + ".lock")
    lock.unlink()
    lock.symlink_to(precious)
    with served(tmp_path) as studio, join(studio) as client:
        assert studio.session.editor.document.name == "waving"
        assert any("is a link" in notice.text for notice in client.notices)
    assert precious.read_bytes() == PRECIOUS
    lock.unlink()
    content = journal.read_bytes()
    journal.unlink()
    (tmp_path / "moved.journal").write_bytes(content)
    journal.symlink_to(tmp_path / "moved.journal")
    with served(tmp_path) as studio, join(studio) as client:
        assert studio.session.editor.document.name == "waving"
        assert any("is a link" in notice.text for notice in client.notices)
    assert (tmp_path / "moved.journal").read_bytes() == content


def test_a_journal_with_a_second_name_is_continued_as_a_copy(tmp_path: Path) -> None:
    journal = made_here(tmp_path, "one")
    os.link(journal, tmp_path / "backup")
    content = journal.read_bytes()
    with served(tmp_path) as studio, join(studio) as client:
        assert studio.session.editor.document.name == "one"
        rename(client, "two")
    assert (tmp_path / "backup").read_bytes() == content


def test_a_waiting_pipe_in_place_of_a_journal_does_not_stop_the_start(tmp_path: Path) -> None:
    own(tmp_path).mkdir(parents=True)
    os.mkfifo(own(tmp_path) / "00000000000000000001-x-0000.journal")
    os.mkfifo(own(tmp_path) / "00000000000000000001-x-0000.json")
    with served(tmp_path) as studio:
        assert studio.session.editor.document.name == "waving"


def test_what_is_ours_is_private(tmp_path: Path) -> None:
    own(tmp_path).mkdir(parents=True, mode=0o777)
    own(tmp_path).chmod(0o777)
    journal = made_here(tmp_path, "one")
    assert stat.S_IMODE(own(tmp_path).stat().st_mode) == 0o700
    for file in (journal, journal.with_suffix(".json"), own(tmp_path) / "studio.lock"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_work_of_another_machine_is_asked_about(tmp_path: Path) -> None:
    made_here(tmp_path / "theirs", "one", "two")
    shutil.copytree(own(tmp_path / "theirs"), own(tmp_path / "mine"))
    with served(tmp_path / "mine") as studio, join(studio) as client:
        assert client.newest(to_page.Scene).name == "waving"
        (notice,) = client.notices
        assert notice.text.startswith("Work on waving of 20")
        assert notice.left is not None
        client.ask(to_server.OpenLeft(id=0, name=notice.left))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert client.newest(to_page.Scene).name == "two"
        assert len(client.newest(to_page.History).labels) == 3
    # From now on it is ours.
    with served(tmp_path / "mine") as studio, join(studio) as client:
        assert client.newest(to_page.Scene).name == "two"
        assert [notice.left for notice in client.notices] == [None]


@pytest.mark.parametrize("mark", ["", "é", "0" * 64, "\U0001f98a"])
def test_a_false_mark_is_none(tmp_path: Path, mark: str) -> None:
    note = made_here(tmp_path, "one").with_suffix(".json")
    note.write_text(json.dumps({**json.loads(note.read_text()), "mark": mark}))
    with served(tmp_path) as studio, join(studio) as client:
        assert studio.session.editor.document.name == "waving"
        assert [notice.left is not None for notice in client.notices] == [True]


def test_a_note_without_end_is_not_read(tmp_path: Path) -> None:
    note = made_here(tmp_path, "one").with_suffix(".json")
    os.truncate(note, 1 << 40)  # a hole, which takes no room on the disk
    with served(tmp_path) as studio, join(studio) as client:
        assert studio.session.editor.document.name == "waving"
        assert "on an unknown file" in client.notices[0].text


def test_a_journal_whose_note_is_gone_can_still_be_opened(tmp_path: Path) -> None:
    journal = made_here(tmp_path, "one")
    journal.with_suffix(".json").unlink()
    with served(tmp_path) as studio, join(studio) as client:
        (notice,) = client.notices
        assert "on an unknown file" in notice.text
        rename(client, "unsaved")
        with pytest.raises(Refusal) as refused:
            client.ask(to_server.OpenLeft(id=0, name=notice.left or ""))
        assert refused.value.code == "unsaved"
        client.ask(to_server.OpenLeft(id=0, name=notice.left or "", discard=True))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert client.newest(to_page.Scene).name == "one"
    for name in ("../precious.txt", "studio.lock", "no.journal"):
        with served(tmp_path) as studio, join(studio) as client, pytest.raises(Refusal):
            client.ask(to_server.OpenLeft(id=0, name=name))


def test_a_damaged_journal_says_what_is_lost_and_where_the_copy_lies(tmp_path: Path) -> None:
    journal = made_here(tmp_path, *map(str, range(20)))
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[11] = lines[11][:-3] + bytes([lines[11][-3] ^ 1]) + lines[11][-2:]
    damaged = b"".join(lines)
    journal.write_bytes(damaged)
    with served(tmp_path) as studio, join(studio) as client:
        assert client.newest(to_page.Scene).name == "19"
        (notice,) = client.notices
        assert "19 edits are recovered, 1 could not be read" in notice.text
        assert str(journal.with_suffix(".damaged")) in notice.more[0]
        assert "step 11" in notice.more[1]
        with httpx.Client(base_url=studio.address, headers=client.headers) as browser:
            answer = browser.get(notice.url or "")
            assert (answer.status_code, answer.content) == (200, damaged)
            for name in ("studio.lock", journal.name, "..%2Fprecious.txt", "x.damaged"):
                assert browser.get(f"/aside/{name}").status_code == 404


def test_a_beginning_that_cannot_be_read_is_told_and_stays(tmp_path: Path) -> None:
    journal = made_here(tmp_path, "one")
    journal.write_bytes(b"\0" * 100)
    for _ in range(2):
        with served(tmp_path) as studio, join(studio) as client:
            assert studio.session.editor.document.name == "waving"
            (notice,) = client.notices
            assert notice.level == "error"
            assert "cannot be opened, and stays as it is" in notice.text
            assert str(journal) in notice.text
    assert journal.read_bytes() == b"\0" * 100


def test_a_link_that_leads_to_itself_names_no_file(tmp_path: Path) -> None:
    (tmp_path / "loop.bvh").symlink_to("loop.bvh")
    with pytest.raises(OutsideFolder, match="cannot be followed"):
        Folder(tmp_path).inside("loop.bvh")


def test_a_file_that_somebody_else_changed_is_not_overwritten_unasked(tmp_path: Path) -> None:
    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        client.ask(to_server.Save(id=0, path="shot"))
        file = tmp_path / "project" / "shot.tween"
        theirs = file.read_bytes().replace(b'"one"', b'"their"')
        file.write_bytes(theirs)
        rename(client, "mine")
        with pytest.raises(Refusal) as refused:
            client.ask(to_server.Save(id=0))
        assert refused.value.code == "changed"
        assert file.read_bytes() == theirs
    # A restart does not forget.
    with served(tmp_path, Origin(path="shot.tween")) as studio, join(studio) as client:
        assert client.newest(to_page.Scene).name == "mine"
        with pytest.raises(Refusal, match="was changed by somebody else"):
            client.ask(to_server.Save(id=0))
        client.ask(to_server.Save(id=0, replace=True))
        assert b'"mine"' in file.read_bytes()
        rename(client, "again")
        client.ask(to_server.Save(id=0))
        assert b'"again"' in file.read_bytes()
        file.write_bytes(theirs)
        client.ask(to_server.OpenFile(id=0, path="shot.tween", discard=True))
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert client.newest(to_page.Scene).name == "their"


def test_a_note_that_cannot_be_written_does_not_deny_the_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inbetweener.studio.project import journals

    with served(tmp_path) as studio, join(studio) as client:
        rename(client, "one")
        client.ask(to_server.Save(id=0))
        client.ask(to_server.Undo(id=0))
        write = journals.replace_file

        def full(path: Path, content: bytes, *, own: bool = False) -> None:
            if path.suffix == ".json":
                raise OSError(28, "No space left on device")
            write(path, content, own=own)

        monkeypatch.setattr(journals, "replace_file", full)
        # The saved step is overwritten by this one, so the note changes with it.
        rename(client, "other")
        client.ask(to_server.ShowArcs(id=0, arcs=[]))
        assert studio.session.editor.document.name == "other"
        assert any("No space left on device; your edits are kept" in notice.text for notice in client.notices)
        monkeypatch.undo()


def test_a_workspace_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    own(tmp_path).mkdir(parents=True)
    os.chown(own(tmp_path), 12345, 12345)
    workspace = Workspace(tmp_path / "project", state=tmp_path / "state")
    assert workspace.journals.is_relative_to(tmp_path / "state")
    assert "belongs to somebody else" in workspace.remarks[0]


def batch_in(folder: Path) -> Path:
    """A folder that says it is a batch's, with a clip."""
    (folder / "clips" / "walk").mkdir(parents=True)
    (folder / "batch.json").write_text('{"recipe":"r","about":"","steps":"","worst":"x","source":""}')
    (folder / "clips" / "walk" / "record.json").write_text("{}")
    return folder


def batches_of(project: Path) -> Batches:
    kept = SimpleNamespace(origin=Origin(path="arm.tween"))
    return Batches(session_of(arm()), Folder(project), lambda: cast(Any, kept), lambda: None)


@pytest.mark.parametrize("name", ["../../../elsewhere/clips/walk", "/{there}/clips/walk", "walk/../walk", ".", ""])
def test_marks_of_clips_stay_within_their_batch(tmp_path: Path, name: str) -> None:
    there = batch_in(tmp_path / "elsewhere")
    batch_in(tmp_path / "project" / "out")
    batches = batches_of(tmp_path / "project")
    wish = to_server.MarkClip(id=0, folder="out", name=name.format(there=there))
    with pytest.raises(InbetweenerError, match=r"no clip of the batch|no file of the project folder"):
        batches.mark(cast(Any, None), wish)
    assert sorted(each.name for each in there.iterdir()) == ["batch.json", "clips"]


def test_links_within_a_batch_lead_nowhere(tmp_path: Path) -> None:
    there = batch_in(tmp_path / "elsewhere")
    (there / "hand").mkdir()
    out = batch_in(tmp_path / "project" / "out")
    (out / "hand").symlink_to(there / "hand")
    batches = batches_of(tmp_path / "project")
    with pytest.raises(OutsideFolder, match="leads out"):
        batches.mark(cast(Any, None), to_server.MarkClip(id=0, folder="out", name="walk"))
    with pytest.raises(OutsideFolder, match="leads out"):
        batches.show(cast(Any, None), to_server.ShowBatch(id=0, folder="out"))
    (out / "hand").unlink()
    shutil.rmtree(out / "clips")
    (out / "clips").symlink_to(there / "clips")
    with pytest.raises(OutsideFolder, match="leads out"):
        batches.show(cast(Any, None), to_server.ShowBatch(id=0, folder="out"))
    assert list((there / "hand").iterdir()) == []


def test_a_note_on_a_clip_leads_nowhere_else(tmp_path: Path) -> None:
    """What it says of its own name and id is a stranger's word."""
    precious = tmp_path / "precious" / "0123456789abcdef"
    precious.mkdir(parents=True)
    (precious / "base.tween").write_bytes(PRECIOUS)
    out = batch_in(tmp_path / "project" / "out")
    (out / "hand" / "walk").mkdir(parents=True)
    note = out / "hand" / "walk" / "hand.json"
    note.write_text(json.dumps({"name": "../../../precious", "id": "../../../../precious"}))
    note.rename(tmp_path / "note.json")
    note.symlink_to(tmp_path / "note.json")
    said = (tmp_path / "note.json").read_bytes()
    (out / "hand" / "walk" / "elsewhere").symlink_to(precious)
    with served(tmp_path) as studio, join(studio) as client:
        client.ask(to_server.MarkClip(id=0, folder="out", name="walk", done=True))
    assert json.loads(note.read_bytes()) == {"name": "walk", "done": True, "id": ""}
    assert (tmp_path / "note.json").read_bytes() == said
    assert [each.name for each in (tmp_path / "precious").iterdir()] == [precious.name]
    assert (precious / "base.tween").read_bytes() == PRECIOUS


def test_records_that_are_none_are_skipped(tmp_path: Path) -> None:
    out = batch_in(tmp_path / "project" / "out")
    sound = json.dumps({"name": "/etc", "status": "done", "files": {"x.tween": 1}, "rows": [{"big": 1e308}]})
    told = {"deep": "[" * 200_000, "half": '{"name": "\\ud800", "status": "done"}', "sound": sound, "torn": sound[:40]}
    for name, text in told.items():
        (out / "clips" / name).mkdir()
        (out / "clips" / name / "record.json").write_text(text)
    for name in ("pipe", os.fsdecode(b"no text \xff")):
        (out / "clips" / name).mkdir()
        (out / "hand" / name).mkdir(parents=True)
        os.mkfifo(out / "clips" / name / "record.json")
        os.mkfifo(out / "hand" / name / "hand.json")
    found = read_batch(out, "out")
    assert [(clip.name, clip.path) for clip in found.clips] == [("sound", "out/clips/sound/x.tween")]


def test_names_that_are_no_text_are_in_no_list(tmp_path: Path) -> None:
    """They would break every message to every page."""
    strange = os.fsdecode(b"no text \xff")
    root = tmp_path / strange
    project = root / "project"
    batch_in(project / strange)
    (project / "poses").mkdir()
    for name in (strange, "reach"):
        (project / "poses" / f"{name}.pose").write_text("{}")
    (project / f"{strange}.bvh").write_text("HIERARCHY")
    with served(root) as studio, join(studio) as client:
        client.ask(to_server.ShowPoses(id=0))
        assert [each.name for each in client.wait(to_page.KeptPoses).items] == ["reach"]
        files = client.newest(to_page.Files)
        assert (files.files, files.batches) == ([], [])


def test_a_linked_folder_of_poses_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret plan.pose").write_text("{}")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "poses").symlink_to(tmp_path / "elsewhere")
    poses = Poses(session_of(arm()), Folder(tmp_path / "project"))
    assert poses.listing().items == []
    with pytest.raises(UnknownName):
        poses.read("secret plan")


def test_sounds_and_pictures_beyond_their_limit_are_not_even_read(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    folder = Folder(tmp_path / "project")
    with (tmp_path / "project" / "huge.wav").open("wb") as file:
        file.write(b"RIFF\x00\x00\x00\x00WAVE")
        file.truncate(1 << 40)
    with pytest.raises(InbetweenerError, match=r"huge\.wav has 1048576 MiB, more than 64"):
        folder.content("huge.wav", 64 << 20)
