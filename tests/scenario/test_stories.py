"""A whole scene, told twice: on our knight and on captured motion.

What was promised on the way holds at the end, on the motion that is seen; it is undone and redone, from memory and from
the disk; other programs get what was seen. In one file, so that each story is played once.
"""

import shutil
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from benchmarks.gestures.long_scenario import LOOKS, clearance, miss, slide
from inbetweener.document import Clearance, Editor, NothingToUndo
from inbetweener.errors import LossWarning, RepairWarning
from inbetweener.render import render_frame
from inbetweener.rig import chains
from inbetweener.rig.chains import path_from_root
from inbetweener.tangents import Contact
from tests.scenario import captured, knight
from tests.scenario.played import Played, play

pytestmark = pytest.mark.thorough
STORIES = {"knight": knight, "captured": captured}
MILLIMETRE = 1e-3


@pytest.fixture(scope="module", params=["knight", "captured"])
def played(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A story from its opening to its end."""
    story = STORIES[request.param]
    journal = tmp_path_factory.mktemp(request.param) / "journal"
    return play(story.opened(data), story.story(), journal, story.HAND)


def contacts(played: Played) -> list[Contact]:
    found = [rule for rule in played.end.rules() if isinstance(rule, Contact)]
    assert len(found) >= 2, "both feet are planted"
    return found


def test_feet_slide_until_they_are_planted(played: Played) -> None:
    before = played.before("Plant the feet").shown_motion()
    for contact in contacts(played):
        assert slide(before, contact.point, contact.start, contact.end) > 2 * MILLIMETRE


def test_planted_feet_stand_still_through_every_step_to_the_end(played: Played) -> None:
    for document in played.documents[played.labels.index("Plant the feet") :]:
        # Loose motion is simulated for every time that is looked at, and so once for both feet.
        seen = cache(document.shown_motion().channels)
        for contact in contacts(played):
            times = tuple(np.linspace(contact.start, contact.end, 1 + round(LOOKS * (contact.end - contact.start))))
            path = document.rig.states(seen(times), contact.point)[0]
            assert np.linalg.norm(path - path[0], axis=1).max() < MILLIMETRE


def test_the_target_is_hit_standing_still(played: Played) -> None:
    distance, speed = miss(played.before("Hit it"), "mark")
    assert distance > 0.01
    assert speed > 0.1
    distance, speed = miss(played.end, "mark")
    assert distance < 0.1 * MILLIMETRE
    assert speed < MILLIMETRE


def test_the_hand_goes_around_the_obstacle_loose_as_it_is(played: Played) -> None:
    before = played.before("Drag the hand around the post")
    if not played.end.meshes:
        # What comes after it, guidance and looseness, knows nothing of the post.
        assert clearance(before, played.hand) < -0.005
        assert clearance(played.before("Hurry the swing"), played.hand) > 0.005
        return
    skin, times = Clearance(played.end, vertices=1200), played.end.clip().frame_times
    assert skin.measure(before.motion(), times).min() < -0.01
    assert skin.measure(played.end.shown_motion(), times).min() > 0.005


def test_limits_are_kept_and_one_is_reached(played: Played) -> None:
    rig, clip = played.end.rig, played.end.clip()
    values = played.end.shown_motion().channels(np.linspace(clip.start, clip.end, 300))
    lower, upper = (np.array([getattr(each, side) for each in rig.channels]) for side in ("lower", "upper"))
    limited = np.isfinite(lower)
    assert limited.sum() >= 3
    room = np.minimum(values - lower, upper - values)[:, limited].min(axis=0)
    assert room.min() > -1e-9
    assert room.min() < 0.01, "a limit that nothing comes near proves nothing"


def test_no_key_is_added_or_moved_once_the_poses_are_there(played: Played) -> None:
    posed, end = played.after("Draw the line of action").clip(), played.end.clip()
    assert set(posed.curves) == set(end.curves)
    for name, curve in posed.curves.items():
        np.testing.assert_array_equal(end.curves[name].times, curve.times)
        np.testing.assert_array_equal(end.curves[name].values, curve.values)
    assert [layer.name for layer in end.layers] == ["mark"], "the correction, and nothing else"


def test_key_poses_are_as_they_were_posed_and_drawn(played: Played) -> None:
    posed, end = played.after("Draw the line of action"), played.before("Loosen trunk and arm")
    (bend,) = end.rig.bends
    drawn = posed.clip().curves[bend.channel]
    time = float(drawn.times[drawn.values.argmax()])
    assert end.motion().channels([time])[0, end.rig.channel_index(bend.channel)] == 1.0
    # Fitted curves have keys of their own: what no key holds there may be led elsewhere by a drag.
    keyed = {name for name, curve in posed.clip().curves.items() if len(curve) == 1 or time in curve.times}
    held = [
        n
        for n, joint in enumerate(posed.rig.joints)
        if all(
            channel.name in keyed
            for each in path_from_root(posed.rig, joint.name)
            for channel in posed.rig.channels
            if channel.name in posed.clip().curves and each in [drive.joint for drive in channel.drives]
        )
    ]
    assert len(held) > 8
    before, after = (each.motion().world_from_joint([time])[0, held] for each in (posed, end))
    np.testing.assert_allclose(after, before, atol=1e-9)


def test_every_step_changes_what_is_seen_or_kept(played: Played) -> None:
    for number, label in enumerate(played.labels[1:], 1):
        assert played.documents[number] != played.documents[number - 1], label
    times = played.end.clip().frame_times
    for label in ("Drag the hand around the post", "Hurry the swing", "Guide", "Loosen trunk and arm", "Hit it"):
        place = played.end.rig.point(played.hand)
        paths = [each.shown_motion().states(times, place)[0] for each in (played.before(label), played.after(label))]
        assert np.linalg.norm(paths[1] - paths[0], axis=1).max() > MILLIMETRE, label


def test_a_journal_brings_back_every_step_in_both_directions(played: Played, tmp_path: Path) -> None:
    shutil.copy(played.journal, tmp_path / "journal")
    with Editor.recover(tmp_path / "journal") as editor:
        assert [step.label for step in editor.history.steps] == list(played.labels)
        assert editor.document == played.end
        for document in reversed(played.documents[:-1]):
            assert editor.undo() == document
        with pytest.raises(NothingToUndo):
            editor.undo()
        for document in played.documents[1:]:
            assert editor.redo() == document
        with pytest.raises(NothingToUndo):
            editor.redo()


def test_what_was_undone_is_undone_after_a_crash_too(played: Played, tmp_path: Path) -> None:
    shutil.copy(played.journal, tmp_path / "journal")
    with Editor.recover(tmp_path / "journal") as editor:
        for _ in range(3):
            editor.undo()
    with Editor.recover(tmp_path / "journal") as editor:
        assert editor.document == played.documents[-4]
        assert editor.redo() == played.documents[-3]


def test_a_saved_document_is_the_same_and_moves_the_same(played: Played, tmp_path: Path) -> None:
    ib.save(played.end, tmp_path / "end.tween")
    opened = ib.load(tmp_path / "end.tween")
    assert opened == played.end
    times = played.end.clip().frame_times
    np.testing.assert_array_equal(opened.shown_motion().channels(times), played.end.shown_motion().channels(times))


@pytest.mark.parametrize("suffix", ["glb", "bvh"])
def test_exports_hold_the_motion_that_was_seen(played: Played, tmp_path: Path, suffix: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ib.save(played.end, tmp_path / f"end.{suffix}")
    assert {each.category for each in told} <= {LossWarning, RepairWarning}
    lines = " ".join(str(each.message) for each in told)
    assert "baked" in lines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        opened = ib.load(tmp_path / f"end.{suffix}")
    names = [joint.name for joint in played.end.rig.joints]
    there = [opened.rig.joint_index(name) for name in names]
    times = played.end.clip().frame_times - played.end.clip().start
    seen = played.end.shown_motion().joint_positions(played.end.clip().frame_times)
    found = opened.motion().joint_positions(opened.clip().start + times)[:, there]
    assert np.linalg.norm(found - seen, axis=2).max() < 1e-4 * chains.height(played.end.rig)


def test_a_picture_shows_the_loose_body(played: Played) -> None:
    target = played.end.loosening().aim("mark").target
    tight = played.before("Loosen trunk and arm")
    pictures = [render_frame(each, time=target.time - 0.1, size=(160, 120)) for each in (played.end, tight)]
    assert pictures[0].std() > 10, "there is something to see"
    assert (np.abs(pictures[0].astype(int) - pictures[1]).max(axis=2) > 40).sum() > 20, "and looseness shows"
