"""Follow the tutorials with a real mouse in the Studio, and photograph it: `python docs/make_tutorial_pictures.py`.

One function a page of docs/tutorials, step by step as the page says. Where the Studio does not do what the page says,
the function does not get through. Names of pages as arguments follow only those.
"""

import sys
from collections.abc import Callable
from math import pi, sin
from pathlib import Path

from playwright.sync_api import expect

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.jump_tutorial import Jump
from docs.studio_window import studio_window
from docs.tutorial_hand import Hand
from tests.browser.studio_page import PATIENCE_MS, Pixel, StudioPage


def main() -> None:
    for page, (example, follow) in TUTORIALS.items():
        if page in sys.argv[1:] or not sys.argv[1:]:
            with studio_window(example) as window:
                follow(Hand(window))


def shape_an_arc(hand: Hand) -> None:
    page = hand.page
    page.until("inbetweener.model.obstacles.value?.exact")
    hand.watch()
    # Playing stops where it happens to, maybe with an arm before the body.
    hand.go(8)
    hand.choose("body")
    hand.photograph("arc-selected")
    hand.go(36)
    hand.drag([page.tick(36), page.pixel((0.0, 0.53, 0.0))], release=False)
    page.until("inbetweener.model.obstacles.value.items[1].frames.length === 0")
    hand.photograph("arc-dragged", "ib-viewport", "ib-bar")
    hand.let_go()
    page.wait_for_steps(1)
    hand.click(page.tick(36), "Control")
    page.wait_for_steps(2)
    hand.go(57)
    hand.drag([page.tick(57), page.pixel((1.66, 1.74, -0.12))])
    page.wait_for_steps(3)
    hand.go(14)
    hand.drag([page.tick(14), page.pixel((-1.84, 1.78, 0.15))])
    page.wait_for_steps(4)
    page.until("inbetweener.model.obstacles.value.items.every((each) => each.frames.length === 0)")
    hand.photograph("arc-clear")
    hand.go(20)
    hand.choose("head")
    page.press("p")
    page.wait_for_steps(5)
    hand.choose("hand_l")
    x, y = page.tick(14)
    hand.drag([(x, y), (x - 14, y - 40)], release=False)
    page.until("document.querySelector('ib-viewport').blockedText() !== ''")
    hand.photograph("arc-held", "ib-viewport")
    page.press("Escape")
    hand.let_go()
    page.press("r")
    hand.choose("body")
    hand.turn_wheel(page.tick(36), -5)
    page.wait_for_steps(6)
    hand.photograph("arc-timed", "ib-viewport")


def plant_feet(hand: Hand) -> None:
    page, inspector = hand.page, hand.page.page.locator("ib-inspector")
    hand.click_on(page.page.get_by_role("button", name="No more hints"))
    page.press("Control+e")
    hand.click_on(page.page.get_by_text("BVH", exact=True))
    page.page.get_by_label("Name").fill("capture")
    hand.click_on(page.page.get_by_role("button", name="Export", exact=True))
    page.until("[...inbetweener.model.jobs.value.values()].some((job) => job.state === 'done' && job.path)")
    page.press("Control+o")
    hand.click_on(page.page.get_by_role("button", name="capture.bvh"))
    page.until("inbetweener.model.scene.value.name === 'capture'")
    page.ready()
    hand.close_cards()
    hand.choose("hips")
    hand.photograph("feet-dense")
    hand.click_on(page.page.get_by_role("button", name="Edit", exact=True))
    hand.click_on(page.page.get_by_role("menuitem", name="Fit keys to dense motion…"))
    hand.click_on(page.page.get_by_role("dialog").get_by_role("button", name="Fit", exact=True))
    page.wait_for_steps(1)
    hand.photograph("feet-fitted")
    hand.close_cards()
    hand.go(54)
    hand.choose("toe_r")
    page.press("f")
    hand.photograph("feet-sliding", "ib-viewport")
    hand.click_on(inspector.get_by_role("button", name="Suggest contacts"))
    page.wait_for_steps(2)
    hand.photograph("feet-contacts")
    hand.click_on(inspector.get_by_role("button", name="Hold contacts"))
    page.wait_for_steps(3)
    hand.photograph("feet-planted", "ib-viewport")
    hand.close_cards()
    page.press("a")
    hand.go(48)
    hand.choose("hips")
    x, y = page.tick(48)
    hand.drag([(x, y), (x + 10, y + 30)], release=False)
    page.until("inbetweener.model.answer.value?.reached === true")
    hand.photograph("feet-hold", "ib-viewport")
    hand.let_go()
    page.wait_for_steps(4)


def draw_a_line_of_action(hand: Hand) -> None:
    page, bar = hand.page, hand.page.page.locator("ib-sketch-bar")
    hand.click_on(page.page.get_by_role("button", name="No more hints"))
    hand.go(34)
    page.press("b")
    page.until("inbetweener.model.sketching.shapes.value?.time > 1.41")
    hand.click_on(bar.get_by_role("radio", name="All"))
    hand.photograph("action-bones", "ib-viewport")
    low, (x, y) = hand.bone("foot_r", 0.2), hand.bone("head", 0.9)
    hand.drag(bow(low, (x - 60, y + 16), 20.0), release=False)
    drawn_until(page, 1)
    hand.photograph("action-drawn", "ib-viewport")
    hand.let_go()
    page.wait_for_steps(1)
    hand.drag(bow(low, (x - 26, y + 2), 34.0))
    page.wait_for_steps(2)
    hand.photograph("action-redrawn", "ib-viewport")
    hand.go(28)
    page.until("inbetweener.model.sketching.shapes.value?.time < 1.2")
    low, (x, y) = hand.bone("foot_r", 0.2), hand.bone("head", 0.9)
    hand.drag(bow(low, (x + 30, y), -24.0), release=False)
    drawn_until(page, 3)
    hand.photograph("action-wound-up", "ib-viewport")
    hand.let_go()
    page.wait_for_steps(3)
    page.press("Escape")
    page.press("w")
    page.press("o")
    hand.go(34)
    hand.click(page.where("document.querySelector('ib-outliner').whereIs('control', 'sketch')"))
    x, y = hand.middle(page.page.locator("ib-inspector ib-number[data-channel=sketch]"))
    hand.drag([(x, y), (x - 50, y)])
    page.wait_for_steps(4)
    hand.photograph("action-dialled")


def drawn_until(page: StudioPage, step: int) -> None:
    """Wait until the body follows the stroke that will be a step of the history, as far as it is drawn."""
    page.until(f"inbetweener.model.history.value.at === {step - 1} && inbetweener.model.answer.value?.reached === true")


def bow(start: Pixel, end: Pixel, depth: float) -> list[Pixel]:
    """A line from one spot to another that swings out to the side by so many pixels."""
    (x0, y0), (x1, y1) = start, end
    shares = [i / 24 for i in range(25)]
    return [(x0 + s * (x1 - x0) + depth * sin(pi * s), y0 + s * (y1 - y0)) for s in shares]


def make_it_plausible(hand: Hand) -> None:
    page, guidance = hand.page, hand.page.page.locator("ib-inspector .guidance").first
    guiding = "inbetweener.model.guiding"
    rests = f"{guiding}.progress.value?.state === 'resting' && {guiding}.heat.value !== null"
    hand.click_on(page.page.get_by_role("button", name="No more hints"))
    hand.go(26)
    hand.choose("hand_r")
    hand.click_on(guidance.locator("button.run"))
    page.until(rests)
    hand.photograph("plausible-run")
    for _ in ("as it was", "as it is"):
        hand.click_on(guidance.locator("button.compare"))
        hand.watch()
    hand.go(26)
    hand.slide(guidance.locator("input.way"), 0.2)
    page.until(f"{guiding}.progress.value.iterate < {guiding}.progress.value.costs.length - 1")
    hand.slide(guidance.locator("[data-setting='Keep to it'] input"), 0.75)
    page.until(rests)
    hand.photograph("plausible-steered", "ib-inspector")
    hand.unfold("Kernels")
    hand.click_on(guidance.locator("button.add-kernel"))
    page.until(rests)
    x, y = hand.on_graph("{ kernel: 0, part: 'width' }")
    hand.drag([(x, y), (x + 14, y)])
    page.until(rests)
    hand.photograph("plausible-kernel", "ib-graph")
    hand.choose("chest")
    hand.unfold("What may change")
    hand.slide(guidance.locator("[data-setting=chest] input"), 0.75)
    page.until(rests)
    hand.photograph("plausible-joint")
    hand.click_on(guidance.locator("button.keep"))
    page.wait_for_steps(1)
    hand.choose("hand_r")
    hand.click_on(page.page.get_by_text("History", exact=True))
    hand.photograph("plausible-kept", "ib-viewport", "ib-history")


def hit_the_mark(hand: Hand) -> None:
    page, dynamics = hand.page, hand.page.page.locator("ib-inspector [data-section=Dynamics]")
    target = page.page.locator("ib-inspector [data-section=Target]")
    loose = "inbetweener.model.loosening"
    hand.click_on(page.page.get_by_role("button", name="No more hints"))
    hand.click(page.where("document.querySelector('ib-outliner').whereIs('joint', 'spine_1')"))
    hand.click_on(dynamics.get_by_role("button", name="Chain to the tip"))
    page.wait_for_steps(1)
    hand.watch()
    hand.go(34)
    page.until("inbetweener.model.frames.isFresh(34)")
    hand.photograph("mark-loose")
    wrist, knuckle = page.joint("hand_r"), page.joint("middle_1_r")
    hand.click(((wrist[0] + knuckle[0]) / 2, (wrist[1] + knuckle[1]) / 2))
    page.until("inbetweener.model.selection.activeJoint === 'hand_r'")
    hand.click_on(dynamics.get_by_role("button", name="Add here"))
    page.wait_for_steps(2)
    page.until(f"{loose}.chosenTarget !== null && {loose}.stateOf({loose}.chosen.value) !== null")
    hand.photograph("mark-missed")
    hand.click_on(target.locator("button.solve"))
    page.wait_for_steps(3)
    expect(target.locator(".reads")).to_have_text("hit", timeout=PATIENCE_MS)
    hand.photograph("mark-hit")
    hand.click_on(target.get_by_role("radio", name="Still"))
    page.wait_for_steps(4)
    hand.click_on(target.locator("button.solve"))
    page.wait_for_steps(5)
    x, y = page.where(f"document.querySelector('ib-viewport').whereIsTarget({loose}.chosen.value)")
    hand.drag([(x, y), (x + 3, y + 14)])
    page.wait_for_steps(6)
    hand.click_on(target.locator("button.solve"))
    expect(target.locator(".reads")).to_have_text("hit", timeout=PATIENCE_MS)
    hand.photograph("mark-moved", "ib-viewport")
    hand.click_on(dynamics.get_by_role("button", name="Bake"))
    page.until("inbetweener.model.clip.value.layers.some((each) => each.name === 'loose')")
    hand.photograph("mark-baked")


def jump_from_nothing(hand: Hand) -> None:
    Jump(hand).follow()


TUTORIALS: dict[str, tuple[str, Callable[[Hand], None]]] = {
    "shape-an-arc": ("flying-robot", shape_an_arc),
    "plant-feet": ("boxer", plant_feet),
    "line-of-action": ("boxer", draw_a_line_of_action),
    "make-it-plausible": ("waving", make_it_plausible),
    "hit-the-mark": ("boxer", hit_the_mark),
    "jump-from-nothing": ("waving", jump_from_nothing),
}

if __name__ == "__main__":
    main()
