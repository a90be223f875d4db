"""Targets to their last field under a real mouse: drawn bells, chosen channels, poses of their own."""

import pytest
from playwright.sync_api import Locator

from inbetweener.kinodynamics import PoseTarget
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

LOOSE = "inbetweener.model.loosening"


@pytest.fixture
def section(page: StudioPage) -> Locator:
    """A loose robot, and where the inspector shows its chosen target."""
    page.press("l")
    page.until(f"{LOOSE}.isLoose")
    return page.page.locator("ib-inspector [data-section=Target]")


@pytest.mark.thorough
def test_a_bell_is_drawn_and_channels_that_give_way_are_ticked(page: StudioPage, robot: Studio, section: Locator):
    page.select("hand_l", frame=20)
    page.press("Shift+x")
    page.wait_for_steps(2)
    pad = section.locator("svg.bell")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    assert box is not None
    # From low to high over the left half: it comes sooner, and goes as before.
    level = box["y"] + box["height"] * (6 + 0.2 * 40) / 52
    page.drag((box["x"] + 0.1 * box["width"], level), (box["x"] + 0.4 * box["width"], level))
    page.wait_for_steps(3)
    document = robot.session.editor.document
    name = document.clip().name
    (aim,) = document.loosening(name).aims
    heights = dict(aim.target.bell.drawn)
    assert [heights[place] for place in (-0.75, -0.5, -0.25)] == pytest.approx([0.8, 0.8, 0.8], abs=0.03)
    assert heights[0.5] == pytest.approx(0.3247, abs=1e-3), "a Gaussian's"
    assert page.labels()[-1].startswith("Shape the bell of hand_l target")
    section.locator("details.gives summary").click()
    gave = set(page.value(f"{LOOSE}.targets[0].gives"))
    section.get_by_label("Let hand_l give way", exact=True).click()
    page.wait_for_steps(4)
    (aim,) = robot.session.editor.document.loosening(name).aims
    assert aim.target.channels == {each for each in gave if not each.startswith("hand_l.")} < gave
    section.locator("button.solve").click()
    page.wait_for_steps(5)
    page.until(f"{LOOSE}.stateOf('hand_l target').distance < 1e-6")
    layer = robot.session.editor.document.clip().layer("hand_l target")
    assert not any(each.startswith("hand_l.") for each in layer.curves)


def test_a_pose_target_takes_the_pose_of_another_frame(page: StudioPage, robot: Studio, section: Locator):
    page.run("inbetweener.model.playback.go(40)")
    page.page.locator("ib-inspector button.add-pose").click()
    page.wait_for_steps(2)
    page.until(f"{LOOSE}.chosenTarget?.target.kind === 'pose'")
    page.run("inbetweener.model.playback.go(12)")
    section.get_by_role("button", name="keyed here").click()
    page.wait_for_steps(3)
    document = robot.session.editor.document
    clip, rig = document.clip(), document.rig
    (aim,) = document.loosening(clip.name).aims
    assert isinstance(aim.target, PoseTarget)
    keyed = document.motion(clip.name).channels([clip.start + 12 / clip.rate])[0]
    for channel, value in aim.target.pose.items():
        assert value == pytest.approx(keyed[rig.channel_index(channel)], abs=1e-9)
    first = next(iter(aim.target.pose))
    field = section.get_by_label(f"{first} in the pose", exact=True)
    field.click()
    field.fill("10")
    field.press("Enter")
    page.wait_for_steps(4)
    (aim,) = robot.session.editor.document.loosening(clip.name).aims
    assert aim.target.pose[first] != pytest.approx(keyed[rig.channel_index(first)])
    section.get_by_role("radio", name="As keyed").click()
    page.wait_for_steps(5)
    (aim,) = robot.session.editor.document.loosening(clip.name).aims
    assert aim.target.pose == "keyed"
