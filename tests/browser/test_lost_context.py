"""The graphics card taken away and given back: the page says so meanwhile, and draws again by itself."""

import io

import numpy as np
import pytest
from PIL import Image

from tests.browser.studio_page import StudioPage

VIEWPORT = "document.querySelector('ib-viewport')"
STAGE = f"{VIEWPORT}.stage"


def picture(page: StudioPage) -> np.ndarray:
    """The viewport as it is on the screen, once nothing is left to draw."""
    page.until(f"{VIEWPORT}.isUpToDate()")
    page.page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
    shot = page.page.locator("ib-viewport canvas").first.screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), float)


@pytest.mark.thorough
def test_the_page_says_that_it_cannot_draw_and_draws_again_by_itself(page: StudioPage) -> None:
    page.watch()
    first = picture(page)
    page.run("inbetweener.model.playback.go(40)")
    wanted = picture(page)
    assert np.abs(wanted - first).max() > 100, "the two frames look alike, so that nothing can be told from them"
    page.run("inbetweener.model.playback.go(0)")
    words = page.page.get_by_text("The browser has lost the graphics card")
    assert not words.is_visible()
    page.run(f"{STAGE}.renderer.forceContextLoss()")
    words.wait_for()
    drawn = page.value(f"{STAGE}.drawn")
    page.run("inbetweener.model.playback.go(40)")
    page.until("inbetweener.model.playback.frame.value === 40")
    assert page.value(f"{STAGE}.drawn") == drawn
    page.run(f"{STAGE}.renderer.forceContextRestore()")
    page.until(f"{STAGE}.drawn > {drawn}")
    words.wait_for(state="hidden")
    assert np.abs(picture(page) - wanted).mean() < 0.5
    assert page.value("inbetweener.model.notices.items.value.length") == 0
