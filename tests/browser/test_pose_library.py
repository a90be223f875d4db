"""The pose library with a real mouse: saved, shown, applied, blended in, applied mirrored, renamed and deleted."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.document import read_pose
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

MODEL = "inbetweener.model"
PANEL = "document.querySelector('ib-poses').renderRoot"


def named(page: StudioPage, name: str) -> None:
    """Answer the question for a name."""
    field = page.page.locator("ib-name-question input")
    field.fill(name)
    field.press("Enter")


def values(studio: Studio, frame: int) -> np.ndarray:
    document = studio.session.editor.document
    clip = document.clips[0]
    return document.motion(clip.name).channels([clip.start + frame / clip.rate])[0]


def test_a_pose_goes_into_the_library_and_out_of_it(
    serve: Callable[[str], Studio], new_page: Callable[[], StudioPage]
) -> None:
    studio = serve("waving")
    page = new_page().open(studio)
    folder = studio.workspace.folder / "poses"
    page.run(f"{MODEL}.playback.go(9)")
    page.press("Control+Alt+s")
    named(page, "Wave out")
    page.until(f"{MODEL}.poses.items.value.length === 1 && {MODEL}.poses.chosen.value === 'Wave out'")
    assert read_pose(folder / "Wave out.pose").name == "Wave out"
    page.page.locator("ib-poses img").wait_for()
    page.until(f"{PANEL}.querySelector('img').naturalWidth === 240")

    # A double click applies it, as one named step.
    wished, was = values(studio, 9), values(studio, 0)
    page.run(f"{MODEL}.playback.go(0)")
    page.page.locator("ib-poses button.card").dblclick()
    page.wait_for_steps(1)
    assert page.labels() == ["Pose Wave out at frame 0"]
    assert values(studio, 0) == pytest.approx(wished, abs=1e-9)

    # The slider leads there from how it was: one more step, half of the way.
    page.press("Control+z")
    page.wait_for_steps(0)
    slider = page.page.locator("ib-poses footer input")
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + 6, y)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + box["width"] / 2, y, steps=4)
    page.until(f"{MODEL}.answer.value !== null")
    page.page.mouse.up()
    page.wait_for_steps(1)
    assert page.labels() == ["Blend to Wave out at frame 0"]
    moved = np.flatnonzero(np.abs(wished - was) > 1e-6)
    share = (values(studio, 0) - was)[moved] / (wished - was)[moved]
    assert 0.3 < share.min() == pytest.approx(share.max(), abs=1e-9)
    assert share.max() < 0.7
    page.press("Control+z")
    page.wait_for_steps(0)

    # The right click renames; Delete asks before it deletes.
    page.page.locator("ib-poses button.card").click(button="right")
    page.page.get_by_role("menuitem", name="Rename pose…").click()
    named(page, "Hello")
    page.until(f"{MODEL}.poses.chosen.value === 'Hello'")
    assert sorted(path.name for path in folder.iterdir()) == ["Hello.png", "Hello.pose"]
    page.page.locator("ib-poses button.card").click()
    page.press("Delete")
    page.page.locator("ib-question button", has_text="Delete").click()
    page.until(f"{MODEL}.poses.items.value.length === 0")
    assert list(folder.iterdir()) == []
