"""What holds across panels: who gets a key, what a name changes, what is asked before work goes, what is told once."""

from collections.abc import Callable

import pytest

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

MODEL = "inbetweener.model"
GUIDING = f"{MODEL}.guiding"


def test_space_plays_after_a_click_and_presses_after_tab(page: StudioPage):
    loop = page.page.locator("ib-timeline").get_by_role("button", name="Loop", exact=False).first
    loop.click()
    page.until(f"!{MODEL}.playback.looping.value")
    # Twice: what does not loop would come to its end by itself, sooner than a slow machine looks.
    loop.click()
    page.until(f"{MODEL}.playback.looping.value")
    page.press("Space")
    page.until(f"{MODEL}.playback.playing.value")
    page.press("Space")
    page.until(f"!{MODEL}.playback.playing.value")
    assert page.value(f"{MODEL}.playback.looping.value"), "the button was not pressed again"
    page.press("Shift+Tab")
    page.press("Tab")
    page.press("Space")
    page.until(f"!{MODEL}.playback.looping.value")
    assert not page.value(f"{MODEL}.playback.playing.value")


def test_a_new_name_leaves_all_else_as_it_is(page: StudioPage, robot: Studio):
    page.select("head", frame=20)
    page.run(
        f"{GUIDING}.regularise.value = 0.7; document.querySelector('ib-viewport').scenery.viewpoints.orbit.rotate(1, 0)"
    )
    camera = "document.querySelector('ib-viewport').scenery.viewpoints.orbit.standpoint"
    before = page.value(camera)
    page.page.locator("ib-document-name .name").dblclick()
    page.page.keyboard.type("night flight")
    page.press("Enter")
    page.wait_for_steps(1)
    page.until(f"{MODEL}.scene.value.name === 'night flight'")
    assert robot.session.editor.document.name == "night flight"
    page.press("Control+z")
    page.until(f"{MODEL}.scene.value.name === 'flying-robot'")
    assert page.value(f"{MODEL}.selection.activeJoint") == "head"
    assert page.value(f"{GUIDING}.regularise.value") == 0.7
    assert page.value(f"{MODEL}.playback.frame.value") == 20
    assert page.value(camera) == before


def open_example(page: StudioPage, name: str) -> None:
    page.press("Control+o")
    page.page.locator("ib-gallery").get_by_role("button", name=name).first.click()


@pytest.mark.thorough
def test_guidance_that_is_not_kept_is_asked_about(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("waving")
    page, editor = new_page().open(studio), studio.session.editor
    page.press("Shift+G")
    page.until(f"{GUIDING}.progress.value?.state === 'resting'")
    question = page.page.locator("ib-question")
    open_example(page, "diver")
    question.get_by_role("button", name="Cancel").click()
    assert page.value(f"{GUIDING}.gesture.value") is not None, "the run is still there"
    assert page.value(f"{MODEL}.scene.value.name") == "waving"
    open_example(page, "diver")
    question.get_by_role("button", name="Keep it").click()
    page.wait_for_steps(1)
    assert page.labels() == ["Guide all channels"]
    # What was kept is in no file yet, which is asked about as ever.
    question.get_by_role("button", name="Cancel").click()
    assert studio.session.editor is editor
    page.press("Control+z")
    page.wait_for_steps(0)
    page.press("Shift+G")
    page.until(f"{GUIDING}.progress.value?.state === 'resting'")
    open_example(page, "diver")
    question.get_by_role("button", name="Discard the run").click()
    page.until(f"{MODEL}.scene.value.name === 'diver'")


@pytest.mark.thorough
def test_what_a_job_found_is_told_once(page: StudioPage):
    page.run("inbetweener.commands.run('suggest-contacts')")
    card = page.page.locator("ib-jobs .card.done")
    card.wait_for()
    assert "found" in card.inner_text()
    assert page.notices() == []


@pytest.mark.thorough
def test_menus_tick_what_is_on(page: StudioPage):
    page.press("o")
    page.page.get_by_role("button", name="View", exact=True).click()
    ticked = page.page.locator("ib-menu").get_by_role("menuitemcheckbox", checked=True).all_inner_texts()
    assert {text.split("\n")[0].strip("✓ ") for text in ticked} >= {"Shaded", "Onion skins", "Loop playback"}
    assert not any("Skeleton" in text for text in ticked)


def test_no_label_outlives_what_it_was_about(page: StudioPage):
    page.select("body")
    page.page.mouse.move(*page.where("document.querySelector('ib-viewport').whereIsGizmo('y')"))
    label = page.page.get_by_text("along Y", exact=True)
    label.wait_for()
    page.run("void inbetweener.model.ask({ type: 'open-example', name: 'waving' })")
    page.until(f"{MODEL}.scene.value.name === 'waving'")
    label.wait_for(state="hidden")


STILL = '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "statue"}]}'


@pytest.mark.thorough
def test_nothing_of_a_clip_outlives_it(page: StudioPage, robot: Studio):
    (robot.workspace.folder / "statue.gltf").write_text(STILL)
    page.select("body")
    page.press("p")
    page.wait_for_steps(1)
    page.run("void inbetweener.model.ask({ type: 'open-file', path: 'statue.gltf', discard: true })")
    page.until(f"{MODEL}.scene.value.name === 'statue'")
    # An empty clip, which the first key would make.
    page.until(f"{MODEL}.clip.value.name === 'clip 1' && {MODEL}.playback.frames === 49")
    assert page.value(f"{MODEL}.constraints.value") == []
    assert page.value(f"[...{MODEL}.curves.all()].length") == 0
    page.run("void inbetweener.model.ask({ type: 'open-example', name: 'waving' })")
    page.until(f"{MODEL}.clip.value?.name === 'hello' && {MODEL}.frames.world(10) !== null")
    assert page.value(f"{MODEL}.playback.frames") > 1
