"""Nothing moves or flickers that nobody asked to."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

BOX = "(() => {{ const {{ x, y, width, height }} = {}.getBoundingClientRect(); return [x, y, width, height]; }})()"
VIEWPORT = "document.querySelector('ib-viewport')"


def test_the_bar_keeps_its_row_and_the_export_dialog_its_size(page: StudioPage) -> None:
    bar = BOX.format("document.querySelector('ib-bar')")
    page.until("inbetweener.model.obstacles.value !== null")
    counted = page.value(bar)
    assert counted[3] < 45, "all of it fits one row of a small screen"
    page.run("inbetweener.model.obstacles.value = null")
    page.page.locator("ib-obstacle-chip .unknown").wait_for(state="attached")
    assert page.value(bar) == counted
    page.press("Control+e")
    dialog = page.page.locator("ib-export")
    dialog.get_by_role("radio").first.wait_for()
    formats = dialog.get_by_role("radio").count()
    assert formats > 6
    places = set()
    for i in range(formats):
        dialog.get_by_role("radio").nth(i).check()
        box = dialog.locator("dialog, [role=dialog]").first.bounding_box()
        assert box is not None
        places.add((box["x"], box["y"], box["width"], box["height"]))
    assert len(places) == 1, places


@pytest.mark.thorough
def test_a_podium_level_with_the_ground_does_not_flicker(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
) -> None:
    page = new_page().open(serve("conductor"))
    stage = f"{VIEWPORT}.stage"
    # All of its top, with nobody on it.
    drawn = page.value(f"{stage}.drawn")
    page.run("inbetweener.model.hiddenMeshes.value = new Set(inbetweener.model.scene.value.meshes.map((m) => m.name))")
    page.until(f"{stage}.drawn > {drawn}")
    where = f"""(() => {{
        const {{ camera, canvas }} = {stage}, box = canvas.getBoundingClientRect(), spots = [];
        for (let x = -0.45; x < 0.15; x += 0.02) for (let z = -0.33; z < 0.25; z += 0.02) {{
            const at = {stage}.toPixels(camera.position.clone().set(x, 0, z));
            spots.push([Math.round(box.x + at.x), Math.round(box.y + at.y)]);
        }}
        return spots;
    }})()"""
    for _ in range(3):
        picture = Image.open(io.BytesIO(page.page.screenshot())).convert("RGB")
        seen = np.array([picture.getpixel(tuple(spot)) for spot in page.value(where)], float)
        # Wood is redder than blue everywhere; the ground is not.
        assert (seen[:, 0] > seen[:, 2] + 10).all()
        drawn = page.value(f"{stage}.drawn")
        page.run(f"{VIEWPORT}.scenery.viewpoints.orbit.rotate(0.013, 0.004); {stage}.invalidate()")
        page.until(f"{stage}.drawn > {drawn}")
