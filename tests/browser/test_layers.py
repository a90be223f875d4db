"""Layers under a real mouse: made, weighed, ordered and merged on their panel; dense motion dragged into one."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.studio.served import served
from tests.verbs.rows_motion import captured


def test_layers_are_made_ordered_weighed_and_merged(page: StudioPage, robot: Studio):
    def layers() -> list[str]:
        return [layer.name for layer in robot.session.editor.document.clip().layers]

    page.page.get_by_role("button", name="Layers", exact=True).click()
    panel = page.page.get_by_role("dialog", name="Layers")
    panel.get_by_role("button", name="Add layer").click()
    page.wait_for_steps(1)
    panel.get_by_role("button", name="Add layer").click()
    page.wait_for_steps(2)
    assert layers() == ["layer", "layer 2"]
    page.until("inbetweener.model.guiding.layer.value === 'layer 2'")
    rows = panel.locator(".layer")
    rows.nth(1).drag_to(rows.nth(0))
    page.wait_for_steps(3)
    assert layers() == ["layer 2", "layer"]
    page.select("hand_l")
    page.press("k")
    page.wait_for_steps(4)
    keyed = robot.session.editor.document.clip()
    assert len(keyed.layer("layer 2").curves) > 0
    assert keyed.curves == ib.example("flying-robot").clip().curves
    panel.get_by_role("button", name="layer 2 overrides").click()
    page.wait_for_steps(5)
    assert robot.session.editor.document.clip().layer("layer 2").override
    panel.get_by_role("button", name="Merge into base").click()
    page.wait_for_steps(6)
    assert layers() == ["layer"]
    page.press("Control+z")
    page.wait_for_steps(5)
    assert layers() == ["layer 2", "layer"]


@pytest.mark.thorough
def test_a_drag_on_dense_motion_reaches_as_far_as_the_wheel_says(new_page: Callable[[], StudioPage], tmp_path: Path):
    (tmp_path / "project").mkdir()
    ib.save(captured(), tmp_path / "project" / "captured.tween")
    with served(tmp_path, Origin(path="captured.tween")) as studio:
        page = new_page().open(studio)
        drag_and_turn_the_wheel(page, studio)
        # Before its server goes, which it would miss.
        page.page.close()


def drag_and_turn_the_wheel(page: StudioPage, studio: Studio) -> None:
    before = studio.session.editor.document
    page.select("hand_l")
    start = page.tick(20)
    page.drag(start, (start[0] + 40, start[1] - 30), release=False)
    for _ in range(4):
        page.page.mouse.wheel(0, 100)
    page.page.mouse.up()
    page.wait_for_steps(1)
    (layer,) = studio.session.editor.document.clip().layers
    assert layer.name == "by hand"
    curves = layer.curves.values()
    assert {len(curve) for curve in curves} == {5}
    (reach,) = {round(float(np.ptp(curve.times)) / 2, 6) for curve in curves}
    assert reach < 0.4, "four notches down make it narrower than the half second it begins with"
    assert studio.session.editor.document.clip().curves == before.clip().curves
