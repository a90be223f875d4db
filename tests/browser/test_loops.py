"""Loops under a real mouse: a drag beside the seam is told of there, and mended by one click."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from inbetweener.curves.seam import passes, seam_slopes
from inbetweener.document import Document
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage


def kinks(document: Document) -> int:
    clip = document.clip()
    found = [seam_slopes(curve, clip.start, clip.end) for curve in clip.curves.values()]
    return sum(slopes is not None and not passes(slopes) for slopes in found)


def test_a_seam_is_told_and_smoothed(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]) -> None:
    studio = serve("conductor")
    page, editor = new_page().open(studio), studio.session.editor
    seam = page.page.locator("ib-inspector [data-section=Clip] .seam")
    assert kinks(editor.document) == 0
    expect(seam).to_have_count(0)
    page.select("hand_r", 4)
    x, y = page.tick(4)
    page.drag((x, y), (x - 25, y - 10))
    page.wait_for_steps(1)
    assert kinks(editor.document) > 2
    expect(seam).to_contain_text(re.compile(r"\d+ curves jerk where the loop begins again"))
    seam.get_by_role("button", name="Smooth").click()
    page.wait_for_steps(2)
    assert kinks(editor.document) == 0
    expect(seam).to_have_count(0)
    assert page.labels()[-1].startswith("Smooth the seam of")


def test_guidance_of_a_loop_asks_whether_it_stays_seamless(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
) -> None:
    studio = serve("fox-tail")
    page, editor = new_page().open(studio), studio.session.editor
    page.unfold("What may change")
    guidance = page.page.locator("ib-inspector .guidance")
    guidance.get_by_role("switch", name="Seamless").click()
    expect(guidance.locator("[data-section='What may change'] summary")).to_contain_text("seamless")
    guidance.locator("button.run").click()
    page.until("inbetweener.model.guiding.progress.value?.state === 'resting'")
    guidance.locator("button.keep").click()
    page.wait_for_steps(1)
    assert kinks(editor.document) == 0
    assert editor.document.clip().curves != editor.history.steps[0].document.clip().curves
