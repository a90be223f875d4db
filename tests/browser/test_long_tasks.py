"""Nothing that the page does takes long: drags, playback and opening leave it free to answer the hand.

What is bounded is the processor time of single tasks on the page's own thread, from Chromium's trace: drawing is done
by software here, on other threads, which the page's waits for, and other tests may be at work.
"""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

LONG_MS = 50.0
"""What browsers call a long task."""


class Tasks:
    """What the page's thread did meanwhile: milliseconds of processor time, one number a task."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []

    @property
    def longest(self) -> float:
        return max(self.milliseconds)


@contextmanager
def traced(browser: Browser, page: StudioPage) -> Iterator[Tasks]:
    tasks = Tasks()
    browser.start_tracing(page=page.page, categories=["toplevel", "devtools.timeline"])
    yield tasks
    events = json.loads(browser.stop_tracing())["traceEvents"]
    # Whichever thread it is that runs the page's frames: other pages of the browser have one too.
    ours = {(each["pid"], each["tid"]) for each in events if each["name"] == "FireAnimationFrame"}
    tasks.milliseconds = [
        each["tdur"] / 1e3
        for each in events
        if each["name"].endswith("RunTask") and "tdur" in each and (each["pid"], each["tid"]) in ours
    ]
    assert math.fsum(tasks.milliseconds) > 10, "the page did something"


@pytest.mark.thorough
def test_no_task_is_long(browser: Browser, robot: Studio, new_page: Callable[[], StudioPage]) -> None:
    page = new_page()
    with traced(browser, page) as opening:
        page.open(robot)
    with traced(browser, page) as choosing:
        page.select("hand_l")
    with traced(browser, page) as dragging:
        x, y = page.tick(20)
        page.drag((x, y), (x + 40, y - 40), steps=30)
        page.wait_for_steps(1)
    with traced(browser, page) as playing:
        page.press("Space")
        page.until("inbetweener.model.playback.frame.value > 60")
        page.press("Space")
    assert choosing.longest < LONG_MS
    assert dragging.longest < LONG_MS
    assert playing.longest < LONG_MS
    # Code that runs for the first time is slow: on an idle machine this too is below 50.
    assert opening.longest < 2 * LONG_MS
