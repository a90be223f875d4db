"""Windows that are found stay as they are under a hand, and are found again when it lets go."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.kinodynamics import LooseMotion, Spring
from inbetweener.studio.watched import loose_motion
from tests.studio.documents import loose_arm
from tests.studio.pages import PageForTests, place, session_of

HAND = place("hand")
UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture
def page() -> Iterator[PageForTests]:
    document = loose_arm()
    springs = {"elbow": Spring(6.0, 0.8), "hand": Spring(6.0, 0.8)}
    looseness = replace(document.loosening("swing").looseness, springs=springs, window="auto", error=0.003)
    session = session_of(edits.set_looseness(document, "swing", looseness))
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 1, "place": HAND}])
    page.settle()
    yield page
    session.stop()


def watched(page: PageForTests) -> LooseMotion:
    motion = loose_motion(page.session.editor.shown, "swing")
    assert motion is not None
    return motion


def anew(page: PageForTests) -> LooseMotion:
    motion = page.session.editor.shown.shown_motion("swing")
    assert isinstance(motion, LooseMotion)
    return motion


def all_as(page: PageForTests, motion: LooseMotion) -> bool:
    values = motion.channels(motion.clip.frame_times).astype(np.float32)
    return all(np.array_equal(page.known.poses[frame][1], values[frame]) for frame in range(25))


def test_windows_are_found_once_a_drag(page: PageForTests) -> None:
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    before = watched(page).windows
    page.begin("drag-arc", place=HAND, time=10 / 24)
    for step in range(1, 4):
        page.move(*(start + 0.1 * step * UP))
        assert watched(page).windows is before
    page.settle()
    assert all_as(page, watched(page))
    page.done("cancel", gesture=1)
    # As it was, with what was found for it.
    assert watched(page).windows is before


def test_what_is_kept_is_as_its_own_windows_have_it(page: PageForTests) -> None:
    page.done("loosen", settings={**page.known.looseness["settings"], "window": "adaptive"})
    page.settle()
    start = page.known.arcs[1]["positions"][4 * 10].astype(np.float64)
    times = watched(page).clip.frame_times
    held = watched(page).window(times)
    page.begin("drag-arc", place=HAND, time=10 / 24)
    page.move(*(start + 0.3 * UP))
    page.settle()
    assert np.array_equal(watched(page).window(times), held)
    assert (anew(page).window(times) != held).any(), "so wild a drag needs other windows, or this shows nothing"
    page.done("commit", gesture=1)
    page.settle()
    assert np.array_equal(watched(page).window(times), anew(page).window(times))
    assert all_as(page, anew(page))


def test_sliding_a_spring_stretches_windows_as_its_swings_get_longer(page: PageForTests) -> None:
    before = watched(page)
    page.begin("set-spring", names=["elbow", "hand"])
    page.move(8.0, 0.8)
    short = watched(page).window([0.5])[0]
    page.move(2.0, 0.8)
    long = watched(page).window([0.5])[0]
    page.move(2.0, 0.0)
    # What never comes to rest is not followed for ever.
    assert long < watched(page).window([0.5])[0] <= 4.0 + 1e-9
    page.move(2.0, 0.8)
    assert watched(page).window([0.5])[0] == long
    assert short < before.window([0.5])[0] < long
    assert long == pytest.approx(4 * short, rel=0.2)
    page.settle()
    assert all_as(page, watched(page))
    page.done("commit", gesture=1)
    page.settle()
    assert all_as(page, anew(page))


def test_masses_are_weighed_once_while_a_spring_slides(page: PageForTests) -> None:
    body = watched(page).loosened.body
    page.begin("set-spring", names=["elbow"])
    for hertz in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        page.move(hertz, 0.5)
        assert watched(page).loosened.body is body
    page.done("cancel", gesture=1)
    assert watched(page).loosened.body is body
