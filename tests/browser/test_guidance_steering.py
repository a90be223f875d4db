"""More of guidance under a real mouse: balance, the depth of a kernel, frozen tangents, and a reload in between."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from inbetweener.dynamics import Body
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.browser.test_guidance import GUIDING, bell, press, rests, slide
from tests.studio.session.test_guiding_terms import off_balance

CONTACT = """inbetweener.model.ask({ type: "add-contact", start: 0, end: inbetweener.model.clip.value.end,
    place: { parts: [{ joint: "foot_l", offset: [0, 0, 0], weight: 1 }], name: "" } })"""


@pytest.mark.thorough
def test_balance_is_raised_and_an_unkept_run_survives_a_reload(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
):
    studio = serve("waving")
    page, editor = new_page().open(studio), studio.session.editor
    page.unfold("What counts", "What may change")
    balance = page.page.locator("ib-inspector .guidance ib-slider[data-setting=Balance] input")
    expect(balance).to_be_disabled()
    assert "No contacts" in (balance.get_attribute("title") or "")
    page.run(CONTACT)
    expect(balance).to_be_enabled()
    page.select("chest")
    page.page.get_by_role("radio", name="Selected joints").click()
    press(page, "run")
    rests(page)
    before, steps = off_balance(editor.shown), page.value(f"{GUIDING}.progress.value.costs.length")
    slide(page, "[data-setting=Balance]", 0.85)
    assert page.value(f"{GUIDING}.weights.value.balance") > 2
    # It goes on from where it was; until then it still rests as it did.
    page.until(f"{GUIDING}.progress.value.costs.length > {steps}")
    rests(page)
    assert off_balance(editor.shown) < before - 2e-4
    shown, told = editor.shown, page.value(f"{GUIDING}.progress.value")
    page.page.get_by_role("radio", name="Balance").click()
    assert page.value("inbetweener.model.costs.term.value") == "balance"
    page.page.reload()
    page.ready()
    page.settle()
    rests(page)
    assert editor.shown is shown
    assert page.value(f"{GUIDING}.progress.value") == told
    assert page.value(f"{GUIDING}.weights.value.balance") > 2
    page.select("chest")
    changed = [name for name, curve in shown.clip().curves.items() if curve != editor.document.clip().curves[name]]
    assert changed
    # The overlay of curves as they were came along.
    index = f"inbetweener.model.channelIndex('{changed[0]}')"
    was = page.value(f"{GUIDING}.before.get({index}).keys.map((key) => key.outY)")
    np.testing.assert_allclose(was, editor.document.clip().curves[changed[0]].outs[:, 1], atol=1e-6)
    press(page, "compare")
    page.until(f"{GUIDING}.progress.value.before")
    assert editor.shown == editor.document
    # Looking back is for comparing: what is kept is what the run has come to.
    press(page, "keep")
    page.wait_for_steps(2)
    assert editor.document == shown
    # The centre of mass is drawn where the library says that it is.
    page.press("Shift+M")
    page.until("document.querySelector('ib-viewport').scenery.massMark.centre !== null")
    motion = editor.document.motion()
    at = motion.clip.start + page.value("inbetweener.model.playback.frame.value") / motion.clip.rate
    drawn = page.value("document.querySelector('ib-viewport').scenery.massMark.centre")
    np.testing.assert_allclose(drawn, Body.of(motion.rig).centre_path(motion, [at])[0], atol=1e-4)
    assert page.notices() == []


def test_a_kernel_is_made_shallower_and_frozen_tangents_stay(page: StudioPage, robot: Studio):
    editor = robot.session.editor
    before = editor.document.clip().curves["body.ty"]
    page.select("body", frame=30)
    page.unfold("What may change", "Kernels")
    page.page.get_by_role("radio", name="Selected joints").click()
    press(page, "add-kernel")
    page.click(page.where("document.querySelector('ib-graph').whereIs({ channel: 'body.ty', key: 1 })"))
    press(page, "freeze")
    assert page.value(f"{GUIDING}.frozen.value") == [{"channel": "body.ty", "key": 1, "layer": None}]
    press(page, "run")
    rests(page)
    deep = editor.shown
    x, y = bell(page, "centre")
    page.drag((x, y), (x, y + 40))
    (kernel,) = page.value(f"{GUIDING}.kernels.value")
    assert 0.05 <= kernel["depth"] < 0.9
    assert kernel["centre"] * 24 == 30
    assert bell(page, "centre")[1] > y + 20, "the bell is lower"
    rests(page)
    assert editor.shown != deep
    press(page, "keep")
    page.wait_for_steps(2)
    # The kernel as it was steered is kept with the run.
    assert editor.document.clip().kernels[0].depth == kernel["depth"]
    after = editor.document.clip().curves["body.ty"]
    np.testing.assert_array_equal(after.outs[1], before.outs[1])
    np.testing.assert_array_equal(after.ins[1], before.ins[1])
    assert (after.outs != before.outs).any() or (after.ins != before.ins).any()
    # Pressed once more, the button lets them go.
    press(page, "freeze")
    assert page.value(f"{GUIDING}.frozen.value") == []
