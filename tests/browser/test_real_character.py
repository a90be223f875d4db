"""A character from elsewhere on the page: read by what its joints are, corrected, and prepared as a body."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import inbetweener as ib
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.browser.test_files import drop
from tests.browser.test_inspector import pick
from tests.retarget.people import person, twisted


def test_a_character_is_read_corrected_and_prepared(page: StudioPage, robot: Studio, data: Path):
    drop(page, data / "gltf" / "characters" / "kaykit_mannequin" / "Med_General.glb")
    page.until("inbetweener.model.scene.value.name !== 'flying-robot'")
    page.ready()
    editor, outliner = robot.session.editor, page.page.locator("ib-outliner")

    # Clips are found by their names, which are written without what all have in common.
    outliner.get_by_role("textbox").fill("use_it")
    clip = outliner.get_by_role("treeitem", name="Use_Item")
    expect(clip).to_contain_text("Use_Item")
    expect(clip).not_to_contain_text("Rig_Medium")
    clip.click()
    page.until("inbetweener.model.clip.value.name.endsWith('Use_Item')")
    outliner.get_by_role("textbox").fill("")

    # Said to be something else, a joint is so on both sides, in one step.
    pick(page, "lowerarm.l")
    role = page.page.locator("ib-inspector select[data-setting^=Is]")
    assert role.input_value() == "forearm"
    role.select_option("helper")
    page.wait_for_steps(1)
    assert {part.joint: part.role for part in editor.document.roles} == {"lowerarm.l": "helper", "lowerarm.r": "helper"}
    page.press("Control+z")
    page.until("inbetweener.model.history.value.at === 0")

    page.page.get_by_role("button", name="Character").click()
    page.page.get_by_role("menuitem", name="Prepare as a body").click()
    page.wait_for_steps(1)
    assert page.labels()[-1] == "Prepare as a body"
    body = editor.document.body()
    assert 25 < body.total < 60
    forearm = editor.document.rig.channel("lowerarm.l.rz")
    assert forearm.upper - forearm.lower < 3.0
    page.press("Control+z")
    page.until("inbetweener.model.history.value.at === 0")


@pytest.mark.thorough
def test_limbs_are_hung_on_handles_switched_and_taken_off_again(page: StudioPage, robot: Studio, data: Path):
    drop(page, data / "gltf" / "khronos-samples" / "CesiumMan.glb")
    page.until("inbetweener.model.scene.value.name !== 'flying-robot'")
    page.ready()
    editor = robot.session.editor
    before = editor.document
    times = before.clip().frame_times

    def choose(name: str) -> None:
        page.page.get_by_role("button", name="Character").click()
        page.page.get_by_role("menuitem", name=name).click()

    choose("Give it IK handles")
    page.wait_for_steps(1)
    given = editor.document
    assert {handle.name for handle in given.rig.handles} == {"left_foot", "right_foot", "left_hand", "right_hand"}
    gap = given.motion().joint_positions(times) - before.motion().joint_positions(times)
    assert abs(gap).max() < 1e-4
    expect(page.page.locator("ib-notices")).to_contain_text("Gave left_foot")

    pick(page, next(each for each in given.rig.handles if each.name == "left_hand").joints[1])
    choose("Turn the selected limb by its joints")
    page.wait_for_steps(2)
    assert page.labels()[-1] == "left_hand by its joints"
    assert editor.document.motion().channels([1.0])[0, given.rig.channel_index("left_hand.blend")] == 0.0

    choose("Take its handles away")
    page.wait_for_steps(3)
    assert not editor.document.rig.handles
    gap = editor.document.motion().joint_positions(times) - before.motion().joint_positions(times)
    assert abs(gap).max() < 1e-4


def test_a_clip_is_brought_in_by_the_menu(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("waving")
    page, editor = new_page().open(studio), studio.session.editor
    before = editor.document
    page.page.get_by_role("button", name="Motion").click()
    page.page.get_by_role("menuitem", name="Bring in a clip").click()
    dialog = page.page.locator("ib-bring")
    expect(dialog.locator("#source option", has_text="diver")).to_have_count(1)
    dialog.locator("#source").select_option("diver")
    dialog.get_by_role("button", name="Bring in").click()
    page.wait_for_steps(1)
    brought = editor.document
    (clip,) = [each for each in brought.clips if each.name not in {known.name for known in before.clips}]
    there = brought.motion(clip.name)
    assert np.ptp(there.joint_positions(there.clip.frame_times), axis=0).max() > 0.1
    page.press("Control+z")
    page.until("inbetweener.model.history.value.at === 0")
    assert editor.document == before


def test_twist_bones_follow_by_the_menu(page: StudioPage, robot: Studio, tmp_path: Path):
    ib.save(twisted(person()), tmp_path / "twisted.tween")
    drop(page, tmp_path / "twisted.tween")
    page.until("inbetweener.model.scene.value.joints.some(({ name }) => name === 'forearm_twist_1_l')")
    page.ready()
    editor = robot.session.editor
    page.page.get_by_role("button", name="Character").click()
    page.page.get_by_role("menuitem", name="Let twist bones follow").click()
    page.wait_for_steps(1)
    followed = [joint.name for joint in editor.document.rig.joints if joint.follows]
    assert len(followed) == 8
    expect(page.page.locator("ib-notices")).to_contain_text("8 twist bones follow")
    page.page.get_by_role("button", name="Character").click()
    page.page.get_by_role("menuitem", name="Let twist bones stand by themselves").click()
    page.wait_for_steps(2)
    assert not any(joint.follows for joint in editor.document.rig.joints)
