"""A hand and a camera for the tutorials: everything is done with the real mouse, and pictures show where it is."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Locator

from tests.browser.studio_page import Pixel, StudioPage

FOLDER = Path(__file__).parent / "tutorials" / "pictures"
COLOURS = 256
"""A palette that covers all colours, then settles where most of them are, keeps the whole window near 60 KB."""

SHARPER = 4
"""How much larger the pointer is drawn before it is scaled down, so that its edges are smooth."""

ARROW = ((0, 0), (0, 17), (4, 13.4), (6.6, 19.4), (9.4, 18.2), (6.8, 12.4), (12, 12))


class Hand:
    """Steps of a tutorial, as an animator takes them: in pixels and keys, never behind the page's back."""

    def __init__(self, page: StudioPage, folder: Path | None = FOLDER) -> None:
        self.page, self.folder = page, folder
        self.at: Pixel = (0.0, 0.0)
        self._trail: list[Pixel] = []

    # --- where things are -------------------------------------------------------------------------------------------

    def on_timeline(self, what: str) -> Pixel:
        return self.page.where(f"document.querySelector('ib-timeline').whereIs({what})")

    def on_graph(self, what: str) -> Pixel:
        return self.page.where(f"document.querySelector('ib-graph').whereIs({what})")

    def bone(self, joint: str, place: float = 0.5) -> Pixel:
        return self.page.where(f"document.querySelector('ib-viewport').whereIsBone('{joint}', {place})")

    def middle(self, thing: Locator, share: float = 0.5) -> Pixel:
        """A spot on something that the page shows: halfway up, and a share of its width from the left."""
        thing.scroll_into_view_if_needed()
        box = thing.bounding_box()
        assert box is not None
        return box["x"] + share * box["width"], box["y"] + box["height"] / 2

    # --- what is done -----------------------------------------------------------------------------------------------

    def move(self, *way: Pixel) -> None:
        for spot in way:
            self.page.page.mouse.move(*spot, steps=1 if len(way) > 4 else 4)
            self.at = spot

    def click(self, at: Pixel, *modifiers: str) -> None:
        self.move(at)
        self.page.click(at, modifiers=modifiers)

    def unfold(self, section: str) -> None:
        """Open a folded section of the inspector by its heading."""
        self.click_on(self.page.page.locator(f"ib-inspector details[data-section='{section}'] > summary"))

    def click_on(self, thing: Locator) -> None:
        self.click(self.middle(thing))

    def go(self, frame: int) -> None:
        """Click a frame on the timeline's ruler."""
        self.click(self.on_timeline(f"{{ kind: 'frame', frame: {frame} }}"))
        self.page.until(f"inbetweener.model.playback.frame.value === {frame}")

    def watch(self) -> None:
        """Play for a while by the button below the viewport, and stop by it."""
        play = self.page.page.locator("ib-timeline").get_by_role("button", name="Play or pause")
        self.click_on(play)
        self.page.until("inbetweener.model.playback.frame.value > 6")
        self.click_on(play)
        self.page.until("!inbetweener.model.playback.playing.value")

    def choose(self, joint: str) -> None:
        """Click a joint of the body, and wait for its arc."""
        self.click(self.page.joint(joint))
        self.page.until(f"inbetweener.model.selection.activeJoint === '{joint}'")
        self.page.until("inbetweener.model.arcs.get(inbetweener.model.selection.active.arc) !== null")

    def drag(self, way: Sequence[Pixel], *, release: bool = True) -> None:
        """Press on the first spot, go through all others, and let go."""
        self.move(way[0])
        self.page.page.mouse.down()
        self._trail = list(way)
        self.move(*way[1:])
        if release:
            self.let_go()

    def let_go(self) -> None:
        self.page.page.mouse.up()
        self._trail = []

    def slide(self, slider: Locator, share: float) -> None:
        """Take the knob of a slider to a share of its way."""
        now = float(
            slider.evaluate(
                "(input) => (Number(input.value) - Number(input.min)) / (Number(input.max) - Number(input.min))"
            )
        )
        self.drag([self.middle(slider, 0.03 + 0.94 * now), self.middle(slider, 0.03 + 0.94 * share)])

    def turn_wheel(self, at: Pixel, notches: int) -> None:
        """Turn the wheel over a spot: away from oneself with positive notches."""
        self.move(at)
        for _ in range(abs(notches)):
            self.page.page.mouse.wheel(0, -120 if notches > 0 else 120)

    def close_cards(self) -> None:
        """Close what the Studio has told in its corner."""
        crosses = self.page.page.locator("ib-notices, ib-jobs").get_by_role("button", name="Close")
        while crosses.count() > 0:
            self.click_on(crosses.first)

    # --- what is kept -----------------------------------------------------------------------------------------------

    def photograph(self, name: str, *things: str) -> None:
        """Keep a picture of the window, or of the part of it where the named elements are; none without a folder."""
        if self.folder is None:
            return
        self.page.page.wait_for_timeout(500)
        image = Image.open(BytesIO(self.page.page.screenshot())).convert("RGB")
        self._point(image)
        if things:
            image = image.crop(self._around(things, image.size))
        self.folder.mkdir(parents=True, exist_ok=True)
        small = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        small.save(self.folder / f"{name}.png", optimize=True)

    def _around(self, things: Sequence[str], size: tuple[int, int]) -> tuple[int, int, int, int]:
        boxes = [self.page.page.locator(thing).first.bounding_box() for thing in things]
        found = [box for box in boxes if box is not None]
        assert len(found) == len(things), f"not all of {things} are shown"
        left = min(box["x"] for box in found)
        top = min(box["y"] for box in found)
        right = max(box["x"] + box["width"] for box in found)
        bottom = max(box["y"] + box["height"] for box in found)
        return int(left), int(top), min(size[0], int(right)), min(size[1], int(bottom))

    def _point(self, image: Image.Image) -> None:
        """Draw the pointer, which screenshots leave out, and while it drags the way that it took."""
        layer = Image.new("RGBA", (image.width * SHARPER, image.height * SHARPER))
        draw = ImageDraw.Draw(layer)
        scaled = [(x * SHARPER, y * SHARPER) for x, y in self._trail]
        if len(scaled) > 1:
            draw.line(scaled, fill=(255, 255, 255, 150), width=2 * SHARPER, joint="curve")
            x, y = scaled[0]
            draw.ellipse(
                (x - 4 * SHARPER, y - 4 * SHARPER, x + 4 * SHARPER, y + 4 * SHARPER), fill=(255, 255, 255, 200)
            )
        shape = [((self.at[0] + x) * SHARPER, (self.at[1] + y) * SHARPER) for x, y in ARROW]
        draw.polygon(shape, fill=(255, 255, 255, 255), outline=(0, 0, 0, 255), width=SHARPER)
        image.paste(small := layer.resize(image.size, Image.Resampling.LANCZOS), mask=small.getchannel("A"))
