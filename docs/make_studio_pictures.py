"""Photograph the real Studio for these pages: `python docs/make_studio_pictures.py`, with Chromium at hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.studio_window import studio_window
from tests.browser.studio_page import StudioPage
from tests.browser.test_sketch import FRAME, choose_tail, curl, draw

FOLDER = Path(__file__).parent / "pictures"


def main() -> None:
    for example, take in (("flying-robot", take_robot), ("dino-punch", take_dinosaur)):
        if example in sys.argv[1:] or not sys.argv[1:]:
            with studio_window(example) as page:
                take(page)


def take_dinosaur(page: StudioPage) -> None:
    page.settle()
    page.page.locator("ib-hint").get_by_role("button").click()
    page.run(f"inbetweener.commands.run('blend.differential'); inbetweener.model.playback.go({FRAME})")
    page.press("b")
    page.until("inbetweener.model.sketching.shapes.value?.time > 0.41")
    way = choose_tail(page)
    draw(page, curl(way, -2.6), release=False)
    page.until("inbetweener.model.answer.value?.reached === true")
    save(page, "studio-sketch")
    page.press("Escape")
    page.page.mouse.up()


def take_robot(page: StudioPage) -> None:
    page.until("inbetweener.model.obstacles.value?.exact")
    page.select("body")
    page.drag(page.tick(36), page.pixel((0.0, 0.53, 0.0)), release=False)
    page.until("inbetweener.model.obstacles.value.items[1].frames.length === 0")
    save(page, "studio")
    page.page.mouse.up()
    page.wait_for_steps(1)
    page.click(page.tick(36), modifiers=["Control"])
    page.wait_for_steps(2)
    page.press("Escape")
    page.select("head")
    page.press("p")
    page.wait_for_steps(3)
    page.press("Escape")
    page.select("hand_l")
    x, y = page.tick(14)
    page.drag((x, y), (x - 40, y - 110), release=False)
    page.until("document.querySelector('ib-viewport').blockedText() !== ''")
    save(page, "studio-blocked")
    page.press("Escape")
    page.page.mouse.up()
    page.press("Control+o")
    pictures_are_in(page)
    save(page, "studio-examples")
    page.press("Escape")


def pictures_are_in(page: StudioPage) -> None:
    """Wait for the thumbnails of the gallery; they are rendered the first time that they are asked for."""
    arrived = "performance.getEntriesByType('resource').filter((each) => each.name.includes('thumbnail')).length"
    page.until(f"{arrived} >= inbetweener.model.files.value.examples.length")


def save(page: StudioPage, name: str) -> None:
    page.page.wait_for_timeout(400)
    page.page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
