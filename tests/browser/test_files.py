"""Files by hand: dropped, saved, and everything still there after the server was killed."""

import os
import re
import shutil
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import read_native
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.studio.served import join, served

DROPPED = {
    "BVH": ("bvh/cmu/02_01_walk.bvh",),
    "GLB": ("gltf/khronos-samples/Fox.glb",),
    "glTF with its buffer": (
        "gltf/characters/quaternius_Horse/Horse.gltf",
        "gltf/characters/quaternius_Horse/Horse.bin",
    ),
}


def drop(page: StudioPage, *files: Path, share: float = 0.3) -> None:
    """Let files fall onto the page, as from a file manager, at a share of its height."""
    contents = [[file.name, b64encode(file.read_bytes()).decode()] for file in files]
    page.page.evaluate(
        """([files, share]) => {
            const transfer = new DataTransfer();
            for (const [name, content] of files) {
                const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
                transfer.items.add(new File([bytes], name));
            }
            const clientY = share * window.innerHeight;
            const how = { dataTransfer: transfer, bubbles: true, cancelable: true, clientY };
            for (const kind of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, how));
        }""",
        [contents, share],
    )


@pytest.mark.sweep
@pytest.mark.parametrize("kind", DROPPED)
def test_a_dropped_file_is_opened(page: StudioPage, robot: Studio, data: Path, kind: str):
    files = [data / name for name in DROPPED[kind]]
    drop(page, *files)
    page.until("inbetweener.model.scene.value.name !== 'flying-robot'")
    page.ready()
    document = robot.session.editor.document
    assert document.name == page.value("inbetweener.model.scene.value.name")
    assert len(document.rig.joints) == page.value("inbetweener.model.frames.joints")
    for file in files:
        (kept,) = robot.workspace.folder.rglob(file.name)
        assert kept.read_bytes() == file.read_bytes()


def test_a_clip_dropped_low_comes_to_the_character_at_hand(
    serve: Callable[[str], Studio], new_page: Callable[[], StudioPage], tmp_path: Path
):
    studio = serve("waving")
    page = new_page().open(studio)
    with pytest.warns():
        ib.save(ib.edits.set_clip_range(ib.example("diver"), "dive", 0.0, 0.5), tmp_path / "leap.bvh")
    before = studio.session.editor.document
    drop(page, tmp_path / "leap.bvh", share=0.8)
    page.wait_for_steps(1)
    document = studio.session.editor.document
    assert document.rig == before.rig, "it was not opened"
    (brought,) = [clip for clip in document.clips if clip.name not in {each.name for each in before.clips}]
    assert studio.session.editor.history.undo_label == f"Bring in {brought.name}"
    assert brought.end - brought.start == pytest.approx(0.5, abs=1e-6)
    hips = document.motion(brought.name).states(brought.frame_times, document.rig.point("hips"))[0]
    assert np.ptp(hips[:, 1]) > 0.02, "the hips of the diver go down"


@pytest.mark.thorough
def test_a_doubtful_unit_is_asked_about(page: StudioPage, robot: Studio, data: Path):
    drop(page, data / "bvh/clips/fair1_dab.bvh")
    page.until("inbetweener.model.scene.value.name === 'fair1_dab'")
    page.ready()
    guessed = robot.session.editor.document
    page.page.get_by_role("button", name=re.compile("^Inches")).click()
    page.wait_for_steps(1)
    assert robot.session.editor.document.source.unit == 0.0254
    page.until("inbetweener.model.notices.items.value.every((each) => each.choices.length === 0)")
    page.press("Control+z")
    page.wait_for_steps(0)
    assert robot.session.editor.document == guessed


@pytest.mark.thorough
def test_a_file_that_is_none_leaves_everything_as_it_was(page: StudioPage, robot: Studio, tmp_path: Path):
    document = robot.session.editor.document
    bad = tmp_path / "broken.bvh"
    bad.write_text("HIERARCHY\nROOT hips\n{\n  OFFSET 0 0\n")
    drop(page, bad)
    page.until("inbetweener.model.notices.items.value.some((each) => each.text.includes('broken.bvh'))")
    assert robot.session.editor.document is document


def test_saving_clears_the_star(page: StudioPage, robot: Studio):
    page.select("body")
    x, y = page.tick(36)
    page.drag((x, y), (x, y + 40))
    page.wait_for_steps(1)
    page.press("Control+s")
    page.until("inbetweener.model.history.value.saved === 1")
    assert read_native(robot.workspace.folder / "flying-robot.tween") == robot.session.editor.document


class Command:
    """The real command in a process of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "inbetweener", "studio", "--folder", str(folder), "--port", str(port), "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(folder.parent / "state")},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", line)
        assert found, line
        self.invitation, self.port = found[0], int(found[1])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[[int], Command]]:
    started: list[Command] = []

    def start(port: int) -> Command:
        started.append(Command(tmp_path / "project", port))
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.mark.thorough
def test_a_killed_server_loses_nothing_and_the_page_comes_back(
    command: Callable[[int], Command], new_page: Callable[[], StudioPage]
):
    server = command(0)
    page = new_page().visit(server.invitation)
    page.select("body")
    x, y = page.tick(36)
    page.drag((x, y), (x, y + 60))
    page.wait_for_steps(1)
    page.press("p")
    page.wait_for_steps(2)
    labels = page.labels()
    moved = page.tick(36)
    server.kill()
    page.until("inbetweener.model.connection.state.value === 'lost'")
    page.complaints.clear()  # the browser itself reports the lost connection
    command(server.port)
    page.until("inbetweener.model.connection.state.value === 'open' && inbetweener.model.history.value.at === 2")
    assert page.labels() == labels
    assert page.tick(36) == pytest.approx(moved, abs=0.5)
    page.press("Control+z")
    page.wait_for_steps(1)
    page.complaints.clear()


def test_what_somebody_else_left_or_changed_is_asked_about(new_page: Callable[[], StudioPage], tmp_path: Path):
    with served(tmp_path / "theirs", Origin(example="waving")) as theirs, join(theirs) as client:
        client.ask(edit_requests.RenameDocument(id=0, name="their work"))
    shutil.copytree(tmp_path / "theirs" / "project", tmp_path / "mine" / "project")
    with served(tmp_path / "mine", Origin(example="flying-robot")) as mine:
        page = new_page().open(mine)
        # A journal of another machine is offered, not opened.
        card = page.page.get_by_role("alert").filter(has_text="Work on waving of")
        card.get_by_role("button", name="Open it").click()
        page.until("inbetweener.model.scene.value.name === 'their work'")
        page.ready()
        page.press("Control+s")
        page.until("inbetweener.model.history.value.saved === 1")
        file = tmp_path / "mine" / "project" / "their work.tween"
        other = file.read_bytes().replace(b'"their work"', b'"newer work"')
        file.write_bytes(other)
        page.run("inbetweener.model.ask({ type: 'rename-document', name: 'mine' })")
        page.wait_for_steps(2)
        page.press("Control+s")
        page.page.get_by_role("button", name="Take theirs").click()
        page.until("inbetweener.model.scene.value.name === 'newer work'")
        assert file.read_bytes() == other
        page.page.close()
