"""A finger and a pen, as Chromium emulates them: what a mouse takes hold of, they take hold of too."""

from collections.abc import Callable

from playwright.sync_api import Browser

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

MODEL = "inbetweener.model"


def drag(page: StudioPage, start: Pixel, end: Pixel, steps: int = 6) -> None:
    """A finger goes down, along, and up."""
    session = page.page.context.new_cdp_session(page.page)

    def touch(kind: str, at: Pixel | None) -> None:
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    for step in range(1, steps + 1):
        share = step / steps
        touch("touchMove", (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
    touch("touchEnd", None)


def test_a_finger_selects_and_poses(browser: Browser, serve: Callable[[str], Studio]) -> None:
    studio = serve("waving")
    context = browser.new_context(viewport={"width": 1280, "height": 720}, has_touch=True, reduced_motion="reduce")
    try:
        page = StudioPage(context.new_page()).open(studio)
        page.page.locator("ib-bar [role=radio]", has_text="Pose").tap()
        page.until(f"{MODEL}.tool.value.name === 'pose'")
        page.page.touchscreen.tap(*page.joint("hand_l"))
        page.until(f"{MODEL}.selection.activeJoint === 'hand_l'")
        x, y = page.joint("hand_l")
        drag(page, (x, y), (x + 40, y - 50))
        page.wait_for_steps(1)
        assert page.labels() == ["Pose hand_l at frame 0"]
        # A key of the timeline follows a finger too, and the page does not scroll or zoom away under it.
        key = page.where("document.querySelector('ib-timeline').whereIs({kind: 'key', frame: 18})")
        page.page.touchscreen.tap(*key)
        page.until(f"{MODEL}.selection.keys.value.length > 0")
        assert page.value("visualViewport.scale") == 1
        assert page.complaints == []
    finally:
        context.close()
