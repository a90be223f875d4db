"""Posing on a key, panels that follow the selection, dialogs and shortcuts, as a mouse and a keyboard meet them."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.rig import Point
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage


def test_a_pose_is_pulled_on_its_key_and_nowhere_else(page: StudioPage, robot: Studio):
    before = robot.session.editor.document.motion()
    page.press("q")
    page.select("hand_l", frame=24)
    x, y = page.joint("hand_l")
    page.drag((x, y), (x + 5, y - 30))
    page.wait_for_steps(1)
    after = robot.session.editor.document.motion()
    moved = after.states([1.0], Point("hand_l"))[0] - before.states([1.0], Point("hand_l"))[0]
    assert moved[0, 1] > 0.05
    others = [0.0, 2.0, 3.0]
    np.testing.assert_allclose(
        after.joint_positions(others), before.joint_positions(others), atol=1e-9, err_msg="another key moved"
    )


@pytest.mark.thorough
def test_posing_between_keys_says_what_to_do_unless_poses_key_themselves(page: StudioPage, robot: Studio):
    document = robot.session.editor.document
    page.press("q")
    page.press("Shift+A")
    page.select("hand_l", frame=20)
    x, y = page.joint("hand_l")
    page.drag((x, y), (x, y - 30))
    page.until("inbetweener.model.notices.items.value.some((each) => each.text.includes('press K'))")
    assert robot.session.editor.document is document
    page.press("Shift+A")
    page.drag((x, y), (x, y - 30))
    page.wait_for_steps(1)
    assert page.labels() == ["Pose hand_l at frame 20"]


@pytest.mark.thorough
def test_k_keys_the_selection_without_moving_anything(page: StudioPage, robot: Studio):
    before = robot.session.editor.document
    page.select("head", frame=12)
    page.press("k")
    page.wait_for_steps(1)
    after = robot.session.editor.document
    keyed = {name for name, curve in after.clip().curves.items() if len(curve) > len(before.clip().curves[name])}
    assert keyed == {"head.rx", "head.ry", "head.rz"}
    times = before.clip().frame_times
    np.testing.assert_allclose(after.motion().joint_positions(times), before.motion().joint_positions(times), atol=1e-9)


def test_the_outliner_selects_and_the_inspector_follows(page: StudioPage):
    page.click(page.where("document.querySelector('ib-outliner').whereIs('joint', 'head')"))
    page.until("inbetweener.model.selection.activeJoint === 'head'")
    page.page.locator("ib-inspector").get_by_text("head", exact=True).first.wait_for()


@pytest.mark.thorough
def test_exporting_writes_a_file_that_opens(page: StudioPage, robot: Studio):
    page.press("Control+e")
    page.page.get_by_text("BVH", exact=True).click()
    page.page.get_by_role("button", name="Export", exact=True).click()
    page.until("[...inbetweener.model.jobs.value.values()].some((job) => job.state === 'done' && job.path)")
    (written,) = robot.workspace.folder.glob("*.bvh")
    assert ib.read(written).document.rig.joints[0].name == "body"


def test_every_command_is_on_the_shortcut_sheet(page: StudioPage):
    page.press("?")
    sheet = page.page.get_by_role("dialog")
    text = sheet.inner_text()
    keyed = page.value("inbetweener.commands.all().filter((each) => each.keys?.length).map((each) => each.label)")
    assert [label for label in keyed if label not in text] == []
    page.press("Escape")
    sheet.wait_for(state="hidden")


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_nothing_sticks_out_of_the_window(page: StudioPage, size: tuple[int, int]):
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
    page.until(f"document.querySelector('ib-viewport').stage.canvas.clientWidth > 0.5 * {size[0]}")
    overflow = page.value(
        "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    )
    assert overflow == [0, 0]
    viewport = page.value("document.querySelector('ib-viewport').getBoundingClientRect().height / innerHeight")
    assert viewport > 0.5
