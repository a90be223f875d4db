# SPDX-License-Identifier: GPL-3.0-or-later
"""An action goes to a Studio that runs as a process of its own, is dragged there, and comes back as handles."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np
import pytest

from extension import blender
from extension.blender.exchange import sent
from extension.tests import stage
from inbetweener.rig import Point
from inbetweener.studio import nearby
from inbetweener.studio.project import workspace
from interop.blender.environment import ROOT

STUDIO = Path(os.environ.get("STUDIO", ROOT / ".venv" / "bin" / "inbetweener"))
FINE = np.arange(1.0, 49.01, 0.25)
BY_HAND = """
import sys
from pathlib import Path
import numpy as np
from inbetweener.host import WarmUp
from inbetweener.studio.nearby import enter
from inbetweener.studio.project.workspace import all_running
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.credentials import mint
# The Studio finds in the cache what is compiled here, and need not be waited for with a clock.
WarmUp(later=()).wait()
((note, secret),) = all_running()
with Client(note.local, enter(f"{note.local}?token={mint(secret, note.instance)}")) as page:
    place, time = page.place("b3"), 19 / 24
    page.drag(place, time, page.position(place, time) + np.array([0.0, 0.03, 0.0]), steps=4)
"""
"""What an animator does on the page: b3 at frame 19 goes up by 0.03."""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INBETWEENER_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def ob(scene: bpy.types.Scene, state: Path) -> Iterator[bpy.types.Object]:
    made = stage.armature(scene)
    stage.animate(made, ["XYZ", "ZXY"])
    bpy.context.view_layer.objects.active = made
    blender.register()
    yield bpy.data.objects["arm"]
    blender.unregister()


@contextmanager
def studio(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A Studio on a folder, of another Python, until the end of the block or until it is ended."""
    command = (str(STUDIO), "studio", "waving", "--no-open", "--port", "0", "--folder", str(folder))
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean)
    try:
        assert process.stdout is not None
        assert "The Studio is at" in process.stdout.readline()
        yield process
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def by_hand() -> None:
    python = STUDIO.with_name("python")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run((str(python), "-c", BY_HAND), capture_output=True, text=True, env=clean)
    assert done.returncode == 0, done.stderr


def test_a_drag_on_the_page_comes_back_as_handles_of_the_same_curves(ob: bpy.types.Object, tmp_path: Path) -> None:
    scene = bpy.context.scene
    keys, handles = stage.keys(ob), stage.handles(ob)
    wish = stage.where(scene, ob, "b3", [19.0])[0] + np.array([0.0, 0.0, 0.03])
    with studio(tmp_path / "project"):
        assert bpy.ops.inbetweener.send() == {"FINISHED"}
        there = nearby.find().fetch()
        assert there == sent(ob, scene).document
        # What nobody has changed comes back to the bit.
        assert bpy.ops.inbetweener.fetch() == {"FINISHED"}
        assert stage.handles(ob) == handles
        by_hand()
        assert bpy.ops.inbetweener.fetch() == {"FINISHED"}
        assert stage.same_keys(keys, stage.keys(ob))
        assert stage.handles(ob) != handles
        ours = nearby.find().fetch()
    assert np.linalg.norm(stage.where(scene, ob, "b3", [19.0])[0] - wish) < 1e-4
    # On frames and between, Blender shows what the Studio does.
    at = ours.motion().point_positions(FINE / 24.0, [Point("b3")])[:, 0]
    assert np.abs(np.stack([at[:, 0], -at[:, 2], at[:, 1]], axis=1) - stage.where(scene, ob, "b3", FINE)).max() < 2e-6


def test_sending_again_is_a_step_of_the_same_document(ob: bpy.types.Object, tmp_path: Path) -> None:
    with studio(tmp_path / "project"):
        bpy.ops.inbetweener.send()
        bpy.ops.inbetweener.drag(bone="b3", frame=19.0, target=stage.where(bpy.context.scene, ob, "b3", [19.0])[0])
        ob.pose.bones["b2"].rotation_euler.x += 0.2
        ob.pose.bones["b2"].keyframe_insert("rotation_euler", frame=30)
        bpy.ops.inbetweener.send()
        assert nearby.find().fetch() == sent(ob, bpy.context.scene).document
        assert [each.name for each in (tmp_path / "project").glob("*.tween")] == ["arm.tween"]


def test_what_is_in_the_way_is_one_line_and_changes_nothing(ob: bpy.types.Object, tmp_path: Path) -> None:
    handles = stage.handles(ob)
    for operator in (bpy.ops.inbetweener.send, bpy.ops.inbetweener.fetch):
        with pytest.raises(RuntimeError, match="no Studio is running; start one with: inbetweener studio"):
            operator()
    with studio(tmp_path / "project") as process:
        with pytest.raises(RuntimeError, match="waving was not sent from arm; select the object"):
            bpy.ops.inbetweener.fetch()
        ((note, _),) = workspace.all_running()
        beside = workspace.Workspace(tmp_path / "project")
        beside.announce(type(note)(note.address, note.instance, note.process, note.local, "0.0.1", note.folder))
        for operator in (bpy.ops.inbetweener.send, bpy.ops.inbetweener.fetch):
            with pytest.raises(RuntimeError, match=r"is version 0\.0\.1, this is .*install the same version"):
                operator()
        beside.announce(note)
        process.kill()
        process.wait()
        for operator in (bpy.ops.inbetweener.send, bpy.ops.inbetweener.fetch):
            with pytest.raises(RuntimeError, match="is closed; start it again with: inbetweener studio --folder"):
                operator()
    assert stage.handles(ob) == handles


def test_fetching_is_one_step_of_undo(ob: bpy.types.Object, tmp_path: Path) -> None:
    handles = stage.handles(ob)
    with studio(tmp_path / "project"):
        bpy.ops.inbetweener.send()
        by_hand()
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.inbetweener.fetch()
        bpy.ops.ed.undo_push(message="fetched")
    assert stage.handles(bpy.data.objects["arm"]) != handles
    bpy.ops.ed.undo()
    assert stage.handles(bpy.data.objects["arm"]) == handles
