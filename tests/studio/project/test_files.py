"""Opening, saving and exporting over the real socket, with real files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from inbetweener.document import read_native
from inbetweener.formats import read
from inbetweener.studio.protocol import edit_requests, gestures, to_page, to_server
from inbetweener.studio.protocol.guidance import GuidanceSettings, TermWeight
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import Studio
from inbetweener.studio.session import Refusal
from tests.studio.served import join, served


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture
def client(studio: Studio) -> Iterator[Client]:
    with join(studio) as page:
        yield page


def fetched(studio: Studio, client: Client, url: str | None) -> bytes:
    assert url is not None
    answer = httpx.get(studio.address.rstrip("/") + url, headers=client.headers)
    assert answer.status_code == 200
    return answer.content


REAL = (
    "bvh/fixtures/bvhio_example.bvh",
    "bvh/clips/fair1_dab.bvh",
    "gltf/khronos-samples/RiggedSimple.glb",
    "gltf/khronos-samples/AnimatedTriangle.gltf",
    "gltf/khronos-samples/Fox.glb",
)


@pytest.mark.parametrize("source", REAL)
def test_open_save_export_and_open_again(data: Path, studio: Studio, client: Client, source: str) -> None:
    folder, name = studio.workspace.folder, Path(source).name
    shutil.copy(data / source, folder / name)
    for companion in (data / source).parent.glob(f"{Path(source).stem}*.bin"):
        shutil.copy(companion, folder)
    client.ask(to_server.OpenFile(id=0, path=name))
    document = studio.session.editor.document
    assert document == read(folder / name).document
    assert client.newest(to_page.Files).recent[0] == name

    client.ask(edit_requests.RenameDocument(id=0, name="kept & changed"))
    said = client.ask(to_server.Save(id=0))
    assert said.text == "Saved kept - changed.tween"
    assert read_native(folder / "kept - changed.tween") == studio.session.editor.document

    suffixes = (".glb", ".gltf", ".bvh") if any(len(clip.curves) for clip in document.clips) else (".glb", ".gltf")
    for suffix in suffixes:
        client.ask(to_server.Export(id=0, path=f"out/{name}{suffix}"))
        job = client.newest(to_page.Job)
        assert (job.state, job.path) == ("done", f"out/{name}{suffix}")
        assert fetched(studio, client, job.url) == (folder / f"out/{name}{suffix}").read_bytes()
        client.ask(to_server.OpenFile(id=0, path=f"out/{name}{suffix}"))
        assert [j.name for j in studio.session.editor.document.rig.joints]
        client.ask(to_server.OpenFile(id=0, path="kept - changed.tween"))
        assert studio.session.editor.document.name == "kept & changed"


def test_repairs_and_losses_are_told(data: Path, studio: Studio, client: Client) -> None:
    shutil.copy(data / "bvh/malformed/08_odd_duplicate_joint_names.bvh", studio.workspace.folder / "odd.bvh")
    client.ask(to_server.OpenFile(id=0, path="odd.bvh"))
    notice, question = client.notices
    assert notice.text.startswith("odd.bvh: ")
    assert question.choices
    client.notices.clear()
    client.ask(to_server.OpenExample(id=0, name="waving"))
    client.ask(to_server.Export(id=0, path="waving.glb"))
    (notice,) = client.notices
    assert any("left out" in line for line in (notice.text, *notice.more))


def test_captured_motion_is_told_in_one_card(data: Path, studio: Studio, client: Client) -> None:
    shutil.copy(data / "bvh/cmu/02_01_walk.bvh", studio.workspace.folder / "walk.bvh")
    client.ask(to_server.OpenFile(id=0, path="walk.bvh"))
    (notice,) = client.notices
    assert "Fit keys" in notice.text
    assert "3 things were mended or guessed" in notice.text
    assert any("one unit" in line for line in notice.more)


def test_a_doubtful_unit_is_asked_for_and_an_answer_can_be_undone(data: Path, studio: Studio, client: Client) -> None:
    shutil.copy(data / "bvh/clips/fair1_dab.bvh", studio.workspace.folder / "dab.bvh")
    client.ask(to_server.OpenFile(id=0, path="dab.bvh"))
    guessed = studio.session.editor.document
    (question,) = [notice for notice in client.notices if notice.choices]
    inches = next(each for each in question.choices if each.label.startswith("Inches"))
    client.ask(to_server.ReadAgain(id=0, unit=inches.unit))
    told = studio.session.editor.document
    assert told == read(studio.workspace.folder / "dab.bvh", unit="in", up="z").document != guessed
    client.ask(to_server.ReadAgain(id=0, up="-z"))
    turned = studio.session.editor.document
    assert turned == read(studio.workspace.folder / "dab.bvh", unit="in", up="-z").document != told
    client.ask(to_server.Undo(id=0))
    client.ask(to_server.Undo(id=0))
    assert studio.session.editor.document == guessed
    client.ask(to_server.OpenExample(id=0, name="waving", discard=True))
    with pytest.raises(Refusal, match="only a BVH file"):
        client.ask(to_server.ReadAgain(id=0, unit=1.0))


def test_guidance_that_is_not_kept_is_not_dropped_unasked(studio: Studio, client: Client) -> None:
    document = studio.session.editor.document
    settings = GuidanceSettings(terms=[TermWeight("torque", 1.0)])
    gesture = client.begin(gestures.Guide(settings=settings))
    with pytest.raises(Refusal, match="not kept") as refused:
        client.ask(to_server.OpenExample(id=0, name="diver"))
    assert refused.value.code == "unkept"
    assert studio.session.editor.document is document
    client.ask(to_server.Cancel(id=0, gesture=gesture))
    client.ask(to_server.OpenExample(id=0, name="diver"))
    assert studio.session.editor.document.name == "diver"
    client.begin(gestures.Guide(settings=settings))
    client.ask(to_server.OpenExample(id=0, name="waving", discard=True))
    assert studio.session.editor.document == document


def test_gltf_for_blender_has_a_key_on_every_frame(studio: Studio, client: Client) -> None:
    client.ask(to_server.OpenExample(id=0, name="flying-robot"))
    frames = len(studio.session.editor.document.clip().frame_times)
    for name, sampled in (("curves.glb", False), ("frames.glb", True)):
        client.ask(to_server.Export(id=0, path=name, sampled=sampled))
        clip = read(studio.workspace.folder / name).document.clip()
        moving = [len(curve) for curve in clip.curves.values() if np.ptp(curve.values) > 1e-3]
        assert moving
        assert all((count == frames) == sampled for count in moving)


def test_a_bad_file_is_named_and_the_open_document_stays(data: Path, studio: Studio, client: Client) -> None:
    folder, document = studio.workspace.folder, studio.session.editor.document
    shutil.copy(data / "bvh/malformed/09_odd_frame_time_zero.bvh", folder / "odd.bvh")
    (folder / "noise.glb").write_bytes(b"\x00" * 100)
    (folder / "noise.tween").write_bytes(b"{")
    # By its name within the folder, and the place in it.
    for path, says in (("odd.bvh", "^odd.bvh: line 32: "), ("noise.glb", "^noise.glb: "), ("noise.tween", "^noise.")):
        with pytest.raises(Refusal, match=says):
            client.ask(to_server.OpenFile(id=0, path=path))
        assert studio.session.editor.document is document
    client.ask(edit_requests.RenameDocument(id=0, name="goes on"))


@pytest.mark.parametrize("path", ["../x.tween", "/etc/passwd", "no-such.bvh", ".inbetweener/running.json", "x.txt"])
def test_what_cannot_be_opened(studio: Studio, client: Client, path: str) -> None:
    (studio.workspace.folder / "x.txt").write_text("x")
    document = studio.session.editor.document
    with pytest.raises(Refusal):
        client.ask(to_server.OpenFile(id=0, path=path))
    assert studio.session.editor.document is document


def test_saving_asks_before_it_replaces_another_file(studio: Studio, client: Client) -> None:
    other = studio.workspace.folder / "other.tween"
    other.write_text("precious")
    with pytest.raises(Refusal) as refused:
        client.ask(to_server.Save(id=0, path="other"))
    assert refused.value.code == "exists"
    assert other.read_text() == "precious"
    client.ask(to_server.Save(id=0, path="other", replace=True))
    client.ask(edit_requests.RenameDocument(id=0, name="again"))
    client.ask(to_server.Save(id=0))
    assert read_native(other).name == "again"
    client.ask(to_server.Save(id=0, path="deeper/copy.tween"))
    assert client.newest(to_page.Files).path == "deeper/copy.tween"
    history = client.newest(to_page.History)
    assert history.saved == history.at == 1


@pytest.mark.parametrize("path", ["../x", "/tmp/x", ".x", "nul", "x.glb", "a/../x", "x.tween/"])
def test_where_nothing_is_saved(studio: Studio, client: Client, path: str) -> None:
    with pytest.raises(Refusal):
        client.ask(to_server.Save(id=0, path=path))
    assert [p.name for p in studio.workspace.folder.iterdir()] == [".inbetweener"]


def test_exports_never_replace_and_know_their_kinds(studio: Studio, client: Client) -> None:
    for expected in ("w.bvh", "w 2.bvh"):
        assert client.ask(to_server.Export(id=0, path="w.bvh")).text == f"Wrote {expected}"
    for bad in ("w.tween", "w.txt", "w", "../w.glb", ".w.png"):
        with pytest.raises(Refusal):
            client.ask(to_server.Export(id=0, path=bad))


def test_pictures_and_movies(studio: Studio, client: Client) -> None:
    client.ask(edit_requests.SetClipRange(id=0, start=0.0, end=0.5))
    for name, magic in (("w.png", b"\x89PNG"), ("w.gif", b"GIF8"), ("w.mp4", b"ftyp")):
        client.ask(to_server.Export(id=0, path=name, time=0.5, width=64, height=48))
        content = fetched(studio, client, client.newest(to_page.Job).url)
        assert magic in content[:12]


def test_a_cancelled_movie_leaves_no_file(studio: Studio, client: Client) -> None:
    request = to_server.Export(id=0, path="w.mp4", width=1280, height=720)
    with join(studio) as other:
        # The second page stops what the first one began, as soon as it hears of it.
        other.latest.pop(to_page.Job, None)
        client.send('{"type":"export","id":7777,"path":"w.mp4","width":1280,"height":720}')
        job = other.wait(to_page.Job)
        assert job.label == f"Export {request.path}"
        other.ask(to_server.CancelJob(id=0, job=job.job))
    refused = client.wait(to_page.Refused)
    assert (refused.id, "cancelled" in refused.text) == (7777, True)
    studio.session.jobs.stop()
    assert [p.name for p in studio.workspace.folder.iterdir()] == [".inbetweener"]


def test_examples_have_pictures(studio: Studio, client: Client) -> None:
    listed = client.newest(to_page.Files).examples
    assert [each.name for each in listed][:2] == ["flying-robot", "waving"]
    assert fetched(studio, client, listed[1].url)[:4] == b"\x89PNG"
