"""Looseness under a real mouse: loosen, look into the middle, aim, drag the target, solve, undo."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.kinodynamics import Spring, as_a_whole, preset
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

LOOSE = "inbetweener.model.loosening"
MIDDLE = 24


def slide(page: StudioPage, label: str, share: float) -> None:
    """Take hold of a slider of Dynamics at its left end and let go at a share of its way."""
    slider = page.page.locator(f"ib-inspector [data-setting='{label}'] input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.drag((box["x"] + 7, y), (box["x"] + 6 + share * (box["width"] - 12), y))


def on_timeline(page: StudioPage, what: str) -> Pixel:
    return page.where(f"document.querySelector('ib-dope-sheet').whereIs({what})")


def told(page: StudioPage, frame: int) -> np.ndarray:
    """The matrices of all joints that the page has for a frame, once that frame is as the server has it."""
    page.until(f"inbetweener.model.frames.isFresh({frame})")
    return np.array(page.value(f"Array.from(inbetweener.model.frames.world({frame}))"), np.float32)


def hit(page: StudioPage, name: str) -> str:
    page.until(f"{LOOSE}.stateOf('{name}') !== null")
    return page.page.locator("ib-inspector [data-section=Target] .reads").inner_text()


@pytest.mark.thorough
def test_the_middle_of_loose_motion_is_the_same_scrubbed_to_and_played_to(
    new_page: Callable[[], StudioPage], robot: Studio
):
    page, editor = new_page().open(robot), robot.session.editor
    before = editor.document
    slide(page, "Looseness", 0.75)
    page.wait_for_steps(1)
    page.until(f"{LOOSE}.isLoose")
    springs = page.value(f"{LOOSE}.told.value.settings.springs")
    expected = as_a_whole(before.rig, preset("loose"))
    assert {each["name"]: Spring(each["frequency"], each["damping"]) for each in springs} == expected
    page.click(on_timeline(page, f"{{ kind: 'frame', frame: {MIDDLE} }}"))
    page.until(f"inbetweener.model.playback.frame.value === {MIDDLE}")
    scrubbed = told(page, MIDDLE)
    clip = editor.document.clip()
    expected = editor.document.shown_motion(clip.name).world_from_joint([clip.start + MIDDLE / clip.rate])
    np.testing.assert_array_equal(scrubbed, np.float32(expected).ravel())
    keyed = np.float32(before.motion(clip.name).world_from_joint([clip.start + MIDDLE / clip.rate]))
    assert np.abs(scrubbed - keyed.ravel()).max() > 0.01, "it swings"
    # Another tab has been told nothing of this one's frames.
    other = new_page().open(robot)
    other.press("Space")
    other.until(f"inbetweener.model.playback.frame.value > {MIDDLE}")
    other.press("Space")
    np.testing.assert_array_equal(told(other, MIDDLE), scrubbed)
    other.until("document.querySelector('ib-viewport').scenery.keyedGhost.isShown")
    page.press("Shift+L")
    page.until("!document.querySelector('ib-viewport').scenery.keyedGhost.isShown")
    page.press("Control+z")
    page.wait_for_steps(0)
    assert editor.document == before


def test_a_target_is_placed_missed_dragged_hit_and_undone(page: StudioPage, robot: Studio):
    editor = robot.session.editor
    before = editor.document
    slide(page, "Looseness", 1.0)
    page.wait_for_steps(1)
    # Loose frames come as there is time for them; a hand must not move while the mouse is on its way to it.
    for frame in (20, MIDDLE):
        told(page, frame)
    page.select("hand_l", frame=20)
    page.press("x")
    page.click(page.tick(MIDDLE))
    page.wait_for_steps(2)
    page.until(f"{LOOSE}.chosenTarget !== null && {LOOSE}.stateOf('hand_l target') !== null")
    assert page.value("inbetweener.model.playback.frame.value") == MIDDLE
    assert hit(page, "hand_l target").startswith("misses by ")
    was = page.value(f"{LOOSE}.stateOf('hand_l target').wish")
    # By the arrow that points up, so that it stays within the arm's reach.
    assert page.where("document.querySelector('ib-viewport').whereIsTarget('hand_l target')") is not None
    at = page.where("document.querySelector('ib-viewport').whereIsGizmo('y')")
    page.drag(at, (at[0], at[1] - 9))
    page.wait_for_steps(3)
    page.until(f"{LOOSE}.stateOf('hand_l target').wish[1] > {was[1] + 0.02}")
    page.page.locator("ib-inspector [data-section=Target] button.solve").click()
    page.wait_for_steps(4)
    page.until(f"{LOOSE}.stateOf('hand_l target').distance < 1e-6")
    assert hit(page, "hand_l target") == "hit"
    (layer,) = editor.document.clip().layers
    assert layer.name == "hand_l target"
    # Later, and with a bell that comes sooner.
    at = on_timeline(page, "{ kind: 'target', name: 'hand_l target' }")
    page.drag(at, (at[0] + 25, at[1]))
    page.wait_for_steps(5)
    at = on_timeline(page, "{ kind: 'target', name: 'hand_l target', part: 'before' }")
    page.drag(at, (at[0] + 20, at[1]))
    page.wait_for_steps(6)
    (aim,) = editor.document.loosening(editor.document.clip().name).aims
    assert aim.target.time > MIDDLE / 24
    assert aim.target.bell.before < aim.target.bell.after == 0.5
    for name, curve in before.clip().curves.items():
        assert editor.document.clip().curves[name] == curve, "no key changes"
    assert page.notices() == []
    for step in range(5, -1, -1):
        page.press("Control+z")
        page.wait_for_steps(step)
    assert editor.document == before


@pytest.mark.thorough
def test_a_target_is_placed_on_the_point_itself_and_given_a_velocity(page: StudioPage, robot: Studio):
    page.select("hand_l", frame=20)
    page.press("x")
    page.click(page.where("document.querySelector('ib-viewport').whereIsGizmo('centre')"))
    page.wait_for_steps(1)
    page.until(f"{LOOSE}.chosenTarget !== null")
    assert page.labels() == ["Add hand_l target at frame 20"]
    assert page.value("document.querySelector('ib-viewport').whereIsVelocity('hand_l target')") is None
    page.page.locator("ib-inspector [data-section=Target]").get_by_role("radio", name="Given").click()
    page.wait_for_steps(2)
    tip = page.where("document.querySelector('ib-viewport').whereIsVelocity('hand_l target')")
    page.drag(tip, (tip[0], tip[1] - 60))
    page.wait_for_steps(3)
    (aim,) = robot.session.editor.document.loosening(robot.session.editor.document.clip().name).aims
    assert aim.target.velocity[1] > 0.5, "dragged up, it goes up"
    end = page.where("document.querySelector('ib-viewport').whereIsVelocity('hand_l target')")
    assert np.hypot(end[0] - tip[0], end[1] - tip[1] + 60) < 3


@pytest.mark.thorough
def test_a_target_is_held_for_a_while_by_a_click(page: StudioPage, robot: Studio):
    page.select("hand_l", frame=20)
    page.press("x")
    page.click(page.where("document.querySelector('ib-viewport').whereIsGizmo('centre')"))
    page.wait_for_steps(1)
    page.until(f"{LOOSE}.chosenTarget !== null")
    section = page.page.locator("ib-inspector [data-section=Target]")
    section.get_by_role("switch", name="Held", exact=True).click()
    page.wait_for_steps(2)
    editor = robot.session.editor
    (aim,) = editor.document.loosening(editor.document.clip().name).aims
    assert aim.target.until == aim.target.time + 0.5
    section.get_by_role("radio", name="Given").wait_for(state="detached")
    section.get_by_role("switch", name="Held", exact=True).click()
    page.wait_for_steps(3)
    (aim,) = editor.document.loosening(editor.document.clip().name).aims
    assert aim.target.until is None
