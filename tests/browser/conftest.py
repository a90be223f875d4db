"""One Chromium for all tests, a fresh server and a fresh profile for each."""

import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from inbetweener import kernels
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.studio.served import served

FLAGS = (
    "--no-sandbox",
    "--use-angle=gl-egl",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # The page is put together without OpenGL, which is software here: half the processor time of a drawn frame.
    "--disable-gpu-compositing",
    # Chromium's own pages behind its address bar: more processor time per tab than a Studio takes to open. The last
    # list counts, so Playwright's choices that matter here are said again.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,HttpsUpgrades,MediaRouter,OptimizationHints",
)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, drawing in software; kernels are compiled before, so that no test waits for that.

    Closed with the last browser test: while Playwright is there, no other test could run an event loop.
    """
    if not kernels.is_warm():
        deque(kernels.warm_up(), maxlen=0)
    path = shutil.which("chromium")
    assert path, "the browser tests need Chromium; `make browser` installs it"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


def fresh_profile(browser: Browser) -> BrowserContext:
    """Nothing remembered, a small screen, no animations."""
    return browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")


@pytest.fixture
def new_page(browser: Browser, serve: Callable[[str], Studio]) -> Iterator[Callable[[], StudioPage]]:
    """Makes tabs of one fresh profile, gone before the server is; none of them may have complained."""
    context = fresh_profile(browser)
    pages: list[StudioPage] = []

    def make() -> StudioPage:
        pages.append(StudioPage(context.new_page()))
        return pages[-1]

    yield make
    context.close()
    assert [complaint for page in pages for complaint in page.complaints] == []


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[str], Studio]]:
    """Starts a Studio on an example, in a folder of the test's own."""
    with ExitStack() as stack:
        yield lambda example: stack.enter_context(served(tmp_path, Origin(example=example)))


@pytest.fixture
def robot(serve: Callable[[str], Studio]) -> Studio:
    return serve("flying-robot")


@pytest.fixture
def page(new_page: Callable[[], StudioPage], robot: Studio) -> StudioPage:
    """A page on the flying robot, standing still on frame 0."""
    return new_page().open(robot)
