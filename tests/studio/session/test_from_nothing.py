"""A character without a clip: shown as it stands, and the first thing that is done to it begins one."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import edits
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, page_of, place

page = page_of(lambda: replace(arm(), clips=(), constraints=()))


def test_it_is_shown_as_it_stands_and_is_not_changed_by_that(page: PageForTests) -> None:
    page.fetch_all()
    world, values = page.known.poses[0]
    rig = page.session.editor.document.rig
    assert np.array_equal(values, rig.defaults.astype(np.float32))
    assert world == pytest.approx(rig.world_from_joint(rig.defaults[None])[0], abs=1e-6)
    assert page.known.clip["frames"] == 49
    assert page.session.editor.document.clips == ()
    assert page.known.history["labels"] == ["Open"]


def test_a_key_makes_the_clip_and_undo_takes_it_away(page: PageForTests) -> None:
    page.done("insert-keys", channels=["elbow.rz"], time=0.5)
    (clip,) = page.session.editor.document.clips
    assert (clip.name, clip.curves["elbow.rz"].times.tolist()) == ("clip 1", [0.5])
    page.done("undo")
    assert page.session.editor.document.clips == ()
    assert page.known.clip["name"] == "clip 1"
    assert page.known.curves == {}


def test_pulls_key_poses_that_do_not_change_each_other(page: PageForTests) -> None:
    for number, (time, wish) in enumerate([(0.0, [0.4, 1.3, 0.1]), (0.5, [0.5, 0.8, 0.2])], start=1):
        page.begin("pull-pose", gesture=number, place=place("hand"), time=time, key=True)
        assert page.move(*wish, gesture=number)["reached"]
        page.done("commit", gesture=number)
    document = page.session.editor.document
    (clip,) = document.clips
    positions = document.motion().states([0.0, 0.5, 1.5], document.rig.point("hand"))[0]
    assert positions == pytest.approx(np.array([[0.4, 1.3, 0.1], [0.5, 0.8, 0.2], [0.5, 0.8, 0.2]]), abs=1e-3)
    assert {tuple(curve.times) for curve in clip.curves.values()} <= {(0.0,), (0.0, 0.5)}
    assert page.known.history["labels"] == ["Open", "Pose hand at frame 0", "Pose hand at frame 12"]


def test_a_hand_that_changes_nothing_makes_no_clip(page: PageForTests) -> None:
    page.begin("set-value", channel="elbow.rz", time=0.5)
    page.move(1.0)
    page.done("cancel", gesture=1)
    assert page.session.editor.document.clips == ()
    assert page.known.history["labels"] == ["Open"]


def test_what_is_not_about_motion_makes_no_clip(page: PageForTests) -> None:
    page.done("rename-document", name="pole")
    page.done("set-limits", channel="elbow.rz", lower=None, upper=1.5)
    page.begin("set-stiffness", channels=["elbow.rz"])
    page.move(5.0)
    page.done("commit", gesture=1)
    assert page.session.editor.document.clips == ()
    assert page.known.history["labels"] == ["Open", "Rename to pole", "Limits of elbow.rz", "Stiffness of elbow.rz"]
    assert page.known.clip["name"] == "clip 1"


def test_a_turn_moves_the_joint_alone(page: PageForTests) -> None:
    page.begin("pull-pose", place=place("elbow"), time=0.25, wanted="orientation", key=True, alone=True)
    half = np.sqrt(0.5)
    assert page.move(half, 0.0, 0.0, half)["reached"]
    page.done("commit", gesture=1)
    document = page.session.editor.document
    assert set(document.clip().curves) <= {"elbow.rx", "elbow.ry", "elbow.rz"}
    assert document.motion().channels([0.25])[0][document.rig.channel_index("elbow.rz")] == pytest.approx(np.pi / 2)
    assert page.known.history["labels"][-1] == "Turn elbow at frame 6"


def test_clips_are_made_shown_and_left(page: PageForTests) -> None:
    page.done("insert-keys", channels=["elbow.rz"], time=0.5)
    assert page.done("new-clip", time=0.5) == "clip 2"
    page.done("show-clip", clip="clip 2")
    page.done("set-clip-rate", rate=30.0)
    page.done("rename-clip", name="wave")
    assert (page.known.clip["name"], page.known.clip["rate"]) == ("wave", 30.0)
    assert page.done("duplicate-clip") == "wave 1"
    page.done("remove-clip")
    assert [clip.name for clip in page.session.editor.document.clips] == ["clip 1", "wave 1"]
    assert page.known.clip["name"] == "clip 1"


def test_what_is_saved_has_the_clip_only_when_it_is_begun() -> None:
    document = replace(arm(), clips=(), constraints=())
    begun = edits.new_clip(document)
    assert [clip.name for clip in begun.clips] == ["clip 1"]
    assert [clip.name for clip in edits.new_clip(edits.new_clip(begun, "run")).clips] == ["clip 1", "run", "clip 2"]
