"""The inspector under a real mouse: what is folded stays folded, chains are one, a missed pose says where."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from inbetweener.kinodynamics import chain, preset
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.browser.test_loose_motion import slide

LOOSE = "inbetweener.model.loosening"


def pick(page: StudioPage, joint: str) -> None:
    """Click a joint's line in the outliner."""
    page.click(page.where(f"document.querySelector('ib-outliner').whereIs('joint', '{joint}')"))
    page.until(f"inbetweener.model.selection.activeJoint === '{joint}'")


def open_sections(page: StudioPage) -> set[str]:
    found = page.page.locator("ib-inspector details[open]").all()
    return {each.get_attribute("data-section") or "" for each in found}


def test_sections_open_by_their_heading_and_stay_so(page: StudioPage):
    first = open_sections(page)
    assert {"Constraints", "Guidance", "Dynamics", "Targets", "Clip"} <= first
    assert first.isdisjoint({"What counts", "What may change", "Kernels", "Soft parts", "World", "Windows", "Body"})
    world = page.page.locator("ib-inspector details[data-section=World]")
    assert "no gravity" in world.locator("summary").inner_text(), "folded, it says what is set in there"
    page.unfold("World")
    page.page.locator("ib-inspector details[data-section=Clip] > summary").click()
    expect(page.page.locator("ib-inspector details[data-section=Clip]")).not_to_have_attribute("open", "")
    slide(page, "Gravity", 0.5)
    page.wait_for_steps(1)
    expect(world.locator("summary")).to_contain_text("gravity 100 %")
    page.page.reload()
    page.ready()
    page.settle()
    assert open_sections(page) == first - {"Clip"} | {"World"}


def test_a_chain_reads_and_slides_as_one(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("fox-tail")
    page, editor = new_page().open(studio), studio.session.editor
    rig, clip = editor.document.rig, editor.document.clip().name
    dynamics = page.page.locator("ib-inspector [data-section=Dynamics]").first
    pick(page, "tail_1")
    dynamics.get_by_role("button", name="Chain to the tip").click()
    page.wait_for_steps(1)
    springs = editor.document.loosening(clip).looseness.springs
    assert springs == chain(rig, "tail_1", preset("relaxed"))
    told = dynamics.locator("p.chain")
    expect(told).to_contain_text(f"Chain of {len(springs)} joints")
    expect(told).to_contain_text(
        f"{springs['tail_1'].frequency:.1f} Hz at tail_1 falls to {springs['tail_9'].frequency:.1f} Hz"
    )
    expect(told).to_contain_text("tail_4, tail_5")
    pressed = dynamics.locator(".stops button[aria-pressed=true]")
    # Names of the stops stand beside each other on a small screen, and within the panel.
    boxes = [each.bounding_box() for each in dynamics.locator(".stops button").all()]
    lefts = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert len(lefts) > 3
    assert all(end <= start for (_, end), (start, _) in pairwise(lefts)), lefts
    assert lefts[-1][1] <= page.value("document.querySelector('ib-inspector').getBoundingClientRect().right")
    expect(pressed).to_have_text("relaxed")
    slide(page, "Looseness", 1.0)
    page.wait_for_steps(2)
    assert editor.document.loosening(clip).looseness.springs == chain(rig, "tail_1", preset("drunk"))
    expect(pressed).to_have_text("drunk")
    # A joint further down is itself; what it belongs to is one click away.
    pick(page, "tail_3")
    dynamics.get_by_role("button", name="the chain from tail_1").click()
    page.until("inbetweener.model.selection.activeJoint === 'tail_1'")
    dynamics.get_by_role("button", name="Keep as keyed").click()
    page.wait_for_steps(3)
    assert editor.document.loosening(clip).looseness.springs == {}
    assert page.labels() == [
        "Make the chain from tail_1 relaxed",
        "Spring of the chain from tail_1",
        f"Tighten {len(springs)} parts",
    ]


@pytest.mark.thorough
def test_a_missed_pose_says_which_joints_miss_most(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("fox-tail")
    page = new_page().open(studio)
    page.run("inbetweener.model.playback.go(12)")
    pick(page, "tail_1")
    dynamics = page.page.locator("ib-inspector [data-section=Dynamics]").first
    dynamics.get_by_role("button", name="Chain to the tip").click()
    page.wait_for_steps(1)
    dynamics.get_by_role("button", name="Add pose").click()
    page.wait_for_steps(2)
    page.until(f"{LOOSE}.chosenTarget !== null && {LOOSE}.stateOf('pose target')?.pose.length === 3")
    page.until("document.querySelector('ib-inspector').renderRoot.querySelector('.all').scrollTop === 0")
    state = page.value(f"{LOOSE}.stateOf('pose target').pose")
    parts = page.page.locator("ib-inspector [data-section=Target] .farthest .part")
    expect(parts).to_have_count(3)
    joints = [each["joint"] for each in state]
    assert [text.split()[0] for text in parts.all_inner_texts()] == joints
    parts.nth(1).get_by_role("button").click()
    page.until(f"inbetweener.model.selection.activeJoint === '{joints[1]}'")
    assert page.value(f"{LOOSE}.chosen.value") == "pose target", "the target is looked at still"


@pytest.mark.thorough
def test_a_handle_is_found_set_and_undone(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("conductor")
    page, editor = new_page().open(studio), studio.session.editor
    before = editor.document
    (handle,) = before.rig.handles
    page.click(page.where(f"document.querySelector('ib-outliner').whereIs('handle', '{handle.name}')"))
    fields = page.page.locator("ib-inspector [data-section=Controls] ib-number[data-channel]")
    expect(fields).to_have_count(7)
    assert [each.get_attribute("data-channel") for each in fields.all()] == list(handle.channels)
    # Typed in centimetres: the tip goes there.
    fields.nth(1).locator("input").click()
    page.page.keyboard.type("130")
    page.press("Enter")
    page.wait_for_steps(1)
    motion = editor.document.motion()
    (reached,), _ = motion.states([motion.clip.start], handle.tip)
    assert abs(reached[1] - 1.3) < 1e-3
    page.press("Control+z")
    page.wait_for_steps(0)
    assert editor.document == before
