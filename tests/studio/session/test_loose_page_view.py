"""What is shown of loose motion is the loose motion: poses, arcs, the keyed ones beside them, whatever came between."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.studio.session.arcs import smoothly
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, differences, place, session_of

ARCS = [{"arc": 1, "place": place("hand"), "turns": True}, {"arc": 2, "place": place("hand"), "keyed": True}]


@pytest.fixture
def page() -> Iterator[PageForTests]:
    session = session_of(loose_arm())
    page = PageForTests(session)
    page.done("show-arcs", arcs=ARCS)
    yield page
    session.stop()


def check(page: PageForTests) -> None:
    """All that the page knows, against the motion of the document itself."""
    page.settle()
    document = page.session.editor.shown
    motion, keyed = document.shown_motion("swing"), document.motion("swing")
    times = motion.clip.frame_times
    channels = motion.channels(times).astype(np.float32)
    world = motion.world_from_joint(times).astype(np.float32)
    assert sorted(page.known.poses) == list(range(len(times)))
    for frame, (joints, values) in page.known.poses.items():
        assert np.array_equal(values, channels[frame])
        assert np.array_equal(joints, world[frame])
    hand = motion.rig.joint_index("hand")
    for arc, shown in ((1, motion), (2, keyed)):
        told = page.known.arcs[arc]
        on_frames = told["positions"][:: int(told["per_frame"][0])]
        assert on_frames == pytest.approx(shown.joint_positions(times)[:, hand], abs=1e-6)
    fresh = PageForTests(page.session)
    fresh.done("show-arcs", arcs=ARCS)
    fresh.settle()
    assert differences(page.known, fresh.known) == []
    page.session.leave(fresh.page)


def test_a_page_that_joins_is_shown_what_swings(page: PageForTests) -> None:
    check(page)
    told = page.known.looseness
    assert told["loose"]
    assert told["problem"] == ""
    assert told["swinging"] == ["elbow.rx", "elbow.ry", "elbow.rz", "hand.rz"]
    assert told["following"] == []
    loose, keyed = (page.known.arcs[arc]["positions"] for arc in (1, 2))
    assert np.abs(loose - keyed).max() > 0.02


def test_a_clip_that_is_not_loose_is_shown_as_keyed() -> None:
    session = session_of(arm())
    page = PageForTests(session)
    assert not page.known.looseness["loose"]
    assert page.known.looseness["settings"]["springs"] == []
    page.done("show-arcs", arcs=ARCS)
    assert np.array_equal(page.known.arcs[1]["positions"], page.known.arcs[2]["positions"])
    session.stop()


def test_switching_it_off_and_on_and_undoing(page: PageForTests) -> None:
    for kind, fields in (
        ("switch-looseness", {"on": False}),
        ("switch-looseness", {"on": True}),
        ("set-springs", {"changes": [{"name": "elbow", "frequency": 6.0, "damping": 0.2}]}),
        ("undo", {}),
        ("undo", {}),
        ("redo", {}),
        ("jump-to", {"step": 0}),
    ):
        page.done(kind, **fields)
        check(page)


@pytest.mark.parametrize("window", [0.4, "auto", "adaptive"])
@pytest.mark.parametrize("loops", [False, True])
def test_edits_of_keys_are_swung_on_for_a_window_and_in_a_loop_around(
    page: PageForTests, loops: bool, window: float | str
) -> None:
    settings = page.known.looseness["settings"]
    page.done("loosen", settings={**settings, "window": window})
    page.done("set-clip-loops", loops=loops)
    check(page)
    for channel, time, value in (("elbow.ry", 0.37, 0.9), ("elbow.rz", 0.95, 1.4), ("hips.tx", 0.0, 0.3)):
        page.begin("set-value", channel=channel, time=time)
        page.move(value)
        # Windows that are found stay as they were until the hand lets go.
        if window == 0.4:
            check(page)
        page.done("commit", gesture=1)
        check(page)
    page.done("set-clip-range", start=0.0, end=0.8)
    check(page)


def test_what_does_not_touch_the_motion_simulates_nothing_anew(page: PageForTests) -> None:
    page.settle()
    told = len(page.told)
    page.done("rename-document", name="pole")
    changed = [each for each in page.told[told:] if each["type"] == "changed"]
    assert [(each["first"], each["last"]) for each in changed] == [(0, -1)] * len(changed)
    assert page.page.view.is_sent or page.settle() is None
    assert sorted(page.known.poses) == list(range(25))


def test_only_frames_that_may_swing_otherwise_are_told_anew(page: PageForTests) -> None:
    """The last key of the elbow changes nothing before the key before it."""
    page.settle()
    page.begin("set-value", channel="elbow.rz", time=1.0)
    page.move(1.4)
    changed = next(each for each in reversed(page.told) if each["type"] == "changed")
    assert (changed["first"], changed["last"]) == (12, 24)
    page.done("cancel", gesture=1)


def test_the_keyed_motion_is_told_beside_it_where_a_page_asks(page: PageForTests) -> None:
    page.settle()
    assert page.known.keyed == {}
    page.done("show-keyed", on=True)
    page.settle()
    document = page.session.editor.document
    keyed = document.motion("swing")
    world = keyed.world_from_joint(keyed.clip.frame_times).astype(np.float32)
    assert sorted(page.known.keyed) == list(range(25))
    assert all(np.array_equal(pose[0], world[frame]) for frame, pose in page.known.keyed.items())
    check(page)
    page.done("show-keyed", on=False)
    page.done("set-springs", changes=[{"name": "hand", "frequency": None}])
    page.settle()
    assert page.known.keyed == {}


def test_what_can_no_longer_be_simulated_is_shown_as_keyed_and_said() -> None:
    """A clip that undo, or a file, has made too short for its window."""
    short = loose_arm()
    clip = replace(short.clip("swing"), end=0.25)
    session = session_of(replace(short, clips=(replace(clip, end=0.5), short.clips[1]), loosenings=()))
    page = PageForTests(session)
    loosening = replace(short.loosenings[0], looseness=Looseness({"elbow": Spring(3.0)}, window=0.5))
    broken = replace(short, clips=(clip, short.clips[1]), loosenings=(loosening,))
    assert "longer than the clip" in loose_problem(page, broken)
    session.stop()


def loose_problem(page: PageForTests, document: Document) -> str:
    """What a page is told when a document is shown whose looseness cannot be."""
    batch = page.page.view.update(document, 99, "open", "", None)
    page._arrived(batch)
    assert not page.known.looseness["loose"]
    motion = document.motion("swing")
    assert np.array_equal(page.known.poses[3][1], motion.channels([3 / 24])[0].astype(np.float32))
    return page.known.looseness["problem"]


def test_arcs_run_smoothly_between_frames() -> None:
    """Through every frame, and much nearer than a straight line to what lies between."""
    times = np.arange(25) / 24
    values = np.stack([np.sin(7 * times), times**2], axis=1)
    at = np.arange(0, 24.01, 0.25)
    exact = np.stack([np.sin(7 * at / 24), (at / 24) ** 2], axis=1)
    found = smoothly(values, at)
    assert np.array_equal(found[::4], values)
    straight = np.stack([np.interp(at, np.arange(25), column) for column in values.T], axis=1)
    inner = slice(4, -4)
    assert np.abs(found - exact)[inner].max() < 0.1 * np.abs(straight - exact)[inner].max()


def test_the_clip_of_a_single_frame_can_be_loose() -> None:
    document = edits.set_looseness(arm(), "still", Looseness({"elbow": Spring(2.0)}))
    session = session_of(document)
    page = PageForTests(session)
    page.done("show-clip", clip="still")
    page.settle()
    assert sorted(page.known.poses) == [0]
    page.done("show-clip", clip="swing")
    page.settle()
    assert not page.known.looseness["loose"]
    session.stop()
