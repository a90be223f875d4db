"""The poses of a project over the real socket: files that come, go and are renamed, with pictures."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from inbetweener.document import read_pose, write_pose
from inbetweener.studio.protocol import edit_requests, gestures, to_page, to_server
from inbetweener.studio.server.client import Client
from inbetweener.studio.server.studio import Studio
from inbetweener.studio.session import Refusal
from tests.studio.served import join, served


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with served(tmp_path_factory.mktemp("poses")) as running:
        yield running


@pytest.fixture
def client(studio: Studio) -> Iterator[Client]:
    with join(studio) as page:
        yield page


def listed(client: Client) -> list[str]:
    return [each.name for each in client.newest(to_page.KeptPoses).items]


def poses(studio: Studio) -> Path:
    return studio.workspace.folder / "poses"


def test_a_pose_is_saved_drawn_applied_renamed_and_deleted(studio: Studio, client: Client) -> None:
    assert listed(client) == []
    document = studio.session.editor.document
    clip = document.clips[0]
    client.ask(to_server.SavePose(id=0, name="Fist", time=clip.start))
    assert listed(client) == ["Fist"]
    kept = read_pose(poses(studio) / "Fist.pose")
    assert kept.character == document.name
    assert len(kept.channels) == len(document.rig.channels)
    (info,) = client.newest(to_page.KeptPoses).items
    assert info.picture is not None
    answer = httpx.get(studio.address.rstrip("/") + info.picture, headers=client.headers)
    assert answer.status_code == 200
    with Image.open(poses(studio) / "Fist.png") as picture:
        assert picture.size == (240, 240)
        assert np.ptp(np.asarray(picture.convert("L"), np.float64)) > 60, "a character in front of a dark ground"

    with pytest.raises(Refusal, match="'Fist' already"):
        client.ask(to_server.SavePose(id=0, name="Fist", time=clip.start))
    client.ask(to_server.SavePose(id=0, name="Fist", time=clip.end, replace=True))
    wished = document.motion(clip.name).channels([clip.end])[0]

    middle = (clip.start + clip.end) / 2
    client.ask(edit_requests.ApplyPose(id=0, pose="Fist", time=middle))
    made = studio.session.editor.document
    assert np.allclose(made.motion(clip.name).channels([middle])[0], wished, atol=1e-9)
    assert client.newest(to_page.History).labels[-1].startswith("Pose Fist at frame")
    client.ask(to_server.Undo(id=0))
    assert studio.session.editor.document == document

    client.ask(to_server.RenamePose(id=0, name="Fist", to="Grip"))
    assert listed(client) == ["Grip"]
    assert sorted(path.name for path in poses(studio).iterdir()) == ["Grip.png", "Grip.pose"]
    assert read_pose(poses(studio) / "Grip.pose").name == "Grip"
    with pytest.raises(Refusal, match="no pose called 'Fist'"):
        client.ask(edit_requests.ApplyPose(id=0, pose="Fist", time=middle))
    client.ask(to_server.DeletePose(id=0, name="Grip"))
    assert listed(client) == []
    assert list(poses(studio).iterdir()) == []


def test_the_slider_leads_to_a_pose_as_one_step(studio: Studio, client: Client) -> None:
    document = studio.session.editor.document
    clip = document.clips[0]
    client.ask(to_server.SavePose(id=0, name="End", time=clip.end))
    time = clip.start
    client.ask(to_server.Begin(id=0, gesture=1, what=gestures.ReachPose(pose="End", time=time)))
    client.move(1, 1, [0.2])
    client.move(1, 2, [0.5])
    client.ask(to_server.Commit(id=0, gesture=1))
    now, wished = (document.motion(clip.name).channels([each])[0] for each in (time, clip.end))
    made = studio.session.editor.document.motion(clip.name).channels([time])[0]
    assert np.allclose(made, now + 0.5 * (wished - now), atol=1e-9)
    client.ask(to_server.Undo(id=0))
    client.ask(to_server.DeletePose(id=0, name="End"))


def test_a_colleagues_pose_is_listed_and_drawn(studio: Studio, client: Client) -> None:
    document = studio.session.editor.document
    client.ask(to_server.SavePose(id=0, name="Mine", time=document.clips[0].start))
    theirs = read_pose(poses(studio) / "Mine.pose")
    write_pose(theirs, poses(studio) / "Theirs.pose")
    (poses(studio) / "Broken.pose").write_text("{")
    client.ask(to_server.ShowPoses(id=0))
    assert listed(client) == ["Broken", "Mine", "Theirs"]
    assert (poses(studio) / "Theirs.png").exists()
    with pytest.raises(Refusal, match="this is no pose"):
        client.ask(edit_requests.ApplyPose(id=0, pose="Broken", time=0.0))


@pytest.mark.parametrize("name", ["../out", "a/b", ".hidden", "con", "a\\b"])
def test_no_name_leads_out_of_the_folder(studio: Studio, client: Client, name: str) -> None:
    with pytest.raises(Refusal):
        client.ask(to_server.SavePose(id=0, name=name, time=0.0))
    outside = {path.name for path in studio.workspace.folder.parent.rglob("*") if path.suffix in (".pose", ".png")}
    assert all(name.startswith(("Mine", "Theirs", "Broken")) for name in outside)
