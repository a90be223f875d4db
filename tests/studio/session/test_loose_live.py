"""Under a moving hand loose motion is shown as far as there is time: the frame of the hand first, the rest later."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import edits
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, place, session_of
from tests.studio.session.test_guiding import rest

HAND = place("hand")
UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture
def page() -> Iterator[PageForTests]:
    session = session_of(loose_arm())
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 1, "place": HAND}])
    page.settle()
    yield page
    session.stop()


def shown(page: PageForTests, frame: int) -> np.ndarray:
    motion = page.session.editor.shown.shown_motion("swing")
    return motion.channels([frame / 24])[0].astype(np.float32)


def test_every_move_shows_the_loose_pose_where_the_hand_is(page: PageForTests) -> None:
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    page.begin("drag-arc", place=HAND, time=10 / 24)
    for step in range(1, 6):
        page.move(*(start + 0.01 * step * UP))
        # Told before the answer, so that it is on the screen when the answer is.
        assert np.array_equal(page.known.poses[10][1], shown(page, 10))
        kinds = [each["type"] for each in page.told]
        assert kinds[-1] == "answer" or "answer" in kinds[-3:]
    page.done("commit", gesture=1)
    page.settle()
    assert all(np.array_equal(page.known.poses[frame][1], shown(page, frame)) for frame in range(25))


def test_the_rest_comes_while_the_hand_rests(page: PageForTests) -> None:
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    page.begin("drag-arc", place=HAND, time=10 / 24)
    page.move(*(start + 0.05 * UP))
    page.settle()
    assert sorted(page.known.poses) == list(range(25))
    motion = page.session.editor.shown.shown_motion("swing")
    hand = motion.joint_positions(motion.clip.frame_times)[:, motion.rig.joint_index("hand")]
    assert page.known.arcs[1]["positions"][::4] == pytest.approx(hand, abs=1e-6)
    page.done("cancel", gesture=1)


def test_the_newest_move_wins_over_frames_that_nobody_looks_at(page: PageForTests) -> None:
    """Frames are simulated at leisure, so all moves that wait are answered before any such frame."""
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    page.begin("drag-arc", place=HAND, time=10 / 24)
    for step in range(1, 4):
        page.sequence += 1
        page.send_move([*(start + 0.01 * step * UP)], 1)
    page.flush()
    assert page.moves[-1]["sequence"] == page.sequence
    page.done("cancel", gesture=1)


def test_a_page_that_falls_behind_is_told_the_last(page: PageForTests) -> None:
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    page.begin("drag-arc", place=HAND, time=10 / 24)
    page.hold()
    for step in range(1, 4):
        page.move(*(start + 0.01 * step * UP))
    page.catch_up()
    page.settle()
    assert all(np.array_equal(page.known.poses[frame][1], shown(page, frame)) for frame in range(25))
    page.done("cancel", gesture=1)


def test_springs_can_be_slid_and_are_seen_at_once(page: PageForTests) -> None:
    before = page.known.poses[12][1]
    page.begin("set-spring", names=["elbow", "hand"])
    page.move(1.0, 0.1)
    page.settle()
    assert np.array_equal(page.known.poses[12][1], shown(page, 12))
    assert np.abs(page.known.poses[12][1] - before).max() > 0.05
    page.done("cancel", gesture=1)
    page.settle()
    assert np.array_equal(page.known.poses[12][1], before)


def test_what_blows_up_under_a_slider_is_shown_as_keyed_and_said(page: PageForTests) -> None:
    page.begin("set-spring", names=["elbow", "hand"])
    page.move(0.05, 0.0)
    page.done("cancel", gesture=1)
    document = page.session.editor.document
    springs = document.loosening("swing").looseness.springs
    wild = replace(document.loosening("swing").looseness, springs=springs, gravity=1e7)
    broken = edits.set_looseness(document, "swing", wild)
    page.session.worker.submit(lambda: page.session.editor.apply("Blow up", lambda _: broken))
    page.flush()
    page.settle()
    assert not page.known.looseness["loose"]
    assert "blew up" in page.known.looseness["problem"]
    page.fetch_all()
    keyed = document.motion("swing").channels(document.clip("swing").frame_times).astype(np.float32)
    assert all(np.array_equal(page.known.poses[frame][1], keyed[frame]) for frame in range(25))
    page.done("undo")
    page.settle()
    assert page.known.looseness["loose"]
    assert np.array_equal(page.known.poses[12][1], shown(page, 12))


def test_guidance_runs_on_the_keyed_motion_and_shows_the_loose_one(page: PageForTests) -> None:
    page.begin("guide", settings={"terms": [{"name": "jerk", "weight": 1.0}]})
    rest(page)
    page.done("commit", gesture=1)
    page.settle()
    assert page.session.editor.document.clip("swing").curves != loose_arm().clip("swing").curves
    assert all(np.array_equal(page.known.poses[frame][1], shown(page, frame)) for frame in range(25))
    tight = session_of(arm())
    other = PageForTests(tight)
    other.begin("guide", settings={"terms": [{"name": "jerk", "weight": 1.0}]})
    rest(other)
    other.done("commit", gesture=1)
    assert tight.editor.document.clip("swing").curves == page.session.editor.document.clip("swing").curves
    tight.stop()
