"""The long scenario with a real mouse: what was promised on the way holds at the end; undone, redone, filed, filmed."""

import warnings
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from playwright.sync_api import Browser

import inbetweener as ib
from inbetweener.arrays import Bools, Floats
from inbetweener.contacts import poses_apart, sliding
from inbetweener.document import Clearance, Document
from inbetweener.errors import RepairWarning
from inbetweener.rig import chains
from inbetweener.studio.project.folder import Origin
from inbetweener.tangents import Contact
from tests.browser import sparring
from tests.browser.conftest import fresh_profile
from tests.browser.sparring import BLOW, FEET, GUARD, HAND
from tests.browser.story import Story
from tests.browser.studio_page import StudioPage
from tests.render.decoding import decoded
from tests.studio.served import served

pytestmark = pytest.mark.thorough
FILE = "sparring.tween"


@pytest.fixture(scope="module")
def story(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """The boxer's story, told once to its end on a file of its own."""
    root = tmp_path_factory.mktemp("sparring")
    (root / "project").mkdir()
    ib.save(sparring.opened(), root / "project" / FILE)
    with served(root, Origin(path=FILE)) as studio, closing(fresh_profile(browser)) as profile:
        page = StudioPage(profile.new_page()).open(studio)
        told = Story(page, studio)
        for part in sparring.PARTS:
            part(told)
        yield told
    assert page.complaints == []


def before(story: Story, label: str) -> Document:
    """What the first step of such a name was done to."""
    return story.documents[next(n for n, each in enumerate(story.labels) if each.startswith(label)) - 1]


def after(story: Story, label: str) -> Document:
    return story.documents[next(n for n, each in enumerate(story.labels) if each.startswith(label))]


def contacts(document: Document) -> list[Contact]:
    found = [rule for rule in document.rules() if isinstance(rule, Contact)]
    assert [str(each.point) for each in found] == list(FEET)
    return found


def at(document: Document, joint: str, frame: float) -> Floats:
    return document.motion().states([frame / 24], document.rig.point(joint))[0][0]


def clear_by(document: Document) -> float:
    """Metres between the skin of the motion that is seen and the pad, four times a frame; negative inside."""
    clip = document.clip()
    times = np.linspace(clip.start, clip.end, 4 * len(clip.frame_times) - 3)
    return float(Clearance(document).measure(document.shown_motion(), times).min())


def test_a_pin_and_both_feet_hold_while_the_hips_are_pulled(story: Story) -> None:
    posed, pulled = before(story, "Pose"), after(story, "Pose")
    for joint in ("hand_l", *FEET):
        np.testing.assert_allclose(at(pulled, joint, GUARD), at(posed, joint, GUARD), atol=2e-4)
    assert at(pulled, "hips", GUARD)[1] < at(posed, "hips", GUARD)[1] - 0.015


def test_feet_stand_where_key_poses_agree_and_stay_through_every_later_step(story: Story) -> None:
    apart, agreed = before(story, "Make poses agree"), after(story, "Make poses agree")
    assert min(poses_apart(apart.motion(), contact).distance for contact in contacts(apart)) > 5e-4
    assert max(poses_apart(agreed.motion(), contact).distance for contact in contacts(agreed)) < 2e-6
    assert min(sliding(agreed.motion(), each.point, each.start, each.end) for each in contacts(agreed)) > 0.03
    for document in story.documents[story.labels.index("Hold contacts") :]:
        for contact in contacts(document):
            assert sliding(document.motion(), contact.point, contact.start, contact.end) < 5e-4
    end = story.documents[-1]
    for contact in contacts(end):
        assert sliding(end.shown_motion(), contact.point, contact.start, contact.end) < 5e-4


def test_the_fist_goes_around_the_pad_loose_as_it_is(story: Story) -> None:
    assert clear_by(before(story, "Drag hand_r at frame 43")) < -0.01
    assert clear_by(after(story, "Drag hand_r at frame 43")) > 0.005
    assert clear_by(story.documents[-1]) > 0.005


def test_the_mark_is_hit_standing_still(story: Story) -> None:
    end = story.documents[-1]
    (aim,) = end.loosening().aims
    motion = end.loose_motion()
    step, wished = motion.loosened.step, at(before(story, "Add hand_r target"), HAND, BLOW)
    last, there = motion.states([BLOW / 24 - step, BLOW / 24], end.rig.point(HAND))[0]
    assert np.linalg.norm(there - wished) < 1e-4
    assert np.linalg.norm(there - last) / step < 1e-3
    loose = before(story, "Add hand_r target").shown_motion().states([BLOW / 24], end.rig.point(HAND))[0][0]
    assert np.linalg.norm(loose - wished) > 0.02, "it would have been missed"
    (layer,) = end.clip().layers
    assert layer.name == aim.name


def near_the_lock(document: Document, name: str, values: Floats) -> Bools:
    """Where a joint's first and last turn are about nearly the same axis: what each of them is says little there."""
    joint, _, turn = name.partition(".")
    names, nowhere = [channel.name for channel in document.rig.channels], np.zeros(len(values), np.bool_)
    if not turn.startswith("r"):
        return nowhere
    middle = f"{joint}.r{document.rig.joints[document.rig.joint_index(joint)].order[1].lower()}"
    if name == middle or middle not in names:
        return nowhere
    return np.abs(values[:, names.index(middle)]) > np.radians(60)


def test_limits_are_kept_and_no_key_is_added_once_poses_are_there(story: Story) -> None:
    end, drawn = story.documents[-1], after(story, "Sketch")
    for name, curve in drawn.clip().curves.items():
        np.testing.assert_array_equal(end.clip().curves[name].times, curve.times)
    assert set(end.clip().curves) == set(drawn.clip().curves)
    values = end.shown_motion().channels(np.linspace(0.0, end.clip().end, 300))
    least = np.inf
    for n, channel in enumerate(end.rig.channels):
        if np.isfinite(channel.lower):
            sure = ~near_the_lock(end, channel.name, values)
            room = np.minimum(values[sure, n] - channel.lower, channel.upper - values[sure, n])
            assert room.min(initial=np.inf) > -1e-9, channel.name
            least = min(least, float(room.min(initial=np.inf)))
    assert least < 0.01, "one of them is reached"


def test_all_is_undone_and_done_again(story: Story) -> None:
    for number in range(len(story.documents) - 2, -1, -1):
        story.page.press("Control+z")
        story.page.wait_for_steps(number)
        assert story.document == story.documents[number]
    for number in range(1, len(story.documents)):
        story.page.press("Control+Shift+z")
        story.page.wait_for_steps(number)
        assert story.document == story.documents[number]


@pytest.mark.parametrize(("kind", "suffix"), [("glTF", "glb"), ("BVH", "bvh")])
def test_exports_hold_the_motion_that_is_seen(story: Story, kind: str, suffix: str) -> None:
    story.export(kind, f"end.{suffix}")
    end = story.documents[-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        opened = ib.load(story.folder / f"end.{suffix}")
    there = [opened.rig.joint_index(joint.name) for joint in end.rig.joints]
    times = end.clip().frame_times
    found = opened.motion().joint_positions(opened.clip().start + times)[:, there]
    seen = end.shown_motion().joint_positions(times)
    assert np.linalg.norm(found - seen, axis=2).max() < 1e-4 * chains.height(end.rig)


def test_a_film_shows_every_frame(story: Story) -> None:
    story.export("MP4", "end.mp4", "640×360")
    facts, frames = decoded(story.folder / "end.mp4")
    assert facts["size"] == (640, 360)
    assert len(frames) == len(story.documents[-1].clip().frame_times)
    changes = np.abs(np.diff(frames.astype(np.int16), axis=0)).reshape(len(frames) - 1, -1).max(axis=1)
    assert (changes > 40).mean() > 0.9, "he moves"


def test_saved_and_opened_again_it_is_the_same(story: Story) -> None:
    page, end = story.page, story.document
    page.press("Control+s")
    page.until("inbetweener.model.history.value.saved === inbetweener.model.history.value.at")
    assert ib.load(story.folder / FILE) == end
    page.press("Control+o")
    page.page.locator("ib-gallery").get_by_role("button", name=FILE).click()
    page.until("inbetweener.model.history.value.labels.length === 1")
    assert story.document is not end
    assert story.document == end
    page.ready()
    page.until(
        "inbetweener.model.obstacles.value?.exact && inbetweener.model.obstacles.value.items[0].frames.length === 0"
    )
