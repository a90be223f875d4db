"""A Studio page under a scripted hand: finds things as the eye does, moves and clicks as a mouse does."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

from inbetweener.studio.server.studio import Studio

Pixel = tuple[float, float]
PATIENCE_MS = 60_000
SELDOM = """const { stage } = document.querySelector('ib-viewport'), { renderer } = stage;
    const { draw } = stage, { render } = renderer, known = new Set();
    const isNews = () => {
        const before = known.size;
        stage.scene.traverseVisible(({ material }) => {
            for (const each of [material ?? []].flat()) known.add(`${each.uuid} ${each.version}`);
        });
        return known.size > before;
    };
    stage.draw = () => {
        if (!window.watched && stage.drawn % 16 > 0)
            renderer.render = (...what) => {
                if (what[0] === stage.scene && isNews()) render.apply(renderer, what);
                else what.forEach((each) => each.updateMatrixWorld());
            };
        draw.call(stage);
        renderer.render = render;
    };"""
"""Draws one frame of sixteen and whatever has a material not drawn yet, and brings all up to date for every frame."""


class StudioPage:
    """Counts clicks (buttons pressed) and remembers everything the page complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, studio: Studio) -> "StudioPage":
        """Come in by the address that the terminal shows; nothing plays and no hint is in the way."""
        return self.visit(studio.invitation())

    def visit(self, address: str) -> "StudioPage":
        self.page.goto(f"{address}&aa=0")
        self.ready()
        self.settle()
        # Drawn in software, pictures take most of the time of a test, and few look at them.
        self.run(SELDOM)
        return self

    def watch(self) -> None:
        """Look at the picture: every frame is drawn from now on."""
        self.run("window.watched = true; document.querySelector('ib-viewport').stage.invalidate()")

    def ready(self) -> None:
        """Wait until the document is there with its meshes, and has been drawn."""
        self.until("inbetweener?.model.frames.count > 0 && inbetweener.model.frames.world(0) !== null")
        # A resource is listed once it has arrived.
        arrived = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/mesh/')).length"
        self.until(f"{arrived} >= inbetweener.model.scene.value.meshes.length")
        self.until("document.querySelector('ib-viewport')?.stage?.drawn > 0")

    def settle(self) -> None:
        """Stop whatever plays by itself on the first view, and stand on the first frame."""
        self.page.keyboard.press("Escape")
        self.run("inbetweener.model.playback.playing.value = false; inbetweener.model.playback.go(0)")

    # --- seeing -----------------------------------------------------------------------------------------------------

    def run(self, script: str) -> Any:
        return self.page.evaluate(f"() => {{ {script} }}")

    def value(self, expression: str) -> Any:
        return self.page.evaluate(f"() => {expression}")

    def until(self, expression: str) -> None:
        self.page.wait_for_function(f"() => {expression.replace('inbetweener', 'window.inbetweener')}")

    def where(self, expression: str) -> Pixel:
        """The pixel that an expression finds, once it finds one and that one stays where it is for two frames."""
        pixel = self.page.evaluate(
            """async () => {
                const frame = () => new Promise((next) => requestAnimationFrame(next));
                const look = async () => (FIND);
                const end = performance.now() + 15000;
                for (let before = null; performance.now() < end; await frame()) {
                    const now = await look();
                    if (now && before && Math.hypot(now.x - before.x, now.y - before.y) < 0.01) return now;
                    before = now;
                    await frame();
                }
                return null;
            }""".replace("FIND", expression)
        )
        assert pixel is not None, f"nothing to be seen of {expression}"
        return float(pixel["x"]), float(pixel["y"])

    def joint(self, name: str) -> Pixel:
        return self.where(f"document.querySelector('ib-viewport').whereIsJoint('{name}')")

    def tick(self, frame: int) -> Pixel:
        """Where the active point's curve passes on a frame, once that frame of it is as the server has it now."""
        model = "window.inbetweener.model"
        arc = f"{model}.arcs.freshness({model}.selection.active?.arc)"
        fresh = f"{model}.frames.isFresh({frame}) && ({arc}?.[{frame}] ?? 1)"
        return self.where(f"{fresh} ? document.querySelector('ib-viewport').whereIsTick({frame}) : null")

    def pixel(self, position: tuple[float, float, float]) -> Pixel:
        """Where a place in the world is on the page."""
        x, y, z = position
        return self.where(
            "(() => { const { stage } = document.querySelector('ib-viewport');"
            f" const at = stage.toPixels({{ x: {x}, y: {y}, z: {z} }}), box = stage.canvas.getBoundingClientRect();"
            " return { x: box.left + at.x, y: box.top + at.y }; })()"
        )

    def notices(self) -> list[str]:
        return [each["text"] for each in self.value("inbetweener.model.notices.items.value")]

    def labels(self) -> list[str]:
        """The steps of the history up to where we stand."""
        history = self.value("inbetweener.model.history.value")
        return list(history["labels"][1 : history["at"] + 1])

    # --- doing ------------------------------------------------------------------------------------------------------

    def click(self, at: Pixel, *, button: str = "left", modifiers: Sequence[str] = ()) -> None:
        for key in modifiers:
            self.page.keyboard.down(key)
        self.page.mouse.move(*at)
        self.page.mouse.down(button=button)  # type: ignore[arg-type]
        self.page.mouse.up(button=button)  # type: ignore[arg-type]
        for key in reversed(modifiers):
            self.page.keyboard.up(key)
        self.clicks += 1

    def drag(self, start: Pixel, end: Pixel, *, steps: int = 6, release: bool = True) -> None:
        """Press, move in small steps, and let go."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.clicks += 1
        self.page.mouse.move(*end, steps=steps)
        if release:
            self.page.mouse.up()

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def select(self, joint: str, frame: int = 20) -> None:
        """On a frame where nothing hides it, click a joint of the body and wait for its arc."""
        self.run(f"inbetweener.model.playback.pause(); inbetweener.model.playback.go({frame})")
        self.until("inbetweener.model.frames.world(inbetweener.model.playback.frame.value) !== null")
        self.click(self.joint(joint))
        self.until(f"inbetweener.model.selection.activeJoint === '{joint}'")
        self.until("inbetweener.model.arcs.get(inbetweener.model.selection.active.arc) !== null")

    def unfold(self, *sections: str) -> None:
        """Click open those sections of the inspector that are folded."""
        for name in sections:
            section = self.page.locator(f"ib-inspector details[data-section='{name}']")
            if section.get_attribute("open") is None:
                section.locator("summary").first.click()
                self.clicks += 1
                section.locator(".content").first.wait_for(state="visible")

    def wait_for_steps(self, count: int) -> None:
        """Wait until the history stands on step `count`."""
        self.until(f"inbetweener.model.history.value.at === {count}")

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)
