"""The state on a frame is the same, to the bit, whether it is asked for alone, in a scrub or in playback."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.document import Document, edits
from inbetweener.studio.session.loose_frames import AHEAD, LooseFrames
from inbetweener.studio.watched import loose_motion
from tests.studio.documents import loose_arm
from tests.studio.pages import PageForTests, session_of

FRAMES = 25


def looping() -> Document:
    return edits.set_clip_loops(loose_arm(), "swing", True)


asked = st.lists(
    st.tuples(st.integers(0, FRAMES - 1), st.integers(1, FRAMES), st.none() | st.integers(0, FRAMES - 1)),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(asked, st.booleans())
def test_a_page_gets_the_same_frames_in_any_order(fetched: list[tuple[int, int, int | None]], loops: bool) -> None:
    document = looping() if loops else loose_arm()
    motion = document.shown_motion("swing")
    alone = [motion.channels([time])[0].astype(np.float32) for time in motion.clip.frame_times]
    session = session_of(document)
    page = PageForTests(session)
    for first, count, looked in fetched:
        page.done("fetch-poses", first=first, count=count, looked=looked)
        for frame, (_, values) in page.known.poses.items():
            assert np.array_equal(values, alone[frame])
    page.settle()
    assert sorted(page.known.poses) == list(range(FRAMES))
    assert all(np.array_equal(values, alone[frame]) for frame, (_, values) in page.known.poses.items())
    session.stop()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(0, FRAMES), st.floats(0, 0.004), st.integers(1, 9)), min_size=1, max_size=12))
def test_frames_are_the_same_in_any_batch(taken: list[tuple[float, float, int]]) -> None:
    motion = loose_motion(loose_arm(), "swing")
    assert motion is not None
    together = motion.channels(motion.clip.frame_times)
    frames = LooseFrames(motion)
    told: list[int] = []
    for around, seconds, most in taken:
        for first, last in frames.take(around, seconds, most):
            told += range(first, last + 1)
            assert np.array_equal(frames.values[first : last + 1], together[first : last + 1])
    # Nothing is told twice, and at least one frame at every look until all are.
    assert len(told) == len(set(told))
    assert len(told) >= min(len(taken), FRAMES)
    assert frames.is_sent(0.0) == (len(told) == FRAMES)


def test_the_frame_that_is_looked_at_comes_first() -> None:
    motion = loose_motion(loose_arm(), "swing")
    assert motion is not None
    frames = LooseFrames(motion)
    assert frames.take(17.2, 0.0, 99) == [(17, 17)]
    assert frames.take(17.2, 0.0, 99) == [(18, 18)]
    assert frames.take(17.2, 10.0, 4) == [(15, 16), (19, 20)]
    frames.untell(15, 17)
    assert frames.take(0.0, 0.0, 99)[0][0] == 0
    # What is known costs nothing.
    assert frames.take(16.0, 0.0, 3) == [(15, 17)]


def test_a_motion_at_another_rate_is_another_motion() -> None:
    document = loose_arm()
    clip = replace(document.clip("swing"), rate=30.0)
    session = session_of(replace(document, clips=(clip, document.clips[1])))
    page = PageForTests(session)
    page.settle()
    motion = session.editor.document.shown_motion("swing")
    whole = motion.channels(clip.frame_times).astype(np.float32)
    assert all(np.array_equal(values, whole[frame]) for frame, (_, values) in page.known.poses.items())
    session.stop()


def test_of_an_endless_clip_only_what_may_be_looked_at_soon_is_simulated() -> None:
    session = session_of(loose_arm())
    page = PageForTests(session)
    page.done("set-clip-range", start=0.0, end=200.0)
    page.settle()
    # The last batch may reach a little farther.
    known = sorted(page.known.poses)
    assert known == list(range(len(known)))
    assert AHEAD <= len(known) < 2 * AHEAD
    page.done("fetch-poses", first=4000, count=2, looked=4000)
    assert 4000 in page.known.poses
    session.stop()
