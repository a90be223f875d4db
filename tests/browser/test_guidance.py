"""Guidance under a real mouse: run, watch, stop, go back, drag a kernel, weigh a joint, keep, undo."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.document import Document
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

GUIDING = "inbetweener.model.guiding"
COSTS = "inbetweener.model.costs"


def press(page: StudioPage, button: str) -> None:
    page.page.locator(f"ib-inspector .guidance button.{button}").click()
    page.clicks += 1


def rests(page: StudioPage) -> None:
    page.until(f"{GUIDING}.progress.value?.state === 'resting' && {GUIDING}.progress.value.text !== ''")


def slide(page: StudioPage, control: str, share: float) -> None:
    """Take hold of the middle of a slider and let go at a share of its way."""
    slider = page.page.locator(f"ib-inspector .guidance {control}")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.drag((box["x"] + box["width"] / 2, y), (box["x"] + share * box["width"], y))


def bell(page: StudioPage, part: str) -> Pixel:
    return page.where(f"document.querySelector('ib-graph').whereIs({{ kernel: 0, part: '{part}' }})")


def outs(document: Document, channel: str) -> np.ndarray:
    return np.array(document.clip().curves[channel].outs)


def test_a_run_is_watched_stopped_gone_back_along_and_undone(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
):
    studio = serve("waving")
    page, editor = new_page().open(studio), studio.session.editor
    before = editor.document
    # What the motion costs is there before any run, in newton metres.
    whole = f"{COSTS}.strip(null).values.reduce((sum, value) => sum + value, 0)"
    page.until(f"{COSTS}.strip(null) !== null")
    scale, cost = page.value(f"[{COSTS}.most, {COSTS}.told.value.unit]"), page.value(whole)
    assert scale[1] == "N·m"
    run = page.page.locator("ib-inspector .guidance button.run")
    run.scroll_into_view_if_needed()
    box = run.bounding_box()
    assert box is not None
    button = (box["x"] + 20, box["y"] + box["height"] / 2)
    page.click(button)
    # The curves move while it runs, and what started it stops it.
    page.until(f"{GUIDING}.isRunning && {GUIDING}.progress.value?.iterate >= 1")
    assert editor.shown != before
    page.click(button)
    rests(page)
    assert run.inner_text() == "Go on"
    # It falls on the same scale.
    page.until(f"{whole} < {0.9 * cost}")
    assert page.value(f"[{COSTS}.most, {COSTS}.told.value.unit]") == scale
    page.press("Shift+C")
    assert page.value(f"{COSTS}.strip(null)") is None
    page.press("Shift+C")
    costs = page.value(f"{GUIDING}.progress.value.costs")
    assert costs == sorted(costs, reverse=True)
    assert 1 < len(costs) < 25, "stopped midway"
    assert "torque −" in page.page.locator("ib-inspector .guidance [role=status]").inner_text()
    slide(page, "input.way", 0.0)
    page.until(f"{GUIDING}.progress.value.iterate === 0")
    assert editor.shown == before
    slide(page, "input.way", 1.0)
    page.until(f"{GUIDING}.progress.value.iterate === {len(costs) - 1}")
    shown = editor.shown
    press(page, "keep")
    page.wait_for_steps(1)
    assert page.labels() == ["Guide all channels"]
    assert editor.document == shown
    for name, curve in before.clip().curves.items():
        np.testing.assert_array_equal(editor.document.clip().curves[name].values, curve.values)
        np.testing.assert_array_equal(editor.document.clip().curves[name].times, curve.times)
    page.press("Control+z")
    page.wait_for_steps(0)
    assert editor.document == before
    assert page.notices() == []


@pytest.mark.thorough
def test_a_kernel_and_a_joint_steer_the_run(page: StudioPage, robot: Studio):
    editor = robot.session.editor
    page.select("head", frame=30)
    page.unfold("What may change")
    page.page.get_by_role("radio", name="Selected joints").click()
    page.unfold("Kernels")
    press(page, "add-kernel")
    # A kernel is part of the document, and a step of its own.
    page.wait_for_steps(1)
    before = editor.document
    assert [each.centre * 24 for each in before.clip().kernels] == [30]
    press(page, "run")
    rests(page)
    eased = editor.shown
    (kernel,) = page.value(f"{GUIDING}.kernels.value")
    assert kernel["centre"] * 24 == 30
    x, y = bell(page, "centre")
    page.drag((x, y), (x + 60, y))
    (moved,) = page.value(f"{GUIDING}.kernels.value")
    assert moved["centre"] > kernel["centre"]
    assert moved["width"] == kernel["width"]
    x, y = bell(page, "width")
    page.drag((x, y), (x + 25, y))
    (widened,) = page.value(f"{GUIDING}.kernels.value")
    assert widened["centre"] == moved["centre"]
    assert widened["width"] > moved["width"]
    rests(page)
    assert editor.shown != eased
    channel = next(
        name for name in ("head.rx", "head.ry", "head.rz") if (outs(editor.shown, name) != outs(before, name)).any()
    )
    free = np.abs(outs(editor.shown, channel) - outs(before, channel)).max()
    slide(page, "[data-setting=head]", 1.0)
    assert page.value(f"{GUIDING}.factor('head')") > 500
    assert "×" in page.page.locator("ib-outliner [role=treeitem]", has_text="head").first.inner_text()
    rests(page)
    stiff = np.abs(outs(editor.shown, channel) - outs(before, channel)).max()
    assert stiff < 0.5 * free
    press(page, "discard")
    page.until(f"{GUIDING}.gesture.value === null")
    assert editor.shown == before
    assert page.labels() == ["Add kernel"]
    # Without a run, dragging the bell is a step too, and undoing it brings it back.
    assert page.value(f"{GUIDING}.kernels.value") == [kernel]
    x, y = bell(page, "centre")
    page.drag((x, y), (x + 60, y))
    page.wait_for_steps(2)
    assert page.labels()[-1] == "Shape kernel"
    assert editor.document.clip().kernels[0].centre > kernel["centre"]
    page.press("Control+z")
    page.wait_for_steps(1)
    page.until(f"{GUIDING}.kernels.value[0].centre === {kernel['centre']}")


@pytest.mark.thorough
def test_a_drag_keeps_the_run_before_it(page: StudioPage, robot: Studio):
    page.select("body")
    page.unfold("What may change")
    page.page.get_by_role("radio", name="Selected joints").click()
    press(page, "run")
    rests(page)
    tick = page.tick(20)
    page.drag(tick, (tick[0] + 20, tick[1] - 20))
    page.wait_for_steps(2)
    assert page.labels()[0].startswith("Guide ")
    assert page.labels()[1].startswith("Drag body")
    assert page.value(f"{GUIDING}.gesture.value") is None


@pytest.mark.thorough
def test_only_the_stretch_between_selected_keys_changes(page: StudioPage, robot: Studio):
    editor = robot.session.editor
    before = editor.document.clip().curves["body.ty"]
    page.select("body")
    for key, modifiers in ((1, ()), (2, ("Shift",))):
        page.click(
            page.where(f"document.querySelector('ib-graph').whereIs({{ channel: 'body.ty', key: {key} }})"),
            modifiers=modifiers,
        )
    page.unfold("What may change")
    page.page.get_by_role("radio", name="Selected joints").click()
    page.page.get_by_role("radio", name="Selected keys").click()
    page.press("Shift+G")
    rests(page)
    press(page, "keep")
    page.wait_for_steps(1)
    after = editor.document.clip().curves["body.ty"]
    changed = (after.outs != before.outs).any(axis=1) | (after.ins != before.ins).any(axis=1)
    assert changed.any()
    assert set(np.flatnonzero(changed)) <= {1, 2}
