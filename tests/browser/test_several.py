"""A second character joins the document by hand, plays beside the first, and goes again."""

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage


def test_a_character_is_added_and_removed(page: StudioPage, robot: Studio):
    alone = robot.session.editor.document
    page.page.evaluate("inbetweener.commands.run('add-character')")
    dialog = page.page.locator("ib-add-character")
    dialog.locator("#source").select_option("waving")
    dialog.locator("#name").fill("guest")
    dialog.locator("#z").fill("0.5")
    dialog.get_by_role("button", name="Add").click()
    page.until("inbetweener.model.scene.value.joints.some(({ name }) => name === 'guest:hand_r')")
    page.ready()
    document = robot.session.editor.document
    assert robot.session.editor.history.undo_label == "Add guest"
    stand = document.rig.joints[document.rig.joint_index("guest")]
    assert tuple(stand.rest.translation) == (1.0, 0.0, 0.5)
    assert len(document.meshes) > len(alone.meshes)
    page.page.evaluate("inbetweener.commands.run('remove-character')")
    page.page.locator("ib-remove-character").get_by_role("button", name="Remove").click()
    page.until("!inbetweener.model.scene.value.joints.some(({ name }) => name.startsWith('guest'))")
    page.wait_for_steps(2)
    assert robot.session.editor.document.rig == alone.rig
