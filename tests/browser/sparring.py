"""The boxer with everything done to him by mouse: planted, posed, drawn, led around a pad, timed, guided, loose."""

from dataclasses import replace

import numpy as np

import inbetweener as ib
from inbetweener.document import Document, Prop, View
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from tests.browser.story import Story

HAND, FEET = "hand_r", ("toe_l", "toe_r")
TRUNK, ENDS = ("spine_1", "spine_2", "chest"), (("spine_1", 0.0), ("chest", 1.0))
ARM = ("upper_arm_r", "forearm_r", HAND)
GUARD, WIND_UP, BLOW, LAST = 22, 28, 34, 54
PAD = Prop("pad", Sphere(0.04), Transform((0.037, 1.244, 0.579)), "obstacle", colour=(0.9, 0.75, 0.2))
GUIDING, LOOSE = "inbetweener.model.guiding", "inbetweener.model.loosening"
OBSTACLES = "inbetweener.model.obstacles.value"
HITS = f"({OBSTACLES}?.exact ? {OBSTACLES}.items[0].frames.length : NaN)"
"""On how many frames the pad is hit, once that is measured with the whole skin."""


def opened() -> Document:
    """The built-in scene seen from the side of the blow, with a pad in the way of the fist that comes back."""
    boxer = ib.example("boxer")
    view = View((-2.7, 1.7, 2.6), (0.0, 1.0, 0.35), 0.5)
    return replace(boxer, name="sparring", props=(*boxer.props, PAD), view=view)


def plant(story: Story) -> None:
    """Both feet in contact all the time: whatever is posed and dragged from now on, they stay."""
    for foot in FEET:
        story.select(foot)
        lane = [story.timeline(f"{{kind: 'contact-lane', frame: {frame}}}") for frame in (0, LAST)]
        story.page.drag(*lane)
        story.step()


def pose(story: Story) -> None:
    """The hips of the guard pulled down while a pin holds the fist in front; then the fist is free again."""
    page = story.page
    story.go(GUARD)
    story.select("hand_l")
    page.press("p")
    story.step()
    page.press("q")
    x, y = page.joint("hips")
    page.drag((x, y), (x, y + 12))
    story.step()
    story.select("hand_l")
    page.press("p")
    story.step()


def draw(story: Story) -> None:
    """The wind-up drawn along a line of action through the trunk."""
    page = story.page
    story.go(WIND_UP)
    page.press("b")
    page.until("inbetweener.model.sketching.shapes.value?.time > 1.16")
    for number, name in enumerate(TRUNK):
        page.click(story.bone(name, 0.5), modifiers=["Shift"] if number else [])
    page.page.locator("ib-sketch-bar").get_by_role("radio", name="Line of action").click()
    low, high = (np.array(story.bone(*end)) for end in ENDS)
    page.page.mouse.move(*low)
    page.page.mouse.down()
    for share in np.linspace(0.0, 1.0, 24)[1:]:
        page.page.mouse.move(*(low + share * (high - low) - [22 * share**2, 0.0]))
    page.page.mouse.up()
    story.step()
    page.press("Escape")
    page.press("w")


def stand(story: Story) -> None:
    """Key poses made to agree where the feet are, and feet held in between."""
    story.page.unfold("Constraints")
    for button in ("Make poses agree", "Hold contacts"):
        story.press("[data-section=Constraints]", button)
        story.step()


def lift(story: Story, frame: int, right: float, up: float) -> None:
    """The arc of the fist dragged on a frame: by so many metres from where it is seen."""
    page = story.page
    x, y, z = story.document.shown_motion().states([frame / 24], story.document.rig.point(HAND))[0][0]
    page.drag(page.tick(frame), page.pixel((x + right, y + up, z)))
    story.step()


def lead_around(story: Story) -> None:
    """The fist lifted over the pad on its way back."""
    story.select(HAND)
    story.page.until(f"{HITS} > 0")
    lift(story, 43, -0.04, 0.09)
    story.page.until(f"{HITS} === 0")


def hurry(story: Story) -> None:
    """Faster on its way to the bag."""
    page = story.page
    page.press("r")
    page.page.mouse.move(*page.tick(31))
    page.page.mouse.wheel(0, -120)
    story.step()
    page.press("w")


def guide(story: Story) -> None:
    """The arm with less effort, the elbow stiffer than the rest, a kernel on the blow."""
    page, guidance = story.page, story.page.page.locator("ib-inspector .guidance")
    story.go(BLOW)
    story.select("upper_arm_r", HAND, "forearm_r")
    page.unfold("What may change", "Kernels")
    guidance.get_by_role("radio", name="Selected joints").click()
    guidance.locator("button.add-kernel").click()
    story.step()
    box = guidance.locator("[data-setting=forearm_r] input").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.drag((box["x"] + box["width"] / 2, y), (box["x"] + 0.75 * box["width"], y))
    guidance.locator("button.run").click()
    page.until(f"{GUIDING}.progress.value?.state === 'resting' && {GUIDING}.progress.value.text !== ''")
    guidance.locator("button.keep").click()
    story.step()


def loosen(story: Story) -> None:
    """Trunk and arm loose, no more than a boxer's."""
    story.select(*TRUNK, *ARM)
    story.page.unfold("Dynamics")
    story.press("[data-section=Dynamics]", "firm")
    story.step()


def hit(story: Story) -> None:
    """The fist wanted where it is keyed on the blow, standing still."""
    story.go(BLOW)
    story.select(HAND)
    story.press("[data-section=Dynamics]", "Add here")
    story.step()
    story.page.until(f"{LOOSE}.chosenTarget !== null && {LOOSE}.stateOf({LOOSE}.chosen.value) !== null")
    story.page.page.locator("ib-inspector [data-section=Target]").get_by_role("radio", name="Still").click()
    story.step()
    solve(story)


def solve(story: Story) -> None:
    """The target that is chosen brought about."""
    story.page.page.locator("ib-inspector [data-section=Target] button.solve").click()
    story.step()
    story.page.until(f"{LOOSE}.stateOf({LOOSE}.chosen.value).distance < 1e-6")


def lead_around_again(story: Story) -> None:
    """Loose, the fist swung onto the pad; brought onto its mark it passes above, and is led higher, and back again."""
    story.page.until(f"{HITS} === 0")
    lift(story, 45, 0.0, 0.2)
    solve(story)
    story.page.until(f"{HITS} === 0")


PARTS = (plant, pose, draw, stand, lead_around, hurry, guide, loosen, hit, lead_around_again)
"""In the order in which an animator would do it."""
