"""The long scenario with a real mouse: posed, drawn, planted, dragged, timed, guided, loose, on the mark, undone."""

from collections.abc import Callable

import numpy as np

from benchmarks.gestures.long_scenario import slide
from inbetweener.document import Document
from inbetweener.studio.server.studio import Studio
from inbetweener.tangents import Contact, disagreement
from tests.browser.studio_page import Pixel, StudioPage

GUIDING, LOOSE = "inbetweener.model.guiding", "inbetweener.model.loosening"
FEET = ("toe_l", "toe_r")
TRUNK, ENDS = ("spine_1", "spine_2", "chest"), (("spine_1", 0.0), ("chest", 1.0))


class Story:
    """A page, and every document that a step left behind."""

    def __init__(self, page: StudioPage, studio: Studio) -> None:
        self.page, self.editor = page, studio.session.editor
        self.documents: list[Document] = [self.editor.document]

    def step(self) -> None:
        """Wait for the next step of the history, and keep what it made."""
        self.page.wait_for_steps(len(self.documents))
        self.documents.append(self.editor.document)

    def go(self, frame: int) -> None:
        self.page.run(f"inbetweener.model.playback.go({frame})")
        self.page.until(f"inbetweener.model.frames.isFresh({frame})")

    def select(self, joint: str, *more: str) -> None:
        """Choose joints by their names in the outliner."""
        for number, name in enumerate((joint, *more)):
            at = self.page.where(f"document.querySelector('ib-outliner').whereIs('joint', '{name}')")
            self.page.click(at, modifiers=["Control"] if number else [])
        self.page.until("inbetweener.model.arcs.get(inbetweener.model.selection.active.arc) !== null")

    def press(self, section: str, button: str) -> None:
        self.page.page.locator(f"ib-inspector {section}").get_by_role("button", name=button).first.click()

    def timeline(self, what: str) -> Pixel:
        return self.page.where(f"document.querySelector('ib-timeline').whereIs({what})")


def pose_and_draw(story: Story) -> None:
    """The guard pulled on its key, the wind-up drawn along a line of action through the trunk."""
    page = story.page
    story.go(22)
    story.select("hand_r")
    page.press("q")
    (x, y), (across, up) = page.joint("hand_r"), page.joint("middle_1_r")
    x, y = (x + across) / 2, (y + up) / 2
    page.drag((x, y), (x - 12, y - 10))
    story.step()
    story.go(28)
    page.press("b")
    page.until("inbetweener.model.sketching.shapes.value?.time > 1.16")
    bones = [page.where(f"document.querySelector('ib-viewport').whereIsBone('{name}', 0.5)") for name in TRUNK]
    for number, at in enumerate(bones):
        page.click(at, modifiers=["Shift"] if number else [])
    page.page.locator("ib-sketch-bar").get_by_role("radio", name="Line of action").click()
    low, high = (page.where(f"document.querySelector('ib-viewport').whereIsBone('{n}', {s})") for n, s in ENDS)
    page.page.mouse.move(*low)
    page.page.mouse.down()
    for share in np.linspace(0.0, 1.0, 24)[1:]:
        page.page.mouse.move(low[0] + share * (high[0] - low[0]) - 22 * share**2, low[1] + share * (high[1] - low[1]))
    page.page.mouse.up()
    story.step()
    page.press("Escape")
    page.press("w")


def plant(story: Story) -> None:
    """Both feet in contact all the time: whatever is posed and dragged from now on, they stay."""
    for foot in FEET:
        story.select(foot)
        story.page.drag(
            story.timeline("{kind: 'contact-lane', frame: 0}"), story.timeline("{kind: 'contact-lane', frame: 54}")
        )
        story.step()


def hold(story: Story) -> None:
    """Feet held between their keys."""
    story.press("", "Remove slide")
    story.step()


def drag_and_hurry(story: Story) -> None:
    """The arc of the hand pulled outwards on its way back; then faster on its way there."""
    page = story.page
    story.select("hand_r")
    x, y = page.tick(44)
    page.drag((x, y), (x - 8, y - 16))
    story.step()
    page.press("r")
    page.page.mouse.move(*page.tick(31))
    page.page.mouse.wheel(0, -120)
    story.step()
    page.press("w")


def guide(story: Story) -> None:
    """The arm with less effort, the elbow stiffer than the rest, a kernel on the blow."""
    page, guidance = story.page, story.page.page.locator("ib-inspector .guidance")
    story.go(34)
    story.select("upper_arm_r", "hand_r", "forearm_r")
    page.unfold("What may change", "Kernels")
    guidance.get_by_role("radio", name="Selected joints").click()
    guidance.locator("button.add-kernel").click()
    box = guidance.locator("[data-setting=forearm_r] input").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.drag((box["x"] + box["width"] / 2, y), (box["x"] + 0.75 * box["width"], y))
    guidance.locator("button.run").click()
    page.until(f"{GUIDING}.progress.value?.state === 'resting' && {GUIDING}.heat.value !== null")
    guidance.locator("button.keep").click()
    story.step()


def loosen_and_hit(story: Story) -> None:
    """Loose from the waist up; the hand wanted where it is keyed on the blow, standing still."""
    page, target = story.page, story.page.page.locator("ib-inspector [data-section=Target]")
    story.select("spine_1")
    story.press("[data-section=Dynamics]", "Chain to the tip")
    story.step()
    story.go(34)
    story.select("hand_r")
    story.press("[data-section=Dynamics]", "Add here")
    story.step()
    page.until(f"{LOOSE}.chosenTarget !== null && {LOOSE}.stateOf({LOOSE}.chosen.value) !== null")
    target.get_by_role("radio", name="Still").click()
    story.step()
    target.locator("button.solve").click()
    story.step()
    page.until(f"{LOOSE}.stateOf({LOOSE}.chosen.value).distance < 1e-6")


def test_every_method_on_one_boxer(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]) -> None:
    studio = serve("boxer")
    story = Story(new_page().open(studio), studio)
    for part in (plant, pose_and_draw, hold, drag_and_hurry, hold, guide, loosen_and_hit):
        part(story)
    end = story.editor.document
    clip, place = end.clip(), end.rig.point("hand_r")
    assert len(end.rules()) == len(FEET)
    for rule in end.rules():
        assert isinstance(rule, Contact)
        # Tangents hold a foot as still as its key poses put it in one place, which the scene's do to a millimetre.
        apart = disagreement(story.documents[0].motion(), rule).distance
        assert slide(end, rule.point, rule.start, rule.end) < apart + 3e-4 < 1.5e-3
    (aim,) = end.loosening().aims
    motion = end.loose_motion()
    step = motion.loosened.step
    before, there = motion.states([aim.target.time - step, aim.target.time], place)[0]
    (layer,) = clip.layers
    keyed = story.documents[-2].motion().states([aim.target.time], place)[0][0]
    assert layer.name == aim.name
    assert np.linalg.norm(there - keyed) < 1e-4
    assert np.linalg.norm(there - before) / step < 1e-3
    drawn = story.documents[4].clip()
    for name, curve in drawn.curves.items():
        np.testing.assert_array_equal(clip.curves[name].times, curve.times)
    for document, number in zip(reversed(story.documents[:-1]), range(len(story.documents) - 2, -1, -1), strict=True):
        story.page.press("Control+z")
        story.page.wait_for_steps(number)
        assert story.editor.document == document
    for number, document in enumerate(story.documents[1:], 1):
        story.page.press("Control+Shift+z")
        story.page.wait_for_steps(number)
        assert story.editor.document == document
