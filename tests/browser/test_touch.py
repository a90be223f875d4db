"""A finger and a pen, as Chromium emulates them: what a mouse takes hold of, they take hold of too."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from inbetweener.arrays import Floats
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

MODEL = "inbetweener.model"


def drag(page: StudioPage, *ways: tuple[Pixel, Pixel], steps: int = 6) -> None:
    """Fingers go down one after the other, along their ways together, and up."""
    session = page.page.context.new_cdp_session(page.page)

    def touch(kind: str, points: list[Pixel]) -> None:
        touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    starts = [start for start, _ in ways]
    for count in range(1, len(ways) + 1):
        touch("touchStart", starts[:count])
    for step in range(1, steps + 1):
        share = step / steps
        touch("touchMove", [(x + share * (to_x - x), y + share * (to_y - y)) for (x, y), (to_x, to_y) in ways])
    touch("touchEnd", [])


@pytest.fixture
def touched(browser: Browser, serve: Callable[[str], Studio]) -> Iterator[StudioPage]:
    """The waving figure on a screen that knows fingers."""
    studio = serve("waving")
    context = browser.new_context(viewport={"width": 1280, "height": 720}, has_touch=True, reduced_motion="reduce")
    try:
        page = StudioPage(context.new_page()).open(studio)
        yield page
        assert page.complaints == []
    finally:
        context.close()


def test_a_finger_selects_and_poses(touched: StudioPage) -> None:
    page = touched
    page.page.locator("ib-bar [role=radio]", has_text="Pose").tap()
    page.until(f"{MODEL}.tool.value.name === 'pose'")
    page.page.touchscreen.tap(*page.joint("hand_l"))
    page.until(f"{MODEL}.selection.activeJoint === 'hand_l'")
    x, y = page.joint("hand_l")
    drag(page, ((x, y), (x + 40, y - 50)))
    page.wait_for_steps(1)
    assert page.labels() == ["Pose hand_l at frame 0"]
    # A key of the timeline follows a finger too, and the page does not scroll or zoom away under it.
    key = page.where("document.querySelector('ib-timeline').whereIs({kind: 'key', frame: 18})")
    page.page.touchscreen.tap(*key)
    page.until(f"{MODEL}.selection.keys.value.length > 0")
    assert page.value("visualViewport.scale") == 1


def test_two_fingers_slide_and_pinch_and_three_turn(touched: StudioPage) -> None:
    page = touched

    def apart() -> Floats:
        return np.subtract(page.joint("hand_l"), page.joint("hand_r"))

    def hips() -> Floats:
        return np.array(page.joint("hips"))

    # The first finger lands on a hand, and would drag it: with a second one beside it, both are the camera's.
    page.page.locator("ib-bar [role=radio]", has_text="Pose").tap()
    (x, y), before = page.joint("hand_l"), apart()
    drag(page, ((x, y), (x, y)), ((x + 60, y), (x + 120, y)))
    page.until(f"document.querySelector('ib-viewport').whereIsJoint('hand_l').x !== {x}")
    # Hands are a little nearer than what the camera looks at, and grow a little more.
    np.testing.assert_allclose(apart(), 2 * before, atol=0.1 * np.linalg.norm(before))
    # Together they carry the scene along.
    stood = hips()
    drag(page, ((500, 300), (540, 330)), ((600, 300), (640, 330)))
    np.testing.assert_allclose(hips() - stood, (40, 30), atol=3)
    before = apart()
    drag(page, *(((x, 300), (x + 90, 300)) for x in (500, 560, 620)))
    assert abs(np.linalg.norm(apart()) / np.linalg.norm(before) - 1) > 0.02
    # One finger alone poses again, and nothing else has become a step.
    assert page.labels() == []
    assert page.value("visualViewport.scale") == 1
