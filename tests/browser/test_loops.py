"""Loops under a real mouse: a drag beside the seam is told of there, and mended by one click."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from inbetweener.curves.seam import passes, seam_slopes
from inbetweener.document import Document
from inbetweener.document.native import write_native
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.retarget.people import walking
from tests.studio.served import served


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


@pytest.mark.thorough
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


def test_a_way_is_drawn_on_the_ground(new_page: Callable[[], StudioPage], tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    write_native(walking(rounds=2), tmp_path / "project" / "walk.tween")
    with served(tmp_path, Origin(path="walk.tween")) as studio:
        page = new_page().open(studio)
        draw_a_way(page, studio)
        # Before its server goes, which it would miss.
        page.page.close()


def draw_a_way(page: StudioPage, studio: Studio) -> None:
    editor = studio.session.editor
    page.page.keyboard.press("u")
    page.until("inbetweener.model.tool.value.name === 'path'")
    box = page.page.locator("ib-viewport canvas").first.bounding_box()
    assert box is not None
    middle, low = box["x"] + 0.5 * box["width"], box["y"] + 0.85 * box["height"]
    page.drag((middle, low), (middle + 150, low - 30))
    page.wait_for_steps(1)
    assert page.labels()[-1] == "Bend the way of walk"
    hips = editor.document.rig.joint_index("hips")
    went = np.ptp(editor.document.motion().joint_positions([0.0, 2.0])[:, hips], axis=0)
    assert went[0] > 0.3, "to the side now, and not straight ahead alone"
