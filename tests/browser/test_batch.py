"""A batch under a person's eyes: its folder opened, sorted, filtered, a clip fixed by hand and marked as done."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import inbetweener as ib
from inbetweener.batch import parse_recipe, plan, run
from inbetweener.batch.hand import as_hand
from inbetweener.batch.store import Folder
from inbetweener.batch.work import do
from inbetweener.document import read_native
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

RECIPE = parse_recipe("""
name = "tidy"
worst = "keys"
[[export]]
suffix = ".tween"
[[picture]]
kind = "sheet"
count = 3
size = [48, 48]
""")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A robot, somebody who waves, and a file that is none; and what a batch made of them, in `project`."""
    folder = tmp_path / "library"
    folder.mkdir()
    ib.save(ib.example("flying-robot"), folder / "robot.tween")
    ib.save(ib.example("waving"), folder / "waving.tween")
    (folder / "bad.bvh").write_text("HIERARCHY\nnonsense")
    for job in plan(RECIPE, folder, tmp_path / "project").jobs:
        do(job)
    run(RECIPE, folder, tmp_path / "project", limit=0)
    return folder


@pytest.mark.thorough
def test_a_clip_is_found_fixed_and_marked(
    library: Path, tmp_path: Path, new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
):
    output, studio = tmp_path / "project", serve("waving")
    page = new_page()
    page.page.goto(f"{studio.invitation()}&aa=0")
    dialog = page.page.get_by_role("dialog", name="Clips of tidy")
    names = dialog.locator("td.name button")
    # What failed, then the most keys.
    expect(names).to_have_text(["bad.bvh", "waving.tween", "robot.tween"])
    expect(dialog.get_by_text("line 2: expected ROOT")).to_be_visible()
    dialog.get_by_role("button", name="Clip ").click()
    dialog.get_by_role("button", name="Clip ").click()
    expect(names).to_have_text(["waving.tween", "robot.tween", "bad.bvh"])
    dialog.get_by_role("radio", name="Failed 1").click()
    expect(names).to_have_text(["bad.bvh"])
    dialog.get_by_role("radio", name="All 3").click()
    dialog.get_by_role("searchbox").fill("robot")
    expect(names).to_have_text(["robot.tween"])

    # Under the pointer the picture shows another moment than the first.
    picture = dialog.locator(".still img")
    assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") == 3 * 48
    dialog.locator("tbody tr").hover()
    moved = "each => new DOMMatrix(getComputedStyle(each).transform).e < 0"
    page.page.wait_for_function(moved, arg=picture.element_handle())

    names.click()
    page.until("inbetweener.model.files.value.clip?.name === 'robot.tween'")
    page.ready()
    page.settle()
    made = read_native(output / "clips" / "robot.tween" / "robot.tween")
    page.select("hand_l")
    x, y = page.tick(36)
    page.drag((x, y), (x, y - 60))
    page.wait_for_steps(1)
    page.page.get_by_role("button", name="Done", exact=True).click()
    page.until("inbetweener.model.files.value.clip.done && inbetweener.model.history.value.saved === 1")
    edited = studio.session.editor.document

    # It is on the disk beside what the batch made, which is as it was.
    hand = as_hand(Folder(output).hand("robot.tween"), "robot.tween")
    assert hand.done
    assert read_native(output / hand.edited) == edited
    assert read_native(output / hand.base) == read_native(output / "clips" / "robot.tween" / "robot.tween") == made
    page.press("Control+b")
    expect(dialog.get_by_role("button", name="Done: robot.tween")).to_have_attribute("aria-pressed", "true")
    expect(dialog.get_by_text("edited by hand")).to_be_visible()

    # Without the mark, and marked from the list.
    dialog.get_by_role("searchbox").fill("")
    dialog.get_by_role("button", name="Done: bad.bvh").click()
    expect(dialog.get_by_role("radio", name="Done 2")).to_be_visible()
    (job,) = plan(RECIPE, library, output).jobs
    do(job)
    assert read_native(output / "clips" / "robot.tween" / "robot.tween") == edited
    found = plan(RECIPE, library, output)
    assert (found.done, found.marked, found.jobs, found.failed) == (1, 2, (), ())
