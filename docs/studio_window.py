"""The real Studio in a real browser, for pages that show it."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.conftest import FLAGS
from tests.browser.studio_page import StudioPage
from tests.studio.served import served

SIZE = {"width": 1280, "height": 720}


@contextmanager
def studio_window(example: str) -> Iterator[StudioPage]:
    """A fresh server in a fresh browser, as a newcomer has it; the page must not complain."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), Origin(example=example)) as studio,
        window_on(studio) as page,
    ):
        yield page


@contextmanager
def window_on(studio: Studio) -> Iterator[StudioPage]:
    """A fresh browser on a server."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        context = chromium.new_context(viewport=SIZE, reduced_motion="reduce")
        page = StudioPage(context.new_page())
        page.page.goto(studio.invitation())
        page.ready()
        yield page
        context.close()
        chromium.close()
    assert page.complaints == [], page.complaints
